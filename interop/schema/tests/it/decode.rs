//! What the official types write, we read, and write back the same.

use acp_vocab::{ProtocolVersion, TypeInfo};
use interop_schema::{
    Choose, DEFINITIONS, Drawn, Least, Most, Ours, Schemas, VERSIONS, WIDER, Wider, same,
};
use proptest::prelude::*;
use serde_json::{Map, Value};

/// Both sides, ready to be asked.
struct Sides {
    schemas: Schemas,
    ours: [Ours; 2],
}

/// How many values went through, and how many the official type did not read although its own
/// schema allows them.
#[derive(Debug, Default)]
struct Counts {
    compared: usize,
    refused: usize,
}

impl Sides {
    fn new() -> Self {
        Self {
            schemas: Schemas::new(),
            ours: VERSIONS.map(Ours::new),
        }
    }

    /// Builds one value for each definition from its schema, has the official type write it, and
    /// sends that through our type.
    fn check_all(&self, mut choose: impl FnMut() -> Box<dyn Choose>) -> Result<Counts, String> {
        let mut counts = Counts::default();
        let mut faults = Vec::new();
        for definition in DEFINITIONS {
            let (version, name) = (definition.version, definition.name);
            if TypeInfo::find(name, version).is_none() {
                continue;
            }
            let value = self.schemas.value(version, name, &mut *choose());
            let Ok(sent) = definition.recode(&value) else {
                counts.refused += 1;
                continue;
            };
            counts.compared += 1;
            let ours = &self.ours[usize::from(version.0) - 1];
            let back = ours.recode(name, &sent);
            if !back
                .as_ref()
                .is_ok_and(|back| same(back, &kept(&sent, version)))
            {
                faults.push(format!("version {version}, {name}: {sent} became {back:?}"));
            }
            let direct = ours.recode(name, &value);
            let agree = |direct: &Value| {
                same(
                    &narrow(direct, version),
                    &narrow(&kept(&sent, version), version),
                )
            };
            if !direct.as_ref().is_ok_and(agree) {
                faults.push(format!(
                    "version {version}, {name}: from {value} they make {sent}, we {direct:?}"
                ));
            }
        }
        if faults.is_empty() {
            Ok(counts)
        } else {
            Err(faults.join("\n"))
        }
    }
}

/// What we do not keep although the official type of version 1 does: the line 0 of a location (lines
/// count from 1) and a resource of less than no size. Version 2 has neither, and one type serves
/// both.
fn kept(value: &Value, version: ProtocolVersion) -> Value {
    let senseless = |members: &Map<String, Value>, name: &str, value: &Value| match name {
        "line" => value.as_u64() == Some(0) && !members.contains_key("sessionId"),
        "size" => value.as_i64().is_some_and(|size| size < 0) && members.contains_key("uri"),
        _ => false,
    };
    match value {
        Value::Object(members) if version == ProtocolVersion::V1 => members
            .iter()
            .filter(|(name, value)| !senseless(members, name, value))
            .map(|(name, value)| (name.clone(), kept(value, version)))
            .collect(),
        Value::Array(items) => items.iter().map(|item| kept(item, version)).collect(),
        other => other.clone(),
    }
}

/// A value without what only version 2 tells from nothing (`WIDER`): what a reader of version 1
/// is left with.
fn narrow(value: &Value, version: ProtocolVersion) -> Value {
    match value {
        Value::Object(members) if version == ProtocolVersion::V1 => members
            .iter()
            .filter(|(name, value)| {
                !WIDER.iter().any(|(_, wider, kind)| {
                    wider == name && matches!(kind, Wider::Null) && value.is_null()
                })
            })
            .map(|(name, value)| (name.clone(), narrow(value, version)))
            .collect(),
        Value::Array(items) => items.iter().map(|item| narrow(item, version)).collect(),
        other => other.clone(),
    }
}

#[test]
fn with_what_is_required() {
    let counts = Sides::new()
        .check_all(|| Box::new(Least))
        .unwrap_or_else(|fault| panic!("{fault}"));
    println!("{counts:?}");
}

#[test]
fn with_everything() {
    let sides = Sides::new();
    let mut sum = Counts::default();
    for turn in 0..32 {
        let counts = sides
            .check_all(|| Box::new(Most(turn)))
            .unwrap_or_else(|fault| panic!("{fault}"));
        sum.compared += counts.compared;
        sum.refused += counts.refused;
    }
    println!("{sum:?}");
}

#[test]
fn with_anything() {
    let sides = Sides::new();
    let config = ProptestConfig {
        failure_persistence: None,
        ..ProptestConfig::with_cases(32)
    };
    let result = proptest::test_runner::TestRunner::new(config).run(
        &prop::collection::vec(any::<u16>(), 0..160),
        |drawn| {
            sides
                .check_all(|| Box::new(Drawn(drawn.clone().leak())))
                .map(drop)
                .map_err(TestCaseError::fail)
        },
    );
    result.unwrap_or_else(|fault| panic!("{fault}"));
}
