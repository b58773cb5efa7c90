//! Rules 15 to 17: how connections end, and what dropping means.

use acp_client::{EndCause, Event, Phase};
use acp_permission::Cancel;
use acp_testkit::{Blast, Script, Step};
use serde_json::json;

use crate::stage::{World, twice, until};

/// Dies in the middle of a turn: what it wrote, half a line, words on stderr, exit code 3.
fn dying(world: World) -> Script {
    Script::new()
        .expect("session/prompt")
        .step(Step::Complain("secret: out of memory\n".into()))
        .blast(Blast::new("s", 100))
        .half(r#"{"jsonrpc":"2.0","method":"session/upd"#)
        .step(Step::Exit(if world == World::Child { 3 } else { 0 }))
}

// 15: what a dying agent still wrote is read to the end, then the turn ends with the reason.
twice!(rule_15_everything_is_read_before_the_end, dies_in_a_turn);
async fn dies_in_a_turn(world: World) {
    let (_client, session, _agent) = world.open(dying(world)).await;
    let mut turn = session.prompt("go").start().unwrap();
    let mut events = 0;
    let error = loop {
        match turn.next().await {
            Ok(Some(_)) => events += 1,
            Ok(None) => panic!("no reason"),
            Err(error) => break error,
        }
    };
    assert_eq!(events, 100);
    let connection = error.connection().unwrap_or_else(|| panic!("{error}"));
    assert_eq!(
        (connection.phase(), connection.partial()),
        (Phase::Ready, 38)
    );
    let text = error.to_string();
    assert!(
        text.contains("session/prompt") && text.contains("38 bytes"),
        "{text}"
    );
    assert!(!text.contains("secret"), "{text}");
    if world == World::Child {
        assert_eq!(connection.exit().unwrap().code, Some(3));
        assert_eq!(connection.stderr(), "secret: out of memory\n");
        assert!(text.contains("exit code 3"), "{text}");
    }
}

// 15: reading goes on past the bounds once the end has begun, so that nothing is lost.
twice!(
    rule_15_the_end_reads_past_the_bounds,
    dies_behind_a_slow_host
);
async fn dies_behind_a_slow_host(world: World) {
    let script = Script::new()
        .expect("session/prompt")
        .blast(Blast::new("s", world.amount(2000)))
        .step(Step::Exit(0));
    let limits = world.session_bytes(200 * 1024);
    let bound = limits.session_bytes;
    let (client, session, _agent) = world
        .open_with(world.builder().limits(limits), script)
        .await;
    let mut turn = session.prompt("go").start().unwrap();
    until(|| client.unread_bytes() >= bound).await;
    let mut events = 0;
    while let Ok(Some(_)) = turn.next().await {
        events += 1;
    }
    assert_eq!(events, world.amount(2000));
    assert!(turn.outcome().unwrap().error().is_some());
}

// 15: a grandchild that holds the pipe does not keep us: the exit is enough, after a grace.
#[tokio::test]
async fn rule_15_a_grandchild_holds_the_pipe() {
    let world = World::Child;
    let script = Script::new()
        .expect("session/prompt")
        .say("s", "last words")
        .step(Step::Orphan(20_000))
        .step(Step::Exit(7));
    let (_client, session, _agent) = world.open(script).await;
    let began = tokio::time::Instant::now();
    let mut turn = session.prompt("go").start().unwrap();
    assert!(matches!(turn.next().await, Ok(Some(Event::Text(_)))));
    let error = turn.next().await.unwrap_err();
    assert_eq!(error.connection().unwrap().exit().unwrap().code, Some(7));
    assert!(began.elapsed().as_secs() < 15, "{:?}", began.elapsed());
}

/// An agent that ends at each phase ends the wait with that phase.
async fn dies_at(world: World, phase: &'static str) {
    let start = match phase {
        "initialize" => Script::new().expect("initialize"),
        "session/new" => Script::new().initialize().expect("session/new"),
        _ => Script::new().open("s").expect(phase),
    };
    let (client, _agent) = world.start(start.step(Step::Exit(0)));
    let connection = match client.initialize().await {
        Err(error) => error.connection().cloned(),
        Ok(_) => match client.new_session("/work").open().await {
            Err(error) => error.connection().cloned(),
            Ok(_session) => client
                .call(phase, &json!({}))
                .await
                .unwrap_err()
                .connection()
                .cloned(),
        },
    };
    let connection = connection.unwrap();
    assert_eq!(*connection.cause(), EndCause::Eof);
    let opening = phase == "initialize";
    assert_eq!(
        connection.phase(),
        if opening {
            Phase::Opening
        } else {
            Phase::Ready
        }
    );
    client.gone().await;
}

twice!(dies_at_initialize, |world| dies_at(world, "initialize"));
twice!(dies_at_session_new, |world| dies_at(world, "session/new"));
twice!(dies_at_a_call, |world| dies_at(world, "session/list"));

// An agent that closes its output and lives on is at its end all the same, and is taken down.
twice!(output_closed_but_alive, closed_output);
async fn closed_output(world: World) {
    let script = Script::new()
        .expect("session/prompt")
        .step(Step::CloseOutput)
        .drain();
    let (client, session, _agent) = world.open(script).await;
    let mut turn = session.prompt("go").start().unwrap();
    if world == World::Memory {
        let error = turn.next().await.unwrap_err();
        assert_eq!(*error.connection().unwrap().cause(), EndCause::Eof);
    } else {
        // A Rust child cannot close its standard output; the drop of the client ends it.
        drop((turn, session));
    }
    client.close().await;
}

// An agent that closes its input and goes on talking: what it says is read, then it is over.
twice!(input_closed_by_the_agent, closed_input);
async fn closed_input(world: World) {
    let script = Script::new()
        .expect("session/prompt")
        .step(Step::CloseInput)
        .say("s", "still here")
        .step(Step::Exit(0));
    let (client, session, _agent) = world.open(script).await;
    let mut turn = session.prompt("go").start().unwrap();
    assert!(matches!(turn.next().await, Ok(Some(Event::Text(_)))));
    turn.cancel();
    let ended = loop {
        match turn.next().await {
            Ok(Some(_)) => {}
            other => break other.map(|_| ()),
        }
    };
    ended.unwrap_err();
    client.gone().await;
}

// 16: closing answers every open request first, then closes the input; events stay readable.
twice!(rule_16_closing_answers_first, close_with_questions);
async fn close_with_questions(world: World) {
    let script = Script::new()
        .expect("session/prompt")
        .say("s", "unread")
        .ask_permission("s", "t1")
        .ask_permission("s", "t2")
        .drain();
    let (client, session, agent) = world.open(script).await;
    let mut turn = session.prompt("go").start().unwrap();
    assert!(matches!(turn.next().await, Ok(Some(Event::Text(_)))));
    let Some(Event::Permission(ask)) = turn.next().await.unwrap() else {
        panic!("no request")
    };
    until(|| client.unread_bytes() > 0).await;
    let heard = agent.heard_after_close(&client).await;
    for id in [0, 1] {
        assert_eq!(
            heard.answer(id)["result"]["outcome"]["outcome"],
            "cancelled"
        );
    }
    assert_eq!(heard.count("session/cancel"), 1);
    assert!(ask.decide(&Cancel).is_err(), "too late");
    let mut end = None;
    while end.is_none() {
        match turn.next().await {
            Ok(Some(_)) => {}
            Ok(None) => break,
            Err(error) => end = Some(error),
        }
    }
    let outcome = turn.outcome().unwrap();
    assert!(outcome.cancel_requested());
    let error = client.call("session/list", &json!({})).await.unwrap_err();
    assert!(error.to_string().contains("closed"), "{error}");
}

// 16: an agent that goes on talking after we closed is drained, not waited for.
twice!(rule_16_the_reader_drains_after_closing, talks_after_close);
async fn talks_after_close(world: World) {
    let script = Script::new()
        .expect("session/prompt")
        .expect("session/cancel")
        .blast(Blast::new("s", world.amount(5000)))
        .drain();
    let (client, session, _agent) = world.open(script).await;
    let turn = session.prompt("go").start().unwrap();
    client.close().await;
    assert_eq!(client.unread_bytes(), 0);
    drop(turn);
}

// 16: an agent that ignores the end of its input is taken down all the same.
#[tokio::test]
async fn rule_16_an_agent_that_ignores_the_end() {
    let script = Script::new().hang();
    let (client, session, _agent) = World::Child.open(script).await;
    drop(session);
    let began = tokio::time::Instant::now();
    let ended = client.close().await;
    assert_eq!(ended.exit().and_then(|exit| exit.signal()), Some(15));
    assert!(began.elapsed().as_secs() < 8, "{:?}", began.elapsed());
}

// 17: the drop of `open` takes the request back, and a session that comes late is closed.
twice!(rule_17_a_dropped_open_is_taken_back, dropped_open);
async fn dropped_open(world: World) {
    let script = Script::new()
        .initialize()
        .expect("session/new")
        .expect("$/cancel_request")
        .say("late", "nobody reads this")
        .reply_to("session/new", r#"{"sessionId":"late"}"#)
        .expect("session/close")
        .reply("{}")
        .drain();
    let (client, agent) = world.start(script);
    client.initialize().await.unwrap();
    let opening = client.new_session("/work").open();
    tokio::time::timeout(world.span(5_000), opening)
        .await
        .unwrap_err();
    until(|| client.counters().frames >= 4).await;
    assert_eq!(client.unread_bytes(), 0);
    let heard = agent.heard_after_close(&client).await;
    assert_eq!(
        heard.methods(),
        [
            "initialize",
            "session/new",
            "$/cancel_request",
            "session/close"
        ]
    );
    assert_eq!(heard.0[2]["params"]["requestId"], heard.0[1]["id"]);
    assert_eq!(heard.0[3]["params"]["sessionId"], "late");
}

// 17: a dropped turn is cancelled, its questions are answered, and the session goes on.
twice!(rule_17_a_dropped_turn_is_cancelled, dropped_turn);
async fn dropped_turn(world: World) {
    let script = Script::new()
        .expect("session/prompt")
        .blast(Blast::new("s", world.amount(10_000)))
        .ask_permission("s", "t")
        .expect("session/cancel")
        .expect_answer()
        .reply_to("session/prompt", r#"{"stopReason":"cancelled"}"#)
        .expect("session/prompt")
        .say("s", "0 next")
        .reply(r#"{"stopReason":"end_turn"}"#)
        .drain();
    let (client, session, agent) = world.open(script).await;
    let mut turn = session.prompt("one").start().unwrap();
    turn.next().await.unwrap();
    drop(turn);
    // One prompt at a time: the second waits until the agent has ended the first.
    let mut turn = loop {
        match session.prompt("two").start() {
            Ok(turn) => break turn,
            Err(error) => {
                assert!(error.to_string().contains("already running"), "{error}");
                tokio::task::yield_now().await;
            }
        }
    };
    assert_eq!(crate::reading::count(&mut turn).await, 1);
    let heard = agent.heard_after_close(&client).await;
    assert_eq!(heard.answer(0)["result"]["outcome"]["outcome"], "cancelled");
    assert_eq!(heard.count("session/cancel"), 1);
}

// 17: a dropped request is taken back; a dropped wait is not.
twice!(rule_17_owning_and_waiting_are_apart, dropped_request);
async fn dropped_request(world: World) {
    let script = Script::new()
        .expect("session/list")
        .expect("_now")
        .reply_to("session/list", r#"{"sessions":[]}"#)
        .expect("session/list")
        .expect("$/cancel_request")
        .drain();
    let (client, _session, agent) = world.open(script).await;
    let budget = acp_client::Budget::defaults();
    let mut request = client
        .send_request("session/list", &json!({}), &budget)
        .unwrap();
    for _ in 0..3 {
        let wait = tokio::time::timeout(world.span(100), request.await_response()).await;
        assert!(wait.is_err(), "{wait:?}");
    }
    client.requester().notify("_now", &json!({})).unwrap();
    assert_eq!(
        request.await_response().await.unwrap().get(),
        r#"{"sessions":[]}"#
    );
    drop(
        client
            .send_request("session/list", &json!({}), &budget)
            .unwrap(),
    );
    let heard = agent.heard_after_close(&client).await;
    assert_eq!(heard.count("$/cancel_request"), 1);
}

// Dropping the last client ends the agent, with nobody to wait for it.
twice!(dropping_the_client_ends_the_agent, dropped_client);
async fn dropped_client(world: World) {
    let script = Script::new()
        .expect("session/prompt")
        .ask_permission("s", "t")
        .drain();
    let (client, session, agent) = world.open(script).await;
    let mut turn = session.prompt("go").start().unwrap();
    let Some(Event::Permission(_ask)) = turn.next().await.unwrap() else {
        panic!("no request")
    };
    let second = client.clone();
    drop(client);
    assert!(
        session.prompt("again").start().is_err(),
        "one turn at a time"
    );
    let waiting = second.requester().clone();
    let gone = second.gone();
    tokio::pin!(gone);
    tokio::select! {
        biased;
        _ = &mut gone => panic!("it ended while a client lives"),
        () = std::future::ready(()) => {}
    }
    drop(waiting);
    let heard = agent.heard_after_close(&second).await;
    assert_eq!(heard.answer(0)["result"]["outcome"]["outcome"], "cancelled");
}

/// Every handle dropped at once, at each point of a conversation: nothing hangs, nothing is left.
async fn drops_at(world: World, point: u32) {
    let script = Script::new()
        .open("s")
        .expect("session/prompt")
        .say("s", "x")
        .ask_permission("s", "t")
        .drain();
    let (client, agent) = world.start(script);
    if point > 0 {
        client.initialize().await.unwrap();
    }
    if point == 1 {
        let mut opening = Box::pin(client.new_session("/work").open());
        assert!(futures_poll(&mut opening).await, "it cannot be there yet");
    }
    if point > 1 {
        let session = client.new_session("/work").open().await.unwrap();
        if point > 2 {
            let mut turn = session.prompt("go").start().unwrap();
            for _ in 3..point {
                turn.next().await.unwrap();
            }
        }
    }
    let requester = client.requester().clone();
    drop(client);
    // The handles are gone; the pump answers, closes and ends by itself.
    until(|| requester.notify("_x", &json!({})).is_err()).await;
    if let crate::stage::Agent::Task(task) = agent {
        drop(task.await.unwrap());
    }
}

/// Polls once; true when it is pending.
async fn futures_poll<F: Future + Unpin>(future: &mut F) -> bool {
    std::future::poll_fn(|cx| {
        std::task::Poll::Ready(std::pin::Pin::new(&mut *future).poll(cx).is_pending())
    })
    .await
}

twice!(drops_everything_before_initialize, |world| drops_at(
    world, 0
));
twice!(drops_everything_while_opening, |world| drops_at(world, 1));
twice!(drops_everything_with_a_session, |world| drops_at(world, 2));
twice!(drops_everything_with_a_turn, |world| drops_at(world, 3));
twice!(drops_everything_behind_an_event, |world| drops_at(world, 4));
twice!(drops_everything_behind_a_question, |world| drops_at(
    world, 5
));

// A pump that is dropped ends every wait.
#[tokio::test(start_paused = true)]
async fn a_dropped_pump_ends_every_wait() {
    let (end, other) = acp_testkit::pipe(64);
    let link = acp_transport::Link::new(end.reader, end.writer);
    let (client, pump) = World::Memory.builder().connect_with_pump(link).unwrap();
    let initializing = tokio::spawn({
        let client = client.clone();
        async move { client.initialize().await.map(|_| ()) }
    });
    tokio::task::yield_now().await;
    drop(pump);
    let error = initializing.await.unwrap().unwrap_err();
    assert!(error.connection().is_some(), "{error}");
    client.close().await;
    drop(other);
}
