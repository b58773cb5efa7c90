//! Rules 13 and 14: which bound elapses, what it says, and where it stands.

use acp_client::{Bound, Budget, Event, Outcome, RequestError, Turn};
use acp_testkit::{Blast, Script};
use serde_json::json;

use crate::stage::{World, twice};

const NOISE: &str = "warming up the model, please stand by";

async fn to_error(turn: &mut Turn) -> (usize, RequestError) {
    let mut events = 0;
    loop {
        match turn.next().await {
            Ok(Some(_)) => events += 1,
            Ok(None) => panic!("ended without an error: {:?}", turn.outcome()),
            Err(error) => return (events, error),
        }
    }
}

// 13: lines that are no messages are not frames: noise does not keep a turn alive.
twice!(rule_13_noise_is_no_frame, noise);
async fn noise(world: World) {
    let chatter = Script::new().line(NOISE).silence_ms(world.ms(1000));
    let script = Script::new().expect("session/prompt").repeat(1000, chatter);
    let (client, session, _agent) = world.open(script).await;
    let mut turn = session
        .prompt("go")
        .start_within(&world.idle(10_000))
        .unwrap();
    let (events, error) = to_error(&mut turn).await;
    let deadline = error.deadline().unwrap_or_else(|| panic!("{error}"));
    assert_eq!(
        (events, deadline.bound, deadline.frames),
        (0, Bound::Idle, 0)
    );
    assert_eq!(deadline.length, world.span(10_000));
    assert!(deadline.skipped >= 3, "{deadline:?}");
    assert!(
        deadline.last_byte.unwrap() < deadline.length,
        "{deadline:?}"
    );
    assert_eq!(deadline.awaited.method(), "session/prompt");
    let text = error.to_string();
    assert!(
        text.contains("idle bound") && text.contains("skipped"),
        "{text}"
    );
    assert!(
        !text.contains("warming"),
        "the agent's text is not in it: {text}"
    );
    drop(client);
}

// 13: frames of another session do not keep this one alive.
twice!(rule_13_other_sessions_do_not_count, other_session);
async fn other_session(world: World) {
    let other = Script::new().say("t", "x").silence_ms(world.ms(1000));
    let script = Script::new()
        .expect("session/new")
        .reply(r#"{"sessionId":"t"}"#)
        .expect("session/prompt")
        .repeat(1000, other);
    let (client, session, _agent) = world.open(script).await;
    let _other = client.new_session("/work").open().await.unwrap();
    let mut turn = session
        .prompt("go")
        .start_within(&world.idle(10_000))
        .unwrap();
    let (_, error) = to_error(&mut turn).await;
    assert_eq!(error.deadline().unwrap().bound, Bound::Idle);
    assert_eq!(error.deadline().unwrap().frames, 0);
}

// 13: frames of the session do, and then the absolute bound ends it.
twice!(
    rule_13_streaming_for_ever_meets_the_absolute_bound,
    streaming
);
async fn streaming(world: World) {
    let one = Script::new().say("s", "x").silence_ms(world.ms(1000));
    let script = Script::new().expect("session/prompt").repeat(100_000, one);
    let (_client, session, _agent) = world.open(script).await;
    let budget = Budget::start(world.span(10_000), world.span(60_000));
    let mut turn = session.prompt("go").start_within(&budget).unwrap();
    let (events, error) = to_error(&mut turn).await;
    let deadline = error.deadline().unwrap();
    assert_eq!(
        (deadline.bound, deadline.length),
        (Bound::Absolute, world.span(60_000))
    );
    assert!(
        events >= 10 && deadline.frames >= 10,
        "{events} {deadline:?}"
    );
    assert!(error.to_string().contains("absolute bound"), "{error}");
}

// 13: the idle clock does not run while reading is paused by us.
twice!(rule_13_our_own_pause_is_not_the_agents_silence, our_pause);
async fn our_pause(world: World) {
    let script = Script::new()
        .expect("session/prompt")
        .blast(Blast::new("s", world.amount(3000)))
        .end_turn()
        .drain();
    let limits = world.session_bytes(64 * 1024);
    let bound = limits.session_bytes;
    let (client, session, _agent) = world
        .open_with(world.builder().limits(limits), script)
        .await;
    let mut turn = session
        .prompt("go")
        .start_within(&world.idle(10_000))
        .unwrap();
    crate::stage::until(|| client.unread_bytes() >= bound).await;
    // A host that does something else, for much longer than the idle bound.
    tokio::time::timeout(world.span(100_000), std::future::pending::<()>())
        .await
        .unwrap_err();
    assert_eq!(crate::reading::count(&mut turn).await, world.amount(3000));
    assert_eq!(turn.outcome().unwrap().outcome(), Outcome::Completed);
}

// 14: a bound that elapses stands behind what was read, and the agent is told to cancel.
twice!(rule_14_the_end_stands_behind_unread_events, behind_events);
async fn behind_events(world: World) {
    let script = Script::new()
        .expect("session/prompt")
        .blast(Blast::new("s", 50))
        .expect("session/cancel")
        .reply_to("session/prompt", r#"{"stopReason":"cancelled"}"#)
        .drain();
    let (client, session, agent) = world.open(script).await;
    let mut turn = session
        .prompt("go")
        .start_within(&world.idle(10_000))
        .unwrap();
    // Nobody reads until the bound has elapsed and the agent has heard of it.
    crate::stage::until(|| client.unread_bytes() > 0).await;
    tokio::time::timeout(world.span(30_000), std::future::pending::<()>())
        .await
        .unwrap_err();
    let (events, error) = to_error(&mut turn).await;
    assert_eq!((events, error.deadline().unwrap().bound), (50, Bound::Idle));
    assert!(turn.outcome().unwrap().cancel_requested());
    let heard = agent.heard_after_close(&client).await;
    assert_eq!(heard.count("session/cancel"), 1);
}

/// Silence at each phase ends by the bound that was set, naming what was awaited.
async fn silent(world: World, phase: &str) {
    let script = match phase {
        "initialize" => Script::new().expect("initialize"),
        "session/new" => Script::new().initialize().expect("session/new"),
        _ => Script::new().open("s").expect(phase),
    };
    let (client, _agent) = world.start(script.drain());
    let budget = Budget::start(world.span(30_000), world.span(600_000));
    let began = tokio::time::Instant::now();
    let deadline = match client.initialize_within(&budget).await {
        Err(error) => error.deadline().cloned(),
        Ok(_) => match client.new_session("/work").open_within(&budget).await {
            Err(error) => error.deadline().cloned(),
            Ok(session) if phase == "session/prompt" => {
                let mut turn = session.prompt("go").start_within(&budget).unwrap();
                to_error(&mut turn).await.1.deadline().cloned()
            }
            Ok(_) => {
                let error = client
                    .call_within(phase, &json!({}), &budget)
                    .await
                    .unwrap_err();
                error.deadline().cloned()
            }
        },
    };
    let deadline = deadline.unwrap();
    assert_eq!(
        (deadline.bound, deadline.awaited.method()),
        (Bound::Idle, phase)
    );
    assert!(began.elapsed() >= world.span(30_000));
}

twice!(silent_at_initialize, |world| silent(world, "initialize"));
twice!(silent_at_session_new, |world| silent(world, "session/new"));
twice!(silent_at_session_prompt, |world| silent(
    world,
    "session/prompt"
));
twice!(silent_at_a_call, |world| silent(world, "session/list"));

// One budget is one clock: what start-up used up is missing in the turn.
twice!(a_budget_is_one_clock, one_clock);
async fn one_clock(world: World) {
    let script = Script::new()
        .expect("initialize")
        .silence_ms(world.ms(40_000))
        .reply(r#"{"protocolVersion":1}"#)
        .expect("session/new")
        .silence_ms(world.ms(40_000))
        .reply(r#"{"sessionId":"s"}"#)
        .expect("session/prompt")
        .drain();
    let (client, _agent) = world.start(script);
    let began = tokio::time::Instant::now();
    let budget = Budget::start(world.span(60_000), world.span(100_000));
    client.initialize_within(&budget).await.unwrap();
    let session = client
        .new_session("/work")
        .open_within(&budget)
        .await
        .unwrap();
    let mut turn = session.prompt("go").start_within(&budget).unwrap();
    let (_, error) = to_error(&mut turn).await;
    let deadline = error.deadline().unwrap();
    assert_eq!(deadline.bound, Bound::Absolute);
    assert!(deadline.waited < world.span(100_000), "{deadline:?}");
    let elapsed = began.elapsed();
    assert!(
        elapsed >= world.span(100_000) && elapsed < world.span(120_000),
        "{elapsed:?}"
    );
}

// The default bounds are those that are promised, and setting one keeps the other.
#[tokio::test(start_paused = true)]
async fn default_bounds() {
    let (client, _agent) = World::Memory.start(Script::new().expect("initialize").drain());
    let error = client.initialize().await.unwrap_err();
    let deadline = error.deadline().unwrap();
    assert_eq!(
        (deadline.bound, deadline.length.as_secs()),
        (Bound::Idle, 120)
    );

    let chatter = Script::new().say("s", "x").silence_ms(300_000);
    let script = Script::new().expect("session/prompt").repeat(1000, chatter);
    let (_client, session, _agent) = World::Memory.open(script).await;
    let mut turn = session.prompt("go").start().unwrap();
    let (_, error) = to_error(&mut turn).await;
    let deadline = error.deadline().unwrap();
    assert_eq!(
        (deadline.bound, deadline.length.as_secs()),
        (Bound::Absolute, 6 * 3600)
    );

    let (_client, session, _agent) = World::Memory
        .open(Script::new().expect("session/prompt").drain())
        .await;
    let budget = Budget::absolute(std::time::Duration::from_secs(7200));
    let mut turn = session.prompt("go").start_within(&budget).unwrap();
    let (_, error) = to_error(&mut turn).await;
    let deadline = error.deadline().unwrap();
    assert_eq!(
        (deadline.bound, deadline.length.as_secs()),
        (Bound::Idle, 600)
    );
}

// A lifted bound is really lifted.
#[tokio::test(start_paused = true)]
async fn lifted_bounds() {
    let script = Script::new()
        .expect("session/prompt")
        .silence_ms(1000 * 3600 * 1000)
        .say("s", "at last")
        .end_turn()
        .drain();
    let (_client, session, _agent) = World::Memory.open(script).await;
    let budget = Budget::defaults().without_idle().without_absolute();
    let mut turn = session.prompt("go").start_within(&budget).unwrap();
    assert!(matches!(turn.next().await, Ok(Some(Event::Text(_)))));
    assert!(turn.next().await.unwrap().is_none());
}
