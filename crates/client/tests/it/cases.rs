//! The field's small cases, at the level of a host: `fixtures/cases/cases.json` by id.

use acp_client::{Event, Outcome, RequestError};
use acp_permission::{AllowOnce, Cancel, Decision, Deny, Policy, Request, Verdict};
use acp_testkit::Script;
use serde_json::{Value, json};

use crate::stage::{Heard, World};

/// What the agent sends in a case, by the case's id: the file is the source, not this test.
fn sends(id: &str) -> Vec<String> {
    let path = concat!(
        env!("CARGO_MANIFEST_DIR"),
        "/../../fixtures/cases/cases.json"
    );
    let cases: Vec<Value> = serde_json::from_str(&std::fs::read_to_string(path).unwrap()).unwrap();
    let case = cases
        .iter()
        .find(|case| case["id"] == id)
        .unwrap_or_else(|| panic!("no {id}"));
    let lines = case["agent_sends"].as_array().unwrap();
    lines
        .iter()
        .map(|line| line.as_str().unwrap().to_owned())
        .collect()
}

async fn refused_version(id: &str, words: &[&str]) {
    let [line] = &sends(id)[..] else {
        panic!("one line in {id}")
    };
    let script = Script::new().expect("initialize").line(line).drain();
    let (client, _agent) = World::Memory.start(script);
    let error = client.initialize().await.unwrap_err().to_string();
    for word in words.iter().chain(&["supported: 1"]) {
        assert!(error.contains(word), "{id}: {error}");
    }
    // Nothing may be sent on a connection that agreed on nothing.
    let refused = client.call("session/list", &json!({})).await.unwrap_err();
    assert!(matches!(refused, RequestError::Usage(_)), "{refused}");
}

#[tokio::test(start_paused = true)]
async fn versions_that_are_none() {
    refused_version("version-1", &["a string"]).await;
    refused_version("version-1_0", &["float"]).await;
    refused_version("version-99", &["99", "larger than any"]).await;
    refused_version("version-0", &["version 0", "not supported"]).await;
    refused_version("version-null", &["null"]).await;
    refused_version("version-true", &["a boolean"]).await;
}

/// A permission request with these options, decided by this policy: the agent's view of it.
async fn decide(id: &str, policy: impl Policy) -> Value {
    let options = sends(id)[0].trim_start_matches("options: ").to_owned();
    let params = format!(
        r#"{{"sessionId":"s","toolCall":{{"toolCallId":"t","title":"Run"}},"options":{options}}}"#
    );
    let script = Script::new()
        .expect("session/prompt")
        .request("session/request_permission", &params)
        .expect_answer()
        .end_turn()
        .drain();
    let (client, session, agent) = World::Memory.open(script).await;
    let mut turn = session.prompt("go").start().unwrap();
    while let Some(event) = turn.next().await.unwrap() {
        if let Event::Permission(ask) = event {
            ask.decide(&policy).unwrap();
        }
    }
    assert_eq!(
        turn.outcome().unwrap().decisions.len(),
        1,
        "each decision leaves a record"
    );
    agent.heard_after_close(&client).await.answer(0)["result"]["outcome"].clone()
}

struct Always;
impl Policy for Always {
    fn decide(&self, _: &Request) -> Verdict {
        Verdict::new(Decision::AllowAlways, "test", "asked for")
    }
}

#[tokio::test(start_paused = true)]
async fn permission_order() {
    let selected = |option| json!({"outcome":"selected","optionId":option});
    let cancelled = json!({"outcome":"cancelled"});
    assert_eq!(decide("permission-order", Cancel).await, cancelled);
    assert_eq!(
        decide("permission-order", AllowOnce).await,
        selected("proceed_once")
    );
    assert_eq!(decide("permission-order", Deny).await, selected("cancel"));
    assert_eq!(
        decide("permission-bypass", AllowOnce).await,
        selected("manual")
    );
    assert_eq!(
        decide("permission-bypass", Always).await,
        selected("bypass")
    );
    assert_eq!(decide("permission-empty", AllowOnce).await, cancelled);
    assert_eq!(decide("permission-empty", Always).await, cancelled);
    assert_eq!(decide("permission-empty", Deny).await, cancelled);
}

#[tokio::test(start_paused = true)]
async fn permission_unannounced() {
    let params = r#"{"sessionId":"s","toolCall":{"toolCallId":"t9","title":"Write a","kind":"edit","rawInput":{"path":"/work/a"}},"options":[{"optionId":"n","name":"No","kind":"reject_once"}]}"#;
    let script = Script::new()
        .expect("session/prompt")
        .request("session/request_permission", params)
        .expect_answer()
        .end_turn()
        .drain();
    let (_client, session, _agent) = World::Memory.open(script).await;
    let mut turn = session.prompt("go").start().unwrap();
    while let Some(event) = turn.next().await.unwrap() {
        if let Event::Permission(ask) = event {
            let tool = ask.asked().tool.as_ref().unwrap();
            assert_eq!((&*tool.title, tool.created), ("Write a", true));
            ask.decide(&Deny).unwrap();
        }
    }
    let open: Vec<_> = turn
        .outcome()
        .unwrap()
        .open_tools()
        .iter()
        .map(|id| id.as_str())
        .collect();
    assert_eq!(open, ["t9"], "it ends locally with the turn");
}

#[tokio::test(start_paused = true)]
async fn permission_withdrawn() {
    let withdraw = sends("permission-withdrawn")[1].replace("4", "0");
    let script = Script::new()
        .expect("session/prompt")
        .ask_permission("s", "t")
        .line(&withdraw)
        .expect_answer()
        .end_turn()
        .drain();
    let (client, session, agent) = World::Memory.open(script).await;
    let mut turn = session.prompt("go").start().unwrap();
    let Some(Event::Permission(ask)) = turn.next().await.unwrap() else {
        panic!("no request")
    };
    assert_eq!(ask.withdrawn().await, acp_client::Settled::Withdrawn);
    let late = ask.decide(&AllowOnce).unwrap_err();
    assert!(late.to_string().contains("withdrawn"), "{late}");
    while turn.next().await.unwrap().is_some() {}
    let heard = agent.heard_after_close(&client).await;
    assert_eq!(heard.answer(0)["result"]["outcome"]["outcome"], "cancelled");
}

#[tokio::test(start_paused = true)]
async fn update_before_new() {
    let script = Script::new()
        .initialize()
        .expect("session/new")
        .line(&sends("update-before-new")[0])
        .reply(r#"{"sessionId":"s1"}"#)
        .drain();
    let (client, _agent) = World::Memory.start(script);
    client.initialize().await.unwrap();
    let session = client.new_session("/work").open().await.unwrap();
    let received = session.events().next().await.unwrap().unwrap();
    assert!(matches!(received.event, Event::Commands(commands) if commands.is_empty()));
}

#[tokio::test(start_paused = true)]
async fn late_chunk() {
    let lines = sends("late-chunk");
    let script = Script::new()
        .open("s1")
        .expect("session/prompt")
        .line(&lines[0])
        .line(&lines[1])
        .line(&lines[2])
        .drain();
    let (client, _agent) = World::Memory.start(script);
    client.initialize().await.unwrap();
    let session = client.new_session("/work").open().await.unwrap();
    let mut turn = session.prompt("go").start().unwrap();
    // However slow the host is.
    crate::stage::until(|| client.counters().late == 1).await;
    let Some(Event::Text(chunk)) = turn.next().await.unwrap() else {
        panic!("no chunk")
    };
    assert_eq!(chunk.to_string(), "the answer");
    assert!(turn.next().await.unwrap().is_none());
    let late = session.events().next().await.unwrap().unwrap();
    assert!(late.late && matches!(late.event, Event::Info(_)));
}

async fn cancelled(script: Script) -> (acp_client::TurnOutcome, Heard) {
    let (client, session, agent) = World::Memory.open(script).await;
    let mut turn = session.prompt("go").start().unwrap();
    let mut held = Vec::new();
    while let Some(event) = turn.next().await.unwrap() {
        if let Event::Permission(ask) = event {
            held.push(ask);
        }
        turn.cancel();
    }
    let outcome = turn.finish().await.unwrap();
    (outcome, agent.heard_after_close(&client).await)
}

#[tokio::test(start_paused = true)]
async fn cancel_needs_answer() {
    let script = Script::new()
        .expect("session/prompt")
        .ask_permission("s", "t1")
        .expect("session/cancel")
        .expect_answer()
        .ask_permission("s", "t2")
        .expect_answer()
        .reply_to("session/prompt", r#"{"stopReason":"cancelled"}"#)
        .drain();
    let (outcome, heard) = cancelled(script).await;
    assert_eq!(outcome.outcome(), Outcome::Cancelled);
    assert_eq!(heard.count("session/cancel"), 1, "twice is once");
    for id in [0, 1] {
        assert_eq!(
            heard.answer(id)["result"]["outcome"]["outcome"],
            "cancelled"
        );
    }
}

#[tokio::test(start_paused = true)]
async fn cancel_as_error() {
    let script = Script::new()
        .expect("session/prompt")
        .say("s", "x")
        .expect("session/cancel")
        .line(&sends("cancel-as-error")[1])
        .drain();
    let (outcome, _) = cancelled(script).await;
    assert_eq!(outcome.outcome(), Outcome::Cancelled);
    let reported = outcome.error().unwrap().to_string();
    assert!(
        reported.contains("-32603"),
        "what was reported is kept: {reported}"
    );
}

#[tokio::test(start_paused = true)]
async fn cancel_as_end_turn() {
    let script = Script::new()
        .expect("session/prompt")
        .say("s", "x")
        .expect("session/cancel")
        .end_turn()
        .drain();
    let (outcome, _) = cancelled(script).await;
    assert_eq!(outcome.outcome(), Outcome::Cancelled);
    assert_eq!(outcome.stop_reason(), Some("end_turn"));
}

#[tokio::test(start_paused = true)]
async fn ids_and_openness() {
    let script = Script::new()
        .open("s1")
        .expect("session/prompt")
        .line(&sends("unknown-update-v1")[0])
        .line(&sends("broken-known-update")[0])
        .line(&sends("tool-call-twice")[0])
        .line(&sends("tool-call-twice")[1])
        .line(r#"{"jsonrpc":"2.0","id":"{id}","result":{"stopReason":"error"}}"#)
        .drain();
    let (client, _agent) = World::Memory.start(script);
    client.initialize().await.unwrap();
    let session = client.new_session("/work").open().await.unwrap();
    let mut turn = session.prompt("go").start().unwrap();
    let (mut titles, mut broken) = (Vec::new(), 0);
    while let Some(received) = turn.next_received().await.unwrap() {
        if let Event::Unknown { tag } = &received.event {
            assert_eq!(&**tag, "brand_new_thing");
            let raw = received.raw.unwrap();
            assert_eq!(
                raw.get(),
                r#"{"sessionUpdate":"brand_new_thing","payload":{"n":1}}"#
            );
        } else if let Event::Tool(tool) = &received.event {
            titles.push((tool.title.to_string(), tool.created));
        } else if let Event::Diagnostic(diagnostic) = &received.event
            && matches!(**diagnostic, acp_client::Diagnostic::BrokenUpdate { .. })
        {
            broken += 1;
            let text = diagnostic.to_string();
            assert!(
                text.contains("tool_call") && text.contains("toolCallId"),
                "{text}"
            );
        }
    }
    assert_eq!(
        titles,
        [("Terminal".to_owned(), true), ("echo hi".to_owned(), false)]
    );
    assert_eq!(broken, 1);
    let outcome = turn.outcome().unwrap();
    assert_eq!(
        (outcome.outcome(), outcome.stop_reason()),
        (Outcome::Failed, Some("error"))
    );
    assert_eq!(
        client.counters().coerced_replies,
        1,
        "the id came as a string"
    );
}
