//! What is read from the inputs that real agents send, by table.
use super::{Facts, McpTool};
use serde_json::value::RawValue;

#[track_caller]
fn check(input: &str, expected: &str) {
    let raw = RawValue::from_string(input.to_owned()).unwrap();
    let facts = Facts::of(&raw);
    let mut shown = Vec::new();
    shown.extend(
        facts
            .command
            .map(|command| format!("command={}", command.text())),
    );
    shown.extend(facts.cwd.map(|cwd| format!("cwd={cwd}")));
    shown.extend(facts.paths.iter().map(|path| format!("path={path}")));
    shown.extend(
        facts
            .mcp
            .map(|mcp| format!("mcp={}/{}", mcp.server, mcp.tool)),
    );
    shown.extend((!facts.present).then(|| "absent".to_owned()));
    assert_eq!(shown.join(" "), expected, "{input}");
}

#[test]
fn commands_of_real_agents() {
    check(r#"{"command":"echo hi"}"#, "command=echo hi");
    check(
        r#"{"command":"seq 1 9","cwd":"/ws"}"#,
        "command=seq 1 9 cwd=/ws",
    );
    check(r#"{"command":"ls","commands":["ls"]}"#, "command=ls");
    check(r#"{"commands":["a","b"]}"#, "command=a\nb");
    check(
        r#"{"command":["bash","-lc","git log"],"workdir":"/ws"}"#,
        "command=git log cwd=/ws",
    );
    check(
        r#"{"command":"git","args":["log","-1"]}"#,
        "command=git log -1",
    );
    check(r#"{"cmd":{"odd":1}}"#, r#"command={"odd":1}"#);
    check(r#"{"command":null,"cmd":"x"}"#, "command=x");
}

#[test]
fn an_editor_verb_is_no_command() {
    check(r#"{"command":"view","path":"/a"}"#, "path=/a");
    check(r#"{"command":"view"}"#, "command=view");
}

#[test]
fn paths_of_real_agents() {
    check(r#"{"file_path":"/a","content":"x"}"#, "path=/a");
    check(r#"{"filepath":"/a","diff":"x"}"#, "path=/a");
    check(r#"{"fileName":"/a"}"#, "path=/a");
    check(r#"{"paths":["/a","/b"]}"#, "path=/a path=/b");
    check(
        r#"{"changes":{"/a":{"add":{}},"/b":{}}}"#,
        "path=/a path=/b",
    );
}

#[test]
fn mcp_tools() {
    check(
        r#"{"server":"lab","tool":"echo","arguments":{}}"#,
        "mcp=lab/echo",
    );
    check(r#"{"serverName":"lab"}"#, "");
    assert_eq!(
        McpTool::of_name("mcp__lab__echo_it"),
        Some(McpTool::new("lab", "echo_it"))
    );
    assert_eq!(McpTool::of_name("mcp__lab"), None);
    assert_eq!(
        McpTool::of_title("lab_echo (lab MCP Server)"),
        Some(McpTool::new("lab", "echo"))
    );
    assert_eq!(McpTool::of_title("echo (lab)"), None);
}

#[test]
fn nothing_is_nothing() {
    for input in ["null", "{}", "[]", "\"\""] {
        check(input, "absent");
    }
    check("[1]", "");
    check("7", "");
}

#[test]
fn deep_inputs_are_read() {
    let deep = format!(
        r#"{{"x":{}{},"command":"ls"}}"#,
        "[".repeat(10_000),
        "]".repeat(10_000)
    );
    check(&deep, "command=ls");
}

#[test]
fn names_are_read_in_every_spelling() {
    check(r#"{"CommandLine":"ls","Cwd":"/ws"}"#, "command=ls cwd=/ws");
    check(r#"{"AbsolutePath":"/a"}"#, "path=/a");
    check(r#"{"target-file":"/a"}"#, "path=/a");
}

#[test]
fn two_commands_are_neither() {
    check(
        r#"{"cmd":"rm -rf x","command":"ls"}"#,
        "command=ls\nrm -rf x",
    );
    check(r#"{"cmd":"ls","command":"ls"}"#, "command=ls");
    check(
        r#"{"input":{"command":"rm x"},"command":"ls"}"#,
        "command=ls\nrm x",
    );
}

#[test]
fn what_lies_a_level_down_is_seen() {
    check(
        r#"{"input":{"file_path":"/a","command":"ls"}}"#,
        "command=ls path=/a",
    );
    check(
        r#"{"edits":[{"path":"/a"},{"path":"/b"}]}"#,
        "path=/a path=/b",
    );
    check(
        r#"{"files":[{"path":"/a"},{"name":"/b","path":"/c"}]}"#,
        "path=/a path=/c",
    );
    check(r#"{"changes":[{"path":"/a"}]}"#, "path=/a");
}

#[test]
fn a_path_that_cannot_be_read_may_be_any() {
    for input in [
        r#"{"file":{"odd":1}}"#,
        r#"{"files":[{"odd":1}]}"#,
        r#"{"path":{"path":{"path":{"path":{"path":{"path":"/a"}}}}}}"#,
    ] {
        let raw = RawValue::from_string(input.to_owned()).unwrap();
        assert!(Facts::of(&raw).elsewhere, "{input}");
    }
    for input in [r#"{"file":true}"#, r#"{"dir":null}"#, r#"{"path":3}"#] {
        let raw = RawValue::from_string(input.to_owned()).unwrap();
        assert!(!Facts::of(&raw).elsewhere, "{input}");
    }
}
