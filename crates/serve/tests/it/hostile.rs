//! Clients and handlers that do what nobody should.

use std::{sync::Arc, time::Duration};

use acp_serve::{
    Agent, Coalesce, Completed, Config, Extension, Failure, FailureClass, ListRequest,
    ListSessions, Outcome, Outcomes as _, SecondPrompt, ServeError, Server, SessionPage, Tool,
    Turn,
};
use acp_vocab::{ErrorCode, ErrorObject, Raw};
use serde_json::{Value, json};

use crate::{
    agents::{Puppet, Seen},
    driver::{Driver, V1, V2},
};

/// Panics when it is dropped.
struct Bomb;

impl Drop for Bomb {
    fn drop(&mut self) {
        if !std::thread::panicking() {
            panic!("a bomb was dropped");
        }
    }
}

/// Handlers that do harm.
#[derive(Debug, Default)]
struct Rude {
    seen: Arc<Seen>,
}

impl Agent for Rude {
    async fn prompt(&self, turn: Turn) -> Outcome {
        match &*turn.prompt().text() {
            "bomb" => {
                let _bomb = Bomb;
                turn.say("tick").await?;
                Outcome::completed()
            }
            "long tool" => {
                let long = Tool::new("t").title("x".repeat(1 << 20)).running();
                self.seen
                    .note(format!("{}", turn.tool(long).await.is_err()));
                turn.tool(Tool::new("t").title("A tool").running()).await?;
                turn.cancellation().cancelled().await;
                Outcome::cancelled()
            }
            "long output" => Ok(Completed::new().output("x".repeat(2 << 20))),
            "long failure" => {
                let message = "y".repeat(2 << 20);
                Outcome::failed(Failure::new(FailureClass::Provider, message))
            }
            _ => {
                turn.cancellation().cancelled().await;
                Outcome::cancelled()
            }
        }
    }
}

impl ListSessions for Rude {
    async fn list(&self, request: ListRequest) -> Result<SessionPage, ErrorObject> {
        if request.cursor.is_some() {
            let _bomb = Bomb;
            tokio::task::yield_now().await;
            return Ok(SessionPage::default());
        }
        let data = Raw::encode(&"x".repeat(2 << 20)).expect("JSON");
        Err(ErrorObject::new(ErrorCode::INTERNAL_ERROR, "no").with_data(data.into_inner()))
    }
}

async fn rude(version: u16, config: Config) -> Driver {
    let agent = Rude::default();
    let seen = Arc::clone(&agent.seen);
    let server = Server::new(agent).with_list_sessions().config(config);
    let mut driver = Driver::over(64 << 10, server, seen);
    driver.initialize(version).await;
    driver
}

#[tokio::test(start_paused = true)]
async fn what_a_handler_holds_may_panic_when_it_is_dropped() {
    for version in [V1, V2] {
        let mut driver = rude(version, Config::default()).await;
        let session = driver.new_session().await;
        let prompt = driver.prompt(&session, "bomb").await;
        assert_eq!(driver.end(prompt).await["code"], -32603);
        let listed = driver.call("session/list", json!({"cursor": "a"})).await;
        assert_eq!(listed["error"]["code"], -32603);
        driver.close().await.0.expect("a good end");
    }
}

#[tokio::test(start_paused = true)]
async fn an_error_over_the_line_bound_is_told_without_its_data() {
    let mut config = Config::default();
    config.max_line_out = 1 << 20;
    let mut driver = rude(V1, config).await;
    let listed = driver.call("session/list", json!({})).await;
    assert_eq!(listed["error"]["code"], -32603);
    assert_eq!(listed["error"]["data"], Value::Null);
    // An id that cannot be repeated within the bound.
    let id = "i".repeat(2 << 20);
    let line = format!(r#"{{"jsonrpc":"2.0","id":"{id}","method":"nonsense"}}"#);
    driver.peer.line(&line).await.expect("sent");
    let answer = driver.peer.find("an error", |frame| {
        frame["id"].is_null() && frame.get("error").is_some()
    });
    assert_eq!(answer.await.expect("an answer")["error"]["code"], -32601);
    driver.close().await.0.expect("a good end");
}

/// The end of a turn is told, however much there would be to say of it.
#[tokio::test(start_paused = true)]
async fn an_end_over_the_line_bound_is_told_without_its_words() {
    for version in [V1, V2] {
        let mut config = Config::default();
        config.max_line_out = 1 << 20;
        let agent = Rude::default();
        let server = Server::new(agent)
            .config(config)
            .extension(Extension::new("example.com/x"));
        let mut driver = Driver::over(64 << 10, server, Arc::default());
        let capabilities = json!({"_meta": {"example.com/x": {"revision": 2}}});
        driver.initialize_with(version, capabilities).await;
        let session = driver.new_session().await;
        let prompt = driver.prompt(&session, "long output").await;
        let told = match version {
            V1 => driver.answer(prompt).await["result"].clone(),
            _ => driver.idle().await,
        };
        assert_eq!(told["stopReason"], "end_turn", "{told}");
        let task = &told["_meta"]["example.com/x"]["task"];
        crate::extension::valid("task.schema.json", "", task);
        assert_eq!(task["outcome"], "completed");
        assert_eq!(task["omitted"], true);
        assert_eq!(task["output"], Value::Null);
        let prompt = driver.prompt(&session, "long failure").await;
        let error = driver.end(prompt).await;
        assert_eq!(error["code"], -32603);
        assert_eq!(error["data"]["class"], "provider");
        driver.close().await.0.expect("a good end");
    }
}

#[tokio::test(start_paused = true)]
async fn a_report_that_was_refused_was_never_made() {
    let mut config = Config::default();
    config.max_line_out = 1 << 20;
    let mut driver = rude(V1, config).await;
    let session = driver.new_session().await;
    let prompt = driver.prompt(&session, "long tool").await;
    driver
        .peer
        .listen(Duration::from_secs(1))
        .await
        .expect("quiet");
    driver.cancel(&session).await;
    assert_eq!(driver.end(prompt).await, "cancelled");
    assert_eq!(driver.seen.notes(), ["true"]);
    assert_eq!(driver.kinds(), ["tool_call", "tool_call_update"]);
}

#[tokio::test(start_paused = true)]
async fn a_call_over_the_limit_is_not_told() {
    let mut config = Config::default();
    config.tool_calls = Some(2);
    let (mut driver, session) = Driver::open(4096, V1, config).await;
    let prompt = driver.prompt(&session, "tools 5").await;
    assert_eq!(driver.end(prompt).await, "max_turn_requests");
    let told: Vec<_> = driver
        .updates()
        .iter()
        .map(|update| update["toolCallId"].clone())
        .filter(|id| !id.is_null())
        .collect();
    assert_eq!(told, ["t0", "t1", "t0", "t1"]);
}

#[tokio::test(start_paused = true)]
async fn answers_of_one_read_are_bounded() {
    let mut config = Config::default();
    config.answers = 1 << 10;
    config.unproven_messages = 200;
    let server = Server::new(Echo).config(config);
    let mut driver = Driver::over(64 << 10, server, Arc::default());
    driver.initialize(V2).await;
    for _ in 0..50 {
        driver.new_session().await;
    }
    // Each is answered at once, with every session in it, and the client reads none of the answers:
    // as many are taken as there is room for, not as many as were read.
    let mut flood = Vec::new();
    for id in 1000..1900 {
        let line = format!(r#"{{"jsonrpc":"2.0","id":{id},"method":"session/list"}}"#);
        flood.extend_from_slice(line.as_bytes());
        flood.push(b'\n');
    }
    driver.peer.bytes(&flood).await.expect("sent");
    tokio::time::sleep(Duration::from_secs(5)).await;
    assert!(!driver.server.is_finished());
    // Once it reads, the rest is taken, and is too much for a client that never prompts.
    let (report, _) = driver.close().await;
    assert!(matches!(
        report,
        Err(ServeError::Unproven { messages: 201, .. })
    ));
}

struct Echo;

impl Agent for Echo {
    async fn prompt(&self, turn: Turn) -> Outcome {
        turn.say(turn.prompt().text()).await?;
        Outcome::completed()
    }
}

#[tokio::test(start_paused = true)]
async fn joined_text_stays_within_its_bound() {
    let mut config = Config::default();
    let mut coalesce = Coalesce::default();
    coalesce.bytes = 64;
    coalesce.delay = Duration::from_secs(1);
    config.coalesce = Some(coalesce);
    let seen = Arc::<Seen>::default();
    let puppet = Puppet {
        seen: Arc::clone(&seen),
    };
    let server = Server::new(puppet)
        .config(config)
        .extension(Extension::new("example.com/x"));
    let mut driver = Driver::over(4096, server, seen);
    let capabilities = json!({"_meta": {"example.com/x": {"revision": 1}}});
    driver.initialize_with(V1, capabilities).await;
    let session = driver.new_session().await;
    let words = [
        "a".repeat(40),
        "b".repeat(40),
        "c".repeat(40),
        "d".repeat(10),
    ];
    let prompt = driver
        .prompt(&session, &format!("say {}", words.join(" ")))
        .await;
    assert_eq!(driver.end(prompt).await, "end_turn");
    let lines: Vec<usize> = driver
        .updates()
        .iter()
        .filter_map(|update| update["content"]["text"].as_str().map(str::len))
        .collect();
    assert_eq!(lines, [40, 40, 50]);
}

#[tokio::test(start_paused = true)]
async fn requests_are_bounded_in_bytes() {
    let mut config = Config::default();
    config.request_bytes = 10_000;
    let (mut driver, session) = Driver::open(4096, V2, config).await;
    let long = format!("wait 1 {}", "x".repeat(20_000));
    // One that is larger is taken alone, and counts as long as its turn goes on.
    let first = driver.prompt(&session, &long).await;
    assert_eq!(driver.answer(first).await["error"], Value::Null);
    let second = driver.prompt(&session, "say hi").await;
    assert_eq!(driver.answer(second).await["error"]["code"], -32603);
    driver.cancel(&session).await;
    assert_eq!(driver.idle().await["stopReason"], "cancelled");
    let third = driver.prompt(&session, "say hi").await;
    assert_eq!(driver.answer(third).await["error"], Value::Null);
}

#[tokio::test(start_paused = true)]
async fn a_thousand_sessions_are_sixty_four() {
    for version in [V1, V2] {
        let mut config = Config::default();
        config.unproven_messages = 5000;
        let (mut driver, _) = Driver::open(64 << 10, version, config).await;
        let params = json!({"cwd": driver.cwd(), "mcpServers": []});
        let mut opened = 1;
        for _ in 0..1000 {
            let answer = driver.call("session/new", params.clone()).await;
            match answer.get("error") {
                None => opened += 1,
                Some(error) => assert_eq!(error["code"], -32603),
            }
        }
        assert_eq!(opened, 64);
        driver.close().await.0.expect("a good end");
    }
}

/// The client hangs up, whatever is going on: everything that it asked is answered, and the server
/// ends.
#[tokio::test(start_paused = true)]
async fn the_end_of_the_input_in_each_phase() {
    let phases = [
        "at once",
        "in a line",
        "agreed",
        "opening",
        "replaying",
        "idle",
        "in a turn",
        "asking",
        "cancelling",
        "holding",
        "closing",
        "logging in",
    ];
    for version in [V1, V2] {
        for phase in phases {
            let (mut driver, asked) = bring_to(phase, version).await;
            driver.peer.close_output().await.expect("closed");
            let rest = tokio::time::timeout(Duration::from_secs(60), driver.peer.rest()).await;
            rest.expect("the server ends").expect("JSON");
            let report = driver.server.await.expect("no panic");
            let report = report.unwrap_or_else(|error| panic!("{phase}: {error}"));
            assert_eq!(report.panicked, 0, "{phase}");
            for id in asked {
                let answers = driver
                    .peer
                    .heard()
                    .iter()
                    .filter(|frame| frame["id"] == id && frame.get("method").is_none());
                assert_eq!(
                    answers.count(),
                    1,
                    "{phase}, version {version}, request {id}"
                );
            }
        }
    }
}

/// A puppet in the middle of something, and the requests that it owes an answer to.
async fn bring_to(phase: &str, version: u16) -> (Driver, Vec<i64>) {
    let mut config = Config::default();
    config.second_prompt = SecondPrompt::Hold;
    let mut driver = Driver::raw(64, config);
    match phase {
        "at once" => return (driver, Vec::new()),
        "in a line" => {
            let half = br#"{"jsonrpc":"2.0","id":1,"method":"init"#;
            driver.peer.bytes(half).await.expect("sent");
            return (driver, Vec::new());
        }
        _ => {}
    }
    driver.initialize(version).await;
    let cwd = driver.cwd();
    match phase {
        "agreed" => return (driver, Vec::new()),
        "opening" | "replaying" => {
            let params = json!({
                "sessionId": "stored", "cwd": cwd, "mcpServers": [],
                "replayFrom": {"type": "start"},
            });
            let method = if version == V1 {
                "session/load"
            } else {
                "session/resume"
            };
            let id = driver.peer.ask(method, params).await.expect("sent");
            if phase == "replaying" {
                // The pipe is narrow: the replay waits for somebody to read it.
                tokio::time::sleep(Duration::from_secs(1)).await;
            }
            return (driver, vec![id]);
        }
        "logging in" => {
            let method = if version == V1 {
                "authenticate"
            } else {
                "auth/login"
            };
            let params = json!({"methodId": "key"});
            let id = driver.peer.ask(method, params).await.expect("sent");
            return (driver, vec![id]);
        }
        _ => {}
    }
    let session = driver.new_session().await;
    let mut asked = Vec::new();
    match phase {
        "in a turn" => asked.push(driver.prompt(&session, "blast 100").await),
        "asking" => {
            asked.push(driver.prompt(&session, "edit").await);
            let question = driver.peer.expect("session/request_permission").await;
            question.expect("a question");
        }
        "cancelling" | "closing" => {
            asked.push(driver.prompt(&session, "wait 50").await);
            driver.cancel(&session).await;
            driver.cancel(&session).await;
            if phase == "closing" {
                let params = json!({"sessionId": session});
                let close = driver.peer.ask("session/close", params).await;
                asked.push(close.expect("sent"));
            }
        }
        "holding" => {
            for text in ["ignore", "say a", "say b"] {
                asked.push(driver.prompt(&session, text).await);
            }
        }
        _ => {}
    }
    (driver, asked)
}

/// A question is answered once, whatever comes behind the answer; a turn ends once, however often
/// it is cancelled.
#[tokio::test(start_paused = true)]
async fn what_is_said_twice_counts_once() {
    for version in [V1, V2] {
        let (mut driver, session) = Driver::open(4096, version, Config::default()).await;
        let prompt = driver.prompt(&session, "edit").await;
        let question = driver.peer.expect("session/request_permission").await;
        let question = question.expect("a question");
        for option in ["allow", "reject", "allow"] {
            let outcome = json!({"outcome": {"outcome": "selected", "optionId": option}});
            driver.peer.reply(&question, outcome).await.expect("sent");
        }
        assert_eq!(driver.end(prompt).await, "end_turn");
        let notes = driver.seen.notes();
        assert_eq!(notes.len(), 2, "{notes:?}");
        let prompt = driver.prompt(&session, "wait 5").await;
        for _ in 0..5 {
            driver.cancel(&session).await;
        }
        assert_eq!(driver.end(prompt).await, "cancelled");
        driver.cancel(&session).await;
        driver
            .peer
            .listen(Duration::from_secs(1))
            .await
            .expect("quiet");
        let ends = driver
            .peer
            .heard()
            .iter()
            .filter(|frame| {
                frame["result"]["stopReason"] == "cancelled"
                    || frame["params"]["update"]["stopReason"] == "cancelled"
            })
            .count();
        assert_eq!(ends, 1);
        driver.close().await.0.expect("a good end");
    }
}
