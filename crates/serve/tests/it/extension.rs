//! The outcome extension: negotiated, numbered, exact, and valid by its schemas.

use std::time::Duration;

use acp_serve::{Config, Extension};
use serde_json::{Value, json};

use crate::{
    driver::{Driver, V1, V2, puppet},
    schema::{faults, schema},
};

const NS: &str = "example.com/agent";

/// A puppet that offers the extension, and a client that asks for this revision.
async fn open(version: u16, revision: Value, config: Config) -> (Driver, String, Value) {
    let (server, seen) = puppet();
    let server = server.config(config).extension(Extension::new(NS));
    let mut driver = Driver::over(4096, server, seen);
    let capabilities = json!({"_meta": {NS: {"revision": revision}}});
    let result = driver.initialize_with(version, capabilities).await;
    let session = if result.is_object() {
        driver.new_session().await
    } else {
        String::new()
    };
    (driver, session, result)
}

#[track_caller]
pub(crate) fn valid(name: &str, pointer: &str, value: &Value) {
    let root = schema(name);
    let rule = if pointer.is_empty() {
        &root
    } else {
        root.pointer(pointer).expect("a definition")
    };
    assert_eq!(
        faults(&root, rule, value, name),
        Vec::<String>::new(),
        "{value}"
    );
}

/// The terminal object of a turn.
async fn task(driver: &mut Driver, prompt: i64) -> Value {
    let task = if driver.version == V1 {
        let answer = driver.answer(prompt).await;
        let meta = match answer.get("error") {
            Some(error) => &error["data"]["_meta"],
            None => &answer["result"]["_meta"],
        };
        meta[NS]["task"].clone()
    } else {
        driver.idle().await["_meta"][NS]["task"].clone()
    };
    valid("task.schema.json", "", &task);
    task
}

#[tokio::test(start_paused = true)]
async fn it_is_negotiated() {
    for (version, member) in [(V1, "agentCapabilities"), (V2, "capabilities")] {
        let (_, _, result) = open(version, json!(1), Config::default()).await;
        let offered = &result[member]["_meta"][NS];
        valid("negotiation.schema.json", "/$defs/advertisement", offered);
        valid(
            "negotiation.schema.json",
            "/$defs/request",
            &json!({"revision": 1}),
        );
        let agreed = &result["_meta"][NS];
        valid("negotiation.schema.json", "/$defs/confirmation", agreed);
        assert_eq!(agreed["revision"], 1);
        for unknown in [json!(0), json!(3), json!("1"), Value::Null] {
            let (mut driver, _, result) = open(version, unknown.clone(), Config::default()).await;
            assert_eq!(result, Value::Null, "{unknown}");
            // A failed initialize leaves the connection as it was.
            assert!(driver.initialize(version).await.is_object());
        }
    }
}

#[tokio::test(start_paused = true)]
async fn others_see_plain_protocol() {
    for version in [V1, V2] {
        let (server, seen) = puppet();
        let mut driver = Driver::over(4096, server.extension(Extension::new(NS)), seen);
        let result = driver.initialize(version).await;
        assert!(result.get("_meta").is_none(), "{result}");
        let session = driver.new_session().await;
        let prompt = driver.prompt(&session, "say a b c").await;
        driver.end(prompt).await;
        let prompt = driver.prompt(&session, "fail").await;
        driver.end(prompt).await;
        let said = serde_json::to_string(&driver.peer.heard()[1..]).expect("JSON");
        assert!(!said.contains("_meta"), "{said}");
    }
}

#[tokio::test(start_paused = true)]
async fn the_end_is_exact() {
    let mut config = Config::default();
    config.deadline = Some(Duration::from_secs(5));
    config.tool_calls = Some(2);
    for version in [V1, V2] {
        for (prompt, outcome, detail) in [
            ("say hi", "completed", Value::Null),
            ("deny", "policy_denied", Value::Null),
            ("tokens", "limit_exceeded", json!("tokens")),
            ("tools 3", "limit_exceeded", json!("tool_calls")),
            ("fail", "failed", json!("provider")),
            ("panic", "failed", json!("internal")),
            ("wait", "timed_out", Value::Null),
        ] {
            let (mut driver, session, _) = open(version, json!(2), config.clone()).await;
            let id = driver.prompt(&session, prompt).await;
            let task = task(&mut driver, id).await;
            assert_eq!(task["outcome"], outcome, "{prompt}: {task}");
            let found = task.get("limit").or_else(|| task.get("class")).cloned();
            assert_eq!(found.unwrap_or_default(), detail, "{prompt}: {task}");
            assert_eq!(task["session"], session.as_str());
            assert_eq!(task["delivery"], "written");
            assert_eq!(
                task["limits"],
                json!({"deadline_ms": "5000", "tool_calls": "2"})
            );
        }
    }
}

#[tokio::test(start_paused = true)]
async fn a_cancel_does_not_rewrite_what_happened() {
    for version in [V1, V2] {
        let (mut driver, session, _) = open(version, json!(1), Config::default()).await;
        let id = driver.prompt(&session, "deaf 3").await;
        driver.cancel(&session).await;
        let task = task(&mut driver, id).await;
        assert_eq!(task["outcome"], "completed");
        assert_eq!(task["cancel_requested"], true);
    }
    for version in [V1, V2] {
        let (mut driver, session, _) = open(version, json!(1), Config::default()).await;
        let id = driver.prompt(&session, "ignore").await;
        driver.cancel(&session).await;
        let task = task(&mut driver, id).await;
        assert_eq!(task["outcome"], "cancelled");
        assert_eq!(task["delivery"], "abandoned");
    }
}

#[tokio::test(start_paused = true)]
async fn revisions_differ_in_the_output() {
    for (revision, output) in [(1, Value::Null), (2, json!("the answer"))] {
        let (mut driver, session, _) = open(V1, json!(revision), Config::default()).await;
        let id = driver.prompt(&session, "output").await;
        let task = task(&mut driver, id).await;
        assert_eq!(task.get("output").cloned().unwrap_or_default(), output);
        assert_eq!(task.get("structured").is_some(), revision == 2);
    }
}

#[tokio::test(start_paused = true)]
async fn a_task_that_needs_a_newer_revision_is_refused() {
    for version in [V1, V2] {
        for (needed, refused) in [
            (json!(1), false),
            (json!(2), true),
            (json!(0), true),
            (json!("2"), true),
        ] {
            let (mut driver, session, _) = open(version, json!(1), Config::default()).await;
            let params = json!({
                "sessionId": session, "prompt": [{"type": "text", "text": "say hi"}],
                "_meta": {NS: {"revision": needed}},
            });
            let answer = driver.call("session/prompt", params).await;
            assert_eq!(answer.get("error").is_some(), refused, "{needed}: {answer}");
            if refused {
                assert_eq!(answer["error"]["code"], -32602);
            }
        }
    }
}

/// The ranges of the chunks, and their text.
fn ranges(driver: &Driver) -> Vec<(u64, u64, String)> {
    driver
        .peer
        .heard()
        .iter()
        .filter(|frame| frame["params"]["update"]["sessionUpdate"] == "agent_message_chunk")
        .map(|frame| {
            let sequence = &frame["params"]["_meta"][NS];
            valid("sequence.schema.json", "", sequence);
            let number = |name: &str| {
                let text = sequence[name].as_str().expect("text");
                text.parse::<u64>().expect("a number")
            };
            let text = &frame["params"]["update"]["content"]["text"];
            let text = text.as_str().expect("text").to_owned();
            (number("first"), number("last"), text)
        })
        .collect()
}

#[tokio::test(start_paused = true)]
async fn every_event_has_its_number() {
    let mut config = Config::default();
    config.coalesce = None;
    for version in [V1, V2] {
        let (mut driver, session, _) = open(version, json!(1), config.clone()).await;
        let id = driver.prompt(&session, "count 5").await;
        let task = task(&mut driver, id).await;
        let expected: Vec<_> = (1..=5)
            .map(|number| (number, number, format!("{};", number - 1)))
            .collect();
        assert_eq!(ranges(&driver), expected);
        assert_eq!(task["last"], "5");
    }
}

#[tokio::test(start_paused = true)]
async fn text_is_joined_and_says_so() {
    for version in [V1, V2] {
        let (mut driver, session, _) = open(version, json!(1), Config::default()).await;
        let before = tokio::time::Instant::now();
        let id = driver.prompt(&session, "count 5000").await;
        let task = task(&mut driver, id).await;
        assert_eq!(task["last"], "5000");
        let ranges = ranges(&driver);
        // The first is never delayed, nor joined.
        assert_eq!(ranges[0], (1, 1, "0;".to_owned()));
        assert!(ranges.len() < 20, "{} lines", ranges.len());
        let mut next = 1;
        for (first, last, text) in &ranges {
            assert_eq!(*first, next, "no gap and no overlap");
            next = last + 1;
            assert!(text.len() < 4096 + 8, "{} bytes", text.len());
        }
        let expected: String = (0..5000).map(|number| format!("{number};")).collect();
        assert_eq!(driver.text(), expected);
        assert!(before.elapsed() <= Duration::from_millis(16));
    }
}

/// Text that waits goes out when its time has come, and before anything else.
#[tokio::test(start_paused = true)]
async fn joined_text_does_not_wait_longer_than_it_may() {
    let (mut driver, session, _) = open(V1, json!(1), Config::default()).await;
    let before = tokio::time::Instant::now();
    driver.prompt(&session, "pause").await;
    for wanted in ["one ", "two three "] {
        driver
            .peer
            .find(wanted, |frame| {
                frame["params"]["update"]["content"]["text"] == wanted
            })
            .await
            .expect("text");
    }
    assert!(
        before.elapsed() <= Duration::from_millis(17),
        "{:?}",
        before.elapsed()
    );
    driver
        .peer
        .find("a tool", |frame| {
            frame["params"]["update"]["sessionUpdate"] == "tool_call"
        })
        .await
        .expect("a tool");
    let kinds = driver.kinds();
    let order: Vec<_> = kinds
        .iter()
        .filter(|kind| !kind.starts_with("available"))
        .collect();
    assert_eq!(
        order,
        [
            "agent_message_chunk",
            "agent_message_chunk",
            "agent_message_chunk",
            "tool_call"
        ]
    );
}

#[tokio::test(start_paused = true)]
async fn the_trace_goes_on() {
    let trace = "4bf92f3577b34da6a3ce929d0e0e4736";
    for version in [V1, V2] {
        for (parent, kept) in [
            (format!("00-{trace}-00f067aa0ba902b7-01"), true),
            (format!("01-{trace}-00f067aa0ba902b7-01-more"), true),
            (format!("00-{trace}-0000000000000000-01"), false),
            (format!("ff-{trace}-00f067aa0ba902b7-01"), false),
            ("nonsense".to_owned(), false),
        ] {
            let (mut driver, session, _) = open(version, json!(1), Config::default()).await;
            let params = json!({
                "sessionId": session, "prompt": [{"type": "text", "text": "say hi"}],
                "_meta": {"traceparent": parent, "tracestate": "a=b"},
            });
            let id = driver
                .peer
                .ask("session/prompt", params)
                .await
                .expect("sent");
            driver.end(id).await;
            let said = serde_json::to_string(driver.peer.heard()).expect("JSON");
            assert_eq!(said.contains(&format!("00-{trace}-")), kept, "{parent}");
            assert_eq!(said.contains(r#""tracestate":"a=b""#), kept, "{parent}");
            assert!(!said.contains("00f067aa0ba902b7"), "a span of its own");
        }
    }
}
