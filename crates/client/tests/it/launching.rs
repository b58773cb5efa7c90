//! Agreeing with an agent of which nothing is known, and keeping a session over agents that die.

use std::{
    sync::{Arc, Mutex},
    time::Duration,
};

use acp_client::{
    Budget, Client, ClientBuilder, Effort, InitializeError, Keeper, LaunchError, RequestError,
    Respawn, Restored, ReviveError,
};
use acp_handshake::Ability;
use acp_testkit::{Played, Script, pipe};
use acp_transport::{Connector, Link};
use acp_vocab::ProtocolVersion;
use serde_json::Value;

/// A connector whose links are played by these scripts, one after the other, and what each heard.
#[derive(Clone, Default)]
struct Agents {
    scripts: Arc<Mutex<Vec<Script>>>,
    heard: Arc<Mutex<Vec<Vec<Value>>>>,
}

impl Agents {
    fn new(scripts: impl IntoIterator<Item = Script>) -> Self {
        let mut scripts: Vec<Script> = scripts.into_iter().collect();
        scripts.reverse();
        Self {
            scripts: Arc::new(Mutex::new(scripts)),
            heard: Arc::default(),
        }
    }

    fn connector(&self) -> impl Connector + use<> {
        let agents = self.clone();
        move || {
            let script = agents.scripts.lock().unwrap().pop().expect("a script more");
            let heard = Arc::clone(&agents.heard);
            let index = {
                let mut heard = heard.lock().unwrap();
                heard.push(Vec::new());
                heard.len() - 1
            };
            let (host, agent) = pipe(64);
            tokio::spawn(async move {
                if let Ok(Played { heard: frames, .. }) = script.play(agent).await {
                    heard.lock().unwrap()[index] = frames;
                }
            });
            async move { Ok(Link::new(host.reader, host.writer)) }
        }
    }

    /// Of each link, the versions that were asked for.
    async fn asked(&self) -> Vec<Vec<u64>> {
        tokio::time::sleep(Duration::from_secs(60)).await;
        let heard = self.heard.lock().unwrap();
        let versions = |frames: &Vec<Value>| {
            frames
                .iter()
                .filter(|frame| frame["method"] == "initialize")
                .map(|frame| frame["params"]["protocolVersion"].as_u64().unwrap())
                .collect()
        };
        heard.iter().map(versions).collect()
    }
}

fn builder() -> ClientBuilder {
    Client::builder("host", "1.0").versions([ProtocolVersion::V1, ProtocolVersion::V2])
}

const ANSWER_1: &str = r#"{"protocolVersion":1}"#;
const ANSWER_2: &str =
    r#"{"protocolVersion":2,"info":{"name":"a","version":"1"},"capabilities":{"session":{}}}"#;

fn answers(result: &str) -> Script {
    Script::new().expect("initialize").reply(result)
}

fn refuses(error: &str) -> Script {
    let line = format!(r#"{{"jsonrpc":"2.0","id":{{id}},"error":{error}}}"#);
    Script::new().expect("initialize").line(&line)
}

/// Launches, and checks the version, whether a second process was needed and what was asked.
async fn check(builder: ClientBuilder, scripts: Vec<Script>, version: u16, asked: &[&[u64]]) {
    let agents = Agents::new(scripts);
    let launched = builder.launch(&mut agents.connector()).await.unwrap();
    assert_eq!(launched.agreement.version(), ProtocolVersion(version));
    assert_eq!(launched.restarted, asked.len() > 1);
    drop(launched);
    assert_eq!(agents.asked().await, asked);
}

#[tokio::test(start_paused = true)]
async fn the_first_answer_decides_what_is_asked_next() {
    let fs = || builder().pull(Ability::ReadTextFile);
    // Offered both, answered 2 or 1.
    check(builder(), vec![answers(ANSWER_2).drain()], 2, &[&[2]]).await;
    check(builder(), vec![answers(ANSWER_1).drain()], 1, &[&[2]]).await;
    // Only a pure v1 request is sure to tell of what only v1 has.
    check(fs(), vec![answers(ANSWER_2).drain()], 2, &[&[2]]).await;
    check(
        fs(),
        vec![answers(ANSWER_1).then(answers(ANSWER_1)).drain()],
        1,
        &[&[2, 1]],
    )
    .await;
    // The agent lists what it supports.
    let unsupported = r#"{"code":-32022,"message":"no","data":{"requested":2,"supported":[1]}}"#;
    check(
        builder(),
        vec![refuses(unsupported).then(answers(ANSWER_1)).drain()],
        1,
        &[&[2, 1]],
    )
    .await;
    // Any other error, or an end, asks a fresh process.
    for first in [
        refuses(r#"{"code":-32602,"message":"Invalid params"}"#).drain(),
        refuses(r#"{"code":-32022,"message":"no"}"#).drain(),
        // An error all the same, however it is written; and a reply that is none.
        refuses(r#""unsupported""#).drain(),
        refuses(r#"{"code":"no","message":7}"#).drain(),
        Script::new()
            .expect("initialize")
            .line(r#"{"jsonrpc":"2.0","id":{id}}"#)
            .drain(),
        Script::new()
            .expect("initialize")
            .step(acp_testkit::Step::Exit(1)),
    ] {
        check(
            builder(),
            vec![first, answers(ANSWER_1).drain()],
            1,
            &[&[2], &[1]],
        )
        .await;
    }
    // The repeat fails where the first one did not.
    let repeat_fails = answers(ANSWER_1)
        .then(refuses(r#"{"code":-32600,"message":"twice"}"#))
        .drain();
    check(
        fs(),
        vec![repeat_fails, answers(ANSWER_1).drain()],
        1,
        &[&[2, 1], &[1]],
    )
    .await;
}

// It has answered once; an agent that hangs from the start is not asked a second time.
#[tokio::test(start_paused = true)]
async fn silence_is_a_failure_of_the_repeat_and_not_of_the_first() {
    let silent = answers(ANSWER_1).expect("initialize").drain();
    check(
        builder().pull(Ability::ReadTextFile),
        vec![silent, answers(ANSWER_1).drain()],
        1,
        &[&[2, 1], &[1]],
    )
    .await;
    let agents = Agents::new([Script::new().expect("initialize").drain()]);
    let error = builder().launch(&mut agents.connector()).await.unwrap_err();
    let LaunchError::Initialize(error) = error else {
        panic!("{error:?}")
    };
    assert!(error.deadline().is_some(), "{error}");
    assert_eq!(agents.asked().await, [[2]]);
}

#[tokio::test(start_paused = true)]
async fn a_second_process_is_the_last() {
    let refusal = || refuses(r#"{"code":-32602,"message":"Invalid params"}"#).drain();
    let agents = Agents::new([refusal(), refusal()]);
    let error = builder().launch(&mut agents.connector()).await.unwrap_err();
    assert!(
        matches!(
            error,
            LaunchError::Initialize(InitializeError::Negotiation(_))
        ),
        "{error:?}"
    );
    assert_eq!(agents.asked().await, [[2], [1]]);
}

#[tokio::test(start_paused = true)]
async fn a_version_that_was_not_offered_is_refused_at_once() {
    let agents = Agents::new([answers(r#"{"protocolVersion":3}"#).drain()]);
    let error = builder().launch(&mut agents.connector()).await.unwrap_err();
    assert!(
        matches!(
            error,
            LaunchError::Initialize(InitializeError::Negotiation(_))
        ),
        "{error:?}"
    );
    assert_eq!(agents.asked().await, [[2]]);
}

const EFFORT: &str = r#"{"id":"effort","name":"E","category":"thought_level","type":"select","options":[{"value":"low","name":"L"},{"value":"high","name":"H"}],"currentValue":"#;

fn with_effort(session: &str, current: &str) -> String {
    format!(r#"{{{session}"configOptions":[{EFFORT}"{current}"}}]}}"#)
}

/// An agent with a session `s` that dies in the middle of a turn.
fn dies(capabilities: &str) -> Script {
    answers(&format!(
        r#"{{"protocolVersion":1,"agentCapabilities":{capabilities}}}"#
    ))
    .expect("session/new")
    .reply(&with_effort(r#""sessionId":"s","#, "low"))
    .expect("session/set_config_option")
    .reply(&with_effort("", "high"))
    .expect("session/prompt")
    .step(acp_testkit::Step::Exit(3))
}

async fn keeper(agents: &Agents, policy: Respawn) -> Keeper {
    let budget = Budget::defaults();
    let connector = Box::new(agents.connector());
    let one = Client::builder("host", "1.0").versions([ProtocolVersion::V1]);
    Keeper::open(one, connector, "/w", [], policy, &budget)
        .await
        .unwrap()
}

/// A turn that loses its agent, and the keeper after it.
async fn lose(agents: &Agents) -> Keeper {
    let kept = keeper(agents, Respawn::default()).await;
    kept.session().choose(Effort::High).await.unwrap();
    let mut turn = kept.session().prompt("go").start().unwrap();
    let lost = turn.next().await.unwrap_err();
    assert!(lost.connection().is_some(), "{lost:?}");
    kept.client().gone().await;
    assert!(!kept.is_alive());
    kept
}

#[tokio::test(start_paused = true)]
async fn a_session_comes_back_the_best_way_that_the_agent_has() {
    let resume = r#"{"loadSession":true,"sessionCapabilities":{"resume":{}}}"#;
    let opened = |method: &str, result: &str| Script::new().expect(method).reply(result);
    let chosen = Script::new()
        .expect("session/set_config_option")
        .reply(&with_effort("", "high"))
        .drain();
    let gone = |method: &str| Script::new().expect(method).refuse(-32002, "gone");
    let again = with_effort("", "low");
    let anew = with_effort(r#""sessionId":"t","#, "low");
    let cases = [
        (
            resume,
            opened("session/resume", &again),
            Restored::Resumed,
            "s",
        ),
        (
            r#"{"loadSession":true}"#,
            opened("session/load", &again),
            Restored::Loaded,
            "s",
        ),
        ("{}", opened("session/new", &anew), Restored::Anew, "t"),
        (
            resume,
            gone("session/resume").then(opened("session/load", &again)),
            Restored::Loaded,
            "s",
        ),
        (
            resume,
            gone("session/resume")
                .then(gone("session/load"))
                .then(opened("session/new", &anew)),
            Restored::Anew,
            "t",
        ),
    ];
    for (capabilities, reopened, restored, id) in cases {
        let back = answers(&format!(
            r#"{{"protocolVersion":1,"agentCapabilities":{capabilities}}}"#
        ))
        .then(reopened)
        .then(chosen.clone());
        let agents = Agents::new([dies(capabilities), back]);
        let mut kept = lose(&agents).await;
        let revived = kept.revive(&Budget::defaults()).await.unwrap().unwrap();
        assert_eq!((revived.restored, revived.tries), (restored, 1));
        assert!(revived.unchosen.is_none(), "{revived:?}");
        assert_eq!(kept.session().id().as_str(), id);
        assert!(kept.is_alive() && kept.revive(&Budget::defaults()).await.unwrap().is_none());
        drop(kept);
        drop(agents.asked().await);
        // The prompt that was lost is not sent again.
        let heard = agents.heard.lock().unwrap();
        assert!(
            heard[1]
                .iter()
                .all(|frame| frame["method"] != "session/prompt")
        );
        assert!(
            heard[1]
                .iter()
                .any(|frame| frame["method"] == "session/set_config_option")
        );
    }
}

#[tokio::test(start_paused = true)]
async fn a_revival_is_tried_and_paused_and_bounded() {
    let broken = || refuses(r#"{"code":-32603,"message":"not now"}"#).drain();
    let agents = Agents::new([dies("{}"), broken(), broken(), broken()]);
    let mut kept = lose(&agents).await;
    let began = tokio::time::Instant::now();
    let error = kept.revive(&Budget::defaults()).await.unwrap_err();
    assert!(matches!(error, ReviveError::Launch(_)), "{error:?}");
    // One second, then two.
    assert_eq!(began.elapsed().as_secs(), 3);
    assert_eq!(kept.revivals(), 1);
}

#[tokio::test(start_paused = true)]
async fn no_more_than_the_policy_allows() {
    let agents = Agents::new([dies("{}")]);
    let mut policy = Respawn::default();
    policy.most = 0;
    let mut kept = keeper(&agents, policy).await;
    kept.client().close().await;
    let error = kept.revive(&Budget::defaults()).await.unwrap_err();
    assert!(
        matches!(error, ReviveError::Exhausted { times: 0 }),
        "{error:?}"
    );
}

#[tokio::test(start_paused = true)]
async fn without_a_connector_the_error_says_what_is_needed() {
    let (host, agent) = pipe(64);
    let script = refuses(r#"{"code":-32602,"message":"secret words"}"#).drain();
    tokio::spawn(script.play(agent));
    let client = builder()
        .connect(Link::new(host.reader, host.writer))
        .unwrap();
    let error = client.initialize().await.unwrap_err();
    assert!(
        matches!(error, InitializeError::NeedsFreshLink { .. }),
        "{error:?}"
    );
    assert!(!error.to_string().contains("secret"));
    let refused = client.new_session("/w").open().await.unwrap_err();
    assert!(matches!(refused, RequestError::Usage(_)), "{refused:?}");
}
