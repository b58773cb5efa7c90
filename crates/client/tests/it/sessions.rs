//! Session methods on both versions: what is sent, what is refused locally, what comes back.

use acp_client::{Client, Event, RequestError};
use acp_testkit::Script;
use acp_vocab::{
    AuthState, ErrorCode, LlmProtocol, ProtocolVersion, SessionArchiveFilter, SessionId,
    SessionStatus, SetProviderRequest, SystemPrompt, SystemPromptMode, TerminalId, ToolCallId, v1,
};
use serde_json::{Value, json};

use crate::stage::{Agent, Heard, World};

pub(crate) const EVERYTHING_V1: &str = r#"{"protocolVersion":1,"agentInfo":{"name":"a","version":"1"},
    "agentCapabilities":{"loadSession":true,"mcpCapabilities":{"http":true},"providers":{},
      "auth":{"logout":{},"status":{}},
      "sessionCapabilities":{"close":{},"list":{},"resume":{},"delete":{},"fork":{},"archive":{},"status":{},"title":{},
        "options":{},"systemPrompt":{},"additionalDirectories":{}}},
    "authMethods":[{"id":"key","name":"Key"},{"id":"tty","name":"Terminal","type":"terminal"}]}"#;
const NOTHING_V1: &str = r#"{"protocolVersion":1}"#;
pub(crate) const EVERYTHING_V2: &str = r#"{"protocolVersion":2,"info":{"name":"a","version":"1"},
    "capabilities":{"providers":{},"auth":{"status":{}},
      "session":{"mcp":{"stdio":{},"http":{}},"delete":{},"fork":{},"archive":{},"status":{},"title":{},"options":{},
        "systemPrompt":{"mode":{"override":{}}},"additionalDirectories":{}}},
    "authMethods":[{"type":"agent","methodId":"key","name":"Key"}]}"#;
const NOTHING_V2: &str =
    r#"{"protocolVersion":2,"info":{"name":"a","version":"1"},"capabilities":{"session":{}}}"#;

/// A client that has agreed with an agent that answers this; the script follows.
pub(crate) async fn agreed(initialized: &str, script: Script) -> (Client, Agent) {
    let script = Script::new()
        .expect("initialize")
        .reply(&initialized.replace('\n', " "))
        .then(script)
        .drain();
    let builder = World::Memory
        .builder()
        .versions([ProtocolVersion::V1, ProtocolVersion::V2]);
    let (client, agent) = World::Memory.start_with(builder, script);
    client.initialize().await.unwrap();
    (client, agent)
}

/// The params of the first call of this method.
#[track_caller]
fn params(heard: &Heard, method: &str) -> Value {
    let found = heard.0.iter().find(|frame| frame["method"] == method);
    found.unwrap_or_else(|| panic!("no {method}"))["params"].clone()
}

/// The capability that the error names.
#[track_caller]
fn names(error: RequestError, capability: &str) {
    let text = error.to_string();
    assert!(text.contains(capability), "{text}");
    assert!(
        matches!(
            error,
            RequestError::NotAdvertised(_) | RequestError::Unsupported { .. }
        ),
        "{error:?}"
    );
}

#[tokio::test(start_paused = true)]
async fn what_was_not_advertised_is_refused_with_its_name() {
    for (nothing, v2) in [(NOTHING_V1, false), (NOTHING_V2, true)] {
        let (client, agent) = agreed(nothing, Script::new()).await;
        let id = SessionId::from("s");
        let place = |at_v1: &'static str, at_v2: &'static str| if v2 { at_v2 } else { at_v1 };
        let cap = |name: &str| {
            let at = place("sessionCapabilities", "session");
            format!("{at}.{name}")
        };
        names(
            client.delete_session(&id).await.unwrap_err(),
            &cap("delete"),
        );
        names(
            client.archive_session(&id).await.unwrap_err(),
            &cap("archive"),
        );
        names(
            client.unarchive_session(&id).await.unwrap_err(),
            &cap("archive"),
        );
        names(
            client.session_status(&id).await.unwrap_err(),
            &cap("status"),
        );
        names(
            client.set_session_title(&id, "t").await.unwrap_err(),
            &cap("title"),
        );
        names(
            client.session_options("/w").await.unwrap_err(),
            &cap("options"),
        );
        names(
            client.fork(id.clone(), "/w").open().await.unwrap_err(),
            &cap("fork"),
        );
        names(client.providers().await.unwrap_err(), "providers");
        names(client.auth_status().await.unwrap_err(), "auth.status");
        names(
            client.logout().await.unwrap_err(),
            place("auth.logout", "authMethods"),
        );
        if !v2 {
            names(client.close_session(&id).await.unwrap_err(), &cap("close"));
            names(client.sessions().all(1).await.unwrap_err(), &cap("list"));
            names(
                client.load(id.clone(), "/w").open().await.unwrap_err(),
                "loadSession",
            );
            names(
                client.resume(id.clone(), "/w").open().await.unwrap_err(),
                &cap("resume"),
            );
        }
        let append = SystemPrompt::new(SystemPromptMode::Append, Vec::new());
        let http = v1::McpServer::Http(v1::McpServerHttp::new("h", "https://h"));
        let stdio = v1::McpServer::Stdio(v1::McpServerStdio::new("s", "/bin/s"));
        let new = || client.new_session("/w");
        names(
            new().system_prompt(append).open().await.unwrap_err(),
            place("sessionCapabilities.systemPrompt", "session.systemPrompt"),
        );
        names(
            new().directory("/x").open().await.unwrap_err(),
            place("additionalDirectories", "session.additionalDirectories"),
        );
        names(
            new().tools([http]).open().await.unwrap_err(),
            place("mcpCapabilities.http", "session.mcp.http"),
        );
        if v2 {
            names(
                new().tools([stdio]).open().await.unwrap_err(),
                "session.mcp.stdio",
            );
        }
        let heard = agent.heard_after_close(&client).await;
        assert_eq!(heard.methods(), ["initialize"], "nothing was sent");
    }
}

#[tokio::test(start_paused = true)]
async fn a_list_is_read_page_by_page_and_never_in_circles() {
    for initialized in [EVERYTHING_V1, EVERYTHING_V2] {
        let script = Script::new()
            .expect("session/list")
            .reply(r#"{"sessions":[{"sessionId":"a","cwd":"/w","title":"One","updatedAt":"2026-01-01T00:00:00Z"}],"nextCursor":"p2"}"#)
            .expect("session/list")
            .reply(r#"{"sessions":[{"sessionId":"b","cwd":"/w"},{"no":"id"}],"nextCursor":null}"#)
            .expect("session/list")
            .reply(r#"{"sessions":[],"nextCursor":"x"}"#)
            .expect("session/list")
            .reply(r#"{"sessions":[],"nextCursor":"x"}"#);
        let (client, agent) = agreed(initialized, script).await;
        let list = client
            .sessions()
            .in_directory("/w")
            .archived(SessionArchiveFilter::Include);
        let all = list.all(10).await.unwrap();
        let ids: Vec<&str> = all.iter().map(|info| info.session_id.as_str()).collect();
        assert_eq!(ids, ["a", "b"]);
        assert_eq!(all[0].title.as_deref(), Some("One"));
        let circles = client.sessions().all(10).await.unwrap_err();
        assert!(matches!(circles, RequestError::Result { .. }), "{circles}");
        let heard = agent.heard_after_close(&client).await;
        assert_eq!(
            params(&heard, "session/list"),
            json!({"cwd":"/w","archived":"include"})
        );
        assert_eq!(heard.0[2]["params"]["cursor"], "p2");
    }
}

#[tokio::test(start_paused = true)]
async fn stored_sessions_are_managed_by_their_id() {
    for initialized in [EVERYTHING_V1, EVERYTHING_V2] {
        let script = Script::new()
            .expect("session/archive").reply("{}")
            .expect("session/unarchive").reply("null")
            .expect("session/status").reply(r#"{"status":"saved"}"#)
            .expect("session/set_title").reply(r#"{"title":"Kept"}"#)
            .expect("session/options").reply(r#"{"configOptions":[{"id":"effort","configId":"effort","name":"E","category":"thought_level","type":"select","currentValue":"low","options":[{"value":"low","name":"Low"}]}]}"#)
            .expect("session/close").refuse(-32002, "no such session")
            .expect("session/delete").refuse(-32002, "no such session")
            .expect("session/delete").refuse(-32603, "disk on fire");
        let (client, agent) = agreed(initialized, script).await;
        let id = SessionId::from("old");
        client.archive_session(&id).await.unwrap();
        client.unarchive_session(&id).await.unwrap();
        let status = client.session_status(&id).await.unwrap();
        assert_eq!(status.status, SessionStatus::Saved);
        assert_eq!(
            &*client.set_session_title(&id, "Wanted").await.unwrap(),
            "Kept"
        );
        let options = client.session_options("/w").await.unwrap();
        assert_eq!(options.in_force(acp_client::Axis::Effort), Some("low"));
        client.close_session(&id).await.unwrap();
        client.delete_session(&id).await.unwrap();
        let error = client.delete_session(&id).await.unwrap_err();
        assert_eq!(error.refusal().unwrap().code, ErrorCode::INTERNAL_ERROR);
        let heard = agent.heard_after_close(&client).await;
        assert_eq!(
            params(&heard, "session/set_title"),
            json!({"sessionId":"old","title":"Wanted"})
        );
        assert_eq!(params(&heard, "session/close"), json!({"sessionId":"old"}));
    }
}

#[tokio::test(start_paused = true)]
async fn setting_a_session_up_speaks_the_agreed_version() {
    let update = r#"{"sessionUpdate":"user_message_chunk","messageId":"m","content":{"type":"text","text":"old"}}"#;
    for (initialized, v2) in [(EVERYTHING_V1, false), (EVERYTHING_V2, true)] {
        let opens = if v2 { "session/resume" } else { "session/load" };
        let complete = if v2 {
            Script::new()
                .update("old", r#"{"sessionUpdate":"replay_complete"}"#)
                .update("old", r#"{"sessionUpdate":"state_update","state":"idle"}"#)
        } else {
            Script::new()
        };
        let script = Script::new()
            .expect("session/new")
            .reply(r#"{"sessionId":"s"}"#)
            .expect("session/fork")
            .reply(r#"{"sessionId":"f"}"#)
            .expect(opens)
            .update("old", update)
            .then(complete)
            .reply_to(opens, "{}")
            .expect("session/resume")
            .reply("{}");
        let (client, agent) = agreed(initialized, script).await;
        let mut stdio = v1::McpServerStdio::new("s", "/bin/s");
        stdio.args = vec!["-v".into()];
        let server = v1::McpServer::Stdio(stdio);
        let append = SystemPrompt::new(SystemPromptMode::Append, Vec::new());
        let new = client
            .new_session("/w")
            .tools([server])
            .directory("/x")
            .system_prompt(append);
        new.open().await.unwrap();
        let forked = client.fork("s", "/w").at("c1").open().await.unwrap();
        assert_eq!(forked.id().as_str(), "f");
        let (mut texts, mut replay) = (Vec::new(), client.load("old", "/w").replay().unwrap());
        let received = replay.events().next().await.unwrap().unwrap();
        assert!(received.replay);
        if let Event::User(chunk) = received.event {
            texts.push(chunk.to_string());
        }
        let loaded = replay.finish().await.unwrap();
        assert_eq!(
            (loaded.id().as_str(), &texts[..]),
            ("old", &["old".to_owned()][..])
        );
        client.resume("old2", "/w").open().await.unwrap();
        let heard = agent.heard_after_close(&client).await;
        let mut server = json!({"name":"s","command":"/bin/s","args":["-v"]});
        if v2 {
            server["type"] = json!("stdio");
        } else {
            server["env"] = json!([]);
        }
        assert_eq!(
            params(&heard, "session/new"),
            json!({"cwd":"/w","mcpServers":[server],"additionalDirectories":["/x"],"systemPrompt":{"mode":"append","content":[]}})
        );
        assert_eq!(
            params(&heard, "session/fork"),
            json!({"sessionId":"s","cwd":"/w","mcpServers":[],"cursorId":"c1"})
        );
        let resumes: Vec<&Value> = heard
            .0
            .iter()
            .filter(|frame| frame["method"] == "session/resume")
            .collect();
        let last = &resumes.last().unwrap()["params"];
        assert_eq!(
            last,
            &json!({"sessionId":"old2","cwd":"/w","mcpServers":[]})
        );
        let mut load = json!({"sessionId":"old","cwd":"/w","mcpServers":[]});
        if v2 {
            load["replayFrom"] = json!({"type":"start"});
        }
        assert_eq!(params(&heard, opens), load);
    }
}

#[tokio::test(start_paused = true)]
async fn login_and_providers() {
    for (initialized, v2) in [(EVERYTHING_V1, false), (EVERYTHING_V2, true)] {
        let (login, logout) = if v2 {
            ("auth/login", "auth/logout")
        } else {
            ("authenticate", "logout")
        };
        let script = Script::new()
            .expect(login)
            .reply("null")
            .expect("auth/status")
            .reply(r#"{"state":"authenticated","accounts":[{"label":"me"}]}"#)
            .expect(logout)
            .reply("{}")
            .expect("providers/list")
            .reply(
                r#"{"providers":[{"providerId":"p","supported":["anthropic"],"required":false}]}"#,
            )
            .expect("providers/set")
            .reply("{}")
            .expect("providers/disable")
            .reply("{}");
        let (client, agent) = agreed(initialized, script).await;
        for unknown in ["nope", "tty"] {
            let error = client.authenticate(unknown).await.unwrap_err();
            assert!(
                matches!(error, RequestError::NotOffered { what: "login", .. }),
                "{error}"
            );
        }
        client.authenticate("key").await.unwrap();
        let status = client.auth_status().await.unwrap();
        assert_eq!(
            (status.state, status.accounts.len()),
            (AuthState::Authenticated, 1)
        );
        client.logout().await.unwrap();
        assert_eq!(
            client.providers().await.unwrap()[0].provider_id.as_str(),
            "p"
        );
        let set = SetProviderRequest::new("p", LlmProtocol::Anthropic, "https://x");
        client.set_provider(&set).await.unwrap();
        client.disable_provider("p").await.unwrap();
        let heard = agent.heard_after_close(&client).await;
        assert_eq!(params(&heard, login), json!({"methodId":"key"}));
        assert_eq!(
            params(&heard, "providers/disable"),
            json!({"providerId":"p"})
        );
    }
}

#[tokio::test(start_paused = true)]
async fn one_tool_call_or_terminal_is_cancelled_only_where_it_says_so() {
    let script = Script::new()
        .expect("session/new").reply(r#"{"sessionId":"s"}"#)
        .update("s", r#"{"sessionUpdate":"tool_call_update","toolCallId":"t","title":"T","status":"in_progress","capabilities":{"cancel":{}}}"#)
        .update("s", r#"{"sessionUpdate":"terminal_update","terminalId":"x","command":"sleep","capabilities":{"cancel":{}}}"#)
        .update("s", r#"{"sessionUpdate":"tool_call_update","toolCallId":"u","title":"U","status":"in_progress"}"#)
        .expect("tool_call/cancel").reply("{}")
        .expect("terminal/cancel").reply("{}")
        .update("s", r#"{"sessionUpdate":"tool_call_update","toolCallId":"t","status":"cancelled"}"#)
        .update("s", r#"{"sessionUpdate":"terminal_update","terminalId":"x","exitStatus":{"signal":"TERM"}}"#);
    let (client, agent) = agreed(EVERYTHING_V2, script).await;
    let session = client.new_session("/w").open().await.unwrap();
    let (tool, terminal) = (ToolCallId::from("t"), TerminalId::from("x"));
    names(
        session.cancel_tool_call(&tool).await.unwrap_err(),
        "toolCall.capabilities.cancel",
    );
    let mut events = session.events();
    for _ in 0..3 {
        events.next().await.unwrap().unwrap();
    }
    session.cancel_tool_call(&tool).await.unwrap();
    session.cancel_terminal(&terminal).await.unwrap();
    names(
        session
            .cancel_tool_call(&ToolCallId::from("u"))
            .await
            .unwrap_err(),
        "toolCall.capabilities.cancel",
    );
    for _ in 0..2 {
        events.next().await.unwrap().unwrap();
    }
    names(
        session.cancel_tool_call(&tool).await.unwrap_err(),
        "toolCall.capabilities.cancel",
    );
    names(
        session.cancel_terminal(&terminal).await.unwrap_err(),
        "terminal.capabilities.cancel",
    );
    let heard = agent.heard_after_close(&client).await;
    assert_eq!(
        params(&heard, "tool_call/cancel"),
        json!({"sessionId":"s","toolCallId":"t"})
    );
    assert_eq!(
        (
            heard.count("tool_call/cancel"),
            heard.count("terminal/cancel")
        ),
        (1, 1)
    );
}

/// What real agents answer for a session that they do not have, and what looks like it.
#[tokio::test(start_paused = true)]
async fn a_session_that_is_gone_is_recognised_over_the_codes() {
    let cases = [
        (
            "session/load",
            r#"{"code":-32002,"message":"Resource not found"}"#,
            true,
        ),
        (
            "session/load",
            r#"{"code":-32602,"message":"Invalid params","data":"Unknown sessionId: gone"}"#,
            true,
        ),
        (
            "session/load",
            r#"{"code":-32603,"message":"Internal error: OpenCode service failure","data":{"service":"session"}}"#,
            true,
        ),
        (
            "session/load",
            r#"{"code":-32000,"message":"log in"}"#,
            false,
        ),
        (
            "session/prompt",
            r#"{"code":-32002,"message":"Session gone not found"}"#,
            true,
        ),
        (
            "session/prompt",
            r#"{"code":-32602,"message":"Invalid params: session not found: gone"}"#,
            true,
        ),
        (
            "session/prompt",
            r#"{"code":-32602,"message":"Invalid params","data":"Unknown sessionId: gone"}"#,
            true,
        ),
        (
            "session/prompt",
            r#"{"code":-32602,"message":"Invalid params","data":{"prompt":"expected array"}}"#,
            false,
        ),
        (
            "session/prompt",
            r#"{"code":-32603,"message":"API Error: 500"}"#,
            false,
        ),
        (
            "session/prompt",
            r#"{"code":-32603,"message":"session gone not found"}"#,
            true,
        ),
    ];
    for (method, error, expected) in cases {
        let line = format!(r#"{{"jsonrpc":"2.0","id":{{id}},"error":{error}}}"#);
        let script = Script::new().expect(method).line(&line);
        let id = SessionId::from("gone");
        let (client, failed) = if method == "session/load" {
            let (client, _agent) = agreed(EVERYTHING_V1, script).await;
            let failed = client.load("gone", "/w").open().await.unwrap_err();
            (client, failed)
        } else {
            let new = Script::new()
                .expect("session/new")
                .reply(r#"{"sessionId":"gone"}"#);
            let (client, _agent) = agreed(EVERYTHING_V1, new.then(script)).await;
            let session = client.new_session("/w").open().await.unwrap();
            let mut turn = session.prompt("hi").start().unwrap();
            let failed = loop {
                match turn.next().await {
                    Ok(Some(_)) => {}
                    Ok(None) => panic!("{error} is no end"),
                    Err(failed) => break failed,
                }
            };
            (client, failed)
        };
        assert_eq!(
            failed.is_session_unavailable(&id),
            expected,
            "{method} {error}: {failed:?}"
        );
        drop(client);
    }
}
