//! Rules 9 to 12: what is written, and by whom nobody waits.

use acp_client::{Bound, CallError, EndCause, Event, RequestError};
use acp_testkit::Script;

use crate::stage::{World, twice, until};

/// More than the pipe of any system holds.
const LARGE: usize = 2 * 1024 * 1024;

// 9: reader, writer, commands and timers are polled together: a full pipe stops none of the others.
twice!(rule_09_a_full_pipe_stops_nothing_else, full_pipe);
async fn full_pipe(world: World) {
    let mut script = Script::new().expect("session/prompt");
    for n in 0..50 {
        script = script.say("s", &n.to_string());
    }
    let script = script.end_turn().hang();
    let (client, session, _agent) = world.open(script).await;
    let mut turn = session.prompt("go").start().unwrap();
    client
        .requester()
        .notify("_fill", &["x".repeat(LARGE)])
        .unwrap();
    // Reading goes on, to the end of the turn.
    assert_eq!(crate::reading::count(&mut turn).await, 50);
    // Timers go off: this bound is shorter than the one on a pipe that nobody empties.
    let idle = world.idle(5_000);
    let mut next = session.prompt("again").start_within(&idle).unwrap();
    let error = next.next().await.unwrap_err();
    let deadline = error.deadline().unwrap_or_else(|| panic!("{error}"));
    assert_eq!(deadline.bound, Bound::Idle);
}

// 10: cancel, decisions and drops only enqueue: an agent that never reads again holds nobody up.
twice!(rule_10_nothing_waits_for_the_pipe, stuck_pipe);
async fn stuck_pipe(world: World) {
    let mut script = Script::new().expect("session/prompt");
    for n in 0..20 {
        script = script.ask_permission("s", &format!("t{n}"));
    }
    let (client, session, _agent) = world.open(script.hang()).await;
    let mut turn = session.prompt("go").start().unwrap();
    // Fill the pipe.
    let note = "x".repeat(LARGE);
    client.requester().notify("_fill", &[note]).unwrap();
    let mut asks = Vec::new();
    while asks.len() < 20 {
        if let Some(Event::Permission(ask)) = turn.next().await.unwrap() {
            asks.push(ask);
        }
    }
    for (n, ask) in asks.into_iter().enumerate() {
        if n % 2 == 0 {
            ask.cancel().unwrap();
        }
    }
    turn.cancel();
    drop(turn);
    drop(session);
}

// 10: answers that nobody asked us for have a bound, at which reading stops although a turn waits.
twice!(
    rule_10_an_agent_that_asks_and_never_reads,
    asks_and_never_reads
);
async fn asks_and_never_reads(world: World) {
    const ASKED: u64 = 6_000;
    let mut script = Script::new().expect("session/prompt");
    for _ in 0..ASKED {
        script = script.request("_x/y", "{}");
    }
    let limits = world.limits();
    let (client, session, _agent) = world.open(script.hang()).await;
    let mut turn = session.prompt("go").start().unwrap();
    let error = loop {
        match turn.next().await {
            Ok(Some(_)) => {}
            Ok(None) => panic!("no reason"),
            Err(error) => break error,
        }
    };
    let connection = error.connection().unwrap_or_else(|| panic!("{error}"));
    let EndCause::StoppedReading { pending, .. } = connection.cause() else {
        panic!("{connection}")
    };
    assert!(*pending <= limits.answer_bytes, "{pending}");
    let frames = client.counters().frames;
    assert!(frames < ASKED, "{frames} frames were read");
}

// 11: an agent that stops reading ends the connection, by an error that says what it left.
twice!(rule_11_an_agent_that_stops_reading, stopped_reading);
async fn stopped_reading(world: World) {
    let (client, session, _agent) = world.open(Script::new().expect("_never").hang()).await;
    drop(client.requester().notify("_never", &[0]));
    let began = tokio::time::Instant::now();
    let text = "x".repeat(LARGE);
    let mut turn = session.prompt(text).start().unwrap();
    let error = turn.next().await.unwrap_err();
    let connection = error.connection().unwrap_or_else(|| panic!("{error}"));
    let EndCause::StoppedReading { pending, label, .. } = connection.cause() else {
        panic!("{connection}")
    };
    assert!(*pending > 0 && *pending <= LARGE + 200, "{pending}");
    assert_eq!(label.method(), "session/prompt");
    assert!(label.id().is_some());
    assert!(began.elapsed() >= world.limits().stall);
}

// 11: also while reading is paused, so that two full pipes cannot wait for each other.
twice!(rule_11_also_while_reading_is_paused, both_stuck);
async fn both_stuck(world: World) {
    let blast = acp_testkit::Blast::new("s", world.amount(20_000));
    let script = Script::new().expect("session/prompt").blast(blast).drain();
    let limits = world.session_bytes(64 * 1024);
    let bound = limits.session_bytes;
    let (client, session, _agent) = world
        .open_with(world.builder().limits(limits), script)
        .await;
    let mut turn = session.prompt("go").start().unwrap();
    until(|| client.unread_bytes() >= bound).await;
    client
        .requester()
        .notify("_fill", &["x".repeat(LARGE)])
        .unwrap();
    let ended = client.closed().await;
    assert!(
        matches!(ended.cause(), EndCause::StoppedReading { .. }),
        "{ended}"
    );
    // What was read stays readable, and then the turn ends with the reason.
    let mut events = 0;
    let error = loop {
        match turn.next().await {
            Ok(Some(_)) => events += 1,
            Ok(None) => panic!("no reason"),
            Err(error) => break error,
        }
    };
    assert!(events >= 10, "{events}");
    assert!(error.connection().is_some(), "{error}");
}

// 12: `start` returns at once; the agent's no is an item of the turn.
twice!(
    rule_12_a_refused_prompt_is_an_item_of_the_turn,
    refused_prompt
);
async fn refused_prompt(world: World) {
    let script = Script::new()
        .expect("session/prompt")
        .say("s", "before")
        .refuse(-32000, "secret words")
        .drain();
    let (_client, session, _agent) = world.open(script).await;
    let mut turn = session.prompt("go").start().unwrap();
    assert!(matches!(turn.next().await, Ok(Some(Event::Text(_)))));
    let error = turn.next().await.unwrap_err();
    assert_eq!(error.refusal().unwrap().code.0, -32000);
    assert!(matches!(
        error,
        RequestError::Call(CallError::Refused { .. })
    ));
    assert!(!error.to_string().contains("secret"), "{error}");
    assert!(turn.next().await.unwrap().is_none());
    assert!(turn.outcome().is_some());
}

// 12: an agent that never reads does not keep `start`.
twice!(rule_12_start_never_waits_for_the_agent, start_returns);
async fn start_returns(world: World) {
    let (client, session, _agent) = world.open(Script::new().expect("_never").hang()).await;
    drop(client.requester().notify("_never", &[0]));
    let turn = session.prompt("x".repeat(LARGE)).start().unwrap();
    drop(turn);
}
