//! The tables of methods and error codes against the official ones, both ways.

use std::collections::BTreeSet;

use acp_vocab::{
    AGENT_METHODS, CLIENT_METHODS, ErrorCode, MethodKind, MethodSpec, PROTOCOL_METHODS, Receiver,
};
use interop_schema::{Definition, Schemas, VERSIONS, methods, routes};
use serde_json::json;

fn rows() -> impl Iterator<Item = &'static MethodSpec> {
    [AGENT_METHODS, CLIENT_METHODS, PROTOCOL_METHODS]
        .into_iter()
        .flatten()
}

/// What the official crate calls the end that is sent a method.
fn side(receiver: Receiver) -> &'static str {
    match receiver {
        Receiver::Agent => "agent",
        Receiver::Client => "client",
        Receiver::Either => "protocol",
        Receiver::Chain => "proxy",
        other => panic!("{other:?} is new"),
    }
}

#[test]
fn names() {
    let mut count = 0;
    for (version, official, names) in methods() {
        let names: BTreeSet<&str> = names.iter().map(String::as_str).collect();
        let ours: BTreeSet<&str> = rows()
            .filter(|row| row.version == version && side(row.receiver) == official)
            .map(|row| row.method.name())
            .collect();
        assert_eq!(ours, names, "version {version}, {official}");
        count += names.len();
    }
    println!("{count} method names in both versions");
}

/// Each params and result type says in its schema which method it belongs to and who handles it.
#[test]
fn params_and_results() {
    let schemas = Schemas::new();
    for version in VERSIONS {
        let official: BTreeSet<(&str, &str, &str)> = schemas
            .names(version)
            .filter_map(|name| {
                let schema = schemas.definition(version, name);
                Some((
                    schema["x-side"].as_str()?,
                    schema["x-method"].as_str()?,
                    name,
                ))
            })
            .collect();
        let ours: BTreeSet<(&str, &str, &str)> = rows()
            .filter(|row| row.version == version)
            .flat_map(|row| {
                std::iter::once(row.params)
                    .chain(row.result)
                    .map(|name| (side(row.receiver), row.method.name(), name))
            })
            .collect();
        println!("version {version}: {} params and results", official.len());
        assert_eq!(ours, official, "version {version}");
    }
}

#[test]
fn kinds() {
    let mut count = 0;
    for route in routes() {
        for row in rows().filter(|row| row.version == route.version) {
            let ours = side(row.receiver) == route.side
                && (row.kind == MethodKind::Request) == route.request;
            // A name may stand for a request in one row and for a notification in another.
            let elsewhere = rows().any(|other| {
                (other.version, other.method) == (row.version, row.method)
                    && side(other.receiver) == route.side
                    && (other.kind == MethodKind::Request) == route.request
            });
            assert_eq!(
                ours || elsewhere,
                route.knows(row.method.name()),
                "version {}, {} to the {}",
                route.version,
                row.method,
                route.side
            );
            count += 1;
        }
        assert!(!route.knows("session/unheard"));
    }
    println!("{count} methods asked for");
}

#[test]
fn error_codes() {
    let schemas = Schemas::new();
    let ours: BTreeSet<i64> = ErrorCode::NAMED
        .iter()
        .map(|(code, _)| code.0.into())
        .collect();
    let mut all = BTreeSet::new();
    for version in VERSIONS {
        let schema = schemas.definition(version, "ErrorCode");
        let codes: BTreeSet<i64> = schema["anyOf"]
            .as_array()
            .expect("one branch for each code")
            .iter()
            .filter_map(|branch| branch["const"].as_i64())
            .collect();
        println!("version {version}: {} codes", codes.len());
        let official = Definition::find(version, "ErrorCode").expect("a definition");
        for code in &ours {
            assert_eq!(official.recode(&json!(code)), Ok(json!(code)));
        }
        all.extend(codes);
    }
    assert_eq!(ours, all);
}
