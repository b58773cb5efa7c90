//! Rules 1 to 6: what is read, what waits, and for whom.

use acp_client::{CallError, Event, RequestError};
use acp_testkit::{Blast, Script};
use serde_json::json;

use crate::stage::{World, twice, until};

/// Bytes that one read may bring beyond a bound.
const SLACK: u64 = 64 * 1024;

/// Reads a turn of numbered chunks to its end and gives how many came, in order.
pub(crate) async fn count(turn: &mut acp_client::Turn) -> u64 {
    let mut next = 0;
    while let Some(event) = turn.next().await.unwrap() {
        if let Event::Text(chunk) = event {
            let text = chunk.to_string();
            assert_eq!(text.split(' ').next(), Some(&*next.to_string()));
            next += 1;
        }
    }
    next
}

// 1: an unread queue is bounded in bytes; the rest stays in the pipe, and nothing is lost.
twice!(rule_01_a_slow_host_holds_the_agent_back, slow_host);
async fn slow_host(world: World) {
    let frames = world.amount(12_000);
    let script = Script::new()
        .expect("session/prompt")
        .blast(Blast::new("s", frames))
        .end_turn()
        .drain();
    let limits = world.session_bytes(256 * 1024);
    let bound = limits.session_bytes as u64;
    let (client, session, _agent) = world
        .open_with(world.builder().limits(limits), script)
        .await;
    let mut turn = session.prompt("go").start().unwrap();
    until(|| client.unread_bytes() as u64 >= bound).await;
    for _ in 0..1000 {
        tokio::task::yield_now().await;
    }
    let held = client.unread_bytes() as u64;
    assert!(held < bound + 2 * 1024, "{held} bytes of events are held");
    let read = client.counters().bytes;
    assert!(
        read < bound + SLACK + 4096,
        "{read} bytes were read past a full queue"
    );
    assert_eq!(count(&mut turn).await, frames);
    assert_eq!(client.counters().drained, 0);
}

// 1: an event larger than the bound is admitted alone.
twice!(rule_01_one_large_event_passes, large_event);
async fn large_event(world: World) {
    let large = Blast::new("s", 2).line_bytes(20_000);
    let script = Script::new()
        .expect("session/prompt")
        .blast(large)
        .end_turn()
        .drain();
    let mut limits = world.limits();
    limits.session_bytes = 1000;
    let (client, session, _agent) = world
        .open_with(world.builder().limits(limits), script)
        .await;
    let mut turn = session.prompt("go").start().unwrap();
    until(|| client.unread_bytes() >= 20_000).await;
    for _ in 0..1000 {
        tokio::task::yield_now().await;
    }
    assert!(
        client.unread_bytes() < 30_000,
        "the second one waits: {}",
        client.unread_bytes()
    );
    assert_eq!(count(&mut turn).await, 2);
}

/// Two sessions, `s` and `t`, on one connection.
async fn two(
    world: World,
    limits: acp_client::Limits,
    script: Script,
) -> (
    acp_client::Client,
    acp_client::Session,
    acp_client::Session,
    crate::stage::Agent,
) {
    let second = Script::new()
        .expect("session/new")
        .reply(r#"{"sessionId":"t"}"#)
        .then(script);
    let (client, s, agent) = world
        .open_with(world.builder().limits(limits), second)
        .await;
    let t = client.new_session("/work").open().await.unwrap();
    (client, s, t, agent)
}

// 2: within the bound one session's unread events do not hold up another's.
twice!(rule_02_sessions_do_not_feel_each_other, independent);
async fn independent(world: World) {
    let script = Script::new()
        .expect("session/prompt")
        .blast(Blast::new("s", world.amount(1000)))
        .expect("session/prompt")
        .say("t", "0 quick")
        .reply(r#"{"stopReason":"end_turn"}"#)
        .expect("session/cancel")
        .line(r#"{"jsonrpc":"2.0","id":3,"result":{"stopReason":"cancelled"}}"#)
        .drain();
    let (_client, s, t, _agent) = two(world, world.limits(), script).await;
    let mut slow = s.prompt("slow").start().unwrap();
    let mut quick = t.prompt("quick").start().unwrap();
    assert_eq!(count(&mut quick).await, 1);
    slow.cancel();
    assert_eq!(count(&mut slow).await, world.amount(1000));
    assert_eq!(slow.outcome().unwrap().stop_reason(), Some("cancelled"));
}

// 2: at the bound reading pauses, and writing goes on: the cancel reaches an agent that is stuck.
twice!(
    rule_02_writing_goes_on_while_reading_pauses,
    cancel_at_the_bound
);
async fn cancel_at_the_bound(world: World) {
    let script = Script::new()
        .expect("session/prompt")
        .blast(Blast::new("s", world.amount(3000)))
        .expect("session/cancel")
        .reply_to("session/prompt", r#"{"stopReason":"cancelled"}"#)
        .drain();
    let limits = world.session_bytes(64 * 1024);
    let bound = limits.session_bytes;
    let (client, session, _agent) = world
        .open_with(world.builder().limits(limits), script)
        .await;
    let mut turn = session.prompt("go").start().unwrap();
    until(|| client.unread_bytes() >= bound).await;
    turn.cancel();
    assert_eq!(count(&mut turn).await, world.amount(3000));
    assert_eq!(turn.outcome().unwrap().stop_reason(), Some("cancelled"));
}

// 3: who waits for a response gets it, although it stands behind unread events of another session.
twice!(rule_03_a_waiter_reads_on_past_the_bound, overdraft);
async fn overdraft(world: World) {
    let script = Script::new()
        .expect("session/prompt")
        .expect("session/list")
        .blast(Blast::new("s", world.amount(3000)))
        .reply(r#"{"sessions":[]}"#)
        .reply_to("session/prompt", r#"{"stopReason":"end_turn"}"#)
        .drain();
    let limits = world.session_bytes(64 * 1024);
    let bound = limits.session_bytes;
    let (client, session, _agent) = world
        .open_with(world.builder().limits(limits), script)
        .await;
    let mut turn = session.prompt("go").start().unwrap();
    let list = client.call("session/list", &json!({})).await.unwrap();
    assert_eq!(list.get(), r#"{"sessions":[]}"#);
    assert!(client.unread_bytes() > 8 * bound, "the overdraft was used");
    assert_eq!(count(&mut turn).await, world.amount(3000));
}

// 3: with the overdraft used up and nothing taken, the waiter fails by an error that says why.
twice!(rule_03_a_used_up_overdraft_is_named, starved);
async fn starved(world: World) {
    let script = Script::new()
        .expect("session/prompt")
        .expect("session/list")
        .blast(Blast::new("s", world.amount(3000)))
        .reply(r#"{"sessions":[]}"#)
        .reply_to("session/prompt", r#"{"stopReason":"end_turn"}"#)
        .drain();
    let mut limits = world.session_bytes(64 * 1024);
    limits.overdraft_bytes = limits.session_bytes;
    let bound = limits.session_bytes;
    let patience = limits.overdraft_patience;
    let (client, session, _agent) = world
        .open_with(world.builder().limits(limits), script)
        .await;
    let mut turn = session.prompt("go").start().unwrap();
    let began = tokio::time::Instant::now();
    let error = client.call("session/list", &json!({})).await.unwrap_err();
    let RequestError::Call(CallError::Starved(starved)) = &error else {
        panic!("{error}")
    };
    assert_eq!(
        (starved.session.as_str(), starved.patience),
        ("s", patience)
    );
    assert!(
        starved.unread >= 2 * bound && starved.awaited.contains("session/list"),
        "{error}"
    );
    assert!(began.elapsed() >= patience);
    // Nothing was lost: whoever reads now gets all of it.
    assert_eq!(count(&mut turn).await, world.amount(3000));
}

// 4: events of no session are drained and counted while nobody took them.
twice!(rule_04_events_of_no_session, connection_events);
async fn connection_events(world: World) {
    let note = r#"{"kind":"none"}"#;
    let script = Script::new()
        .notify("_auth/status_update", note)
        .expect("session/list")
        .notify("_auth/status_update", note)
        .reply(r#"{"sessions":[]}"#)
        .expect("session/list")
        .notify("_auth/status_update", note)
        .reply(r#"{"sessions":[]}"#)
        .drain();
    let (client, _session, _agent) = world.open(script).await;
    client.call("session/list", &json!({})).await.unwrap();
    assert_eq!(client.counters().drained, 2);
    let mut events = client.events().unwrap();
    assert!(client.events().is_err(), "it can be taken once");
    client.call("session/list", &json!({})).await.unwrap();
    let received = events.next().await.unwrap();
    assert!(
        matches!(received.event, Event::Notification(note) if &*note.method == "_auth/status_update")
    );
    drop(events);
    client.events().unwrap();
}

// 4: the stream of a session that nobody holds is drained, and its questions answered.
twice!(rule_04_a_dropped_session_is_drained, dropped_session);
async fn dropped_session(world: World) {
    let script = Script::new()
        .expect("session/list")
        .blast(Blast::new("s", world.amount(10_000)))
        .ask_permission("s", "t")
        .expect_answer()
        .reply_to("session/list", r#"{"sessions":[]}"#)
        .drain();
    let (client, session, agent) = world.open(script).await;
    drop(session);
    client.call("session/list", &json!({})).await.unwrap();
    assert_eq!(client.unread_bytes(), 0);
    let heard = agent.heard_after_close(&client).await;
    let answer = heard.answer(0);
    let cancelled = answer["result"]["outcome"]["outcome"] == "cancelled";
    assert!(cancelled || answer.get("error").is_some(), "{answer}");
}

const REPLAY: &str =
    r#"{"sessionUpdate":"user_message_chunk","content":{"type":"text","text":"earlier"}}"#;

// 4: `open` drains the replay of a loaded session, however long; live events stay.
twice!(rule_04_load_drains_the_replay, load_open);
async fn load_open(world: World) {
    let script = Script::new()
        .initialize()
        .expect("session/load")
        .blast(Blast::new("old", world.amount(10_000)))
        .reply("null")
        .say("old", "live")
        .drain();
    let (client, _agent) = world.start(script);
    client.initialize().await.unwrap();
    let session = client.load("old", "/work").open().await.unwrap();
    let received = session.events().next().await.unwrap().unwrap();
    assert!(!received.replay);
    assert!(matches!(received.event, Event::Text(chunk) if chunk.to_string() == "live"));
    assert_eq!(client.counters().drained, world.amount(10_000));
}

// 4: `replay` hands the history out before the response is there.
twice!(rule_04_replay_streams_the_history, load_replay);
async fn load_replay(world: World) {
    let script = Script::new()
        .initialize()
        .expect("session/load")
        .update("old", REPLAY)
        .notify("_seen", "{}")
        .expect("_go_on")
        .update("old", REPLAY)
        .reply_to("session/load", "{}")
        .drain();
    let (client, _agent) = world.start(script);
    client.initialize().await.unwrap();
    let mut replay = client.load("old", "/work").replay().unwrap();
    let first = replay.events().next().await.unwrap().unwrap();
    assert!(first.replay && matches!(first.event, Event::User(_)));
    // The agent answers only now.
    client.requester().notify("_go_on", &json!({})).unwrap();
    let second = replay.events().next().await.unwrap().unwrap();
    assert!(second.replay);
    let session = replay.finish().await.unwrap();
    assert_eq!(session.id().as_str(), "old");
}

// 5: the turn ends with its response; what comes later is the session's, marked late.
twice!(rule_05_late_updates_arrive_at_the_session, late_updates);
async fn late_updates(world: World) {
    let script = Script::new()
        .expect("session/prompt")
        .say("s", "0 the answer")
        .end_turn()
        .update(
            "s",
            r#"{"sessionUpdate":"session_info_update","title":"T"}"#,
        )
        .expect("session/prompt")
        .say("s", "0 second")
        .reply(r#"{"stopReason":"end_turn"}"#)
        .drain();
    let (client, session, _agent) = world.open(script).await;
    let mut turn = session.prompt("one").start().unwrap();
    until(|| client.counters().late == 1).await;
    assert_eq!(count(&mut turn).await, 1);
    let late = session.events().next().await.unwrap().unwrap();
    assert!(late.late, "it came after the end");
    assert!(matches!(late.event, Event::Info(_)));
    let mut turn = session.prompt("two").start().unwrap();
    assert_eq!(count(&mut turn).await, 1);
}

// 6: updates that come before the answer to session/new are kept, in order, and within bounds.
twice!(rule_06_early_updates_are_kept, early_updates);
async fn early_updates(world: World) {
    let mut script = Script::new()
        .initialize()
        .expect("session/new")
        .say("mine", "one");
    for n in 0..20 {
        script = script.say(&format!("other{n}"), "never opened");
    }
    let script = script
        .say("mine", "two")
        .reply(r#"{"sessionId":"mine"}"#)
        .drain();
    let (client, _agent) = world.start(script);
    client.initialize().await.unwrap();
    let session = client.new_session("/work").open().await.unwrap();
    let mut events = session.events();
    for expected in ["one", "two"] {
        let received = events.next().await.unwrap().unwrap();
        assert!(matches!(received.event, Event::Text(chunk) if chunk.to_string() == expected));
    }
    assert_eq!(client.counters().early_dropped, 20);
}
