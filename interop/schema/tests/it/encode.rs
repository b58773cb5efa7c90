//! What we write, the official types read, and write back the same.

use acp_vocab::{ProtocolVersion, Shape, TypeInfo};
use interop_schema::{
    Choose, DEFINITIONS, Definition, Drawn, Least, Most, Ours, VERSIONS, WIDER, same,
};
use proptest::prelude::*;
use serde_json::Value;

/// The official definitions that are types of ours.
fn compared(version: ProtocolVersion) -> impl Iterator<Item = &'static Definition> {
    DEFINITIONS.iter().filter(move |definition| {
        definition.version == version && TypeInfo::find(definition.name, version).is_some()
    })
}

/// Builds one value of every type and sends what we make of it through the official type.
fn check_all(
    ours: &[Ours; 2],
    mut choose: impl FnMut() -> Box<dyn Choose>,
) -> Result<usize, String> {
    let mut count = 0;
    let mut faults = Vec::new();
    for (version, ours) in VERSIONS.into_iter().zip(ours) {
        for definition in compared(version) {
            let value = ours.value(definition.name, &mut *choose());
            if let Err(fault) = check(ours, definition, &value) {
                faults.push(format!("version {version}, {}: {fault}", definition.name));
            }
            count += 1;
        }
    }
    if faults.is_empty() {
        Ok(count)
    } else {
        Err(faults.join("\n"))
    }
}

fn check(ours: &Ours, definition: &Definition, value: &Value) -> Result<(), String> {
    let sent = ours
        .recode(definition.name, value)
        .map_err(|error| format!("we do not read our own {value}: {error}"))?;
    let losses = ours.losses(definition.name, value)?;
    if !losses.is_empty() {
        return Err(format!("we write {value} as {sent}: {losses:?}"));
    }
    match definition.recode(&sent) {
        Ok(back) if same(&back, &sent) => Ok(()),
        Ok(back) => Err(format!("{sent} became {back}")),
        Err(error) => Err(format!("{sent} is not read: {error}")),
    }
}

fn both() -> [Ours; 2] {
    VERSIONS.map(Ours::new)
}

#[test]
fn with_what_is_required() {
    let count = check_all(&both(), || Box::new(Least)).unwrap_or_else(|fault| panic!("{fault}"));
    println!("{count} types");
}

/// How many full values there are of a type: enough for each variant of the largest union.
const TURNS: usize = 32;

/// No row of our tables is without a value that has it.
#[test]
fn everything_is_in_a_value() {
    let (mut members, mut words) = (0, 0);
    for (version, ours) in VERSIONS.into_iter().zip(both()) {
        for definition in compared(version) {
            let name = definition.name;
            let values: Vec<Value> = (0..TURNS)
                .map(|turn| ours.value(name, &mut Most(turn)))
                .collect();
            let has = |member: &str| values.iter().any(|value| value.get(member).is_some());
            for member in ours.members(name) {
                assert!(
                    has(member.name),
                    "version {version}, {name}.{}",
                    member.name
                );
                members += 1;
            }
            let shape = ours.find(name).shape;
            for word in ours.words(shape) {
                let says = |value: &Value| match shape {
                    Shape::Union { tag, .. } => value[tag] == word,
                    _ => value == word,
                };
                assert!(values.iter().any(says), "version {version}, {name}: {word}");
                words += 1;
            }
        }
    }
    println!("{members} members and {words} words");
}

/// Every member, and in turn every variant, every value and every kind of text and number.
#[test]
fn with_everything() {
    let mut count = 0;
    let ours = both();
    for turn in 0..TURNS {
        count +=
            check_all(&ours, || Box::new(Most(turn))).unwrap_or_else(|fault| panic!("{fault}"));
    }
    println!("{count} values");
}

/// What is left to the sender in version 1 is left to it because the official type drops it.
#[test]
fn what_only_version_2_has() {
    let [ours, _] = both();
    for (name, member, wider) in WIDER {
        let mut value = ours.value(name, &mut Least);
        value[member] = wider.sample();
        assert_eq!(ours.recode(name, &value), Ok(value.clone()), "{name}");
        let official = Definition::find(ProtocolVersion::V1, name).expect("a definition");
        let back = official.recode(&value).expect("a value");
        assert_eq!(back.get(member), None, "{name}");
        let official = Definition::find(ProtocolVersion::V2, name);
        if let Some(official) = official {
            assert_eq!(official.recode(&value), Ok(value), "{name}");
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::with_cases(32) })]

    #[test]
    fn with_anything(drawn in prop::collection::vec(any::<u16>(), 0..160)) {
        let fault = check_all(&both(), || Box::new(Drawn(drawn.clone().leak()))).err();
        prop_assert_eq!(fault, None);
    }
}
