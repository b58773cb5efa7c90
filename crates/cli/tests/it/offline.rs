//! The verbs that need no agent.

use std::path::Path;

use crate::program::{Ran, acp, acp_in};

const ENVELOPE_VERBS: [&str; 3] = ["status", "initialize-request", "negotiate"];

/// Checks the exit, and that stderr is one line of JSON with this code and stdout is empty.
#[track_caller]
fn refused(args: &[&str], stdin: &str, code: &str) -> serde_json::Value {
    let Ran {
        code: exit,
        stdout,
        stderr,
    } = acp_in(Path::new("."), args, stdin);
    assert_eq!((exit, stdout.as_str()), (Some(1), ""), "{args:?}: {stderr}");
    let envelope: serde_json::Value =
        serde_json::from_str(stderr.strip_suffix('\n').expect("a line")).expect("JSON");
    let members: Vec<&str> = envelope
        .as_object()
        .expect("an object")
        .keys()
        .map(String::as_str)
        .collect();
    assert_eq!(members, ["code", "details", "message"]);
    assert_eq!(
        envelope.get("code").and_then(serde_json::Value::as_str),
        Some(code),
        "{envelope}"
    );
    envelope
}

#[test]
fn status_is_what_the_code_does() {
    insta::assert_snapshot!(acp(&["status"]).all());
    let status: serde_json::Value =
        serde_json::from_str(&acp(&["status", "--json"]).stdout).expect("one JSON document");
    assert_eq!(status["transport_wired"], true);
    let request: serde_json::Value =
        serde_json::from_str(&acp(&["initialize-request"]).stdout).expect("a line of JSON");
    assert_eq!(
        status["client_capabilities"][0]["capabilities"],
        request["params"]["clientCapabilities"]
    );
    assert_eq!(
        status["preferred_version"],
        request["params"]["protocolVersion"]
    );
}

#[test]
fn initialize_request_is_the_line_that_goes_out() {
    insta::assert_snapshot!(acp(&["initialize-request"]).all());
    insta::assert_snapshot!(acp(&["initialize-request", "--protocol", "2"]).all());
    insta::assert_snapshot!(acp(&["initialize-request", "--protocol", "1"]).all());
    assert_eq!(
        acp(&["initialize-request", "--json"]).stdout,
        acp(&["initialize-request"]).stdout
    );
}

#[test]
fn a_version_that_cannot_be_asked_for() {
    for typed in ["3", "0", "-1", "1.0", "one", "65536", ""] {
        refused(
            &["initialize-request", &format!("--protocol={typed}")],
            "",
            "acp-unsupported-request-version",
        );
    }
}

#[test]
fn negotiate_shows_what_was_agreed() {
    let result = r#"{"protocolVersion":1,"agentInfo":{"name":"a","title":"A \u001b[31mred\u001b[0m agent","version":"2"},
        "agentCapabilities":{"loadSession":true,"sessionCapabilities":{"list":true,"resume":"yes","subagents":{}},"promptCapabilities":{"image":true,"audio":false}},
        "authMethods":[{"id":"key","name":"API key"},{"id":"tty","name":"In a terminal","type":"terminal"},7]}"#;
    let ran = acp(&["negotiate", "--result", result]);
    insta::assert_snapshot!(ran.all());
    let response = format!(r#"{{"jsonrpc":"2.0","id":0,"result":{result}}}"#);
    assert_eq!(
        acp_in(Path::new("."), &["negotiate", "--result", "-"], &response).all(),
        ran.all()
    );
    insta::assert_snapshot!(acp(&["--json", "negotiate", "--result", result]).all());
}

#[test]
fn negotiate_refuses_rather_than_guesses() {
    refused(&["negotiate"], "", "acp-missing-result");
    refused(&["negotiate", "--result", ""], "", "acp-missing-result");
    refused(&["negotiate", "--result", "-"], "", "acp-missing-result");
    refused(
        &["negotiate", "--result", r#"{"jsonrpc":"2.0","id":0}"#],
        "",
        "acp-missing-result",
    );
    refused(
        &["negotiate", "--result", "{"],
        "",
        "acp-result-invalid-json",
    );
    refused(
        &["negotiate", "--result", "[]"],
        "",
        "acp-initialize-bad-result",
    );
    let envelope = refused(
        &["negotiate", "--result", "-"],
        r#"{"protocolVersion":"1"}"#,
        "acp-initialize-bad-version",
    );
    assert_eq!(envelope["details"]["supported"], serde_json::json!([1, 2]));
    refused(
        &["negotiate", "--result", r#"{"protocolVersion":1.0}"#],
        "",
        "acp-initialize-bad-version",
    );
    refused(
        &["negotiate", "--result", "{}"],
        "",
        "acp-initialize-bad-version",
    );
    refused(
        &["negotiate", "--result", r#"{"protocolVersion":99}"#],
        "",
        "acp-version-unsupported",
    );
    refused(
        &["negotiate", "--result", r#"{"protocolVersion":3}"#],
        "",
        "acp-version-unsupported",
    );
    let two = r#"{"protocolVersion":2,"info":{"name":"a","version":"1"},"capabilities":{}}"#;
    assert_eq!(
        acp(&["negotiate", "--protocol", "2", "--result", two]).code,
        Some(0)
    );
    refused(
        &[
            "negotiate",
            "--protocol",
            "2",
            "--result",
            r#"{"protocolVersion":1}"#,
        ],
        "",
        "acp-version-unsupported",
    );
}

#[test]
fn verbs_that_scripts_ask_say_no_in_one_way() {
    for verb in ENVELOPE_VERBS {
        refused(&[verb, "--bogus"], "", "acp-usage");
        refused(&["--json", verb, "extra"], "", "acp-usage");
        assert_eq!(acp(&[verb, "--help"]).code, Some(0));
    }
}

#[test]
fn completions_for_every_shell() {
    for shell in ["bash", "zsh", "fish", "powershell", "elvish"] {
        let ran = acp(&["completions", shell]);
        assert_eq!((ran.code, ran.stderr.as_str()), (Some(0), ""), "{shell}");
        assert!(ran.stdout.contains("initialize-request"), "{shell}");
    }
}

#[test]
fn a_man_page_for_every_verb() {
    let dir = tempfile::tempdir().expect("a directory");
    let ran = acp_in(dir.path(), &["man", "deep/man1"], "");
    assert_eq!(ran.all(), "exit 0\n--- stdout\n--- stderr\n");
    let mut pages: Vec<String> = std::fs::read_dir(dir.path().join("deep/man1"))
        .expect("made")
        .map(|page| {
            page.expect("readable")
                .file_name()
                .into_string()
                .expect("UTF-8")
        })
        .collect();
    pages.sort();
    insta::assert_snapshot!(pages.join("\n"));
    let page = std::fs::read_to_string(dir.path().join("deep/man1/acp-run.1")).expect("a page");
    assert!(page.contains("idle\\-timeout"), "{page}");
}
