//! A client in the hands of a test, and the server it talks to.

use std::{sync::Arc, time::Duration};

use acp_serve::{Agent, Config, Report, ServeError, Server};
use acp_testkit::{Peer, PipeMeter, pipe};
use serde_json::{Value, json};
use tokio::task::JoinHandle;

use crate::agents::{Puppet, Seen};

/// A served agent and the client's end of its pipe.
pub(crate) struct Driver {
    pub(crate) peer: Peer,
    pub(crate) seen: Arc<Seen>,
    pub(crate) server: JoinHandle<Result<Report, ServeError>>,
    /// What the agent writes.
    pub(crate) meter: PipeMeter,
    /// A directory that sessions can work in.
    pub(crate) dir: tempfile::TempDir,
    pub(crate) version: u16,
}

pub(crate) const V1: u16 = 1;
pub(crate) const V2: u16 = 2;

/// The puppet with every ability.
pub(crate) fn puppet() -> (Server<Puppet>, Arc<Seen>) {
    let puppet = Puppet::default();
    let seen = Arc::clone(&puppet.seen);
    let server = Server::new(puppet)
        .with_load_session()
        .with_list_sessions()
        .with_close_session()
        .with_delete_session()
        .with_fork_session()
        .with_archive_session()
        .with_set_title()
        .with_session_status()
        .with_setup_options()
        .with_auth()
        .with_auth_status()
        .with_providers()
        .with_system_prompt()
        .with_mcp_hosted()
        .with_images()
        .with_embedded_context();
    (server, seen)
}

impl Driver {
    /// The puppet over a pipe of this width; nothing is said yet.
    pub(crate) fn raw(width: usize, config: Config) -> Self {
        let (server, seen) = puppet();
        Self::over(width, server.config(config), seen)
    }

    /// Any server.
    pub(crate) fn over<A: Agent>(width: usize, server: Server<A>, seen: Arc<Seen>) -> Self {
        let (client, agent) = pipe(width);
        let meter = client.reader.meter();
        let server = tokio::spawn(server.serve(agent.reader, agent.writer));
        Self {
            peer: client.into(),
            seen,
            server,
            meter,
            dir: tempfile::tempdir().expect("a directory"),
            version: V1,
        }
    }

    /// The puppet, agreed on a version, a session opened.
    pub(crate) async fn open(width: usize, version: u16, config: Config) -> (Self, String) {
        let mut driver = Self::raw(width, config);
        driver.initialize(version).await;
        let session = driver.new_session().await;
        (driver, session)
    }

    pub(crate) async fn initialize(&mut self, version: u16) -> Value {
        let capabilities = json!({
            "fs": {"readTextFile": true},
            "terminal": true,
            "elicitation": {"form": {}},
            "session": {"configOptions": {"boolean": {}}},
        });
        self.initialize_with(version, capabilities).await
    }

    pub(crate) async fn initialize_with(&mut self, version: u16, capabilities: Value) -> Value {
        self.version = version;
        let info = json!({"name": "test", "version": "1"});
        let params = if version == V1 {
            json!({"protocolVersion": 1, "clientInfo": info, "clientCapabilities": capabilities})
        } else {
            json!({"protocolVersion": 2, "info": info, "capabilities": capabilities})
        };
        self.call("initialize", params).await["result"].clone()
    }

    pub(crate) async fn new_session(&mut self) -> String {
        let cwd = self.cwd();
        let answer = self
            .call("session/new", json!({"cwd": cwd, "mcpServers": []}))
            .await;
        answer["result"]["sessionId"]
            .as_str()
            .unwrap_or_else(|| panic!("a session: {answer}"))
            .to_owned()
    }

    pub(crate) fn cwd(&self) -> String {
        let path = self.dir.path().canonicalize().expect("a directory");
        path.to_str().expect("UTF-8").to_owned()
    }

    /// Sends a request and waits for its answer, whole.
    pub(crate) async fn call(&mut self, method: &str, params: Value) -> Value {
        let id = self.peer.ask(method, params).await.expect("sent");
        self.answer(id).await
    }

    pub(crate) async fn answer(&mut self, id: i64) -> Value {
        self.peer.expect_answer(id).await.expect("an answer")
    }

    /// Sends a prompt; its answer comes later.
    pub(crate) async fn prompt(&mut self, session: &str, text: &str) -> i64 {
        let prompt = json!([{"type": "text", "text": text}]);
        self.peer
            .ask(
                "session/prompt",
                json!({"sessionId": session, "prompt": prompt}),
            )
            .await
            .expect("sent")
    }

    pub(crate) async fn cancel(&mut self, session: &str) {
        self.peer
            .notify("session/cancel", json!({"sessionId": session}))
            .await
            .expect("sent");
    }

    /// Waits for the end of the turn that this prompt began; what it says of it: the stop reason, or
    /// the error.
    pub(crate) async fn end(&mut self, prompt: i64) -> Value {
        if self.version == V1 {
            let answer = self.answer(prompt).await;
            return match answer.get("error") {
                Some(error) => error.clone(),
                None => answer["result"]["stopReason"].clone(),
            };
        }
        let idle = self.idle().await;
        match idle.get("error") {
            Some(error) => error.clone(),
            None => idle["stopReason"].clone(),
        }
    }

    /// Waits for an idle state.
    pub(crate) async fn idle(&mut self) -> Value {
        let frame = self
            .peer
            .find("idle", |frame| {
                let update = &frame["params"]["update"];
                update["sessionUpdate"] == "state_update" && update["state"] == "idle"
            })
            .await
            .expect("an idle state");
        frame["params"]["update"].clone()
    }

    /// The updates heard so far, in wire order.
    pub(crate) fn updates(&self) -> Vec<Value> {
        self.peer
            .heard()
            .iter()
            .filter(|frame| frame["method"] == "session/update")
            .map(|frame| frame["params"]["update"].clone())
            .collect()
    }

    /// The kinds of updates heard so far.
    pub(crate) fn kinds(&self) -> Vec<String> {
        self.updates()
            .iter()
            .map(|update| {
                let kind = update["sessionUpdate"].as_str().unwrap_or_default();
                match update["state"].as_str() {
                    Some(state) => format!("{kind}:{state}"),
                    None => kind.to_owned(),
                }
            })
            .collect()
    }

    /// The agent's text so far.
    pub(crate) fn text(&self) -> String {
        self.updates()
            .iter()
            .filter(|update| update["sessionUpdate"] == "agent_message_chunk")
            .map(|update| update["content"]["text"].as_str().unwrap_or_default())
            .collect()
    }

    /// The client closes its end; the server has to end.
    pub(crate) async fn close(mut self) -> (Result<Report, ServeError>, Vec<Value>) {
        self.peer.close_output().await.expect("closed");
        // Nobody waits for ever for a server that does not end.
        let rest = tokio::time::timeout(Duration::from_secs(60), self.peer.rest())
            .await
            .expect("the server ends")
            .expect("JSON");
        (self.server.await.expect("no panic"), rest)
    }
}

/// Frames with the ids that differ from run to run replaced by what they are of.
pub(crate) fn plain(frames: Vec<Value>) -> Vec<Value> {
    frames.into_iter().map(plain_value).collect()
}

fn plain_value(value: Value) -> Value {
    match value {
        Value::String(text) => {
            let made = text.split_once('-').filter(|(kind, rest)| {
                ["msg", "sess", "term", "run", "ask"].contains(kind) && rest.len() >= 16
            });
            match made {
                Some((kind, _)) => Value::String(kind.to_uppercase()),
                None => Value::String(text),
            }
        }
        Value::Array(items) => items.into_iter().map(plain_value).collect(),
        Value::Object(members) => members
            .into_iter()
            .map(|(name, value)| (name, plain_value(value)))
            .collect(),
        value @ (Value::Null | Value::Bool(_) | Value::Number(_)) => value,
    }
}
