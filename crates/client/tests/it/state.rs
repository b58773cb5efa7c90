//! What was said: the same whether it was watched or loaded.

use acp_client::{Client, Conversation, Entry};
use acp_testkit::Script;
use acp_vocab::ProtocolVersion;

use crate::stage::World;

const V1: &str = r#"{"protocolVersion":1,"agentCapabilities":{"loadSession":true}}"#;
const V2: &str =
    r#"{"protocolVersion":2,"info":{"name":"a","version":"1"},"capabilities":{"session":{}}}"#;

/// What the agent does in the turn, in the words of a version.
fn work(version: u16) -> Vec<&'static str> {
    if version == 1 {
        vec![
            r#"{"sessionUpdate":"agent_thought_chunk","content":{"type":"text","text":"hm"}}"#,
            r#"{"sessionUpdate":"tool_call","toolCallId":"t","title":"Read","kind":"read"}"#,
            r#"{"sessionUpdate":"tool_call_update","toolCallId":"t","status":"completed"}"#,
            r#"{"sessionUpdate":"agent_message_chunk","content":{"type":"text","text":"do"}}"#,
            r#"{"sessionUpdate":"agent_message_chunk","content":{"type":"text","text":"ne"}}"#,
            r#"{"sessionUpdate":"plan","entries":[{"content":"a","priority":"low","status":"completed"}]}"#,
        ]
    } else {
        vec![
            r#"{"sessionUpdate":"agent_thought","messageId":"h","content":[{"type":"text","text":"hm"}]}"#,
            r#"{"sessionUpdate":"tool_call_update","toolCallId":"t","title":"Read","kind":"read"}"#,
            r#"{"sessionUpdate":"tool_call_update","toolCallId":"t","status":"completed"}"#,
            r#"{"sessionUpdate":"agent_message_chunk","messageId":"m","content":{"type":"text","text":"do"}}"#,
            r#"{"sessionUpdate":"agent_message_chunk","messageId":"m","content":{"type":"text","text":"ne"}}"#,
            r#"{"sessionUpdate":"plan_update","plan":{"type":"items","planId":"p","entries":[{"content":"a","priority":"low","status":"completed"}]}}"#,
        ]
    }
}

fn user(version: u16) -> &'static str {
    if version == 1 {
        r#"{"sessionUpdate":"user_message_chunk","content":{"type":"text","text":"go"}}"#
    } else {
        r#"{"sessionUpdate":"user_message","messageId":"u","content":[{"type":"text","text":"go"}]}"#
    }
}

fn says(script: Script, updates: &[&str]) -> Script {
    updates
        .iter()
        .fold(script, |script, update| script.update("s", update))
}

async fn client(version: u16, script: Script, keep: bool) -> Client {
    let script = Script::new()
        .expect("initialize")
        .reply(if version == 1 { V1 } else { V2 })
        .then(script)
        .drain();
    let builder = World::Memory
        .builder()
        .versions([ProtocolVersion(version)])
        .keep_state(keep);
    let (client, _agent) = World::Memory.start_with(builder, script);
    client.initialize().await.unwrap();
    client
}

async fn watched(version: u16) -> Conversation {
    let idle = r#"{"sessionUpdate":"state_update","state":"idle","stopReason":"end_turn"}"#;
    let new = Script::new()
        .expect("session/new")
        .reply(r#"{"sessionId":"s"}"#)
        .expect("session/prompt");
    let script = if version == 1 {
        says(new, &work(1)).end_turn()
    } else {
        let begun = new.update("s", user(2)).reply(r#"{"messageId":"u"}"#);
        says(begun, &work(2)).update("s", idle)
    };
    let client = client(version, script, true).await;
    let session = client.new_session("/w").open().await.unwrap();
    let mut turn = session.prompt("go").start().unwrap();
    while turn.next().await.unwrap().is_some() {}
    session.state().unwrap()
}

async fn loaded(version: u16) -> Conversation {
    let method = if version == 1 {
        "session/load"
    } else {
        "session/resume"
    };
    let script = says(
        Script::new().expect(method).update("s", user(version)),
        &work(version),
    );
    let script = if version == 1 {
        script
    } else {
        says(
            script,
            &[
                r#"{"sessionUpdate":"replay_complete"}"#,
                r#"{"sessionUpdate":"state_update","state":"idle"}"#,
            ],
        )
    };
    let client = client(version, script.reply_to(method, "{}"), true).await;
    let session = client.load("s", "/w").open().await.unwrap();
    session.state().unwrap()
}

#[tokio::test(start_paused = true)]
async fn a_loaded_session_is_as_if_it_had_been_watched() {
    for version in [1, 2] {
        let (watched, loaded) = (watched(version).await, loaded(version).await);
        let entries = |state: &Conversation| -> Vec<Entry> { state.timeline().cloned().collect() };
        assert_eq!(entries(&watched).len(), 4, "{watched:#?}");
        assert_eq!(entries(&watched), entries(&loaded), "v{version}");
        assert_eq!(watched.plans().count(), 1);
        assert!(watched.plans().eq(loaded.plans()));
    }
}

#[tokio::test(start_paused = true)]
async fn nothing_is_kept_that_nobody_asked_for() {
    let new = Script::new()
        .expect("session/new")
        .reply(r#"{"sessionId":"s"}"#);
    let client = client(1, new, false).await;
    let session = client.new_session("/w").open().await.unwrap();
    assert!(session.state().is_none());
    assert!(session.read_state(|_| ()).is_none());
}
