//! Version 2 through the same API: the turn ends with its idle, not with the answer.

use acp_client::{Bound, Client, ClientBuilder, Event, Outcome, Session};
use acp_permission::AllowOnce;
use acp_testkit::Script;
use acp_vocab::ProtocolVersion;
use serde_json::json;

use crate::stage::{Agent, World, twice};

const RUNNING: &str = r#"{"sessionUpdate":"state_update","state":"running"}"#;
const IDLE: &str = r#"{"sessionUpdate":"state_update","state":"idle","stopReason":"end_turn"}"#;

const ASK: &str = r#"{"sessionId":"s","title":"Run it?","subject":{"type":"tool_call","toolCall":{"toolCallId":"t","title":"ls","kind":"execute","rawInput":{"command":"ls"}}},"options":[{"optionId":"y","name":"Yes","kind":"allow_once"}]}"#;

/// One chunk of a message; v2 always names it.
const HELLO: &str = r#"{"sessionUpdate":"agent_message_chunk","messageId":"a1","content":{"type":"text","text":"hello"}}"#;

fn opening() -> Script {
    let initialized = r#"{"protocolVersion":2,"info":{"name":"scripted","version":"1"},"capabilities":{"session":{}}}"#;
    Script::new()
        .expect("initialize")
        .reply(initialized)
        .expect("session/new")
        .reply(r#"{"sessionId":"s"}"#)
        .expect("session/prompt")
        .reply(r#"{"messageId":"m1"}"#)
        .update("s", RUNNING)
}

async fn open(world: World, script: Script) -> (Client, Session, Agent) {
    let builder: ClientBuilder = Client::builder("host", "1.0")
        .versions([ProtocolVersion::V1, ProtocolVersion::V2])
        .limits(world.limits());
    let (client, agent) = world.start_with(builder, opening().then(script));
    let agreed = client.initialize().await.unwrap();
    assert_eq!(agreed.version(), ProtocolVersion::V2);
    let session = client.new_session("/work").open().await.unwrap();
    (client, session, agent)
}

twice!(the_idle_ends_the_turn, idle_ends);
async fn idle_ends(world: World) {
    let script = Script::new()
        .update("s", HELLO)
        .request("session/request_permission", ASK)
        .expect_answer()
        .update("s", IDLE)
        .drain();
    let (client, session, agent) = open(world, script).await;
    let mut turn = session.prompt("go").start().unwrap();
    let mut names = Vec::new();
    while let Some(event) = turn.next().await.unwrap() {
        names.push(event.name());
        if let Event::Permission(ask) = event {
            assert_eq!(ask.request().command().unwrap().text(), "ls");
            ask.decide(&AllowOnce).unwrap();
        }
    }
    assert_eq!(names, ["state", "text", "permission", "state"]);
    let outcome = turn.outcome().unwrap();
    assert_eq!(
        (outcome.outcome(), outcome.stop_reason()),
        (Outcome::Completed, Some("end_turn"))
    );
    let heard = agent.heard_after_close(&client).await;
    assert_eq!(heard.answer(0)["result"]["outcome"]["optionId"], "y");
}

twice!(a_cancelled_turn_ends_with_its_idle, cancelled);
async fn cancelled(world: World) {
    let script = Script::new()
        .update("s", HELLO)
        .request("session/request_permission", ASK)
        .expect("session/cancel")
        .expect_answer()
        .update("s", HELLO)
        .update(
            "s",
            r#"{"sessionUpdate":"state_update","state":"idle","stopReason":"cancelled"}"#,
        )
        .drain();
    let (client, session, agent) = open(world, script).await;
    let mut turn = session.prompt("go").start().unwrap();
    let mut texts = 0;
    while let Some(event) = turn.next().await.unwrap() {
        if let Event::Text(_) = event {
            texts += 1;
            turn.cancel();
        }
    }
    assert_eq!(
        (texts, turn.outcome().unwrap().outcome()),
        (2, Outcome::Cancelled)
    );
    let heard = agent.heard_after_close(&client).await;
    assert_eq!(heard.count("session/cancel"), 1);
}

// The answer of the prompt alone is no end: silence behind it is the idle bound's.
twice!(an_answer_is_no_end, answer_only);
async fn answer_only(world: World) {
    let (_client, session, _agent) = open(world, Script::new().drain()).await;
    let mut turn = session
        .prompt("go")
        .start_within(&world.idle(10_000))
        .unwrap();
    let error = loop {
        match turn.next().await {
            Ok(Some(_)) => {}
            Ok(None) => panic!("it ended: {:?}", turn.outcome()),
            Err(error) => break error,
        }
    };
    assert_eq!(error.deadline().unwrap().bound, Bound::Idle);
}

// The merged offer carries both versions' members, and a v1 answer is spoken as v1.
twice!(a_v1_answer_to_a_merged_offer, merged);
async fn merged(world: World) {
    let script = Script::new()
        .open("s")
        .expect("session/prompt")
        .end_turn()
        .drain();
    let builder = Client::builder("host", "1.0")
        .versions([ProtocolVersion::V1, ProtocolVersion::V2])
        .limits(world.limits());
    let (client, agent) = world.start_with(builder, script);
    assert_eq!(
        client.initialize().await.unwrap().version(),
        ProtocolVersion::V1
    );
    let session = client.new_session("/work").open().await.unwrap();
    let outcome = session
        .prompt("go")
        .start()
        .unwrap()
        .finish()
        .await
        .unwrap();
    assert_eq!(outcome.outcome(), Outcome::Completed);
    let heard = agent.heard_after_close(&client).await;
    let params = &heard.0[0]["params"];
    assert_eq!(params["protocolVersion"], 2);
    assert_eq!(params["info"], json!({"name":"host","version":"1.0"}));
    assert_eq!(params["clientInfo"], params["info"]);
}
