//! The tables of methods and capabilities.

use acp_vocab::{
    AGENT_METHODS, CAPABILITY_METHODS, CLIENT_METHODS, Form, Gate, Method, MethodKind, MethodSpec,
    PROTOCOL_METHODS, Receiver, Side, TypeInfo, legacy::LEGACY_METHODS, v1, v2,
};
use serde_json::{Value, json};

use crate::claims::{VERSIONS, label, vocabulary};

fn all() -> impl Iterator<Item = &'static MethodSpec> {
    AGENT_METHODS
        .iter()
        .chain(CLIENT_METHODS)
        .chain(PROTOCOL_METHODS)
}

fn direction(receiver: Receiver) -> &'static str {
    match receiver {
        Receiver::Agent => "client->agent",
        Receiver::Client => "agent->client",
        Receiver::Either => "both",
        Receiver::Chain => "conductor<->proxy",
        _ => panic!("a new receiver"),
    }
}

fn gate(gate: Gate) -> String {
    match gate {
        Gate::Baseline => "-".to_owned(),
        Gate::Courtesy => "- (optional)".to_owned(),
        Gate::AuthMethods => "non-empty authMethods".to_owned(),
        Gate::SessionState(member) => format!("session: {member}"),
        Gate::Entity(path) => format!("per entity: {path}"),
        Gate::Capability(side, paths) => {
            let side = if side == Side::Agent {
                "agent"
            } else {
                "client"
            };
            format!("{side}:{}", paths.join("|"))
        }
        _ => panic!("a new gate"),
    }
}

/// The same words for the same gate: the facts spell some in sentences.
fn spelled(gate: &str) -> String {
    match gate {
        "- (some variants are gated)" => "-".to_owned(),
        "non-empty authMethods entry" => "non-empty authMethods".to_owned(),
        text if text.contains("`modes`") => "session: modes".to_owned(),
        text if text.contains("`configOptions`") => "session: configOptions".to_owned(),
        text => match text.split_once('|') {
            Some((first, last)) => {
                let (parent, _) = first.rsplit_once('.').unwrap();
                let parent = parent.split_once(':').unwrap().1;
                format!("{first}|{parent}.{last}")
            }
            None => text.to_owned(),
        },
    }
}

#[test]
fn every_method_of_the_schemas() {
    let facts = vocabulary();
    for (version, key) in VERSIONS {
        let mut expected: Vec<Value> = facts[key]["methods"].as_array().unwrap().clone();
        for row in &mut expected {
            row[6] = json!(spelled(row[6].as_str().unwrap()));
        }
        let mut ours: Vec<Value> = all()
            .filter(|spec| spec.version == version)
            .map(|spec| {
                let kind = match spec.kind {
                    MethodKind::Request => "request",
                    MethodKind::Notification => "notification",
                };
                json!([
                    spec.method.name(),
                    direction(spec.receiver),
                    kind,
                    spec.params,
                    spec.result,
                    label(spec.stability),
                    gate(spec.gate),
                ])
            })
            .collect();
        expected.sort_by_key(Value::to_string);
        ours.sort_by_key(Value::to_string);
        assert_eq!(ours, expected, "{key}");
    }
}

#[test]
fn tables_hold_what_their_name_says() {
    assert!(
        AGENT_METHODS
            .iter()
            .all(|spec| spec.receiver == Receiver::Agent)
    );
    assert!(
        CLIENT_METHODS
            .iter()
            .all(|spec| spec.receiver == Receiver::Client)
    );
    for spec in all().chain(LEGACY_METHODS) {
        assert_eq!(
            spec.result.is_some(),
            spec.kind == MethodKind::Request,
            "{spec:?}"
        );
        assert!(
            TypeInfo::find(spec.params, spec.version).is_some(),
            "{spec:?}"
        );
        let result = spec.result.map(|name| TypeInfo::find(name, spec.version));
        assert!(result.is_none_or(|info| info.is_some()), "{spec:?}");
    }
}

#[test]
fn names_are_found() {
    for method in Method::ALL {
        assert_eq!(Method::find(method.name()), Some(*method));
        assert!(method.specs().next().is_some(), "{method} has no row");
    }
    for name in ["session/unheard_of", "_vendor/thing", "", "session/Prompt"] {
        assert_eq!(Method::find(name), None);
    }
}

#[test]
fn every_capability_of_the_schemas() {
    let facts = vocabulary();
    for (version, key) in VERSIONS {
        for (side, name) in [(Side::Agent, "agent"), (Side::Client, "client")] {
            let mut expected: Vec<Value> =
                facts[key]["capabilities"][name].as_array().unwrap().clone();
            let mut ours: Vec<Value> = CAPABILITY_METHODS
                .iter()
                .filter(|row| row.version == version && row.side == side)
                .map(|row| json!([row.path, row.form == Form::Flag, label(row.stability)]))
                .collect();
            expected.sort_by_key(Value::to_string);
            ours.sort_by_key(Value::to_string);
            assert_eq!(ours, expected, "{key} {name}");
        }
    }
}

/// A gate and the row of its capability say the same, both ways.
#[test]
fn gates_and_capabilities_agree() {
    for spec in all() {
        if let Gate::Capability(side, paths) = spec.gate {
            for path in paths {
                let row = CAPABILITY_METHODS
                    .iter()
                    .find(|row| {
                        row.path == *path && row.side == side && row.version == spec.version
                    })
                    .unwrap_or_else(|| panic!("{path} is no capability"));
                assert!(
                    row.methods.contains(&spec.method),
                    "{path} does not list {}",
                    spec.method
                );
            }
        }
    }
    for row in CAPABILITY_METHODS {
        for method in row.methods {
            let gated = method.specs().any(|spec| {
                spec.version == row.version
                    && matches!(spec.gate, Gate::Capability(side, paths)
                        if side == row.side && paths.contains(&row.path))
            });
            assert!(gated, "{method} is not gated by {}", row.path);
        }
    }
}

/// Every path of the table is a path that the types of `initialize` read and write back.
#[test]
fn capability_paths_are_members_of_the_types() {
    for row in CAPABILITY_METHODS {
        let leaf = if row.form == Form::Flag {
            json!(true)
        } else {
            json!({})
        };
        let mut value = leaf.clone();
        for member in row.path.rsplit('.') {
            value = json!({ member: value });
        }
        value["protocolVersion"] = json!(row.version.0);
        value["info"] = json!({"name": "n", "version": "1"});
        let text = value.to_string();
        let back = match (row.version.0, row.side) {
            (1, Side::Agent) => recode::<v1::InitializeResponse>(&text),
            (1, Side::Client) => recode::<v1::InitializeRequest>(&text),
            (_, Side::Agent) => recode::<v2::InitializeResponse>(&text),
            (_, Side::Client) => recode::<v2::InitializeRequest>(&text),
        };
        let pointer = format!("/{}", row.path.replace('.', "/"));
        let read = back
            .pointer(&pointer)
            .unwrap_or_else(|| panic!("{} is lost", row.path));
        assert_eq!(read.is_boolean(), leaf.is_boolean(), "{}", row.path);
    }
}

fn recode<T: for<'de> serde::Deserialize<'de> + serde::Serialize>(text: &str) -> Value {
    serde_json::to_value(serde_json::from_str::<T>(text).unwrap()).unwrap()
}
