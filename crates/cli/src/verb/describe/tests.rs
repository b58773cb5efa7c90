//! Whatever is listed can be described, in both forms.

use acp_harness::vocab::{ALIASES, Method, ProtocolVersion, TYPES};

use super::{Found, find, listed::List, text};

#[track_caller]
fn check(name: &str, version: Option<ProtocolVersion>) {
    let (text, json) = match find(name, version) {
        Found::Method(rows) => (text::methods(&rows), serde_json::to_string(&rows)),
        Found::Type(types) => (text::types(&types), serde_json::to_string(&types)),
        Found::OtherVersion(versions) => {
            assert!(version.is_some() && !versions.is_empty(), "{name}");
            return;
        }
        Found::Nothing(_) => panic!("{name} is listed and not found"),
    };
    assert!(text.starts_with(name), "{text}");
    assert!(text.lines().count() > 1, "{name}: nothing but the name");
    assert!(!text.contains("[`") && !text.contains("](crate"), "{text}");
    let wide = |line: &&str| line.chars().count() > 100 && line.split_whitespace().count() > 4;
    assert_eq!(text.lines().find(wide), None, "{name}");
    json.expect("it is JSON");
}

#[test]
fn every_word_has_a_description() {
    let methods = Method::ALL.iter().map(|method| method.name());
    let types = TYPES.iter().chain(ALIASES).map(|info| info.name);
    for name in methods.chain(types) {
        for version in [None, Some(ProtocolVersion::V1), Some(ProtocolVersion::V2)] {
            check(name, version);
        }
    }
}

#[test]
fn a_version_has_its_own_words_only() {
    let list = |version| List::new(Some(version));
    let names =
        |list: &List| -> Vec<&'static str> { list.methods.iter().map(|row| row.method).collect() };
    let (v1, v2) = (list(ProtocolVersion::V1), list(ProtocolVersion::V2));
    assert!(names(&v1).contains(&"session/load") && !names(&v2).contains(&"session/load"));
    assert!(names(&v2).contains(&"auth/login") && !names(&v1).contains(&"auth/login"));
    let both = List::new(None);
    assert_eq!(both.methods.len(), {
        let mut all: Vec<_> = [&v1, &v2]
            .into_iter()
            .flat_map(|list| &list.methods)
            .map(|row| (row.method, row.direction, row.kind))
            .collect();
        all.sort_unstable();
        all.dedup();
        all.len()
    });
}
