//! Every definition of the official crate has a type of ours, and the other way round.

use std::collections::BTreeSet;

use acp_vocab::{ALIASES, Stability, TYPES, TypeInfo};
use interop_schema::{DEFINITIONS, Definition, Ours, Schemas, VERSIONS};

/// Names of the schema that have no reader of their own on the official side.
const ONLY_NAMES: &[(u16, &str, &str)] = &[(
    2,
    "ErrorData",
    "private: it only describes what `data` of an error may be",
)];

/// Official definitions that are no type of ours.
const NOT_OURS: &[(&str, &str)] = &[
    (
        "ExtRequest",
        "any params; they stay raw JSON and have no type",
    ),
    (
        "ExtResponse",
        "any result; it stays raw JSON and has no type",
    ),
    (
        "ExtNotification",
        "any params; they stay raw JSON and have no type",
    ),
];

/// Types of ours that are cut out of official definitions and have no name there.
const OUR_PARTS: &[(u16, &str, &str)] = &[
    (1, "ElicitationAction", "CreateElicitationResponse"),
    (1, "ElicitationMode", "CreateElicitationRequest"),
    (
        1,
        "ElicitationScope",
        "ElicitationFormMode, ElicitationUrlMode",
    ),
    (1, "IdleStop", "IdleStateUpdate"),
    (1, "SessionConfigKind", "SessionConfigOption"),
    (
        1,
        "SessionConfigOptionValue",
        "SetSessionConfigOptionRequest",
    ),
    (2, "DiffOperation", "DiffChange"),
    (2, "ElicitationAction", "CreateElicitationResponse"),
    (2, "ElicitationMode", "CreateElicitationRequest"),
    (
        2,
        "ElicitationScope",
        "ElicitationFormMode, ElicitationUrlMode",
    ),
    (2, "IdleStop", "IdleStateUpdate"),
    (
        2,
        "SessionConfigBooleanValue",
        "SetSessionConfigOptionRequest",
    ),
    (2, "SessionConfigIdValue", "SetSessionConfigOptionRequest"),
    (2, "SessionConfigKind", "SessionConfigOption"),
    (
        2,
        "SessionConfigOptionValue",
        "SetSessionConfigOptionRequest",
    ),
    (2, "StopReason", "IdleStateUpdate, whose tag it is"),
];

#[test]
fn every_definition_is_read_by_an_official_type() {
    let schemas = Schemas::new();
    for version in VERSIONS {
        let named: BTreeSet<&str> = schemas.names(version).collect();
        let mut read: BTreeSet<&str> = DEFINITIONS
            .iter()
            .filter(|definition| definition.version == version)
            .map(|definition| definition.name)
            .collect();
        println!(
            "version {version}: {} definitions, {} with a reader",
            named.len(),
            read.len()
        );
        read.extend(
            ONLY_NAMES
                .iter()
                .filter(|row| row.0 == version.0)
                .map(|row| row.1),
        );
        assert_eq!(named, read, "version {version}");
    }
}

#[test]
fn every_definition_is_a_type_of_ours() {
    let mut not_ours = BTreeSet::new();
    for definition in DEFINITIONS {
        if TypeInfo::find(definition.name, definition.version).is_none() {
            not_ours.insert(definition.name);
        }
    }
    let listed: BTreeSet<&str> = NOT_OURS.iter().map(|row| row.0).collect();
    assert_eq!(not_ours, listed);
}

#[test]
fn every_type_of_ours_is_a_definition() {
    let mut parts = BTreeSet::new();
    let mut gone = Vec::new();
    for version in VERSIONS {
        for info in Ours::new(version).types() {
            if Definition::find(version, info.name).is_none() {
                parts.insert((version.0, info.name));
            }
        }
        for info in ALIASES.iter().chain(TYPES) {
            if let Some(Stability::StableDropped | Stability::UnstableDropped) =
                info.presence.within(version)
            {
                gone.push((version, info.name));
            }
        }
    }
    println!("dropped by the crate: {gone:?}");
    for (version, name) in gone {
        let official = Definition::find(version, name);
        assert!(
            official.is_none(),
            "{name} is not gone in version {version}"
        );
    }
    let listed: BTreeSet<(u16, &str)> = OUR_PARTS.iter().map(|row| (row.0, row.1)).collect();
    assert_eq!(parts, listed);
}
