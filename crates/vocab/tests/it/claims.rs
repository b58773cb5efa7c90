//! Every definition of both schemas is a type of ours.

use acp_vocab::{ALIASES, FieldInfo, ProtocolVersion, Shape, Stability, TYPES, TypeInfo, TypeRef};
use serde_json::Value;

use crate::sample;

pub(crate) fn vocabulary() -> Value {
    serde_json::from_str(include_str!("vocabulary.json")).unwrap()
}

pub(crate) const VERSIONS: [(ProtocolVersion, &str); 2] =
    [(ProtocolVersion::V1, "v1"), (ProtocolVersion::V2, "v2")];

fn texts(value: &Value) -> Vec<&str> {
    value
        .as_array()
        .unwrap()
        .iter()
        .map(|text| text.as_str().unwrap())
        .collect()
}

#[test]
fn every_definition_is_claimed() {
    let facts = vocabulary();
    for (version, key) in VERSIONS {
        let names = texts(&facts[key]["definitions"]);
        let unclaimed: Vec<_> = names
            .iter()
            .filter(|name| TypeInfo::find(name, version).is_none())
            .collect();
        println!(
            "{key}: {} definitions, {} claimed",
            names.len(),
            names.len() - unclaimed.len()
        );
        assert_eq!(unclaimed, Vec::<&&str>::new(), "{key}");
    }
    println!("{} types and {} aliases", TYPES.len(), ALIASES.len());
}

/// The parts that our types are cut into and the schema has no name for.
const OUR_PARTS: &[&str] = &[
    "DiffOperation",
    "ElicitationAction",
    "ElicitationMode",
    "ElicitationScope",
    "IdleStop",
    "SessionConfigBooleanValue",
    "SessionConfigIdValue",
    "SessionConfigKind",
    "SessionConfigOptionValue",
];

#[test]
fn every_type_is_a_definition() {
    let facts = vocabulary();
    for info in TYPES.iter().chain(ALIASES) {
        for (version, key) in VERSIONS {
            let Some(stability) = info.presence.within(version) else {
                continue;
            };
            if stability == Stability::Legacy || OUR_PARTS.contains(&info.name) {
                continue;
            }
            assert!(
                texts(&facts[key]["definitions"]).contains(&info.name),
                "{} is no definition of {key}",
                info.name
            );
        }
    }
}

#[test]
fn names_are_unique_in_a_version() {
    for (version, key) in VERSIONS {
        let mut names: Vec<_> = TYPES
            .iter()
            .chain(ALIASES)
            .filter(|info| info.presence.within(version).is_some())
            .map(|info| info.name)
            .collect();
        let count = names.len();
        names.sort_unstable();
        names.dedup();
        assert_eq!(names.len(), count, "{key}");
    }
}

#[test]
fn every_reference_leads_somewhere() {
    fn check(ty: TypeRef, version: ProtocolVersion) {
        match ty {
            TypeRef::Named(name) => {
                sample::find(name, version);
            }
            TypeRef::List(inner) | TypeRef::Map(inner) => check(*inner, version),
            _ => {}
        }
    }
    for info in TYPES.iter().chain(ALIASES) {
        for (version, _) in VERSIONS {
            if info.presence.within(version).is_none() {
                continue;
            }
            match info.shape {
                Shape::Struct { fields, .. } => {
                    fields
                        .iter()
                        .for_each(|FieldInfo { ty, .. }| check(*ty, version));
                }
                Shape::Union {
                    variants, untagged, ..
                } => {
                    let bodies = variants.iter().filter_map(|variant| variant.body);
                    bodies
                        .chain(untagged)
                        .for_each(|body| check(TypeRef::Named(body), version));
                }
                Shape::Choice(types) => types.iter().for_each(|ty| check(*ty, version)),
                Shape::Alias(ty) => check(ty, version),
                _ => {}
            }
        }
    }
}

/// The words of an enum or the tags of a union, with their stability, as our table has them.
fn words(info: &TypeInfo, version: ProtocolVersion) -> Vec<(String, String)> {
    let rows: Vec<(&str, Option<Stability>)> = match info.shape {
        Shape::Enum(values) => values
            .iter()
            .map(|value| (value.value, value.presence.within(version)))
            .collect(),
        Shape::Union { variants, .. } => variants
            .iter()
            .map(|variant| (variant.tag, variant.presence.within(version)))
            .collect(),
        _ => panic!("{} has no words", info.name),
    };
    let mut words: Vec<_> = rows
        .into_iter()
        .filter_map(|(word, stability)| Some((word.to_owned(), label(stability?).to_owned())))
        .collect();
    words.sort();
    words
}

/// The label under which the schema comparison lists a stability.
pub(crate) fn label(stability: Stability) -> &'static str {
    match stability {
        Stability::UnstableDropped => "U, gone in C",
        Stability::StableDropped => "S, gone in C",
        other => other.label(),
    }
}

#[test]
fn enum_values() {
    let facts = vocabulary();
    for (version, key) in VERSIONS {
        for (name, values) in facts[key]["enums"].as_object().unwrap() {
            let mut expected: Vec<_> = values
                .as_array()
                .unwrap()
                .iter()
                .map(|row| {
                    (
                        row[0].as_str().unwrap().to_owned(),
                        row[1].as_str().unwrap().to_owned(),
                    )
                })
                .collect();
            expected.sort();
            let info = TypeInfo::find(name, version).unwrap();
            assert_eq!(words(info, version), expected, "{key} {name}");
        }
    }
}

/// Unions of the schema that are an object and a union inside of it here.
const SPLIT: &[(&str, &str)] = &[
    ("CreateElicitationRequest", "ElicitationMode"),
    ("CreateElicitationResponse", "ElicitationAction"),
    ("DiffChange", "DiffOperation"),
    ("IdleStateUpdate", "IdleStop"),
    ("InitialSessionConfigOption", "SessionConfigOptionValue"),
    ("SessionConfigOption", "SessionConfigKind"),
    ("SetSessionConfigOptionRequest", "SessionConfigOptionValue"),
];

#[test]
fn union_tags() {
    let facts = vocabulary();
    for (version, key) in VERSIONS {
        for (name, facts) in facts[key]["unions"].as_object().unwrap() {
            let ours = SPLIT
                .iter()
                .find(|(whole, _)| whole == name)
                .map_or(name.as_str(), |(_, part)| part);
            let info = TypeInfo::find(ours, version).unwrap();
            let Shape::Union {
                tag,
                variants,
                untagged,
            } = info.shape
            else {
                // Version 1 writes the value of an option with no type or with `boolean`.
                assert_eq!((ours, key), ("SessionConfigOptionValue", "v1"));
                continue;
            };
            assert_eq!(tag, facts["tag"].as_str().unwrap(), "{key} {name}");
            assert_eq!(untagged, facts["untagged"][0].as_str(), "{key} {name}");
            let mut expected = Vec::new();
            for row in facts["variants"].as_array().unwrap() {
                let tag = row[0].as_str().unwrap();
                expected.push((tag.to_owned(), row[2].as_str().unwrap().to_owned()));
                let body = variants
                    .iter()
                    .find(|variant| variant.tag == tag)
                    .unwrap()
                    .body;
                let payload = row[1]
                    .as_str()
                    .filter(|payload| !matches!(*payload, "value" | "-"));
                if payload.is_some() {
                    assert_eq!(body, payload, "{key} {name} {tag}");
                }
            }
            if name == "InitialSessionConfigOption" {
                // It shares its values with a settled method, and is itself not settled.
                expected
                    .iter_mut()
                    .for_each(|(_, stability)| "S".clone_into(stability));
            }
            expected.sort();
            assert_eq!(words(info, version), expected, "{key} {name}");
        }
    }
}

#[test]
fn error_codes() {
    let facts = vocabulary();
    let mut codes: Vec<i64> = VERSIONS
        .iter()
        .flat_map(|(_, key)| facts[key]["codes"].as_array().unwrap())
        .map(|code| code.as_i64().unwrap())
        .collect();
    codes.sort_unstable();
    codes.dedup();
    let mut ours: Vec<i64> = acp_vocab::ErrorCode::NAMED
        .iter()
        .map(|(code, _)| i64::from(code.0))
        .collect();
    ours.sort_unstable();
    assert_eq!(ours, codes);
}

#[test]
fn every_type_has_a_value_that_comes_back_the_same() {
    for info in TYPES {
        for (version, key) in VERSIONS {
            if info.presence.within(version).is_none()
                || matches!(info.name, "ElicitationScope" | "SessionConfigOptionValue")
                || OUR_PARTS.contains(&info.name) && matches!(info.shape, Shape::Union { .. })
            {
                continue;
            }
            let value = sample::named(info.name, version);
            let back = sample::recode(info.name, version, &value)
                .unwrap_or_else(|error| panic!("{key} {}: {value} {error}", info.name));
            assert!(
                holds(&back, &value),
                "{key} {}: {value} became {back}",
                info.name
            );
        }
    }
}

/// Whether a value has everything that another has; defaults that were filled in may be more.
fn holds(whole: &Value, part: &Value) -> bool {
    match (whole, part) {
        (Value::Object(whole), Value::Object(part)) => part
            .iter()
            .all(|(name, part)| whole.get(name).is_some_and(|whole| holds(whole, part))),
        (Value::Array(whole), Value::Array(part)) => {
            whole.len() == part.len()
                && whole
                    .iter()
                    .zip(part)
                    .all(|(whole, part)| holds(whole, part))
        }
        (whole, part) => whole == part,
    }
}
