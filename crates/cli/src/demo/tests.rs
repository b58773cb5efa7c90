//! The demo agent over an in-memory pipe: what is kept, what the options do, what the answers decide.

use std::path::Path;

use serde_json::{Value, json};
use tokio::{
    io::{
        AsyncBufReadExt as _, AsyncWriteExt as _, BufReader, DuplexStream, ReadHalf, WriteHalf,
        duplex, split,
    },
    task::JoinHandle,
};

use super::{Demo, server};

/// A client, a line at a time.
struct Peer {
    reader: BufReader<ReadHalf<DuplexStream>>,
    writer: WriteHalf<DuplexStream>,
    server: JoinHandle<()>,
    next: i64,
    /// What permission requests are answered with.
    option: &'static str,
    updates: Vec<Value>,
}

impl Peer {
    async fn start(version: u16, state: Option<&Path>, login: bool) -> Self {
        let demo = Demo::new(state.map(Path::to_path_buf), login).expect("a store");
        let (ours, theirs) = duplex(4096);
        let (reader, writer) = split(theirs);
        let server = tokio::spawn(async move {
            server(demo)
                .serve(reader, writer)
                .await
                .expect("a good end");
        });
        let (reader, writer) = split(ours);
        let mut peer = Self {
            reader: BufReader::new(reader),
            writer,
            server,
            next: 0,
            option: "allow",
            updates: Vec::new(),
        };
        let info = json!({"name": "test", "version": "1"});
        let params = json!({"protocolVersion": version, "info": info});
        let answer = peer.call("initialize", params).await;
        assert_eq!(answer["result"]["protocolVersion"], version);
        peer
    }

    async fn send(&mut self, frame: Value) {
        let line = format!("{frame}\n");
        self.writer.write_all(line.as_bytes()).await.expect("sent");
    }

    async fn call(&mut self, method: &str, params: Value) -> Value {
        let id = self.next;
        self.next += 1;
        self.send(json!({"jsonrpc": "2.0", "id": id, "method": method, "params": params}))
            .await;
        self.until(|frame| frame["id"] == id && frame.get("method").is_none())
            .await
    }

    async fn until(&mut self, wanted: impl Fn(&Value) -> bool) -> Value {
        loop {
            let mut line = String::new();
            let count = self.reader.read_line(&mut line).await.expect("a line");
            assert!(count > 0, "the agent ended");
            let frame: Value = serde_json::from_str(&line).expect("JSON");
            if frame["method"] == "session/request_permission" {
                let outcome = json!({"outcome": "selected", "optionId": self.option});
                let result = json!({"outcome": outcome});
                self.send(json!({"jsonrpc": "2.0", "id": frame["id"], "result": result}))
                    .await;
            }
            if frame["method"] == "mcp/message" {
                let told = json!({
                    "serverId": frame["params"]["serverId"],
                    "requestId": frame["params"]["requestId"], "method": "progress",
                });
                self.send(json!({"jsonrpc": "2.0", "method": "mcp/message", "params": told}))
                    .await;
                let tools = json!([{"name": "hammer"}, {"name": "saw"}]);
                let result = json!({"result": {"tools": tools}});
                self.send(json!({"jsonrpc": "2.0", "id": frame["id"], "result": result}))
                    .await;
            }
            if frame["method"] == "session/update" {
                self.updates.push(frame["params"]["update"].clone());
            }
            if wanted(&frame) {
                return frame;
            }
        }
    }

    async fn open(&mut self) -> String {
        let answer = self
            .call("session/new", json!({"cwd": "/", "mcpServers": []}))
            .await;
        let id = answer["result"]["sessionId"].as_str().expect("an id");
        id.to_owned()
    }

    /// Runs a version 1 turn; the agent's text.
    async fn say(&mut self, session: &str, text: &str) -> String {
        self.updates.clear();
        let prompt = json!([{"type": "text", "text": text}]);
        let answer = self
            .call(
                "session/prompt",
                json!({"sessionId": session, "prompt": prompt}),
            )
            .await;
        assert_eq!(answer["result"]["stopReason"], "end_turn", "{answer}");
        self.text("agent_message_chunk")
    }

    fn text(&self, kind: &str) -> String {
        self.updates
            .iter()
            .filter(|update| update["sessionUpdate"] == kind)
            .map(|update| update["content"]["text"].as_str().unwrap_or_default())
            .collect()
    }

    async fn end(self) {
        let Self {
            writer,
            reader,
            server,
            ..
        } = self;
        drop((writer, reader));
        server.await.expect("no panic");
    }
}

#[tokio::test(start_paused = true)]
async fn the_answer_decides_what_is_done() {
    for (option, said) in [
        ("allow", "I added your words to notes.md."),
        (
            "reject",
            "You did not want notes.md edited, so I left it as it was.",
        ),
        (
            "none",
            "Nobody decided about the edit, so I left notes.md as it was.",
        ),
    ] {
        let mut peer = Peer::start(1, None, false).await;
        peer.option = option;
        let session = peer.open().await;
        assert_eq!(peer.say(&session, "the milk").await, said);
        // What the file holds is what was permitted.
        peer.say(&session, "again").await;
        let read = peer
            .updates
            .iter()
            .find(|update| update["toolCallId"] == "read-2");
        let read = read.expect("the file is read");
        assert_eq!(read["status"], "in_progress");
        let notes = peer
            .updates
            .iter()
            .find(|update| update["toolCallId"] == "read-2" && update["status"] == "completed")
            .expect("its text")
            .to_string();
        assert_eq!(notes.contains("the milk"), option == "allow", "{notes}");
        peer.end().await;
    }
}

#[tokio::test(start_paused = true)]
async fn always_is_a_mode() {
    let mut peer = Peer::start(1, None, false).await;
    peer.option = "always";
    let session = peer.open().await;
    peer.say(&session, "one").await;
    let told = peer
        .updates
        .iter()
        .find(|update| update["sessionUpdate"] == "current_mode_update");
    assert_eq!(told.expect("told")["currentModeId"], "auto");
    // It is not asked again, so that the answer does not matter.
    peer.option = "reject";
    assert_eq!(
        peer.say(&session, "two").await,
        "I added your words to notes.md."
    );
    peer.end().await;
}

#[tokio::test(start_paused = true)]
async fn options_do_what_they_say() {
    let mut peer = Peer::start(1, None, false).await;
    let session = peer.open().await;
    let mut thoughts = Vec::new();
    for effort in ["low", "medium", "high"] {
        let params = json!({"sessionId": session, "configId": "effort", "value": effort});
        peer.call("session/set_config_option", params).await;
        peer.say(&session, "think").await;
        thoughts.push(peer.text("agent_thought_chunk").len());
    }
    assert!(thoughts.is_sorted_by(|a, b| a < b), "{thoughts:?}");
    let params = json!({"sessionId": session, "configId": "model", "value": "demo-large"});
    peer.call("session/set_config_option", params).await;
    let params = json!({"sessionId": session, "modeId": "plan"});
    peer.call("session/set_mode", params).await;
    let said = peer.say(&session, "plan").await;
    assert!(said.starts_with("This is a plan"), "{said}");
    assert!(said.ends_with("another line."), "{said}");
    peer.end().await;
}

#[tokio::test(start_paused = true)]
async fn sessions_outlive_the_process() {
    let state = tempfile::tempdir().expect("a directory");
    let mut peer = Peer::start(1, Some(state.path()), false).await;
    let session = peer.open().await;
    peer.say(&session, "the milk").await;
    let params = json!({"sessionId": session, "configId": "effort", "value": "high"});
    peer.call("session/set_config_option", params).await;
    peer.end().await;

    let mut peer = Peer::start(1, Some(state.path()), false).await;
    let list = peer.call("session/list", json!({})).await;
    assert_eq!(list["result"]["sessions"][0]["title"], "the milk");
    peer.updates.clear();
    let params = json!({"sessionId": session, "cwd": "/", "mcpServers": []});
    let loaded = peer.call("session/load", params).await;
    assert_eq!(loaded["result"]["configOptions"][2]["currentValue"], "high");
    assert_eq!(peer.text("user_message_chunk"), "the milk");
    assert_eq!(
        peer.text("agent_message_chunk"),
        "I added your words to notes.md."
    );
    peer.end().await;

    let mut peer = Peer::start(2, Some(state.path()), false).await;
    let params = json!({"sessionId": session, "cwd": "/tmp"});
    let refused = peer.call("session/resume", params).await;
    assert_eq!(refused["error"]["code"], -32602);
    let params = json!({"sessionId": session, "cwd": "/", "replayFrom": {"type": "start"}});
    peer.call("session/resume", params).await;
    let kinds: Vec<_> = peer
        .updates
        .iter()
        .map(|update| &update["sessionUpdate"])
        .collect();
    assert_eq!(kinds[0], "user_message");
    assert_eq!(
        kinds[kinds.len() - 2..],
        ["replay_complete", "state_update"]
    );
    let params = json!({"sessionId": session});
    peer.call("session/delete", params).await;
    let list = peer.call("session/list", json!({})).await;
    assert_eq!(list["result"]["sessions"], json!([]));
    peer.end().await;
    assert_eq!(std::fs::read_dir(state.path()).expect("there").count(), 0);
}

#[tokio::test(start_paused = true)]
async fn login_first_where_it_is_asked_for() {
    for (version, method) in [(1, "authenticate"), (2, "auth/login")] {
        let mut peer = Peer::start(version, None, true).await;
        let params = json!({"cwd": "/", "mcpServers": []});
        let refused = peer.call("session/new", params.clone()).await;
        assert_eq!(refused["error"]["code"], -32000);
        peer.call(method, json!({"methodId": "demo-login"})).await;
        let opened = peer.call("session/new", params).await;
        assert!(opened["result"]["sessionId"].is_string());
        peer.end().await;
    }
}

#[tokio::test(start_paused = true)]
async fn sessions_are_put_away_and_named() {
    let state = tempfile::tempdir().expect("a directory");
    let mut peer = Peer::start(1, Some(state.path()), false).await;
    let session = peer.open().await;
    let id = json!({"sessionId": session});
    let titled = json!({"sessionId": session, "title": "  Milk \n and more "});
    let answer = peer.call("session/set_title", titled).await;
    assert_eq!(answer["result"], json!({"title": "Milk and more"}));
    let answer = peer.call("session/archive", id.clone()).await;
    assert_eq!(answer["result"], json!({}));
    peer.end().await;
    // Both are kept, and another process can say how far the session is.
    let mut peer = Peer::start(2, Some(state.path()), false).await;
    let all = peer.call("session/list", json!({})).await;
    assert_eq!(all["result"]["sessions"], json!([]));
    let put_away = peer.call("session/list", json!({"archived": "only"})).await;
    let row = &put_away["result"]["sessions"][0];
    assert_eq!(row["title"], "Milk and more");
    assert_eq!(row["archived"], true);
    let status = peer.call("session/status", id.clone()).await;
    assert_eq!(status["result"], json!({"status": "saved"}));
    peer.call("session/unarchive", id).await;
    let all = peer.call("session/list", json!({})).await;
    assert_eq!(all["result"]["sessions"][0]["sessionId"], session);
    peer.end().await;
}

#[tokio::test(start_paused = true)]
async fn the_host_has_a_say() {
    for (mode, said) in [
        (
            "append",
            "I added your words to notes.md. My instructions: Be brief",
        ),
        ("override", "Be brief"),
    ] {
        let mut peer = Peer::start(1, None, false).await;
        let content = json!([{"type": "text", "text": "Be brief"}]);
        let prompt = json!({"mode": mode, "content": content});
        let effort = json!([{"configId": "effort", "value": "low"}]);
        let params = json!({
            "cwd": "/", "mcpServers": [], "systemPrompt": prompt, "configOptions": effort,
        });
        let opened = peer.call("session/new", params).await;
        let options = &opened["result"]["configOptions"];
        assert_eq!(options[2]["currentValue"], "low");
        let session = opened["result"]["sessionId"].as_str().expect("an id");
        let session = session.to_owned();
        assert_eq!(peer.say(&session, "milk").await, said);
        // The next set-up brings none.
        let params = json!({"sessionId": session, "cwd": "/", "mcpServers": []});
        peer.call("session/load", params).await;
        let said = peer.say(&session, "milk").await;
        assert_eq!(said, "I added your words to notes.md.");
        let params = json!({"cwd": "/", "sessionId": session});
        let ahead = peer.call("session/options", params).await;
        assert_eq!(ahead["result"]["configOptions"][2]["currentValue"], "low");
        peer.end().await;
    }
}

#[tokio::test(start_paused = true)]
async fn servers_of_the_client_are_asked() {
    let mut peer = Peer::start(1, None, false).await;
    let servers = json!([{"type": "acp", "name": "box", "serverId": "b"}]);
    let params = json!({"cwd": "/", "mcpServers": servers});
    let opened = peer.call("session/new", params).await;
    let session = opened["result"]["sessionId"].as_str().expect("an id");
    let session = session.to_owned();
    assert_eq!(
        peer.say(&session, "/tools").await,
        "tools: box has hammer, saw."
    );
    assert_eq!(peer.text("agent_thought_chunk"), "box says progress. ");
    let session = peer.open().await;
    assert_eq!(
        peer.say(&session, "/tools").await,
        "The client hosts no server."
    );
    peer.end().await;
}

#[tokio::test(start_paused = true)]
async fn accounts_and_providers() {
    let mut peer = Peer::start(2, None, true).await;
    let status = peer.call("auth/status", json!({})).await;
    assert_eq!(status["result"], json!({"state": "unauthenticated"}));
    peer.call("auth/login", json!({"methodId": "demo-login"}))
        .await;
    let status = peer.call("auth/status", json!({})).await;
    assert_eq!(status["result"]["state"], "authenticated");
    let setup = json!({"providerId": "spare", "apiType": "openai", "baseUrl": "http://a"});
    peer.call("providers/set", setup).await;
    let listed = peer.call("providers/list", json!({})).await;
    let current = json!({"apiType": "openai", "baseUrl": "http://a"});
    assert_eq!(listed["result"]["providers"][1]["current"], current);
    peer.call("providers/disable", json!({"providerId": "spare"}))
        .await;
    let listed = peer.call("providers/list", json!({})).await;
    assert_eq!(listed["result"]["providers"][1]["current"], Value::Null);
    peer.end().await;
}

#[tokio::test(start_paused = true)]
async fn a_tool_and_a_terminal_are_cancelled_alone() {
    for (method, member, said) in [
        (
            "tool_call/cancel",
            "toolCallId",
            "The tool was cancelled; the turn goes on.",
        ),
        (
            "terminal/cancel",
            "terminalId",
            "The terminal was cancelled; the turn goes on.",
        ),
    ] {
        let mut peer = Peer::start(2, None, false).await;
        let session = peer.open().await;
        let prompt = json!([{"type": "text", "text": "/watch"}]);
        peer.call(
            "session/prompt",
            json!({"sessionId": session, "prompt": prompt}),
        )
        .await;
        let offered = peer
            .until(|frame| {
                let update = &frame["params"]["update"];
                update["sessionUpdate"] == "terminal_update" && update["capabilities"].is_object()
            })
            .await;
        let id = match member {
            "toolCallId" => json!("watch"),
            _ => offered["params"]["update"]["terminalId"].clone(),
        };
        let answer = peer
            .call(method, json!({"sessionId": session, member: id}))
            .await;
        assert_eq!(answer["result"], json!({}));
        let idle = peer
            .until(|frame| frame["params"]["update"]["state"] == "idle")
            .await;
        assert_eq!(idle["params"]["update"]["stopReason"], "end_turn");
        assert_eq!(peer.text("agent_message_chunk"), said);
        peer.end().await;
    }
}
