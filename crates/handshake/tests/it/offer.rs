//! What goes out, to the letter.

use acp_handshake::{Ability, Declaration, KNOWN, Offer, SPOKEN, VersionSet};
use acp_vocab::{CAPABILITY_METHODS, Implementation, ProtocolVersion, Side};
use proptest::prelude::*;

use crate::{declaring, offer};

#[track_caller]
fn check(versions: &[u16], declaration: Declaration, params: &str) {
    assert_eq!(
        declaring(versions, declaration)
            .params()
            .expect("params")
            .get(),
        params
    );
}

fn all() -> Declaration {
    Ability::ALL.iter().copied().collect()
}

#[test]
fn nothing_registered_is_nothing_declared() {
    let none = Declaration::none();
    check(
        &[1],
        none,
        r#"{"protocolVersion":1,"clientInfo":{"name":"host","version":"1.0"},"clientCapabilities":{"fs":{"readTextFile":false,"writeTextFile":false},"terminal":false}}"#,
    );
    check(
        &[2],
        none,
        r#"{"protocolVersion":2,"info":{"name":"host","version":"1.0"},"capabilities":{}}"#,
    );
    check(
        &[1, 2],
        none,
        r#"{"protocolVersion":2,"info":{"name":"host","version":"1.0"},"capabilities":{},"clientInfo":{"name":"host","version":"1.0"},"clientCapabilities":{"fs":{"readTextFile":false,"writeTextFile":false},"terminal":false}}"#,
    );
}

#[test]
fn everything_registered() {
    check(
        &[2, 1],
        all(),
        concat!(
            r#"{"protocolVersion":2,"info":{"name":"host","version":"1.0"},"#,
            r#""capabilities":{"auth":{"terminal":{}},"elicitation":{"form":{},"url":{}}},"#,
            r#""clientInfo":{"name":"host","version":"1.0"},"#,
            r#""clientCapabilities":{"fs":{"readTextFile":true,"writeTextFile":true},"terminal":true,"#,
            r#""session":{"configOptions":{"boolean":{}},"notices":{},"compaction":{}},"plan":{},"subagents":{},"#,
            r#""auth":{"terminal":true},"elicitation":{"form":{},"url":{}}}}"#,
        ),
    );
}

#[test]
fn one_handler_is_one_flag() {
    let read = Declaration::none().with(Ability::ReadTextFile);
    check(
        &[1],
        read,
        r#"{"protocolVersion":1,"clientInfo":{"name":"host","version":"1.0"},"clientCapabilities":{"fs":{"readTextFile":true,"writeTextFile":false},"terminal":false}}"#,
    );
    check(
        &[2],
        read,
        r#"{"protocolVersion":2,"info":{"name":"host","version":"1.0"},"capabilities":{}}"#,
    );
}

#[test]
fn what_cannot_be_offered() {
    let refused = |versions: &[u16]| {
        let versions = versions.iter().map(|number| ProtocolVersion(*number));
        Offer::new(versions, Implementation::new("host", "1"))
            .expect_err("refused")
            .to_string()
    };
    assert_eq!(refused(&[]), "an offer needs at least one protocol version");
    assert_eq!(
        refused(&[1, 3]),
        "protocol version 3 cannot be offered; versions that can: 1, 2"
    );
    assert_eq!(
        refused(&[0]),
        "protocol version 0 cannot be offered; versions that can: 1, 2"
    );
    let error = offer(&[1])
        .only(ProtocolVersion::V2)
        .expect_err("not part of the offer");
    assert_eq!(error.code(), "acp-unsupported-request-version");
}

#[test]
fn what_is_spoken_is_known() {
    assert!(SPOKEN.iter().all(|version| KNOWN.contains(version)));
    assert_eq!(
        VersionSet::new(KNOWN.iter().copied())
            .expect("known")
            .to_string(),
        "1, 2"
    );
}

/// Every flag that opens methods has the ability of exactly these methods, and every ability has a flag: none can be set without
/// its handlers, and no handler is there without its flag.
#[test]
fn flags_and_handlers_are_in_step() {
    for version in KNOWN.iter().copied() {
        let rows = CAPABILITY_METHODS
            .iter()
            .filter(|row| row.side == Side::Client && row.version == version);
        for row in rows.filter(|row| !row.methods.is_empty()) {
            let path = row.path.split_once('.').map(|(_, path)| path);
            let abilities: Vec<_> = Ability::ALL
                .iter()
                .filter(|ability| ability.path(version) == path)
                .collect();
            assert_eq!(abilities.len(), 1, "{}", row.path);
            assert_eq!(abilities[0].methods(), row.methods, "{}", row.path);
        }
    }
    for ability in Ability::ALL {
        assert!(
            KNOWN.iter().any(|version| ability.path(*version).is_some()),
            "{ability:?}"
        );
        let declared = Declaration::none().with(*ability);
        assert_eq!(declared.methods(), ability.methods(), "{ability:?}");
    }
    assert_eq!(Declaration::none().methods(), []);
}

fn ability() -> impl Strategy<Value = Ability> {
    prop::sample::select(Ability::ALL)
}

proptest! {
    /// A flag is written for exactly the abilities of the declaration, in both versions.
    #[test]
    fn a_flag_for_each_ability_and_no_other(abilities in prop::collection::vec(ability(), 0..12)) {
        let declaration: Declaration = abilities.iter().copied().collect();
        for (version, member) in [(ProtocolVersion::V1, "clientCapabilities"), (ProtocolVersion::V2, "capabilities")] {
            let params = declaring(&[version.0], declaration).params().expect("params");
            let params: serde_json::Value = serde_json::from_str(params.get()).expect("JSON");
            for ability in Ability::ALL {
                let Some(path) = ability.path(version) else { continue };
                let pointer = format!("/{member}/{}", path.replace('.', "/"));
                let written = params.pointer(&pointer).is_some_and(|flag| flag != &serde_json::Value::Bool(false));
                prop_assert_eq!(written, abilities.contains(ability), "{}", pointer);
            }
        }
    }
}
