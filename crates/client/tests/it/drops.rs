//! A host that lets go of everything, in any order, at any point: the agent's input ends, whatever
//! it asked has exactly one answer, and nothing hangs. On both versions, in virtual time.
#![expect(
    clippy::wildcard_enum_match_arm,
    reason = "most points have nothing more to do"
)]

use std::{any::Any, sync::Arc, time::Duration};

use acp_client::{Budget, Client, Event, Handler, Handling, Question};
use acp_handshake::{Ability, Declaration};
use acp_testkit::Script;
use acp_vocab::ProtocolVersion;
use serde_json::{Value, json};

use crate::stage::{Agent, World, until};

/// Where the host stands when it lets go.
#[derive(Clone, Copy, Debug)]
enum Point {
    Initializing,
    Opening,
    Loading,
    Idle,
    Calling,
    Prompting,
    AskedUnread,
    AskedHeld,
    Handling,
    Cancelling,
    Ended,
}

const POINTS: [Point; 11] = [
    Point::Initializing,
    Point::Opening,
    Point::Loading,
    Point::Idle,
    Point::Calling,
    Point::Prompting,
    Point::AskedUnread,
    Point::AskedHeld,
    Point::Handling,
    Point::Cancelling,
    Point::Ended,
];

/// Never answers.
struct Stuck;

impl Handler for Stuck {
    fn declares(&self) -> Declaration {
        Declaration::none().with(Ability::ElicitationForm)
    }

    fn handle(self: Arc<Self>, _: Question) -> Handling {
        Box::pin(std::future::pending())
    }
}

const ASK: &str = r#"{"sessionId":"s","title":"Run?","toolCall":{"toolCallId":"t"},"options":[{"optionId":"y","name":"Y","kind":"allow_once"}]}"#;
const FORM: &str = r#"{"sessionId":"s","message":"Name?","mode":"form","requestedSchema":{"type":"object","properties":{}}}"#;
const IDLE: &str = r#"{"sessionUpdate":"state_update","state":"idle","stopReason":"end_turn"}"#;
const SAID: &str = r#"{"sessionUpdate":"agent_message_chunk","messageId":"a","content":{"type":"text","text":"x"}}"#;

fn script(point: Point, version: u16) -> Script {
    let initialized = if version == 1 {
        r#"{"protocolVersion":1,"agentCapabilities":{"loadSession":true,"sessionCapabilities":{"list":{},"close":{}}}}"#
    } else {
        r#"{"protocolVersion":2,"info":{"name":"a","version":"1"},"capabilities":{"session":{}}}"#
    };
    let script = Script::new().expect("initialize");
    if matches!(point, Point::Initializing) {
        return script;
    }
    let mut script = script.reply(initialized);
    if matches!(point, Point::Loading) {
        let load = if version == 1 {
            "session/load"
        } else {
            "session/resume"
        };
        return script.expect(load).update("s", SAID);
    }
    script = script.expect("session/new");
    if matches!(point, Point::Opening) {
        return script
            .update("s", SAID)
            .request("session/request_permission", ASK);
    }
    script = script.reply(r#"{"sessionId":"s"}"#);
    if matches!(point, Point::Idle) {
        return script.update("s", SAID);
    }
    if matches!(point, Point::Calling) {
        return script.expect("session/list");
    }
    script = script.expect("session/prompt");
    if version == 2 {
        script = script.reply(r#"{"messageId":"m"}"#);
    }
    script = script.update("s", SAID);
    match point {
        Point::AskedUnread | Point::AskedHeld | Point::Cancelling => {
            script.request("session/request_permission", ASK)
        }
        Point::Handling => script.request("elicitation/create", FORM),
        Point::Ended if version == 2 => script.update("s", IDLE).update("s", SAID),
        Point::Ended => script.end_turn().update("s", SAID),
        _ => script,
    }
}

type Handle = Box<dyn Any + Send>;

/// What the host holds at this point.
async fn reach(point: Point, client: Client) -> Vec<Handle> {
    let read = |client: &Client, frames: u64| {
        let client = client.clone();
        until(move || client.counters().frames >= frames)
    };
    if matches!(point, Point::Initializing) {
        let waits = client.clone();
        let task = tokio::spawn(async move { waits.initialize().await });
        tokio::task::yield_now().await;
        return vec![Box::new(Aborts(task)), Box::new(client)];
    }
    client.initialize().await.unwrap();
    let before = client.counters().frames;
    match point {
        Point::Opening => {
            let waits = client.clone();
            let task = tokio::spawn(async move { waits.new_session("/w").open().await });
            read(&client, before + 2).await;
            return vec![Box::new(Aborts(task)), Box::new(client)];
        }
        Point::Loading => {
            let mut replay = client.load("s", "/w").replay().unwrap();
            replay.next().await.unwrap();
            return vec![Box::new(replay), Box::new(client)];
        }
        _ => {}
    }
    let session = client.new_session("/w").open().await.unwrap();
    if matches!(point, Point::Idle) {
        let events = session.events();
        read(&client, before + 2).await;
        return vec![Box::new(events), Box::new(session), Box::new(client)];
    }
    if matches!(point, Point::Calling) {
        let call = client.send_request("session/list", &json!({}), &Budget::defaults());
        return vec![Box::new(call.unwrap()), Box::new(session), Box::new(client)];
    }
    let mut turn = session.prompt("go").start().unwrap();
    while turn.next().await.unwrap().unwrap().name() != "text" {}
    let mut handles: Vec<Handle> = Vec::new();
    match point {
        Point::AskedHeld | Point::Cancelling => {
            let Some(Event::Permission(ask)) = turn.next().await.unwrap() else {
                panic!("no question")
            };
            handles.push(ask);
            if matches!(point, Point::Cancelling) {
                turn.cancel();
            }
        }
        Point::AskedUnread | Point::Handling | Point::Ended => {
            let frames = client.counters().frames;
            read(&client, frames.max(before + 3)).await;
            for _ in 0..200 {
                tokio::task::yield_now().await;
            }
        }
        _ => {}
    }
    handles.extend([
        Box::new(turn) as Handle,
        Box::new(session),
        Box::new(client),
    ]);
    handles
}

/// A task that goes with its handle: the future is dropped.
struct Aborts<T>(tokio::task::JoinHandle<T>);

impl<T> Drop for Aborts<T> {
    fn drop(&mut self) {
        self.0.abort();
    }
}

async fn check(point: Point, version: u16, order: usize) {
    let name = format!("{point:?} v{version} order {order}");
    let builder = World::Memory
        .builder()
        .versions([ProtocolVersion::V1, ProtocolVersion::V2])
        .handler(Stuck);
    let (client, agent) = World::Memory.start_with(builder, script(point, version).drain());
    let mut handles = reach(point, client).await;
    let count = handles.len();
    handles.rotate_left(order % count);
    if order >= count {
        handles.reverse();
    }
    for handle in handles {
        drop(handle);
        tokio::task::yield_now().await;
    }
    let Agent::Task(agent) = agent else {
        unreachable!("it lives in memory")
    };
    let heard = tokio::time::timeout(Duration::from_secs(60), agent).await;
    let heard = heard.unwrap_or_else(|_| panic!("{name}: the agent's input stays open"));
    let heard = heard.unwrap().unwrap().heard;
    let answers: Vec<&Value> = heard
        .iter()
        .filter(|frame| frame.get("method").is_none())
        .collect();
    let asked = match point {
        Point::Opening
        | Point::AskedUnread
        | Point::AskedHeld
        | Point::Handling
        | Point::Cancelling => 1,
        _ => 0,
    };
    assert_eq!(answers.len(), asked, "{name}: {heard:?}");
    for answer in answers {
        let text = answer.to_string();
        assert!(
            !text.contains("selected") && !text.contains("accept"),
            "{name}: {text}"
        );
    }
    let cancelled = heard
        .iter()
        .any(|frame| frame["method"] == "session/cancel");
    let runs = matches!(
        point,
        Point::Prompting
            | Point::AskedUnread
            | Point::AskedHeld
            | Point::Handling
            | Point::Cancelling
    );
    assert_eq!(cancelled, runs, "{name}: {heard:?}");
}

#[tokio::test(start_paused = true)]
async fn everything_can_be_let_go_at_any_point_in_any_order() {
    for version in [1, 2] {
        for point in POINTS {
            for order in 0..8 {
                check(point, version, order).await;
            }
        }
    }
}
