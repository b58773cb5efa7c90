//! What changed between two definitions, as a list of places. Lists of a schema are sets: an
//! alternative is known by its tag, by what it refers to, or by its text.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::Value;

/// Longest text of a value in a line.
const LONGEST: usize = 120;

/// Every place that differs.
pub(super) fn between(old: &Value, new: &Value) -> Vec<String> {
    let mut found = Vec::new();
    compare("", old, new, &mut found);
    found
}

fn compare(path: &str, old: &Value, new: &Value, found: &mut Vec<String>) {
    match (old, new) {
        _ if old == new => {}
        (Value::Object(old), Value::Object(new)) => {
            let names: BTreeSet<&String> = old.keys().chain(new.keys()).collect();
            // The catch-all of an open union repeats every known tag: its alternatives say it.
            for name in names.into_iter().filter(|name| *name != "not") {
                member(
                    &format!("{path}/{name}"),
                    old.get(name),
                    new.get(name),
                    found,
                );
            }
        }
        (Value::Array(old), Value::Array(new)) => {
            let (old, new) = (by_label(old), by_label(new));
            let labels: BTreeSet<&String> = old.keys().chain(new.keys()).collect();
            for label in labels {
                let (old, new) = (old.get(label).copied(), new.get(label).copied());
                member(&format!("{path}[{label}]"), old, new, found);
            }
        }
        _ => found.push(format!("~ {path}: {} -> {}", short(old), short(new))),
    }
}

fn member(path: &str, old: Option<&Value>, new: Option<&Value>, found: &mut Vec<String>) {
    match (old, new) {
        (Some(old), Some(new)) => compare(path, old, new, found),
        (None, Some(new)) => found.push(format!("+ {path}: {}", short(new))),
        (Some(old), None) => found.push(format!("- {path}: {}", short(old))),
        (None, None) => {}
    }
}

fn by_label(items: &[Value]) -> BTreeMap<String, &Value> {
    let mut labelled = BTreeMap::new();
    for item in items {
        let label = label(item);
        let mut unique = label.clone();
        let mut count = 1;
        while labelled.contains_key(&unique) {
            count += 1;
            unique = format!("{label} {count}");
        }
        labelled.insert(unique, item);
    }
    labelled
}

fn label(item: &Value) -> String {
    if let Some(tag) = item.get("properties").and_then(tag) {
        return tag;
    }
    if let Some(name) = item.get("$ref").and_then(Value::as_str) {
        return name.rsplit('/').next().unwrap_or(name).to_owned();
    }
    if let Some(text) = item
        .as_str()
        .or_else(|| item.get("const").and_then(Value::as_str))
    {
        return text.to_owned();
    }
    if item.get("not").is_some() {
        return "other".to_owned();
    }
    short(item)
}

/// `name=value` of the member that has one constant value.
fn tag(properties: &Value) -> Option<String> {
    let constants = properties
        .as_object()?
        .iter()
        .filter_map(|(name, schema)| Some(format!("{name}={}", schema.get("const")?.as_str()?)));
    let constants: Vec<_> = constants.collect();
    (constants.len() == 1).then(|| constants.concat())
}

fn short(value: &Value) -> String {
    let text = value.to_string();
    match text.char_indices().nth(LONGEST) {
        Some((end, _)) => format!("{}…", text.get(..end).unwrap_or("")),
        None => text,
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[track_caller]
    fn check(old: Value, new: Value, expected: &[&str]) {
        assert_eq!(between(&old, &new), expected);
    }

    #[test]
    fn members_come_go_and_change() {
        check(
            json!({"a": {"type": "string"}, "b": 1}),
            json!({"a": {"type": "integer"}, "c": 2}),
            &["~ /a/type: \"string\" -> \"integer\"", "- /b: 1", "+ /c: 2"],
        );
    }

    #[test]
    fn the_order_of_a_list_is_no_change() {
        check(
            json!({"required": ["a", "b"]}),
            json!({"required": ["b", "a"]}),
            &[],
        );
        check(
            json!({"required": ["a"]}),
            json!({"required": ["a", "b"]}),
            &["+ /required[b]: \"b\""],
        );
    }

    #[test]
    fn alternatives_are_known_by_their_tag() {
        let alternative =
            |tag: &str, extra: u8| json!({"properties": {"type": {"const": tag}}, "x": extra});
        check(
            json!({"anyOf": [alternative("text", 1), alternative("image", 1)]}),
            json!({"anyOf": [alternative("image", 2), alternative("text", 1)]}),
            &["~ /anyOf[type=image]/x: 1 -> 2"],
        );
        check(
            json!({"anyOf": [{"not": 1}]}),
            json!({"anyOf": [{"not": 2}]}),
            &[],
        );
    }
}
