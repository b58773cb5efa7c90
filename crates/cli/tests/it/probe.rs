//! `acp probe`.

use serde_json::Value;

use crate::{program::with_agent, records::records};

#[test]
fn a_table_for_people() {
    insta::assert_snapshot!(with_agent(&["probe"], "whole").all());
}

#[test]
fn one_record_for_scripts() {
    let ran = with_agent(&["probe", "--json"], "noisy-start");
    let records = records(&ran);
    let found: Vec<&Value> = records
        .iter()
        .filter(|record| record["type"] == "probe")
        .collect();
    assert_eq!(found.len(), 1);
    let found = found[0];
    assert_eq!(found["protocol_version"], 1);
    assert_eq!(found["session"]["current_mode"], "code");
    assert_eq!(found["session"]["current_model"], "big");
    assert_eq!(found["session"]["models"][1]["id"], "small");
    assert_eq!(found["session"]["current_effort"], "high");
    assert_eq!(
        found["unsolicited"],
        serde_json::json!({ "_auth/status_update": 1, "session/update available_commands_update": 1 })
    );
    assert_eq!(found["noise"]["not_json"]["lines"], 2);
    assert_eq!(found["exit"]["on"], "eof");
    assert_eq!(found["exit"]["status"], 0);
}

#[test]
fn what_could_be_found_is_shown_when_a_step_fails() {
    insta::assert_snapshot!(with_agent(&["probe"], "needs-auth").all());
    assert_eq!(with_agent(&["probe"], "crash").code, Some(7));
    assert_eq!(with_agent(&["probe"], "version-string").code, Some(8));
    assert_eq!(
        with_agent(&["probe", "--idle-timeout", "100ms"], "silent").code,
        Some(3)
    );
    records(&with_agent(&["probe", "--json"], "crash"));
    records(&with_agent(&["probe", "--json"], "needs-auth"));
}

#[test]
fn an_agent_that_ignores_the_end_of_its_input() {
    let ran = with_agent(&["probe", "--json"], "stays");
    let records = records(&ran);
    let found = records
        .iter()
        .find(|record| record["type"] == "probe")
        .expect("found");
    assert_eq!(found["exit"]["on"], "sigterm", "{found}");
    assert_eq!(found["exit"]["signal"], 15, "{found}");
}

/// An agent that connects to what it is given, and one that says nothing about ignoring it.
#[test]
fn report_18_a_tool_server_of_our_own_proves_that_the_agent_connects() {
    insta::assert_snapshot!(
        "connects",
        with_agent(&["probe", "--mcp"], "connects").all()
    );
    let ran = with_agent(&["probe", "--mcp", "--json"], "connects");
    let found = records(&ran)
        .into_iter()
        .find(|record| record["type"] == "probe")
        .expect("found");
    assert_eq!(
        found["mcp"],
        serde_json::json!({
            "connected": true, "started": true, "listed": true,
            "client": "test-agent 1.0", "version": "2025-06-18"
        })
    );
    let ran = with_agent(
        &["probe", "--mcp", "--json", "--idle-timeout", "5s"],
        "plain",
    );
    assert_eq!(ran.code, Some(1), "{}", ran.stderr);
    let records = records(&ran);
    let found = records.iter().find(|record| record["type"] == "probe");
    assert_eq!(found.expect("found")["mcp"]["connected"], false);
    let last = records.last().expect("a result");
    assert_eq!(last["outcome"], "not_connected", "{last}");
}
