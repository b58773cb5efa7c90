//! What an agent can do with and around sessions beyond opening them and prompts: the archive,
//! titles, states, options ahead of time, instructions of the host, providers, logins, servers that
//! the client hosts. Each in both versions.

use std::{sync::Arc, time::Duration};

use acp_serve::{Config, McpPolicy, McpServer, Server};
use serde_json::{Value, json};

use crate::{
    agents::{Echo, Seen},
    driver::{Driver, V1, V2, puppet},
};

/// Calls a method in both versions and checks what is answered: the result, or the error's code.
#[track_caller]
fn check(
    method: &'static str,
    params: Value,
    expected: Value,
) -> impl Future<Output = Vec<String>> {
    let caller = std::panic::Location::caller();
    async move {
        let mut notes = Vec::new();
        for version in [V1, V2] {
            let (mut driver, session) = Driver::open(4096, version, Config::default()).await;
            let text = params.to_string();
            let text = text
                .replace("SESSION", &session)
                .replace("CWD", &driver.cwd());
            let answer = driver
                .call(method, serde_json::from_str(&text).expect("JSON"))
                .await;
            let found = answer
                .get("result")
                .unwrap_or_else(|| &answer["error"]["code"]);
            assert_eq!(
                *found, expected,
                "{caller}: {method} {text}, version {version}: {answer}"
            );
            notes = driver.seen.notes().split_off(1);
            driver.close().await.0.expect("a good end");
        }
        notes
    }
}

#[tokio::test(start_paused = true)]
async fn sessions_are_archived_and_named() {
    let stored = json!({"sessionId": "stored"});
    let unknown = json!({"sessionId": "nobody"});
    check("session/archive", stored.clone(), json!({})).await;
    check("session/archive", unknown.clone(), json!(-32002)).await;
    check("session/archive", json!({}), json!(-32602)).await;
    check("session/unarchive", stored.clone(), json!({})).await;
    check("session/unarchive", unknown, json!(-32002)).await;
    let title = json!({"sessionId": "stored", "title": " A title "});
    check("session/set_title", title, json!({"title": "A title"})).await;
    check("session/set_title", stored, json!(-32602)).await;
    let title = json!({"sessionId": "nobody", "title": "A title"});
    check("session/set_title", title, json!(-32002)).await;
}

#[tokio::test(start_paused = true)]
async fn what_is_archived_is_listed_where_it_is_wanted() {
    for version in [V1, V2] {
        let mut driver = Driver::raw(4096, Config::default());
        driver.initialize(version).await;
        let mut listed = async |params: Value| {
            let answer = driver.call("session/list", params).await;
            match answer["result"]["sessions"].as_array() {
                Some(sessions) => sessions.len(),
                None => panic!("a list: {answer}"),
            }
        };
        assert_eq!(listed(json!({})).await, 1);
        assert_eq!(listed(json!({"archived": "only"})).await, 0);
        let params = json!({"sessionId": "stored"});
        driver.call("session/archive", params).await;
        let mut listed = async |params: Value| {
            let answer = driver.call("session/list", params).await;
            let sessions = answer["result"]["sessions"].clone();
            sessions.as_array().map(Vec::len).unwrap_or(99)
        };
        assert_eq!(listed(json!({})).await, 0);
        assert_eq!(listed(json!({"archived": "exclude"})).await, 0);
        assert_eq!(listed(json!({"archived": "include"})).await, 1);
        assert_eq!(listed(json!({"archived": "only"})).await, 1);
        let answer = driver
            .call("session/list", json!({"archived": "include"}))
            .await;
        assert_eq!(answer["result"]["sessions"][0]["archived"], true);
        let odd = driver
            .call("session/list", json!({"archived": "_own"}))
            .await;
        assert_eq!(odd["error"]["code"], -32602);
    }
}

#[tokio::test(start_paused = true)]
async fn an_agent_without_an_archive_has_nothing_in_it() {
    let mut driver = Driver::over(4096, Server::new(Echo), Arc::new(Seen::default()));
    driver.initialize(V2).await;
    driver.new_session().await;
    let all = driver.call("session/list", json!({})).await;
    assert_eq!(all["result"]["sessions"].as_array().map(Vec::len), Some(1));
    let put_away = driver
        .call("session/list", json!({"archived": "only"}))
        .await;
    assert_eq!(put_away["result"], json!({"sessions": []}));
}

#[tokio::test(start_paused = true)]
async fn how_far_a_session_is() {
    let stored = json!({"sessionId": "stored"});
    check("session/status", stored, json!({"status": "saved"})).await;
    check(
        "session/status",
        json!({"sessionId": "nobody"}),
        json!(-32002),
    )
    .await;
    for version in [V1, V2] {
        let (mut driver, session) = Driver::open(4096, version, Config::default()).await;
        let params = json!({"sessionId": session});
        // Version 1 has no states.
        let expected = |state: &str| match version {
            V1 => json!({"status": "open"}),
            _ => json!({"status": "open", "state": {"state": state}}),
        };
        let status = driver.call("session/status", params.clone()).await;
        assert_eq!(status["result"], expected("idle"));
        let prompt = driver.prompt(&session, "edit").await;
        let asked = driver.peer.expect("session/request_permission").await;
        let asked = asked.expect("a question");
        let status = driver.call("session/status", params.clone()).await;
        assert_eq!(status["result"], expected("requires_action"));
        let outcome = json!({"outcome": {"outcome": "cancelled"}});
        driver.peer.reply(&asked, outcome).await.expect("sent");
        driver.end(prompt).await;
        let prompt = driver.prompt(&session, "wait 1").await;
        let status = driver.call("session/status", params).await;
        assert_eq!(status["result"], expected("running"));
        driver.cancel(&session).await;
        driver.end(prompt).await;
    }
}

#[tokio::test(start_paused = true)]
async fn options_ahead_of_time() {
    for version in [V1, V2] {
        let mut driver = Driver::raw(4096, Config::default());
        driver.initialize(version).await;
        let params = json!({"cwd": driver.cwd(), "sessionId": "stored"});
        let answer = driver.call("session/options", params).await;
        let result = &answer["result"];
        let id = if version == V1 { "id" } else { "configId" };
        assert_eq!(result["configOptions"][0][id], "mode");
        assert_eq!(result["configOptions"][1][id], "loud");
        if version == V1 {
            assert_eq!(result["modes"]["currentModeId"], "ask");
            assert_eq!(result["availableCommands"], Value::Null);
        } else {
            assert_eq!(result["availableCommands"][0]["name"], "go");
        }
        assert_eq!(
            driver.seen.notes(),
            [r#"preview Some(SessionId("stored"))"#]
        );
        for cwd in ["here", "/nowhere/at/all"] {
            let answer = driver.call("session/options", json!({"cwd": cwd})).await;
            assert_eq!(answer["error"]["code"], -32602);
        }
        let params = json!({"cwd": driver.cwd(), "additionalDirectories": ["/tmp"]});
        let answer = driver.call("session/options", params).await;
        assert_eq!(answer["error"]["code"], -32602);
    }
}

#[tokio::test(start_paused = true)]
async fn options_are_set_while_a_session_is_opened() {
    for version in [V1, V2] {
        let mut driver = Driver::raw(4096, Config::default());
        driver.initialize(version).await;
        let mode = |value: &str| match version {
            V1 => json!({"configId": "mode", "value": value}),
            _ => json!({"configId": "mode", "type": "id", "value": value}),
        };
        let loud = json!({"configId": "loud", "type": "boolean", "value": true});
        let params = json!({
            "cwd": driver.cwd(), "mcpServers": [], "configOptions": [mode("auto"), loud],
        });
        let answer = driver.call("session/new", params).await;
        let options = &answer["result"]["configOptions"];
        assert_eq!(options[0]["currentValue"], "auto");
        assert_eq!(options[1]["currentValue"], true);
        if version == V1 {
            assert_eq!(answer["result"]["modes"]["currentModeId"], "auto");
        }
        assert_eq!(driver.seen.notes()[1..], ["set mode", "set loud"]);
        // What cannot be set is no session: the agent frees what it had begun.
        let params = json!({
            "cwd": driver.cwd(), "mcpServers": [], "configOptions": [mode("nothing")],
        });
        let answer = driver.call("session/new", params).await;
        assert_eq!(answer["error"]["code"], -32602);
        assert_eq!(driver.seen.notes()[4..], ["close"]);
        // The same for a stored session.
        let params = json!({
            "sessionId": "stored", "cwd": driver.cwd(), "configOptions": [mode("ask")],
        });
        let answer = driver.call("session/resume", params).await;
        assert_eq!(answer["result"]["configOptions"][0]["currentValue"], "ask");
    }
}

#[tokio::test(start_paused = true)]
async fn instructions_of_the_host_are_followed_or_refused() {
    for version in [V1, V2] {
        let open = async |server: Server<_>, prompt: Value| {
            let mut driver = Driver::over(4096, server, Arc::default());
            driver.initialize(version).await;
            let params = json!({
                "cwd": driver.cwd(), "mcpServers": [], "systemPrompt": prompt,
            });
            driver.call("session/new", params).await["error"]["code"].clone()
        };
        let text = |mode: &str| json!({"mode": mode, "content": [{"type": "text", "text": "Be"}]});
        let (server, seen) = puppet();
        assert_eq!(open(server, text("append")).await, Value::Null);
        assert_eq!(seen.notes()[1..], ["append Be"]);
        let (server, seen) = puppet();
        assert_eq!(open(server, text("override")).await, -32602);
        assert_eq!(open(puppet().0, text("_own")).await, -32602);
        let audio = json!([{"type": "audio", "data": "", "mimeType": "audio/wav"}]);
        let audio = json!({"mode": "append", "content": audio});
        assert_eq!(open(puppet().0, audio).await, -32602);
        assert_eq!(seen.notes(), [""; 0]);
        let (server, seen) = puppet();
        let server = server.with_system_prompt_override().with_system_prompt();
        assert_eq!(open(server, text("override")).await, Value::Null);
        assert_eq!(seen.notes()[1..], ["override Be"]);
        let bare = Server::new(Echo);
        let mut driver = Driver::over(4096, bare, Arc::default());
        driver.initialize(version).await;
        let params = json!({
            "cwd": driver.cwd(), "mcpServers": [], "systemPrompt": text("append"),
        });
        let answer = driver.call("session/new", params).await;
        assert_eq!(answer["error"]["code"], -32602);
    }
}

#[tokio::test(start_paused = true)]
async fn providers_are_chosen() {
    let listed = json!({"providers": [
        {"providerId": "main", "supported": ["anthropic", "_own"], "required": true},
        {"providerId": "spare", "supported": ["openai"], "required": false},
    ]});
    check("providers/list", json!({}), listed).await;
    let set = |id: &str, api: &str| {
        let headers = json!({"x-key": "secret"});
        json!({"providerId": id, "apiType": api, "baseUrl": "http://a", "headers": headers})
    };
    let notes = check("providers/set", set("main", "_own"), json!({})).await;
    let [note] = &*notes else {
        panic!("one note: {notes:?}");
    };
    assert!(note.ends_with("headers: 1, .. } at http://a"), "{note}");
    assert!(!note.contains("secret"), "{note}");
    check("providers/set", set("main", "openai"), json!(-32602)).await;
    check("providers/set", set("nobody", "openai"), json!(-32602)).await;
    let id = |id: &str| json!({"providerId": id});
    let notes = check("providers/disable", id("spare"), json!({})).await;
    assert_eq!(notes, ["without spare"]);
    check("providers/disable", id("main"), json!(-32602)).await;
    check("providers/disable", id("nobody"), json!(-32602)).await;
}

#[tokio::test(start_paused = true)]
async fn who_is_logged_in() {
    let someone = json!({"state": "authenticated", "accounts": [{"label": "someone"}]});
    check("auth/status", json!({}), someone).await;
    for version in [V1, V2] {
        let (mut driver, session) = Driver::open(4096, version, Config::default()).await;
        let prompt = driver.prompt(&session, "relogin").await;
        assert_eq!(driver.end(prompt).await, "end_turn");
        let told = driver.peer.heard().iter();
        let told: Vec<_> = told
            .filter(|frame| frame["method"] == "auth/status_update")
            .map(|frame| frame["params"].clone())
            .collect();
        assert_eq!(told, [json!({"state": "unauthenticated"})]);
    }
}

/// A session with a server that the client hosts.
async fn hosted(
    version: u16,
    server: Server<crate::agents::Puppet>,
    seen: Arc<Seen>,
) -> (Driver, Value) {
    let mut driver = Driver::over(4096, server, seen);
    driver.initialize(version).await;
    let servers = json!([{"type": "acp", "name": "mine", "serverId": "srv"}]);
    let params = json!({"cwd": driver.cwd(), "mcpServers": servers});
    let answer = driver.call("session/new", params).await;
    (driver, answer)
}

#[tokio::test(start_paused = true)]
async fn a_server_that_the_client_hosts_is_called() {
    for version in [V1, V2] {
        let (server, seen) = puppet();
        let (mut driver, opened) = hosted(version, server, seen).await;
        let session = opened["result"]["sessionId"].as_str().expect("an id");
        assert_eq!(driver.seen.notes()[1..], ["hosted mine srv"]);
        for (reply, noted) in [
            (json!({"result": {"n": 1}}), r#"result {"n":1}"#),
            (json!({"error": {"code": -5, "message": "no"}}), "error -5"),
        ] {
            let prompt = driver.prompt(session, "mcp").await;
            let call = driver.peer.expect("mcp/message").await.expect("a call");
            assert_eq!(call.params["serverId"], "srv");
            assert_eq!(call.params["method"], "tools/call");
            assert_eq!(call.params["params"], json!({"name": "look"}));
            let mut notice = json!({
                "serverId": "srv", "requestId": call.params["requestId"],
                "method": "notifications/progress",
            });
            let sent = driver.peer.notify("mcp/message", notice.clone()).await;
            sent.expect("sent");
            // Of another server, and of no request: nobody hears them.
            notice["serverId"] = json!("other");
            let sent = driver.peer.notify("mcp/message", notice.clone()).await;
            sent.expect("sent");
            notice["serverId"] = json!("srv");
            notice["requestId"] = json!("none");
            let sent = driver.peer.notify("mcp/message", notice).await;
            sent.expect("sent");
            driver.peer.reply(&call, reply).await.expect("sent");
            assert_eq!(driver.end(prompt).await, "end_turn");
            let notes = driver.seen.notes();
            assert_eq!(
                notes[notes.len() - 2..],
                ["meanwhile notifications/progress", noted]
            );
        }
        let (report, _) = driver.close().await;
        assert_eq!(report.expect("a good end").stray, 4);
    }
}

#[tokio::test(start_paused = true)]
async fn a_call_of_a_hosted_server_ends_with_its_turn() {
    for version in [V1, V2] {
        let (server, seen) = puppet();
        let (mut driver, opened) = hosted(version, server, seen).await;
        let session = opened["result"]["sessionId"].as_str().expect("an id");
        let prompt = driver.prompt(session, "mcp").await;
        let call = driver.peer.expect("mcp/message").await.expect("a call");
        for _ in 0..100 {
            let notice = json!({
                "serverId": "srv", "requestId": call.params["requestId"], "method": "m",
            });
            driver
                .peer
                .notify("mcp/message", notice)
                .await
                .expect("sent");
        }
        driver.cancel(session).await;
        assert_eq!(driver.end(prompt).await, "cancelled");
        // The answer that comes all the same is nobody's.
        let result = json!({"result": null});
        driver.peer.reply(&call, result).await.expect("sent");
        driver
            .peer
            .listen(Duration::from_secs(1))
            .await
            .expect("quiet");
        driver.close().await.0.expect("a good end");
    }
}

#[tokio::test(start_paused = true)]
async fn hosted_servers_only_where_they_are_offered_and_approved() {
    for version in [V1, V2] {
        let bare = Server::new(crate::agents::Puppet::default());
        let (_, answer) = hosted(version, bare, Arc::default()).await;
        assert_eq!(answer["error"]["code"], -32602);
        for (approved, refused) in [("mine", false), ("other", true)] {
            let (server, seen) = puppet();
            let server = server.mcp_policy(McpPolicy::Approved(vec![McpServer::hosted(approved)]));
            let (driver, answer) = hosted(version, server, seen).await;
            assert_eq!(answer.get("error").is_some(), refused);
            if !refused {
                assert_eq!(driver.seen.notes()[1..], ["hosted mine srv"]);
            }
        }
    }
}

/// The rows of the table in `docs/serve.md`: builder, and where each version declares it.
fn documented() -> Vec<(String, [String; 2])> {
    let path = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/serve.md");
    let text = std::fs::read_to_string(path).expect("the document");
    let table = text.split("## Bounds").next().expect("the section");
    table
        .lines()
        .filter(|line| line.starts_with("| `with_"))
        .map(|line| {
            let cells: Vec<String> = line
                .split('|')
                .map(|cell| cell.trim().trim_matches('`').to_owned())
                .collect();
            (cells[1].clone(), [cells[3].clone(), cells[4].clone()])
        })
        .collect()
}

#[tokio::test(start_paused = true)]
async fn the_documented_abilities_are_the_code() {
    let rows = documented();
    let source = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("src/server/with.rs");
    let source = std::fs::read_to_string(source).expect("the source");
    let builders: Vec<&str> = source
        .lines()
        .filter_map(|line| {
            let line = line.trim_start();
            let line = line.strip_prefix("pub fn ").unwrap_or(line);
            let end = line.find([':', '('])?;
            line.starts_with("with_").then(|| &line[..end])
        })
        .collect();
    let names: Vec<&str> = rows.iter().map(|(name, _)| &**name).collect();
    assert_eq!(names, builders);
    for (version, at) in [(V1, 0), (V2, 1)] {
        let (server, seen) = puppet();
        let server = server
            .with_audio()
            .with_additional_directories()
            .with_system_prompt_override()
            .with_mcp_http();
        let all = Driver::over(4096, server, seen).initialize(version).await;
        let bare = Driver::over(4096, Server::new(Echo), Arc::default());
        let none = { bare }.initialize(version).await;
        let declared = |result: &Value, path: &str| {
            let found = path.split('.').fold(result, |value, name| &value[name]);
            !matches!(found, Value::Null | Value::Bool(false))
        };
        for (name, paths) in rows.iter().filter(|(_, paths)| !paths[at].is_empty()) {
            let path = &paths[at];
            assert!(declared(&all, path), "{name}: {path} in {all}");
            assert!(!declared(&none, path), "{name}: {path} in {none}");
        }
    }
}

#[tokio::test(start_paused = true)]
async fn what_was_not_registered_is_not_there() {
    let cases = [
        ("session/archive", json!({"sessionId": "a"})),
        ("session/unarchive", json!({"sessionId": "a"})),
        ("session/set_title", json!({"sessionId": "a", "title": "b"})),
        ("session/status", json!({"sessionId": "a"})),
        ("session/options", json!({"cwd": "/"})),
        ("auth/status", json!({})),
        ("providers/list", json!({})),
        (
            "providers/set",
            json!({"providerId": "a", "apiType": "openai", "baseUrl": "http://a"}),
        ),
        ("providers/disable", json!({"providerId": "a"})),
    ];
    for version in [V1, V2] {
        let mut driver = Driver::over(4096, Server::new(Echo), Arc::default());
        driver.initialize(version).await;
        for (method, params) in cases.clone() {
            let answer = driver.call(method, params).await;
            assert_eq!(answer["error"]["code"], -32601, "{method}: {answer}");
        }
    }
}
