//! Broken inputs for every type and every member of every type.

use acp_vocab::{FieldInfo, Rule, Shape, TypeRef};
use serde_json::{Value, json};

use crate::{
    choose::Least,
    official::Definition,
    ours::{Ours, UNHEARD},
};

/// One input.
#[derive(Clone, Debug)]
pub struct Probe {
    /// The member that is probed; none for the value as a whole.
    pub member: Option<&'static str>,
    /// What stands in its place: JSON text, or `missing`.
    pub value: String,
    /// The whole input.
    pub text: String,
}

/// What stands in place of every value: `null`, every type of JSON, the numbers that are hard to
/// read as an integer, the empty containers and containers of the wrong thing.
const ILL_TYPED: &[&str] = &[
    "null",
    "true",
    "5",
    "0",
    "-1",
    "1.0",
    "1.5",
    "18446744073709551616",
    "\"text\"",
    "\"\"",
    "[]",
    "[true]",
    "[null]",
    "{}",
    "{\"unheard\":1}",
];

/// Every input for a definition.
#[must_use]
pub fn probes(ours: &Ours, definition: &Definition) -> Vec<Probe> {
    let name = definition.name;
    let mut texts: Vec<String> = ILL_TYPED.iter().map(|&text| text.to_owned()).collect();
    texts.extend(words(ours, TypeRef::Named(name)));
    let mut probes: Vec<Probe> = texts
        .into_iter()
        .map(|text| Probe {
            member: None,
            value: text.clone(),
            text,
        })
        .collect();
    for field in ours.members(name) {
        if field.rule == Rule::Flattened && matches!(field.ty, TypeRef::Named("ElicitationScope")) {
            // A part without a tag: its members are those of the types it is one of.
            continue;
        }
        let base = ours.value(name, &mut Least);
        probes.extend(member(ours, field).into_iter().map(|value| Probe {
            member: Some(field.name),
            text: with(&base, field.name, &value),
            value,
        }));
    }
    probes
}

/// What stands in place of a member.
fn member(ours: &Ours, field: &FieldInfo) -> Vec<String> {
    let mut texts = vec!["missing".to_owned()];
    texts.extend(ILL_TYPED.iter().map(|&text| text.to_owned()));
    if field.rule == Rule::Flattened {
        texts.push(json!(UNHEARD).to_string());
        return texts;
    }
    texts.extend(words(ours, field.ty));
    let good = |ty: TypeRef| ours.reference(ty, &mut Least);
    match field.ty {
        TypeRef::List(item) => {
            let good = good(*item);
            texts.push(json!([good]).to_string());
            for bad in [json!(true), json!(null), json!({}), json!([])] {
                texts.push(json!([good, bad, good]).to_string());
            }
            for word in words(ours, *item) {
                texts.push(format!("[{good},{word},{good}]"));
            }
        }
        TypeRef::Map(value) => {
            let good = good(*value);
            texts.push(json!({"a": good}).to_string());
            for bad in [json!(true), json!(null), json!({}), json!([])] {
                texts.push(json!({"a": good, "b": bad}).to_string());
            }
        }
        ty => texts.push(good(ty).to_string()),
    }
    texts.sort();
    texts.dedup();
    texts
}

/// Words that nobody knows, tags that are none, and known tags with nothing else.
fn words(ours: &Ours, ty: TypeRef) -> Vec<String> {
    let TypeRef::Named(name) = ty else {
        return Vec::new();
    };
    let info = ours.find(name);
    match info.shape {
        Shape::Enum(_) => vec![
            json!(UNHEARD).to_string(),
            json!({ours.words(info.shape)[0]: null}).to_string(),
        ],
        Shape::Union { tag, .. } => {
            let mut values = vec![
                json!({tag: UNHEARD}),
                json!({tag: UNHEARD, "more": [1, {"two": null}]}),
                json!({tag: null}),
                json!({tag: 5}),
                json!({tag: []}),
            ];
            for word in ours.words(info.shape) {
                values.push(json!({tag: word}));
            }
            values.iter().map(Value::to_string).collect()
        }
        Shape::Alias(target) => words(ours, target),
        _ => Vec::new(),
    }
}

/// An object with a member replaced by a text, or left out.
fn with(base: &Value, member: &str, text: &str) -> String {
    let mut rest = base.clone();
    if let Value::Object(rest) = &mut rest {
        rest.shift_remove(member);
    }
    if text == "missing" {
        return rest.to_string();
    }
    let mut whole = rest.to_string();
    whole.pop();
    if whole.len() > 1 {
        whole.push(',');
    }
    whole + &json!(member).to_string() + ":" + text + "}"
}
