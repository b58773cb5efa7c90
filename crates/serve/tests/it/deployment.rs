//! What the host program decides and no client can change: directories, MCP servers, traces.

use acp_serve::{Config, McpPolicy, McpServer, Workspaces};
use serde_json::{Value, json};

use crate::driver::{Driver, V1, V2, puppet};

/// Opens a session in this directory of a puppet that is pinned to one; the error code, or 0.
async fn pinned(root: &std::path::Path, cwd: &str) -> i64 {
    let (server, seen) = puppet();
    let server = server.workspaces(Workspaces::Below(root.to_owned()));
    let mut driver = Driver::over(4096, server, seen);
    driver.initialize(V1).await;
    let params = json!({"cwd": cwd, "mcpServers": []});
    let answer = driver.call("session/new", params).await;
    answer["error"]["code"].as_i64().unwrap_or(0)
}

#[tokio::test]
async fn sessions_work_where_the_host_says() {
    let top = tempfile::tempdir().expect("a directory");
    let top = top.path().canonicalize().expect("a path");
    let root = top.join("root");
    for dir in ["root/inside", "outside", "root-too"] {
        std::fs::create_dir_all(top.join(dir)).expect("made");
    }
    std::fs::write(root.join("file"), "").expect("written");
    #[cfg(unix)]
    {
        std::os::unix::fs::symlink(top.join("outside"), root.join("out")).expect("linked");
        std::os::unix::fs::symlink(root.join("inside"), top.join("in")).expect("linked");
    }
    let path = |name: &str| top.join(name).to_str().expect("UTF-8").to_owned();
    assert_eq!(pinned(&root, &path("root")).await, 0);
    assert_eq!(pinned(&root, &path("root/inside")).await, 0);
    assert_eq!(pinned(&root, &path("in")).await, 0);
    for refused in [
        "outside",
        "root/out",
        "root/../outside",
        "root/inside/../../outside",
        "root-too",
        "root/file",
        "root/nowhere",
    ] {
        assert_eq!(pinned(&root, &path(refused)).await, -32602, "{refused}");
    }
    assert_eq!(pinned(&root, "root").await, -32602);
    assert_eq!(pinned(&root, "").await, -32602);
}

/// The path that the agent is given has no links in it.
#[cfg(unix)]
#[tokio::test]
async fn the_directory_is_canonical() {
    let top = tempfile::tempdir().expect("a directory");
    let top = top.path().canonicalize().expect("a path");
    std::fs::create_dir(top.join("real")).expect("made");
    std::os::unix::fs::symlink(top.join("real"), top.join("link")).expect("linked");
    let mut driver = Driver::raw(4096, Config::default());
    driver.initialize(V1).await;
    let cwd = top.join("link");
    driver
        .call("session/new", json!({"cwd": cwd, "mcpServers": []}))
        .await;
    assert_eq!(
        driver.seen.notes(),
        [format!("new {}", top.join("real").display())]
    );
}

/// Opens a session with these servers; the error code, or 0.
async fn servers(version: u16, wanted: Value) -> i64 {
    let approved = vec![
        McpServer::stdio("files", "/bin/files", &["--read"]),
        McpServer::http("web", "https://mcp.example.com/web"),
    ];
    let (server, seen) = puppet();
    let server = server
        .with_mcp_http()
        .mcp_policy(McpPolicy::Approved(approved));
    let mut driver = Driver::over(4096, server, seen);
    driver.initialize(version).await;
    let params = json!({"cwd": driver.cwd(), "mcpServers": wanted});
    let answer = driver.call("session/new", params).await;
    answer["error"]["code"].as_i64().unwrap_or(0)
}

#[tokio::test]
async fn clients_select_approved_servers_and_nothing_else() {
    let files = json!({"name": "files", "command": "/bin/files", "args": ["--read"], "env": []});
    let web =
        json!({"type": "http", "name": "web", "url": "https://mcp.example.com/web", "headers": []});
    let changed = |base: &Value, member: &str, value: Value| {
        let mut other = base.clone();
        other[member] = value;
        other
    };
    let token = json!([{"name": "TOKEN", "value": "secret"}]);
    for version in [V1, V2] {
        let files = if version == V2 {
            changed(&files, "type", json!("stdio"))
        } else {
            files.clone()
        };
        for (wanted, code) in [
            (json!([]), 0),
            (json!([files]), 0),
            (json!([web, files]), 0),
            (json!([files, files]), -32602),
            (json!([changed(&files, "args", json!(["--write"]))]), -32602),
            (
                json!([changed(&files, "command", json!("/bin/other"))]),
                -32602,
            ),
            (json!([changed(&files, "name", json!("other"))]), -32602),
            (json!([changed(&files, "env", token.clone())]), -32602),
            (json!([changed(&web, "headers", token.clone())]), -32602),
            (
                json!([changed(
                    &web,
                    "url",
                    json!("https://mcp.example.com/web?token=a")
                )]),
                -32602,
            ),
            (
                json!([changed(
                    &web,
                    "url",
                    json!("https://u:p@mcp.example.com/web")
                )]),
                -32602,
            ),
            (
                json!([files, {"type": "acp", "name": "a", "serverId": "b"}]),
                -32602,
            ),
        ] {
            assert_eq!(servers(version, wanted.clone()).await, code, "{wanted}");
        }
    }
}

#[cfg(unix)]
#[tokio::test]
async fn traces_are_private_and_never_overwritten() {
    use std::os::unix::fs::PermissionsExt as _;

    let dir = tempfile::tempdir().expect("a directory");
    let (server, seen) = puppet();
    let server = server.traces(dir.path().join("trace-{session_id}.ndjson"));
    let mut driver = Driver::over(4096, server, seen);
    driver.initialize(V1).await;
    let session = driver.new_session().await;
    let prompt = driver.prompt(&session, "say hi").await;
    driver.end(prompt).await;
    let path = dir.path().join(format!("trace-{session}.ndjson"));
    let mode = std::fs::metadata(&path)
        .expect("a file")
        .permissions()
        .mode();
    assert_eq!(mode & 0o777, 0o600);
    let text = std::fs::read_to_string(&path).expect("text");
    let lines: Vec<Value> = text
        .lines()
        .map(|line| serde_json::from_str(line).expect("JSON"))
        .collect();
    let received = lines.iter().find_map(|line| line.get("received"));
    assert_eq!(received.expect("the prompt")["method"], "session/prompt");
    let last = lines.last().expect("a line");
    assert_eq!(last["sent"]["result"]["stopReason"], "end_turn");

    // A file that is there is left as it is.
    let params = json!({"sessionId": "stored", "cwd": driver.cwd(), "mcpServers": []});
    std::fs::write(dir.path().join("trace-stored.ndjson"), "mine").expect("written");
    let answer = driver.call("session/load", params.clone()).await;
    assert!(answer.get("result").is_some(), "{answer}");
    let text = std::fs::read_to_string(dir.path().join("trace-stored.ndjson"));
    assert_eq!(text.expect("text"), "mine");
    assert!(dir.path().join("trace-stored.ndjson.1").exists());

    // A place where no file can be made refuses the session.
    let (server, seen) = puppet();
    let server = server.traces(dir.path().join("nowhere/{session_id}"));
    let mut driver = Driver::over(4096, server, seen);
    driver.initialize(V1).await;
    let params = json!({"cwd": driver.cwd(), "mcpServers": []});
    let answer = driver.call("session/new", params).await;
    assert_eq!(answer["error"]["code"], -32603);
}
