//! Broken inputs for every type and every member of every type.

use std::collections::BTreeSet;

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
    pub member: Option<String>,
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
    let base = good(ours, TypeRef::Named(name));
    let mut probe = |member: &str, values: Vec<String>| {
        probes.extend(values.into_iter().map(|value| Probe {
            member: Some(member.to_owned()),
            text: with(&base, member, &value),
            value,
        }));
    };
    let mut own = BTreeSet::new();
    for field in ours.members(name) {
        // The scope of a question has no tag: its members come below.
        if field.ty != TypeRef::Named("ElicitationScope") {
            own.insert(field.name);
            probe(field.name, member(ours, field));
        }
    }
    if own.is_empty() {
        return probes;
    }
    for (name, _) in base.as_object().into_iter().flatten() {
        if !own.contains(name.as_str()) {
            // A member that a part of the object brings along.
            probe(name, ill_typed());
        }
    }
    probes
}

/// What stands in place of any member.
fn ill_typed() -> Vec<String> {
    std::iter::once("missing")
        .chain(ILL_TYPED.iter().copied())
        .map(str::to_owned)
        .collect()
}

/// What stands in place of a member.
fn member(ours: &Ours, field: &FieldInfo) -> Vec<String> {
    let mut texts = ill_typed();
    if field.rule == Rule::Flattened {
        texts.push(json!(UNHEARD).to_string());
        return texts;
    }
    texts.extend(words(ours, field.ty));
    match field.ty {
        TypeRef::List(item) => {
            let good = good(ours, *item);
            texts.push(json!([good]).to_string());
            for bad in [json!(true), json!(null), json!({}), json!([])] {
                texts.push(json!([good, bad, good]).to_string());
            }
            for word in words(ours, *item) {
                texts.push(format!("[{good},{word},{good}]"));
            }
        }
        TypeRef::Map(value) => {
            let good = good(ours, *value);
            texts.push(json!({"a": good}).to_string());
            for bad in [json!(true), json!(null), json!({}), json!([])] {
                texts.push(json!({"a": good, "b": bad}).to_string());
            }
        }
        ty => texts.push(good(ours, ty).to_string()),
    }
    texts.sort();
    texts.dedup();
    texts
}

/// The plainest good value, as we write it.
fn good(ours: &Ours, ty: TypeRef) -> Value {
    let TypeRef::Named(name) = ty else {
        return ours.reference(ty, &mut Least);
    };
    let value = ours.value(name, &mut Least);
    ours.recode(name, &value).unwrap_or(value)
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
            if let Value::Object(mut body) = good(ours, ty) {
                body.insert(tag.to_owned(), json!(UNHEARD));
                values.push(Value::Object(body.clone()));
                body.shift_remove(tag);
                values.push(Value::Object(body));
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
