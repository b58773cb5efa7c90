//! Members, enum values and union tags against the official ones, both ways.

use std::collections::{BTreeMap, BTreeSet};

use acp_vocab::{ProtocolVersion, Rule, Shape, TypeInfo, TypeRef};
use interop_schema::{DEFINITIONS, Definition, Least, Ours, Schemas, VERSIONS, Words};
use serde_json::json;

/// Official unions that are an object and a union inside of it here: the object, the union, and
/// the official types that are the bodies of its variants.
const SPLIT: &[(&str, &str)] = &[
    ("CreateElicitationRequest", "ElicitationMode"),
    ("CreateElicitationResponse", "ElicitationAction"),
    ("DiffChange", "DiffOperation"),
    ("IdleStateUpdate", "IdleStop"),
    ("InitialSessionConfigOption", "SessionConfigOptionValue"),
    ("SessionConfigOption", "SessionConfigKind"),
    ("SetSessionConfigOptionRequest", "SessionConfigOptionValue"),
];

/// The type of ours that has the words of a definition.
fn holder(ours: &Ours, name: &str) -> &'static TypeInfo {
    let split = SPLIT.iter().find(|(whole, _)| *whole == name);
    ours.find(split.map_or(name, |(_, part)| part))
}

#[test]
fn values_and_tags() {
    let schemas = Schemas::new();
    for version in VERSIONS {
        let ours = Ours::new(version);
        let (mut enums, mut unions, mut count) = (0, 0, 0);
        let mut with_words = BTreeSet::new();
        for name in schemas.names(version) {
            let Some(official) = schemas.words(version, name) else {
                continue;
            };
            let info = holder(&ours, name);
            with_words.insert(info.name);
            let expected: BTreeSet<&str> = official.words.keys().map(String::as_str).collect();
            if let (Shape::Choice(_), Some(tag)) = (info.shape, &official.tag) {
                // The one union of ours that is told apart by its value.
                assert_eq!((version.0, info.name), (1, "SessionConfigOptionValue"));
                assert_eq!(
                    (tag.as_str(), expected),
                    ("type", BTreeSet::from(["boolean"]))
                );
                continue;
            }
            let words: BTreeSet<&str> = ours.words(info.shape).into_iter().collect();
            assert_eq!(words, expected, "version {version}, {name}");
            count += words.len();
            if let Shape::Union { tag, .. } = info.shape {
                assert_eq!(
                    Some(tag),
                    official.tag.as_deref(),
                    "version {version}, {name}"
                );
                bodies(version, name, info, &official);
                unions += 1;
            } else {
                assert_eq!(official.tag, None, "version {version}, {name}");
                enums += 1;
            }
        }
        println!("version {version}: {enums} enums and {unions} unions with {count} words");
        for info in ours.types() {
            if !ours.words(info.shape).is_empty() && info.name != "StopReason" {
                assert!(
                    with_words.contains(info.name),
                    "version {version}, {}",
                    info.name
                );
            }
        }
    }
}

/// The bodies of variants have the same names. (Where the official schema writes the members of
/// a body in place, our body has no name there.)
fn bodies(version: ProtocolVersion, name: &str, info: &TypeInfo, official: &Words) {
    let Shape::Union { variants, .. } = info.shape else {
        panic!("{name} is no union");
    };
    for variant in variants {
        if let Some(Some(body)) = official.words.get(variant.tag) {
            assert_eq!(
                variant.body,
                Some(body.as_str()),
                "version {version}, {name}"
            );
        }
    }
}

/// Each value of each enum, and one that nobody knows.
#[test]
fn every_value_is_read() {
    for definition in DEFINITIONS {
        let Some(info) = TypeInfo::find(definition.name, definition.version) else {
            continue;
        };
        let Shape::Enum(_) = info.shape else {
            continue;
        };
        let ours = Ours::new(definition.version);
        for word in ours.words(info.shape) {
            assert_eq!(
                definition.recode(&json!(word)),
                Ok(json!(word)),
                "{}",
                info.name
            );
            assert_eq!(
                ours.recode(info.name, &json!(word)),
                Ok(json!(word)),
                "{}",
                info.name
            );
        }
    }
}

/// Sets of words that the official crate closes in version 1 and that stay open here. In version
/// 2 everything is open but the one type that a form can have.
#[test]
fn what_is_closed() {
    let schemas = Schemas::new();
    let closed: BTreeMap<u16, Vec<&str>> = VERSIONS
        .iter()
        .map(|version| {
            let closed = schemas
                .names(*version)
                .filter(|name| {
                    schemas
                        .words(*version, name)
                        .is_some_and(|words| !words.open)
                })
                .collect();
            (version.0, closed)
        })
        .collect();
    println!("{closed:#?}");
    for (version, names) in &closed {
        for name in names {
            let ours = Ours::new(ProtocolVersion(*version));
            let info = holder(&ours, name);
            let official = Definition::find(ProtocolVersion(*version), name).expect("a definition");
            let unheard = match info.shape {
                Shape::Union { tag, .. } => {
                    let plain = ours.value(name, &mut Least);
                    let mut value = ours.recode(name, &plain).expect("our own value");
                    value[tag] = json!("_unheard");
                    value
                }
                Shape::Enum(_) => json!("_unheard"),
                _ => continue,
            };
            // Two unions of version 1 read what they do not know as the variant without a tag.
            assert_ne!(
                official.recode(&unheard),
                Ok(unheard.clone()),
                "{name} is open"
            );
            assert_eq!(ours.recode(name, &unheard), Ok(unheard), "{name}");
        }
    }
}

/// Members that only one side has, and why.
const MEMBERS: &[(u16, &str, &str, &str, &str)] = &[
    (1, "AvailableCommandInput", "_meta", "only ours", KIND),
    (1, "AvailableCommandInput", "hint", "only ours", KIND),
    (
        1,
        "InitialSessionConfigOption",
        "type",
        "only theirs",
        VALUE,
    ),
    (
        1,
        "InitialSessionConfigOption",
        "value",
        "only theirs",
        VALUE,
    ),
    (
        1,
        "SetSessionConfigOptionRequest",
        "type",
        "only theirs",
        VALUE,
    ),
    (
        1,
        "SetSessionConfigOptionRequest",
        "value",
        "only theirs",
        VALUE,
    ),
    (
        2,
        "InitialSessionConfigOption",
        "value",
        "only theirs",
        VALUE,
    ),
    (
        2,
        "SetSessionConfigOptionRequest",
        "value",
        "only theirs",
        VALUE,
    ),
];

const KIND: &str = "a union of one kind there, that kind here";
const VALUE: &str = "written in place there, in the value that an option may have here";

#[test]
fn members() {
    let schemas = Schemas::new();
    let mut differences = BTreeSet::new();
    for version in VERSIONS {
        let ours = Ours::new(version);
        let (mut objects, mut count) = (0, 0);
        for definition in DEFINITIONS
            .iter()
            .filter(|definition| definition.version == version)
        {
            let Some(info) = TypeInfo::find(definition.name, version) else {
                continue;
            };
            let mut members = BTreeSet::new();
            if !own_members(&ours, info.name, &mut members) {
                continue;
            }
            let official: BTreeSet<&str> = schemas
                .members(version, definition.name)
                .into_iter()
                .collect();
            objects += 1;
            count += official.len();
            for member in members.difference(&official) {
                differences.insert((version.0, info.name, *member, "only ours"));
            }
            for member in official.difference(&members) {
                differences.insert((version.0, info.name, *member, "only theirs"));
            }
        }
        println!("version {version}: {objects} objects with {count} members");
    }
    let listed = MEMBERS
        .iter()
        .map(|row| (row.0, row.1, row.2, row.3))
        .collect();
    assert_eq!(differences, listed);
}

/// The members of an object, those of its parts included; `false` for what is no object.
fn own_members(ours: &Ours, name: &str, members: &mut BTreeSet<&'static str>) -> bool {
    let Shape::Struct { .. } = ours.find(name).shape else {
        return false;
    };
    for field in ours.members(name) {
        members.insert(field.name);
        if let (Rule::Flattened, TypeRef::Named(part)) = (field.rule, field.ty) {
            let part = ours.find(part);
            if let Shape::Choice(_) = part.shape {
                members.remove(field.name);
            }
        }
    }
    true
}
