//! One definition of an official schema, in a form in which only meaning makes a difference.

use std::collections::{BTreeMap, BTreeSet};

use anyhow::{Context, Result};
use serde_json::{Map, Value};
use sha2::{Digest, Sha256};

/// Members that are prose, or hints for readers and generators.
const PROSE: &[&str] = &[
    "description",
    "title",
    "$comment",
    "examples",
    "x-docs-ignore",
    "x-scope",
    "x-state",
];

/// Prose that says how to behave.
const BEHAVIOUR: &[&str] = &["description", "x-scope", "x-state"];

/// Definitions that only list others; the packages wrap them differently.
const ROUTES: &[&str] = &[
    "AgentNotification",
    "AgentRequest",
    "AgentResponse",
    "ClientNotification",
    "ClientRequest",
    "ClientResponse",
    "ProxyNotification",
    "ProxyRequest",
    "ProxyResponse",
];

/// One of these stands in every schema that says anything.
const SCHEMA: &[&str] = &[
    "$ref", "allOf", "anyOf", "const", "enum", "not", "oneOf", "type",
];

/// What every envelope refers to.
const ENVELOPE: &[&str] = &["Error", "RequestId"];

/// One definition, as the unstable schema has it, and as the stable one has it.
#[derive(Debug, Clone)]
pub(super) struct Definition {
    /// Everything, unstable members too.
    pub(super) full: Value,
    /// What is stable, when anything is.
    pub(super) stable: Option<Value>,
    /// The prose: what a schema cannot say about behaviour.
    pub(super) text: String,
}

/// All definitions of one package, by `v1/Name` and `v2/Name`.
pub(super) type Definitions = BTreeMap<String, Definition>;

impl Definition {
    /// The three hashes, as the lock file holds them: `full stable text`, `-` for not stable.
    pub(super) fn hashes(&self) -> String {
        let stable = self
            .stable
            .as_ref()
            .map_or_else(|| "-".to_owned(), |value| hash(&text(value)));
        format!("{} {stable} {}", hash(&text(&self.full)), hash(&self.text))
    }
}

/// Puts the two channels of one protocol version together.
pub(super) fn collect(
    into: &mut Definitions,
    protocol: &str,
    unstable: &Map<String, Value>,
    stable: &Map<String, Value>,
) -> Result<()> {
    for name in unstable.keys().chain(stable.keys()) {
        let value = unstable
            .get(name)
            .or_else(|| stable.get(name))
            .context("neither has it")?;
        let shape = if ROUTES.contains(&name.as_str()) {
            route
        } else {
            canonical
        };
        let definition = Definition {
            full: shape(value),
            stable: stable.get(name).map(shape),
            text: prose(value),
        };
        into.insert(format!("{protocol}/{name}"), definition);
    }
    Ok(())
}

/// The first 16 hexadecimal digits of SHA-256: enough to notice, short enough to read.
pub(super) fn hash(text: &str) -> String {
    let digest = Sha256::digest(text.as_bytes());
    digest
        .iter()
        .take(8)
        .map(|byte| format!("{byte:02x}"))
        .collect()
}

/// One line; members are sorted.
pub(super) fn text(value: &Value) -> String {
    value.to_string()
}

/// The names that a routing definition refers to.
fn route(value: &Value) -> Value {
    let mut names = BTreeSet::new();
    references(value, &mut names);
    names
        .into_iter()
        .filter(|name| !ENVELOPE.contains(&name.as_str()))
        .collect()
}

fn references(value: &Value, into: &mut BTreeSet<String>) {
    match value {
        Value::Object(members) => {
            if let Some(name) = members.get("$ref").and_then(Value::as_str) {
                into.insert(name.rsplit('/').next().unwrap_or(name).to_owned());
            }
            members.values().for_each(|member| references(member, into));
        }
        Value::Array(items) => items.iter().for_each(|item| references(item, into)),
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => {}
    }
}

/// Without prose, with a lone `allOf` folded into its parent and `true` for "anything".
fn canonical(value: &Value) -> Value {
    match value {
        Value::Object(members) => {
            let members = canonical_members(members);
            if members.is_empty() {
                Value::Bool(true)
            } else {
                Value::Object(members)
            }
        }
        Value::Array(items) => items.iter().map(canonical).collect(),
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => value.clone(),
    }
}

fn canonical_members(members: &Map<String, Value>) -> Map<String, Value> {
    let mut result: Map<String, Value> = members
        .iter()
        .filter(|(name, value)| !(PROSE.contains(&name.as_str()) && is_prose(value)))
        .map(|(name, value)| (name.clone(), canonical(value)))
        .collect();
    if let Some(Value::Array(parts)) = result.get("allOf")
        && let [Value::Object(only)] = parts.as_slice()
        && !only.keys().any(|name| result.contains_key(name))
    {
        let only = only.clone();
        result.remove("allOf");
        result.extend(only);
    }
    result
}

/// A member that is *called* description holds a schema; one that *is* a description holds text.
fn is_prose(value: &Value) -> bool {
    !value.is_object() || !SCHEMA.iter().any(|name| value.get(name).is_some())
}

/// Everything inside that says how to behave, in order.
fn prose(value: &Value) -> String {
    let mut found = String::new();
    match value {
        Value::Object(members) => {
            for (name, member) in members {
                if BEHAVIOUR.contains(&name.as_str()) && is_prose(member) {
                    found.push_str(&member.to_string());
                    found.push('\n');
                } else {
                    found.push_str(&prose(member));
                }
            }
        }
        Value::Array(items) => items.iter().for_each(|item| found.push_str(&prose(item))),
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => {}
    }
    found
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[track_caller]
    fn same(a: Value, b: Value) {
        assert_eq!(canonical(&a), canonical(&b));
    }

    #[test]
    fn only_meaning_makes_a_difference() {
        same(
            json!({"description": "old", "title": "T", "type": "string"}),
            json!({"type": "string", "description": "new"}),
        );
        same(
            json!({"allOf": [{"$ref": "#/$defs/X"}]}),
            json!({"$ref": "#/$defs/X"}),
        );
        same(json!({"anyOf": [{}]}), json!({"anyOf": [true]}));
        same(
            json!({"anyOf": [{"description": "any"}]}),
            json!({"anyOf": [true]}),
        );
        same(
            json!({"type": "null", "x-state": {"session": []}}),
            json!({"type": "null"}),
        );
    }

    #[test]
    fn a_member_called_description_is_no_prose() {
        let value = json!({"properties": {"description": {"type": "string"}}});
        assert_eq!(canonical(&value), value);
    }

    #[test]
    fn a_route_is_the_names_it_lists() {
        let list = json!({"anyOf": [{"$ref": "#/$defs/B"}, {"$ref": "#/$defs/A"}]});
        let wrapped = json!({"properties": {"id": {"$ref": "#/$defs/RequestId"}, "params": list}});
        assert_eq!(route(&list), json!(["A", "B"]));
        assert_eq!(route(&wrapped), route(&list));
    }

    #[test]
    fn prose_has_a_hash_of_its_own() {
        let collect = |description: &str| {
            let value = json!({"description": description, "type": "string"});
            let map: Map<_, _> = [("X".to_owned(), value)].into_iter().collect();
            let mut all = Definitions::new();
            collect(&mut all, "v1", &map, &Map::new()).unwrap();
            let hashes = all["v1/X"].hashes();
            hashes.split(' ').map(str::to_owned).collect::<Vec<_>>()
        };
        let (old, new) = (collect("old"), collect("new"));
        assert_eq!(old[0], new[0]);
        assert_eq!(old[1], "-");
        assert_ne!(old[2], new[2]);
    }
}
