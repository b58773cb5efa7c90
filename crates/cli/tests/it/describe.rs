//! `acp describe`: what the program knows, offline.

use crate::program::acp;

#[test]
fn a_method_in_both_versions() {
    insta::assert_snapshot!("session-prompt", acp(&["describe", "session/prompt"]).all());
}

#[test]
fn one_version_and_another_name_for_a_type() {
    insta::assert_snapshot!(
        "session-cancel",
        acp(&["describe", "session/cancel", "--protocol", "2"]).all()
    );
}

#[test]
fn a_union_an_enum_and_a_choice() {
    for name in ["ContentBlock", "PermissionOptionKind", "RequestId"] {
        insta::assert_snapshot!(name, acp(&["describe", name]).all());
    }
}

#[test]
fn a_name_is_found_whatever_its_case_and_what_is_near_is_offered() {
    assert_eq!(
        acp(&["describe", "stopreason"]),
        acp(&["describe", "StopReason"])
    );
    insta::assert_snapshot!("unknown", acp(&["describe", "session/propmt"]).all());
    insta::assert_snapshot!(
        "other-version",
        acp(&["describe", "session/load", "--protocol", "2"]).all()
    );
    insta::assert_snapshot!("no-version", acp(&["describe", "--protocol", "3"]).all());
}

#[test]
fn json_says_what_the_words_say() {
    let rows: serde_json::Value =
        serde_json::from_str(&acp(&["describe", "session/load", "--json"]).stdout).expect("JSON");
    let row = &rows[0];
    assert_eq!(row["direction"], "client to agent");
    assert_eq!(row["kind"], "request");
    assert_eq!(row["gate"], "agent: agentCapabilities.loadSession");
    assert_eq!(row["stability"]["label"], "S");
    let cwd = row["params"]["members"]
        .as_array()
        .and_then(|members| members.iter().find(|member| member["name"] == "cwd"))
        .expect("cwd");
    assert_eq!(
        (&cwd["type"], &cwd["required"]),
        (&"string".into(), &true.into())
    );
    assert_eq!(
        (&cwd["missing"], &cwd["null"]),
        (&"reject".into(), &"reject".into())
    );
}

#[test]
fn without_a_name_it_lists() {
    let listed = acp(&["describe"]);
    assert_eq!(listed.code, Some(0));
    for word in [
        "session/prompt ",
        "Methods, agent to client",
        "ContentBlock ",
    ] {
        assert!(listed.stdout.contains(word), "{word}");
    }
    let json: serde_json::Value =
        serde_json::from_str(&acp(&["describe", "--json"]).stdout).expect("JSON");
    assert!(
        json["methods"]
            .as_array()
            .is_some_and(|methods| methods.len() > 40)
    );
    assert!(
        json["types"]
            .as_array()
            .is_some_and(|types| types.len() > 250)
    );
}
