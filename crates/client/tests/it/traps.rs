//! The traps of `docs/traps.md` that a host meets and no other test of the client is about.

use std::{
    sync::{Arc, OnceLock},
    time::Duration,
};

use acp_client::{Budget, Client, Elicitations, Event, Outcome, RequestError, UserReply};
use acp_testkit::Script;
use acp_vocab::{ErrorCode, ProtocolVersion, v2::IdempotencyKey};
use serde_json::json;

use crate::stage::{Agent, World};

const V2: &str =
    r#"{"protocolVersion":2,"info":{"name":"a","version":"1"},"capabilities":{"session":{}}}"#;
const IDLE: &str = r#"{"sessionUpdate":"state_update","state":"idle","stopReason":"end_turn"}"#;

/// A client of version 2 that has agreed; the script follows.
async fn second(script: Script) -> (Client, Agent) {
    let script = Script::new().expect("initialize").reply(V2).then(script);
    let builder = World::Memory
        .builder()
        .versions([ProtocolVersion::V2])
        .keep_state(true);
    let (client, agent) = World::Memory.start_with(builder, script);
    client.initialize().await.unwrap();
    (client, agent)
}

#[tokio::test(start_paused = true)]
async fn trap_19_login_comes_when_the_agent_asks_for_it() {
    let script = Script::new()
        .expect("initialize")
        .reply(r#"{"protocolVersion":1,"authMethods":[{"id":"key","name":"Key"}]}"#)
        .expect("session/new")
        .refuse(-32000, "log in")
        .expect("authenticate")
        .reply("{}")
        .expect("session/new")
        .reply(r#"{"sessionId":"s"}"#)
        .drain();
    let (client, agent) = World::Memory.start(script);
    client.initialize().await.unwrap();
    let error = client.new_session("/work").open().await.unwrap_err();
    assert_eq!(error.refusal().unwrap().code, ErrorCode::AUTH_REQUIRED);
    client.authenticate("key").await.unwrap();
    let session = client.new_session("/work").open().await.unwrap();
    assert_eq!(session.id().as_str(), "s");
    let heard = agent.heard_after_close(&client).await;
    assert_eq!(
        heard.methods(),
        ["initialize", "session/new", "authenticate", "session/new"],
        "nobody logs in unasked, and nothing is repeated by itself"
    );
}

/// In v2 a turn has begun before its agent finds that nobody is logged in: it ends with an error inside.
#[tokio::test(start_paused = true)]
async fn trap_18_a_turn_that_ends_for_want_of_a_login_says_so() {
    for (error, wanted) in [
        (
            r#"{"code":-32000,"message":"Authentication required"}"#,
            true,
        ),
        (
            r#"{"code":-32603,"message":"Internal error","data":{"errorKind":"authentication_failed"}}"#,
            true,
        ),
        (
            r#"{"code":-32603,"message":"API Error: 500","data":{"errorKind":"server_error"}}"#,
            false,
        ),
    ] {
        let idle = format!(
            r#"{{"sessionUpdate":"state_update","state":"idle","stopReason":"error","error":{error}}}"#
        );
        let script = Script::new()
            .expect("session/new")
            .reply(r#"{"sessionId":"s"}"#)
            .expect("session/prompt")
            .reply(r#"{"messageId":"u"}"#)
            .update("s", &idle)
            .drain();
        let (client, _agent) = second(script).await;
        let session = client.new_session("/work").open().await.unwrap();
        let outcome = session
            .prompt("go")
            .start()
            .unwrap()
            .finish()
            .await
            .unwrap();
        assert_eq!(outcome.outcome(), Outcome::Failed, "{error}");
        assert_eq!(outcome.wants_login(), wanted, "{error}");
        let failure = outcome.failure().unwrap();
        assert!(error.contains(&failure.code.0.to_string()));
    }
}

#[tokio::test(start_paused = true)]
async fn trap_44_a_held_prompt_dies_with_its_connection_and_is_the_same_when_sent_again() {
    let key = || IdempotencyKey::new("submission-1").unwrap();
    let lost = Script::new()
        .expect("session/new")
        .reply(r#"{"sessionId":"s"}"#)
        .expect("session/prompt");
    let (client, first) = second(lost).await;
    let session = client.new_session("/work").open().await.unwrap();
    let mut turn = session.prompt("go").idempotency_key(key()).start().unwrap();
    // The agent goes away without a word.
    turn.next().await.unwrap_err();
    let before = first.heard_after_close(&client).await;

    let again = Script::new()
        .expect("session/resume")
        .reply("{}")
        .expect("session/prompt")
        .reply(r#"{"messageId":"u"}"#)
        .update("s", IDLE)
        .drain();
    let (client, other) = second(again).await;
    let session = client.resume("s", "/work").open().await.unwrap();
    let start = session.prompt("go").idempotency_key(key()).start();
    let outcome = start.unwrap().finish().await.unwrap();
    assert_eq!(outcome.outcome(), Outcome::Completed);
    let after = other.heard_after_close(&client).await;
    for heard in [&before.0, &after.0] {
        let prompts = heard
            .iter()
            .filter(|line| line["method"] == "session/prompt");
        let keys: Vec<_> = prompts
            .map(|line| line["params"]["idempotencyKey"].clone())
            .collect();
        assert_eq!(keys, ["submission-1"]);
    }

    let (_client, session, _agent) = World::Memory.open(Script::new().drain()).await;
    let refused = session.prompt("go").idempotency_key(key()).start();
    let refused = refused.unwrap_err();
    assert!(
        matches!(refused, RequestError::Unsupported { .. }),
        "version 1 cannot promise it: {refused}"
    );
}

#[tokio::test(start_paused = true)]
async fn trap_46_a_replay_starts_from_nothing() {
    let chunk = r#"{"sessionUpdate":"agent_message_chunk","messageId":"m","content":{"type":"text","text":"done"}}"#;
    let script = Script::new()
        .expect("session/new")
        .reply(r#"{"sessionId":"s"}"#)
        .expect("session/prompt")
        .reply(r#"{"messageId":"u"}"#)
        .update("s", chunk)
        .update("s", IDLE)
        .expect("session/close")
        .reply("{}")
        .expect("session/resume")
        .update("s", chunk)
        .update("s", r#"{"sessionUpdate":"replay_complete"}"#)
        .reply("{}")
        .drain();
    let (client, _agent) = second(script).await;
    let session = client.new_session("/work").open().await.unwrap();
    let mut turn = session.prompt("go").start().unwrap();
    while turn.next().await.unwrap().is_some() {}
    drop(turn);
    let watched = session.state().unwrap();
    session.close().await.unwrap();
    drop(session);
    let session = client.load("s", "/work").open().await.unwrap();
    let replayed = session.state().unwrap();
    let entries = |state: &acp_client::Conversation| state.timeline().cloned().collect::<Vec<_>>();
    assert_eq!(entries(&replayed).len(), 1);
    assert_eq!(
        entries(&replayed),
        entries(&watched),
        "chunks of a known message are not added to what was there"
    );
}

#[tokio::test(start_paused = true)]
async fn report_02_bounds_of_the_host_stay_with_the_host() {
    let minute = Duration::from_secs(60);
    let mut heard = Vec::new();
    for budget in [None, Some(Budget::start(minute, 2 * minute))] {
        let script = Script::new()
            .open("s")
            .expect("session/prompt")
            .end_turn()
            .drain();
        let (client, agent) = World::Memory.start(script);
        match &budget {
            Some(budget) => client.initialize_within(budget).await.unwrap(),
            None => client.initialize().await.unwrap(),
        };
        let new = client.new_session("/work");
        let session = match &budget {
            Some(budget) => new.open_within(budget).await.unwrap(),
            None => new.open().await.unwrap(),
        };
        let prompt = session.prompt("go");
        let turn = match &budget {
            Some(budget) => prompt.start_within(budget).unwrap(),
            None => prompt.start().unwrap(),
        };
        turn.finish().await.unwrap();
        heard.push(agent.heard_after_close(&client).await.0);
    }
    assert_eq!(heard[0].len(), 3);
    assert_eq!(heard[0], heard[1], "the agent cannot tell them apart");
}

#[tokio::test(start_paused = true)]
async fn gap_04_a_function_that_answers_the_agent_may_ask_it_something() {
    let script = Script::new()
        .open("s")
        .expect("session/prompt")
        .request(
            "elicitation/create",
            r#"{"sessionId":"s","mode":"form","message":"Which?","requestedSchema":{"type":"object","properties":{}}}"#,
        )
        .expect("_vendor/which")
        .say("s", "meanwhile")
        .reply(r#"{"which":1}"#)
        .expect_answer()
        .reply_to("session/prompt", r#"{"stopReason":"end_turn"}"#)
        .drain();
    let here: Arc<OnceLock<Client>> = Arc::default();
    let known = Arc::clone(&here);
    let questions = Elicitations::new().on_form(move |_, _| {
        let client = known.get().cloned();
        async move {
            let asked = client.unwrap().call("_vendor/which", &json!({})).await;
            assert_eq!(asked.unwrap().get(), r#"{"which":1}"#);
            UserReply::Decline
        }
    });
    let builder = World::Memory.builder().handler(questions);
    let (client, agent) = World::Memory.start_with(builder, script);
    here.set(client.clone()).unwrap();
    client.initialize().await.unwrap();
    let session = client.new_session("/work").open().await.unwrap();
    let mut turn = session.prompt("go").start().unwrap();
    let mut said = String::new();
    while let Some(event) = turn.next().await.unwrap() {
        if let Event::Text(chunk) = event {
            said.push_str(&chunk.to_string());
        }
    }
    assert_eq!(said, "meanwhile", "the session went on in between");
    let heard = agent.heard_after_close(&client).await;
    assert_eq!(heard.answer(0)["result"], json!({"action": "decline"}));
}
