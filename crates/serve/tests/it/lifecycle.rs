//! Before, between and beside the turns: initialize, sessions, methods, bad input.

use acp_serve::{Config, Server};
use serde_json::{Value, json};

use crate::{
    agents::Echo,
    driver::{Driver, V1, V2, plain},
};

/// Sends a line as it is, to a puppet that has agreed on v1 and has a session `SESSION`; checks the
/// error code and id of what comes back.
async fn check(line: &str, id: Value, code: i64) {
    let (mut driver, session) = Driver::open(4096, V1, Config::default()).await;
    let line = line
        .replace("SESSION", &session)
        .replace("CWD", &driver.cwd());
    driver.peer.line(&line).await.expect("sent");
    let wanted = id.clone();
    let answer = driver
        .peer
        .find("an error", move |frame| {
            frame.get("error").is_some() && frame["id"] == wanted
        })
        .await
        .expect("an answer");
    assert_eq!(answer["error"]["code"], code, "{line}: {answer}");
    let (report, _) = driver.close().await;
    report.expect("a good end");
}

#[tokio::test(start_paused = true)]
async fn lines_that_are_no_messages() {
    check("not json", Value::Null, -32700).await;
    check("[]", Value::Null, -32600).await;
    check(
        r#"[{"jsonrpc":"2.0","id":9,"method":"session/list"}]"#,
        Value::Null,
        -32600,
    )
    .await;
    check("17", Value::Null, -32600).await;
    check(r#"{"foo":"bar"}"#, Value::Null, -32600).await;
}

#[tokio::test(start_paused = true)]
async fn requests_that_cannot_be_done() {
    let request = |method: &str, params: &str| {
        format!(r#"{{"jsonrpc":"2.0","id":"x","method":"{method}","params":{params}}}"#)
    };
    let cases = [
        ("nonsense", "{}", -32601),
        ("_vendor/thing", "{}", -32601),
        ("auth/login", r#"{"methodId":"key"}"#, -32601),
        ("tool_call/cancel", "{}", -32601),
        ("session/update", "{}", -32601),
        ("session/new", "{}", -32602),
        ("session/new", r#"{"cwd":7,"mcpServers":[]}"#, -32602),
        ("session/new", r#"{"cwd":"here","mcpServers":[]}"#, -32602),
        (
            "session/new",
            r#"{"cwd":"/nowhere/at/all","mcpServers":[]}"#,
            -32602,
        ),
        (
            "session/new",
            r#"{"cwd":"CWD","mcpServers":[],"additionalDirectories":["/tmp"]}"#,
            -32602,
        ),
        (
            "session/new",
            r#"{"cwd":"CWD","mcpServers":[{"type":"http","name":"a","url":"http://a","headers":[]}]}"#,
            -32602,
        ),
        (
            "session/new",
            r#"{"cwd":"CWD","mcpServers":[{"name":"a","command":"a","args":[],"env":[]},{"name":"a","command":"b","args":[],"env":[]}]}"#,
            -32602,
        ),
        (
            "session/prompt",
            r#"{"sessionId":"nobody","prompt":[{"type":"text","text":"a"}]}"#,
            -32002,
        ),
        (
            "session/prompt",
            r#"{"sessionId":"SESSION","prompt":[]}"#,
            -32602,
        ),
        (
            "session/prompt",
            r#"{"sessionId":"SESSION","prompt":[{"type":"text"}]}"#,
            -32602,
        ),
        (
            "session/prompt",
            r#"{"sessionId":"SESSION","prompt":[{"type":"audio","data":"","mimeType":"audio/wav"}]}"#,
            -32602,
        ),
        (
            "session/load",
            r#"{"sessionId":"nobody","cwd":"CWD","mcpServers":[]}"#,
            -32002,
        ),
        (
            "session/set_mode",
            r#"{"sessionId":"nobody","modeId":"ask"}"#,
            -32002,
        ),
        (
            "session/set_mode",
            r#"{"sessionId":"SESSION","modeId":"none"}"#,
            -32602,
        ),
        (
            "session/set_config_option",
            r#"{"sessionId":"SESSION","configId":"none","value":"a"}"#,
            -32602,
        ),
        (
            "session/set_config_option",
            r#"{"sessionId":"SESSION","configId":"mode","type":"boolean","value":true}"#,
            -32602,
        ),
        ("session/list", r#"{"cursor":"none"}"#, -32602),
        ("authenticate", r#"{"methodId":"none"}"#, -32602),
        // A login in a terminal is the client's to run.
        ("authenticate", r#"{"methodId":"tty"}"#, -32602),
        ("initialize", r#"{"protocolVersion":1}"#, -32600),
    ];
    for (method, params, code) in cases {
        check(&request(method, params), json!("x"), code).await;
    }
}

#[tokio::test(start_paused = true)]
async fn an_unknown_session_is_named() {
    let (mut driver, _) = Driver::open(4096, V2, Config::default()).await;
    let prompt = json!([{"type": "text", "text": "a"}]);
    let params = json!({"sessionId": "nobody", "prompt": prompt});
    let answer = driver.call("session/prompt", params).await;
    assert_eq!(answer["error"]["data"], json!({"sessionId": "nobody"}));
}

#[tokio::test(start_paused = true)]
async fn bad_params_say_where() {
    let (mut driver, session) = Driver::open(4096, V1, Config::default()).await;
    let params = json!({"sessionId": session, "prompt": [{"type": "text", "text": 7}]});
    let answer = driver.call("session/prompt", params).await;
    let data = answer["error"]["data"].as_str().expect("where");
    assert!(data.contains("prompt[0].text"), "{data}");
}

#[tokio::test(start_paused = true)]
async fn nothing_before_initialize() {
    let mut driver = Driver::raw(4096, Config::default());
    let answer = driver.call("session/list", json!({})).await;
    assert_eq!(answer["error"]["code"], -32600);
    driver.cancel("nobody").await;
    let result = driver.initialize(V2).await;
    assert_eq!(result["protocolVersion"], 2);
}

#[tokio::test(start_paused = true)]
async fn the_version_that_answers() {
    let info = json!({"name": "a", "version": "1"});
    let cases = [
        (json!({"protocolVersion": 1}), json!(1), 0),
        (json!({"protocolVersion": 2, "info": info}), json!(2), 0),
        (json!({"protocolVersion": 2}), Value::Null, -32602),
        (json!({"protocolVersion": 99}), json!(2), 0),
        (json!({"protocolVersion": 0}), Value::Null, -32022),
        (json!({"protocolVersion": "1"}), Value::Null, -32602),
        (json!({}), Value::Null, -32602),
    ];
    for (params, version, code) in cases {
        let mut driver = Driver::raw(4096, Config::default());
        let answer = driver.call("initialize", params.clone()).await;
        assert_eq!(answer["result"]["protocolVersion"], version, "{params}");
        if code != 0 {
            assert_eq!(answer["error"]["code"], code, "{params}");
        }
    }
}

#[tokio::test(start_paused = true)]
async fn a_failed_initialize_changes_nothing() {
    let mut driver = Driver::raw(4096, Config::default());
    assert!(driver.initialize(V2).await.is_object());
    let answer = driver
        .call("initialize", json!({"protocolVersion": 1}))
        .await;
    assert_eq!(answer["error"]["code"], -32022);
    let session = driver.new_session().await;
    let prompt = driver.prompt(&session, "say hi").await;
    let answer = driver.answer(prompt).await;
    assert!(answer["result"]["messageId"].is_string(), "{answer}");
}

#[tokio::test(start_paused = true)]
async fn what_is_registered_is_declared() {
    let mut driver = Driver::raw(4096, Config::default());
    let result = driver.initialize(V1).await;
    insta::assert_json_snapshot!("declared_v1", result);
    let mut driver = Driver::raw(4096, Config::default());
    let result = driver.initialize(V2).await;
    insta::assert_json_snapshot!("declared_v2", result);
}

#[tokio::test(start_paused = true)]
async fn what_is_not_registered_is_not_declared() {
    let mut driver = Driver::over(4096, Server::new(Echo), std::sync::Arc::default());
    let result = driver.initialize(V1).await;
    insta::assert_json_snapshot!("echo_v1", result);
    for method in ["session/load", "session/close", "session/delete", "logout"] {
        let answer = driver.call(method, json!({"sessionId": "a"})).await;
        let code = answer["error"]["code"].as_i64();
        assert!(matches!(code, Some(-32601 | -32602)), "{method}: {answer}");
    }
    let mut driver = Driver::over(4096, Server::new(Echo), std::sync::Arc::default());
    let result = driver.initialize(V2).await;
    insta::assert_json_snapshot!("echo_v2", result);
}

/// Version 2 has seven methods whatever was registered.
#[tokio::test(start_paused = true)]
async fn version_two_of_an_agent_without_abilities() {
    let mut driver = Driver::over(4096, Server::new(Echo), std::sync::Arc::default());
    driver.initialize(V2).await;
    let session = driver.new_session().await;
    let answer = driver.call("session/list", json!({})).await;
    let sessions = &answer["result"]["sessions"];
    assert_eq!(sessions[0]["sessionId"], session.as_str());
    let other = json!({"cwd": "/elsewhere"});
    let answer = driver.call("session/list", other).await;
    assert_eq!(answer["result"]["sessions"], json!([]));
    let params = json!({"sessionId": "gone", "cwd": driver.cwd()});
    let answer = driver.call("session/resume", params).await;
    assert_eq!(answer["error"]["code"], -32002);
    let params = json!({"sessionId": session});
    let answer = driver.call("session/close", params.clone()).await;
    assert_eq!(answer["result"], json!({}));
    // Closing what is closed is no error.
    let answer = driver.call("session/close", params).await;
    assert_eq!(answer["result"], json!({}));
    let prompt = driver.prompt(&session, "hi").await;
    assert_eq!(driver.answer(prompt).await["error"]["code"], -32002);
}

#[tokio::test(start_paused = true)]
async fn options_and_modes_are_one() {
    let (mut driver, session) = Driver::open(4096, V1, Config::default()).await;
    let params = json!({"sessionId": session, "modeId": "auto"});
    let answer = driver.call("session/set_mode", params).await;
    assert_eq!(answer["result"], json!({}));
    let update = driver
        .peer
        .find("the options", |frame| {
            frame["params"]["update"]["sessionUpdate"] == "config_option_update"
        })
        .await
        .expect("an update");
    let options = &update["params"]["update"]["configOptions"];
    assert_eq!(options[0]["currentValue"], "auto");
    let params = json!({"sessionId": session, "configId": "mode", "value": "ask"});
    let answer = driver.call("session/set_config_option", params).await;
    assert_eq!(answer["result"]["configOptions"][0]["currentValue"], "ask");
    assert_eq!(answer["result"]["configOptions"][0]["id"], "mode");
    let update = driver
        .peer
        .find("the mode", |frame| {
            frame["params"]["update"]["sessionUpdate"] == "current_mode_update"
        })
        .await
        .expect("an update");
    assert_eq!(update["params"]["update"]["currentModeId"], "ask");
    let params =
        json!({"sessionId": session, "configId": "loud", "type": "boolean", "value": true});
    let answer = driver.call("session/set_config_option", params).await;
    assert_eq!(answer["result"]["configOptions"][1]["currentValue"], true);
}

#[tokio::test(start_paused = true)]
async fn boolean_options_only_for_clients_that_show_them() {
    let mut driver = Driver::raw(4096, Config::default());
    driver.initialize_with(V1, json!({})).await;
    let params = json!({"cwd": driver.cwd(), "mcpServers": []});
    let answer = driver.call("session/new", params).await;
    let options = answer["result"]["configOptions"]
        .as_array()
        .expect("options");
    assert_eq!(options.len(), 1);
    assert_eq!(answer["result"]["modes"]["currentModeId"], "ask");
}

#[tokio::test(start_paused = true)]
async fn login_and_logout_of_both_versions() {
    for (version, login, logout) in [
        (V1, "authenticate", "logout"),
        (V2, "auth/login", "auth/logout"),
    ] {
        let mut driver = Driver::raw(4096, Config::default());
        driver.initialize(version).await;
        let answer = driver.call(login, json!({"methodId": "key"})).await;
        assert_eq!(answer["result"], json!({}));
        let answer = driver.call(logout, json!({})).await;
        assert_eq!(answer["result"], json!({}));
        assert_eq!(driver.seen.notes(), ["login key", "logout"]);
    }
}

#[tokio::test(start_paused = true)]
async fn stored_sessions_are_replayed() {
    let mut driver = Driver::raw(4096, Config::default());
    driver.initialize(V1).await;
    let params = json!({"sessionId": "stored", "cwd": driver.cwd(), "mcpServers": []});
    let answer = driver.call("session/load", params.clone()).await;
    assert_eq!(answer["result"]["modes"]["currentModeId"], "ask");
    insta::assert_json_snapshot!("replay_v1", plain(driver.updates()));
    let before = driver.updates().len();
    let answer = driver.call("session/resume", params).await;
    assert!(answer["result"].is_object());
    assert_eq!(driver.updates().len(), before);

    let mut driver = Driver::raw(4096, Config::default());
    driver.initialize(V2).await;
    let params = json!({
        "sessionId": "stored", "cwd": driver.cwd(), "replayFrom": {"type": "start"},
    });
    let answer = driver.call("session/resume", params).await;
    assert!(answer["result"]["configOptions"].is_array());
    insta::assert_json_snapshot!("replay_v2", plain(driver.updates()));
    let params = json!({
        "sessionId": "stored", "cwd": driver.cwd(), "replayFrom": {"type": "middle"},
    });
    let answer = driver.call("session/resume", params).await;
    assert_eq!(answer["error"]["code"], -32602);
    let before = driver.kinds().len();
    let params = json!({"sessionId": "stored", "cwd": driver.cwd()});
    driver.call("session/resume", params).await;
    assert_eq!(driver.kinds()[before..], ["state_update:idle"]);
}

#[tokio::test(start_paused = true)]
async fn list_fork_close_and_delete() {
    for version in [V1, V2] {
        let (mut driver, session) = Driver::open(4096, version, Config::default()).await;
        let answer = driver.call("session/list", json!({})).await;
        assert_eq!(answer["result"]["sessions"][0]["title"], "Stored");
        let params = json!({"sessionId": session, "cwd": driver.cwd()});
        let answer = driver.call("session/fork", params).await;
        let fork = answer["result"]["sessionId"].as_str().expect("an id");
        assert_ne!(fork, session);
        let params = json!({"sessionId": session});
        let answer = driver.call("session/close", params.clone()).await;
        assert_eq!(answer["result"], json!({}));
        let answer = driver.call("session/delete", params).await;
        assert_eq!(answer["result"], json!({}));
        let notes = driver.seen.notes();
        assert_eq!(
            notes[1..],
            [format!("fork {session}"), "close".into(), "delete".into()]
        );
    }
}

#[tokio::test(start_paused = true)]
async fn a_peer_that_never_prompts_is_bounded() {
    let mut config = Config::default();
    config.unproven_messages = 4;
    let mut driver = Driver::raw(4096, config);
    driver.initialize(V1).await;
    for _ in 0..3 {
        driver.call("session/list", json!({})).await;
    }
    driver
        .peer
        .ask("session/list", json!({}))
        .await
        .expect("sent");
    driver.peer.rest().await.expect("the end");
    let error = driver.server.await.expect("no panic").expect_err("closed");
    assert_eq!(
        error.to_string().split(" bytes in ").nth(1),
        Some("5 messages without a prompt")
    );

    let mut config = Config::default();
    config.unproven_bytes = 1000;
    let mut driver = Driver::raw(4096, config);
    driver.initialize(V1).await;
    driver.peer.line(&"x".repeat(1000)).await.expect("sent");
    driver.peer.rest().await.expect("the end");
    assert!(driver.server.await.expect("no panic").is_err());
}

#[tokio::test(start_paused = true)]
async fn a_line_over_the_bound_ends_the_connection() {
    let mut config = Config::default();
    config.max_line_in = 1000;
    let mut driver = Driver::raw(64, config);
    driver.initialize(V1).await;
    let line = "x".repeat(1200);
    // The server stops reading before the line has ended.
    let sent = driver.peer.line(&line);
    drop(tokio::time::timeout(std::time::Duration::from_secs(1), sent).await);
    let rest = driver.peer.rest().await.expect("the end");
    assert_eq!(rest[0]["error"]["code"], -32600);
    let error = driver.server.await.expect("no panic").expect_err("closed");
    assert!(
        error.to_string().contains("more than 1000 bytes"),
        "{error}"
    );
}

#[tokio::test(start_paused = true)]
async fn one_task_a_session_where_the_host_wants_it() {
    let mut config = Config::default();
    config.conversations = acp_serve::Conversations::OneTask;
    let (mut driver, first) = Driver::open(4096, V1, config).await;
    let prompt = driver.prompt(&first, "wait").await;
    let params = json!({"cwd": driver.cwd(), "mcpServers": []});
    let answer = driver.call("session/new", params).await;
    assert_eq!(answer["error"]["code"], -32600);
    driver.cancel(&first).await;
    assert_eq!(driver.end(prompt).await, "cancelled");
    let again = driver.prompt(&first, "say hi").await;
    assert_eq!(driver.answer(again).await["error"]["code"], -32002);
    let second = driver.new_session().await;
    assert_ne!(first, second);
    let prompt = driver.prompt(&second, "say hi").await;
    assert_eq!(driver.end(prompt).await, "end_turn");
}

/// The table of bounds in `docs/serve.md` is the default of `Config`.
#[test]
fn the_documented_bounds_are_the_code() {
    let config = Config::default();
    let bytes = |bytes: u64| {
        if bytes.is_multiple_of(1 << 20) {
            format!("{} MiB", bytes >> 20)
        } else {
            format!("{} KiB", bytes >> 10)
        }
    };
    let seconds = |time: std::time::Duration| format!("{} s", time.as_secs());
    let none = |limit: bool| if limit { "some" } else { "none" }.to_owned();
    let expected = [
        ("max_line_in", bytes(config.max_line_in as u64)),
        ("max_line_out", bytes(config.max_line_out as u64)),
        ("unproven_bytes", bytes(config.unproven_bytes)),
        ("unproven_messages", config.unproven_messages.to_string()),
        ("events", config.events.to_string()),
        ("prompt_text", bytes(config.prompt_text as u64)),
        ("answers", bytes(config.answers as u64)),
        ("requests", config.requests.to_string()),
        ("request_bytes", bytes(config.request_bytes as u64)),
        ("questions", config.questions.to_string()),
        ("sessions", config.sessions.to_string()),
        ("held_prompts", format!("{} a session", config.held_prompts)),
        ("stall", seconds(config.stall)),
        ("cleanup", seconds(config.cleanup)),
        ("farewell", seconds(config.farewell)),
        (
            "parent_watch",
            config.parent_watch.map(seconds).unwrap_or_default(),
        ),
        ("flush", seconds(config.flush)),
        ("deadline", none(config.deadline.is_some())),
        ("model_calls", none(config.model_calls.is_some())),
        ("tool_calls", none(config.tool_calls.is_some())),
    ];
    let path = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/serve.md");
    let text = std::fs::read_to_string(path).expect("the document");
    let table = text
        .split_once("## Bounds")
        .and_then(|(_, rest)| rest.split("## Outcomes").next())
        .expect("the section");
    let documented: Vec<(String, String)> = table
        .lines()
        .filter(|line| line.starts_with("| `"))
        .map(|line| {
            let mut cells = line.split('|').skip(1).map(|cell| cell.trim().to_owned());
            let name = cells.next().unwrap_or_default();
            let default = cells.next().unwrap_or_default();
            (name.trim_matches('`').to_owned(), default)
        })
        .collect();
    let expected = expected.map(|(name, default)| (name.to_owned(), default));
    assert_eq!(documented, expected);
}
