//! Sessions that the host asked for and does not get, or does not want: nothing of them is left.

use acp_client::{Client, Limits, RequestError};
use acp_testkit::Script;
use acp_thinking::Wishes;

use crate::stage::{Agent, World, until};

const CAN: &str = r#"{"protocolVersion":1,"agentCapabilities":{"loadSession":true,"sessionCapabilities":{"close":{}}}}"#;

async fn agreed(limits: Limits, script: Script) -> (Client, Agent) {
    let script = Script::new()
        .expect("initialize")
        .reply(CAN)
        .then(script)
        .drain();
    let builder = World::Memory.builder().limits(limits);
    let (client, agent) = World::Memory.start_with(builder, script);
    client.initialize().await.unwrap();
    (client, agent)
}

/// What the agent hears behind `initialize`.
async fn heard(client: &Client, agent: Agent) -> Vec<String> {
    let heard = agent.heard_after_close(client).await;
    heard.methods()[1..]
        .iter()
        .map(ToString::to_string)
        .collect()
}

#[tokio::test(start_paused = true)]
async fn a_load_that_fails_takes_no_room() {
    let mut limits = World::Memory.limits();
    limits.sessions = 2;
    let refused = Script::new().expect("session/load").refuse(-32002, "gone");
    let script = Script::new()
        .repeat(5, refused)
        .expect("session/new")
        .reply(r#"{"sessionId":"s"}"#);
    let (client, agent) = agreed(limits, script).await;
    for _ in 0..4 {
        let error = client.load("old", "/w").open().await.unwrap_err();
        assert!(matches!(error, RequestError::Call(_)), "{error}");
    }
    let mut replay = client.load("old", "/w").replay().unwrap();
    while replay.next().await.unwrap().is_some() {}
    replay.finish().await.unwrap_err();
    let _session = client.new_session("/w").open().await.unwrap();
    assert_eq!(
        heard(&client, agent).await.len(),
        6,
        "and nothing else is sent"
    );
}

#[tokio::test(start_paused = true)]
async fn a_replay_that_is_dropped_gives_the_session_up() {
    let script = Script::new()
        .expect("session/load")
        .say("old", "a word")
        .reply("{}");
    let (client, agent) = agreed(World::Memory.limits(), script).await;
    let mut replay = client.load("old", "/w").replay().unwrap();
    while replay.next().await.unwrap().is_some() {}
    drop(replay);
    assert_eq!(
        heard(&client, agent).await,
        ["session/load", "session/close"]
    );

    let script = Script::new().expect("session/load").say("old", "a word");
    let (client, agent) = agreed(World::Memory.limits(), script).await;
    let mut replay = client.load("old", "/w").replay().unwrap();
    replay.next().await.unwrap().unwrap();
    drop(replay);
    assert_eq!(
        heard(&client, agent).await,
        ["session/load", "$/cancel_request"]
    );
}

#[tokio::test(start_paused = true)]
async fn a_session_for_which_a_choice_fails_is_closed() {
    let script = Script::new()
        .expect("session/new")
        .reply(r#"{"sessionId":"s"}"#)
        .expect("session/load")
        .reply("{}");
    let (client, agent) = agreed(World::Memory.limits(), script).await;
    let wishes = || Wishes::new().effort("high");
    let new = client.new_session("/w").choosing(wishes()).open().await;
    new.unwrap_err().choice().unwrap();
    let load = client.load("old", "/w").choosing(wishes()).open().await;
    load.unwrap_err().choice().unwrap();
    assert_eq!(
        heard(&client, agent).await,
        [
            "session/new",
            "session/close",
            "session/load",
            "session/close"
        ]
    );
}

#[tokio::test(start_paused = true)]
async fn dropping_the_future_while_it_chooses_closes_the_session() {
    let options = r#"[{"id":"effort","name":"E","category":"thought_level","type":"select","currentValue":"low",
        "options":[{"value":"low","name":"L"},{"value":"high","name":"H"}]}]"#;
    let result = format!(r#"{{"sessionId":"s","configOptions":{options}}}"#).replace('\n', " ");
    let script = Script::new()
        .expect("session/new")
        .reply(&result)
        .expect("session/set_config_option");
    let (client, agent) = agreed(World::Memory.limits(), script).await;
    {
        let opening = client
            .new_session("/w")
            .choosing(Wishes::new().effort("high"))
            .open();
        tokio::pin!(opening);
        tokio::select! {
            biased;
            _ = &mut opening => panic!("the agent does not answer"),
            () = until(|| client.counters().frames == 2) => {}
        }
        // It has read the answer; one more turn sends the choice.
        tokio::select! {
            biased;
            _ = &mut opening => panic!("the agent does not answer"),
            () = tokio::task::yield_now() => {}
        }
    }
    assert_eq!(
        heard(&client, agent).await,
        [
            "session/new",
            "session/set_config_option",
            "$/cancel_request",
            "session/close"
        ]
    );
}
