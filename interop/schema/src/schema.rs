//! The official schemas: what words they have, and values made from them.

use std::collections::{BTreeMap, BTreeSet};

use acp_vocab::ProtocolVersion;
use serde_json::{Map, Value, json};

use crate::{choose::Choose, official};

/// How deep generated values nest before they become as plain as they can be.
const DEPTH: usize = 5;

/// The schemas of both versions.
#[derive(Debug)]
pub struct Schemas(BTreeMap<u16, Map<String, Value>>);

/// The words of a definition: the values of an enum, or the tags of a union.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Words {
    /// The member that holds the tag; none for an enum.
    pub tag: Option<String>,
    /// Every word, and for a tag the definition of its other members.
    pub words: BTreeMap<String, Option<String>>,
    /// Whether other words are kept.
    pub open: bool,
}

impl Default for Schemas {
    fn default() -> Self {
        Self::new()
    }
}

impl Schemas {
    /// Asks the official crate.
    #[must_use]
    pub fn new() -> Self {
        let schemas = official::schemas();
        Self(
            schemas
                .into_iter()
                .map(|(version, schemas)| (version.0, schemas))
                .collect(),
        )
    }

    /// The names of all definitions of a version.
    pub fn names(&self, version: ProtocolVersion) -> impl Iterator<Item = &str> {
        self.0[&version.0].keys().map(String::as_str)
    }

    /// The schema of one definition.
    ///
    /// # Panics
    ///
    /// There is no such definition.
    #[must_use]
    pub fn definition(&self, version: ProtocolVersion, name: &str) -> &Value {
        let name = name.strip_prefix("#/$defs/").unwrap_or(name);
        self.0[&version.0]
            .get(name)
            .unwrap_or_else(|| panic!("no definition {name} in version {version}"))
    }

    /// The words of a definition; none when it is neither an enum nor a union with a tag.
    #[must_use]
    pub fn words(&self, version: ProtocolVersion, name: &str) -> Option<Words> {
        let schema = self.definition(version, name);
        let branches = branches(schema);
        let mut words = Words::default();
        for branch in branches {
            if let Some(word) = branch["const"].as_str() {
                words.words.insert(word.to_owned(), None);
            } else if branch["type"] == "string" {
                words.open = true;
            }
            for (member, schema) in branch["properties"].as_object().into_iter().flatten() {
                let required = list(&branch["required"]).any(|name| name == member);
                if let Some(word) = schema["const"].as_str().filter(|_| required) {
                    let body = branch["$ref"]
                        .as_str()
                        .and_then(|body| body.strip_prefix("#/$defs/"));
                    words.words.insert(word.to_owned(), body.map(str::to_owned));
                    words.tag = Some(member.clone());
                } else if branch.get("not").is_some() {
                    words.open = true;
                }
            }
        }
        if let Some(word) = schema["const"].as_str() {
            words.words.insert(word.to_owned(), None);
        }
        (!words.words.is_empty()).then_some(words)
    }

    /// The members that a definition names, in itself or in its variants, but not in the bodies
    /// of variants. A definition that only stands for another has the members of that.
    #[must_use]
    pub fn members(&self, version: ProtocolVersion, name: &str) -> BTreeSet<&str> {
        let schema = self.definition(version, name);
        if let (Some(target), None) = (schema["$ref"].as_str(), schema.get("properties")) {
            return self.members(version, target);
        }
        std::iter::once(schema)
            .chain(branches(schema))
            .flat_map(|part| part["properties"].as_object().into_iter().flatten())
            .map(|(member, _)| member.as_str())
            .collect()
    }

    /// A value that satisfies a definition.
    pub fn value(&self, version: ProtocolVersion, name: &str, choose: &mut dyn Choose) -> Value {
        self.build(version, self.definition(version, name), choose, DEPTH)
    }

    fn build(
        &self,
        version: ProtocolVersion,
        schema: &Value,
        choose: &mut dyn Choose,
        depth: usize,
    ) -> Value {
        if let Some(value) = schema.get("const") {
            return value.clone();
        }
        let mut value = self.own(version, schema, choose, depth);
        if let Some(target) = schema["$ref"].as_str() {
            let target = self.build(version, self.definition(version, target), choose, depth);
            value = over(target, value);
        }
        let branches: Vec<_> = branches(schema).collect();
        if !branches.is_empty() {
            let plainest = branches
                .iter()
                .position(|branch| !recurses(branch))
                .unwrap_or(0);
            let index = if depth == 0 {
                plainest
            } else {
                choose.pick(branches.len())
            };
            value = over(value, self.build(version, branches[index], choose, depth));
        }
        value
    }

    /// What a schema itself says about a value, without what it refers to.
    fn own(
        &self,
        version: ProtocolVersion,
        schema: &Value,
        choose: &mut dyn Choose,
        depth: usize,
    ) -> Value {
        let types: Vec<&str> = match &schema["type"] {
            Value::Array(types) => types.iter().filter_map(Value::as_str).collect(),
            Value::String(one) => vec![one],
            _ if schema.get("$ref").is_some() || branches(schema).next().is_some() => {
                return Value::Null;
            }
            _ => return choose.json(2),
        };
        match types[choose.pick(types.len())] {
            "null" => Value::Null,
            "boolean" => json!(choose.pick(2) == 1),
            "string" => self::text(schema, choose),
            "integer" => integer(schema, choose),
            "number" => [json!(0.5), json!(-2.25), json!(1e-7)][choose.pick(3)].clone(),
            "array" => {
                let least = schema["minItems"].as_u64().unwrap_or(0);
                let count = if depth == 0 { 0 } else { choose.many() };
                (0..count.max(usize::try_from(least).unwrap_or(0)))
                    .map(|_| self.build(version, &schema["items"], choose, depth.saturating_sub(1)))
                    .collect()
            }
            "object" => self.object(version, schema, choose, depth),
            other => panic!("{other} is a new kind of type"),
        }
    }

    fn object(
        &self,
        version: ProtocolVersion,
        schema: &Value,
        choose: &mut dyn Choose,
        depth: usize,
    ) -> Value {
        let mut object = Map::new();
        for (name, member) in schema["properties"].as_object().into_iter().flatten() {
            let required = list(&schema["required"]).any(|required| required == name);
            if required || depth > 0 && choose.there() {
                let value = self.build(version, member, choose, depth.saturating_sub(1));
                object.insert(name.clone(), value);
            }
        }
        let more = schema
            .get("additionalProperties")
            .or_else(|| schema.get("unevaluatedProperties"));
        if let Some(more) = more.filter(|_| depth > 0) {
            for index in 0..choose.many() {
                let value = self.build(version, more, choose, depth - 1);
                object.insert(format!("{index}{}", choose.text()), value);
            }
        }
        Value::Object(object)
    }
}

/// The variants of a schema.
fn branches(schema: &Value) -> impl Iterator<Item = &Value> {
    ["anyOf", "oneOf"]
        .into_iter()
        .filter_map(|name| schema[name].as_array())
        .flatten()
}

fn recurses(schema: &Value) -> bool {
    schema.get("$ref").is_some()
}

fn list(value: &Value) -> impl Iterator<Item = &str> {
    value
        .as_array()
        .into_iter()
        .flatten()
        .filter_map(Value::as_str)
}

/// The members of two objects; what the second says wins.
fn over(first: Value, second: Value) -> Value {
    match (first, second) {
        (Value::Object(mut first), Value::Object(second)) => {
            first.extend(second);
            Value::Object(first)
        }
        (first, Value::Null) => first,
        (_, second) => second,
    }
}

fn text(schema: &Value, choose: &mut dyn Choose) -> Value {
    let text = choose.text();
    let short = schema["minLength"].as_u64().is_some_and(|least| least > 0) && text.is_empty();
    json!(if short { "x".to_owned() } else { text })
}

fn integer(schema: &Value, choose: &mut dyn Choose) -> Value {
    let least = schema["minimum"].as_i64();
    let most = schema["maximum"].as_u64();
    let (least, most) = match schema["format"].as_str() {
        Some("int32") => (
            least.unwrap_or(i32::MIN.into()),
            most.unwrap_or(2_147_483_647),
        ),
        Some("uint32") => (least.unwrap_or(0), most.unwrap_or(u32::MAX.into())),
        Some("uint16") => (least.unwrap_or(0), most.unwrap_or(u16::MAX.into())),
        Some("uint64") => (least.unwrap_or(0), most.unwrap_or(u64::MAX)),
        _ => (
            least.unwrap_or(i64::MIN),
            most.unwrap_or(9_223_372_036_854_775_807),
        ),
    };
    [
        json!(least.max(1)),
        json!(least),
        json!(most),
        json!(least.max(0) + 1),
    ][choose.pick(4)]
    .clone()
}
