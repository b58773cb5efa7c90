//! A validator for as much of JSON Schema as the schemas in `docs/extension/` use. A keyword that
//! it does not know fails the test, so that none is passed over.

use std::{fs, path::Path};

use serde_json::Value;

/// Reads a schema of the extension.
pub(crate) fn schema(name: &str) -> Value {
    let dir = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/extension");
    let text = fs::read_to_string(dir.join(name)).expect("the schema");
    serde_json::from_str(&text).expect("JSON")
}

/// What is wrong with a value, by path; nothing when it is valid.
pub(crate) fn faults(root: &Value, schema: &Value, value: &Value, path: &str) -> Vec<String> {
    let mut found = Vec::new();
    let members = schema.as_object().expect("a schema is an object");
    for (keyword, rule) in members {
        let wrong = match keyword.as_str() {
            "$schema" | "title" | "$defs" => None,
            "$ref" => {
                let pointer = rule.as_str().expect("text").trim_start_matches('#');
                let target = root.pointer(pointer).expect("the definition");
                found.extend(faults(root, target, value, path));
                None
            }
            "type" => (!has_type(value, rule.as_str().expect("text"))).then(|| "type".to_owned()),
            "enum" => {
                (!rule.as_array().expect("a list").contains(value)).then(|| "enum".to_owned())
            }
            "minimum" => value
                .as_i64()
                .is_some_and(|number| number < rule.as_i64().expect("a number"))
                .then(|| "minimum".to_owned()),
            "minItems" => value
                .as_array()
                .is_some_and(|items| (items.len() as u64) < rule.as_u64().expect("a number"))
                .then(|| "minItems".to_owned()),
            "required" => {
                let missing: Vec<_> = rule
                    .as_array()
                    .expect("a list")
                    .iter()
                    .filter(|name| value.get(name.as_str().expect("text")).is_none())
                    .map(ToString::to_string)
                    .collect();
                (!missing.is_empty()).then(|| format!("missing {}", missing.join(" ")))
            }
            "pattern" => value
                .as_str()
                .is_some_and(|text| !matches(rule.as_str().expect("text"), text))
                .then(|| "pattern".to_owned()),
            "items" => {
                for (at, item) in value.as_array().into_iter().flatten().enumerate() {
                    found.extend(faults(root, rule, item, &format!("{path}[{at}]")));
                }
                None
            }
            "properties" => {
                for (name, rule) in rule.as_object().expect("an object") {
                    if let Some(member) = value.get(name) {
                        found.extend(faults(root, rule, member, &format!("{path}.{name}")));
                    }
                }
                None
            }
            "additionalProperties" => {
                let known = schema.get("properties");
                for (name, member) in value.as_object().into_iter().flatten() {
                    if known.is_some_and(|known| known.get(name).is_some()) {
                        continue;
                    }
                    if *rule == Value::Bool(false) {
                        found.push(format!("{path}.{name}: unknown"));
                    } else {
                        found.extend(faults(root, rule, member, &format!("{path}.{name}")));
                    }
                }
                None
            }
            other => panic!("this validator does not know {other}"),
        };
        found.extend(wrong.map(|what| format!("{path}: {what}")));
    }
    found
}

fn has_type(value: &Value, kind: &str) -> bool {
    match kind {
        "object" => value.is_object(),
        "array" => value.is_array(),
        "string" => value.is_string(),
        "integer" => value.is_i64() || value.is_u64(),
        "boolean" => value.is_boolean(),
        other => panic!("this validator does not know the type {other}"),
    }
}

/// The three patterns that the schemas use, by hand.
fn matches(pattern: &str, text: &str) -> bool {
    match pattern {
        "^(0|[1-9][0-9]{0,19})$" => {
            !text.is_empty()
                && text.len() <= 20
                && text.bytes().all(|byte| byte.is_ascii_digit())
                && (text == "0" || !text.starts_with('0'))
        }
        "^run-[0-9a-f]{16}$" => text.strip_prefix("run-").is_some_and(|rest| {
            rest.len() == 16
                && rest
                    .bytes()
                    .all(|byte| matches!(byte, b'0'..=b'9' | b'a'..=b'f'))
        }),
        "^[a-z][a-z0-9_]*$" => {
            text.starts_with(|letter: char| letter.is_ascii_lowercase())
                && text
                    .bytes()
                    .all(|byte| matches!(byte, b'a'..=b'z' | b'0'..=b'9' | b'_'))
        }
        other => panic!("this validator does not know the pattern {other}"),
    }
}

#[test]
fn the_validator_sees_faults() {
    let root = schema("task.schema.json");
    let good = serde_json::json!({
        "run": "run-0123456789abcdef", "session": "s", "outcome": "failed", "class": "tool",
        "cancel_requested": false, "delivery": "written", "last": "18446744073709551615",
        "accounting": {"tokens": "0"},
    });
    assert_eq!(faults(&root, &root, &good, "task"), Vec::<String>::new());
    for (pointer, value) in [
        ("/run", serde_json::json!("run-1")),
        ("/outcome", serde_json::json!("end_turn")),
        ("/class", serde_json::json!(7)),
        ("/last", serde_json::json!("007")),
        ("/last", serde_json::json!(7)),
        ("/accounting/tokens", serde_json::json!("-1")),
        ("/delivery", Value::Null),
    ] {
        let mut bad = good.clone();
        *bad.pointer_mut(pointer).expect("there") = value;
        assert_eq!(
            faults(&root, &root, &bad, "task").len(),
            1,
            "{pointer}: {bad}"
        );
    }
    let mut bad = good;
    bad["more"] = Value::Null;
    assert_eq!(faults(&root, &root, &bad, "task"), ["task.more: unknown"]);
}
