//! Sessions that are opened again while something else happens to them, and openings that nobody
//! waits for any more.

use std::{sync::Arc, time::Duration};

use acp_serve::{
    Agent, CloseSession, Config, Conversations, LoadRequest, LoadSession, NewSession, Opened,
    Outcome, Outcomes as _, Server, Turn, Updates,
};
use acp_vocab::{ErrorObject, SessionId};
use serde_json::{Value, json};

use crate::{
    agents::Seen,
    driver::{Driver, V1, V2},
};

/// Takes a second to open anything, and keeps the senders of the sessions that it opened.
#[derive(Debug, Default)]
struct Slow {
    seen: Arc<Seen>,
    opened: std::sync::Mutex<Vec<Updates>>,
}

impl Agent for Slow {
    async fn new_session(&self, request: NewSession) -> Result<Opened, ErrorObject> {
        tokio::time::sleep(Duration::from_secs(1)).await;
        let updates = request.updates().clone();
        self.opened.lock().expect("lock").push(updates);
        self.seen.note("new");
        Ok(Opened::new())
    }

    async fn prompt(&self, turn: Turn) -> Outcome {
        if turn.prompt().text() == "old" {
            // What the session before left behind.
            let old = self.opened.lock().expect("lock").first().cloned();
            let sent = old.expect("a session before").say("from before").await;
            self.seen.note(format!("{sent:?}"));
            return Outcome::completed();
        }
        if turn.prompt().text() == "fill" {
            turn.say("x".repeat(1 << 16)).await?;
            turn.say("y").await?;
            return Outcome::completed();
        }
        tokio::time::sleep(Duration::from_secs(5)).await;
        turn.say("done").await?;
        Outcome::completed()
    }
}

impl LoadSession for Slow {
    async fn load(&self, _: LoadRequest) -> Result<Opened, ErrorObject> {
        tokio::time::sleep(Duration::from_secs(1)).await;
        self.seen.note("load");
        Ok(Opened::new())
    }
}

impl CloseSession for Slow {
    async fn close(&self, session: &SessionId) -> Result<(), ErrorObject> {
        let fresh = session.as_str().starts_with("sess-");
        self.seen
            .note(if fresh { "close a new one" } else { "close" });
        Ok(())
    }
}

async fn slow(version: u16, config: Config) -> Driver {
    let agent = Slow::default();
    let seen = Arc::clone(&agent.seen);
    let server = Server::new(agent)
        .with_load_session()
        .with_close_session()
        .config(config);
    let mut driver = Driver::over(4096, server, seen);
    driver.initialize(version).await;
    driver
}

async fn reopen(driver: &mut Driver, session: &str) -> i64 {
    let params = json!({"sessionId": session, "cwd": driver.cwd(), "mcpServers": []});
    driver
        .peer
        .ask("session/resume", params)
        .await
        .expect("sent")
}

#[tokio::test(start_paused = true)]
async fn a_prompt_does_not_run_while_its_session_is_opened_again() {
    for version in [V1, V2] {
        let mut driver = slow(version, Config::default()).await;
        let session = driver.new_session().await;
        let again = reopen(&mut driver, &session).await;
        let prompt = driver.prompt(&session, "hello").await;
        assert_eq!(driver.answer(prompt).await["error"]["code"], -32600);
        assert_eq!(driver.answer(again).await["error"], Value::Null);
        if version == V2 {
            driver.idle().await;
        }
        let prompt = driver.prompt(&session, "hello").await;
        assert_eq!(driver.end(prompt).await, "end_turn");
        assert_eq!(driver.text(), "done");
        let (report, _) = driver.close().await;
        assert_eq!(report.expect("a good end").turns, 1);
    }
}

#[tokio::test(start_paused = true)]
async fn a_session_is_opened_once_at_a_time() {
    for version in [V1, V2] {
        let mut driver = slow(version, Config::default()).await;
        let first = reopen(&mut driver, "stored").await;
        let second = reopen(&mut driver, "stored").await;
        assert_eq!(driver.answer(second).await["error"]["code"], -32600);
        assert_eq!(driver.answer(first).await["error"], Value::Null);
        let third = reopen(&mut driver, "stored").await;
        assert_eq!(driver.answer(third).await["error"], Value::Null);
        driver.close().await.0.expect("a good end");
    }
}

#[tokio::test(start_paused = true)]
async fn closing_ends_an_opening() {
    for version in [V1, V2] {
        let mut driver = slow(version, Config::default()).await;
        let opening = reopen(&mut driver, "stored").await;
        let closed = driver
            .call("session/close", json!({"sessionId": "stored"}))
            .await;
        assert_eq!(closed["result"], json!({}));
        assert_eq!(driver.answer(opening).await["error"]["code"], -32800);
        let prompt = driver.prompt("stored", "hello").await;
        assert_eq!(driver.answer(prompt).await["error"]["code"], -32002);
        assert_eq!(driver.seen.notes(), ["close"]);
        driver.close().await.0.expect("a good end");
    }
}

#[tokio::test(start_paused = true)]
async fn what_was_opened_for_nobody_is_closed() {
    for version in [V1, V2] {
        let mut driver = slow(version, Config::default()).await;
        let session = driver.new_session().await;
        let prompt = driver.prompt(&session, "fill").await;
        let params = json!({"cwd": driver.cwd(), "mcpServers": []});
        let opening = driver.peer.ask("session/new", params).await.expect("sent");
        // The client reads nothing: what the agent answers waits behind a full pipe.
        tokio::time::sleep(Duration::from_secs(3)).await;
        assert_eq!(driver.seen.notes(), ["new", "new"]);
        let params = json!({"requestId": opening});
        let sent = driver.peer.notify("$/cancel_request", params).await;
        sent.expect("sent");
        assert_eq!(driver.answer(opening).await["error"]["code"], -32800);
        assert_eq!(driver.end(prompt).await, "end_turn");
        let notes = driver.seen.notes();
        driver.close().await.0.expect("a good end");
        assert_eq!(notes[2..], ["close a new one"]);
    }
}

#[tokio::test(start_paused = true)]
async fn a_task_that_was_given_up_sends_nothing() {
    let mut config = Config::default();
    config.conversations = Conversations::OneTask;
    let mut driver = slow(V1, config).await;
    driver.new_session().await;
    let session = driver.new_session().await;
    let prompt = driver.prompt(&session, "old").await;
    assert_eq!(driver.end(prompt).await, "end_turn");
    assert_eq!(driver.text(), "");
    assert_eq!(driver.seen.notes()[2..], ["Err(Ended)"]);
}
