//! Rules 7 and 8, and what is promised of handlers.

use std::{
    sync::{
        Arc, Mutex,
        atomic::{AtomicUsize, Ordering},
    },
    time::Duration,
};

use acp_client::{Event, Handler, Handling, Outcome, Question, Settled};
use acp_handshake::{Ability, Declaration};
use acp_testkit::Script;
use acp_vocab::{ErrorObject, Raw};
use serde_json::json;

use crate::stage::{World, twice, until};

const ENDED: &str = r#"{"stopReason":"end_turn"}"#;
const READ: &str = r#"{"sessionId":"s","path":"/work/a"}"#;

type Answer = Result<Raw, ErrorObject>;

/// A file handler whose answers a test makes up; what is asked is kept in order.
struct Files<F> {
    asked: Arc<Mutex<Vec<String>>>,
    answer: F,
}

impl<F, Made> Files<F>
where
    F: Fn(Question) -> Made + Send + Sync + 'static,
    Made: Future<Output = Answer> + Send + 'static,
{
    fn new(answer: F) -> Self {
        Self {
            asked: Arc::default(),
            answer,
        }
    }
}

impl<F, Made> Handler for Files<F>
where
    F: Fn(Question) -> Made + Send + Sync + 'static,
    Made: Future<Output = Answer> + Send + 'static,
{
    fn declares(&self) -> Declaration {
        Declaration::none().with(Ability::ReadTextFile)
    }

    fn handle(self: Arc<Self>, question: Question) -> Handling {
        self.asked
            .lock()
            .unwrap()
            .push(question.raw().get().to_owned());
        Box::pin((self.answer)(question))
    }
}

fn content() -> Answer {
    Ok(Raw::from_text(r#"{"content":"a"}"#).unwrap())
}

// 7: while the host holds a question the idle clock stands still; the absolute one runs.
twice!(rule_07_a_held_question_pauses_the_idle_clock, held_question);
async fn held_question(world: World) {
    let script = Script::new()
        .expect("session/prompt")
        .ask_permission("s", "t")
        .expect_answer()
        .end_turn()
        .drain();
    let (_client, session, _agent) = world.open(script).await;
    let mut turn = session
        .prompt("go")
        .start_within(&world.idle(10_000))
        .unwrap();
    let Some(Event::Permission(ask)) = turn.next().await.unwrap() else {
        panic!("no request")
    };
    // A person thinks for much longer than the idle bound.
    let thinking = tokio::time::timeout(world.span(60_000), turn.next()).await;
    assert!(thinking.is_err(), "{thinking:?}");
    ask.cancel().unwrap();
    assert!(turn.next().await.unwrap().is_none());
    assert_eq!(turn.outcome().unwrap().outcome(), Outcome::Completed);
}

// 7: the absolute bound runs on while a question is held, and withdraws it.
twice!(rule_07_the_absolute_bound_always_runs, absolute_bound);
async fn absolute_bound(world: World) {
    let script = Script::new()
        .expect("session/prompt")
        .ask_permission("s", "t")
        .expect("session/cancel")
        .expect_answer()
        .reply_to("session/prompt", r#"{"stopReason":"cancelled"}"#)
        .drain();
    let (client, session, agent) = world.open(script).await;
    let budget = acp_client::Budget::absolute(world.span(20_000));
    let mut turn = session.prompt("go").start_within(&budget).unwrap();
    let Some(Event::Permission(ask)) = turn.next().await.unwrap() else {
        panic!("no request")
    };
    assert_eq!(ask.withdrawn().await, Settled::Cancelled);
    assert!(ask.cancel().is_err(), "it is too late");
    let error = loop {
        match turn.next().await {
            Ok(Some(_)) => {}
            Ok(None) => panic!("a bound elapsed, and the turn says nothing"),
            Err(error) => break error,
        }
    };
    assert_eq!(error.deadline().unwrap().bound, acp_client::Bound::Absolute);
    let heard = agent.heard_after_close(&client).await;
    assert_eq!(heard.answer(0)["result"]["outcome"]["outcome"], "cancelled");
    assert_eq!(heard.count("session/cancel"), 1);
}

// 7: a question that stays unread behind a call which waits is answered by default, and recorded.
twice!(rule_07_nobody_was_there_to_decide, unread_question);
async fn unread_question(world: World) {
    let script = Script::new()
        .expect("session/prompt")
        .expect("session/list")
        .ask_permission("s", "t")
        .expect_answer()
        .reply_to("session/list", r#"{"sessions":[]}"#)
        .end_turn()
        .drain();
    let (client, session, agent) = world.open(script).await;
    let mut turn = session.prompt("go").start().unwrap();
    // The host waits for a call of this session and does not look at the turn.
    let params = json!({});
    let patient = acp_client::Budget::idle(Duration::from_secs(100_000)).without_absolute();
    session
        .call_within("session/list", &params, &patient)
        .await
        .unwrap();
    let mut settled = None;
    while let Some(event) = turn.next().await.unwrap() {
        if let Event::Settled(question) = event {
            settled = Some(question);
        }
    }
    let settled = settled.unwrap();
    assert_eq!(
        (settled.how, settled.was_handed_over),
        (Settled::Unread, false)
    );
    assert_eq!(turn.outcome().unwrap().settled.len(), 1);
    let heard = agent.heard_after_close(&client).await;
    assert_eq!(heard.answer(0)["result"]["outcome"]["outcome"], "cancelled");
}

// 8: beyond 64 open questions of a session the next is refused at once.
twice!(rule_08_questions_are_bounded, too_many_questions);
async fn too_many_questions(world: World) {
    let mut script = Script::new().expect("session/prompt");
    for n in 0..65 {
        script = script.ask_permission("s", &format!("t{n}"));
    }
    let script = script
        .expect_answer()
        .notify("_seen", "{}")
        .end_turn()
        .drain();
    let (client, session, agent) = world.open(script).await;
    let mut turn = session.prompt("go").start().unwrap();
    let mut held = Vec::new();
    while let Some(event) = turn.next().await.unwrap() {
        if let Event::Permission(ask) = event {
            held.push(ask);
        }
    }
    assert_eq!(held.len(), 64);
    assert_eq!(client.counters().refused, 1);
    drop(held);
    let heard = agent.heard_after_close(&client).await;
    assert!(heard.answer(64)["error"]["code"].is_i64());
    for id in 0..64 {
        assert_eq!(
            heard.answer(id)["result"]["outcome"]["outcome"],
            "cancelled"
        );
    }
}

// 8: a handler has a bound of its own, after which its future is dropped and the agent answered.
twice!(rule_08_a_handler_has_a_bound, endless_handler);
async fn endless_handler(world: World) {
    struct Told(Arc<AtomicUsize>);
    impl Drop for Told {
        fn drop(&mut self) {
            self.0.fetch_add(1, Ordering::SeqCst);
        }
    }
    let dropped = Arc::new(AtomicUsize::new(0));
    let told = Arc::clone(&dropped);
    let files = Files::new(move |_| {
        let told = Told(Arc::clone(&told));
        async move {
            let _told = told;
            std::future::pending().await
        }
    });
    let script = Script::new()
        .expect("session/prompt")
        .request("fs/read_text_file", READ)
        .expect_answer()
        .end_turn()
        .drain();
    let (client, session, agent) = world
        .open_with(world.builder().handler(files), script)
        .await;
    let began = tokio::time::Instant::now();
    let outcome = session
        .prompt("go")
        .start()
        .unwrap()
        .finish()
        .await
        .unwrap();
    assert_eq!(outcome.outcome(), Outcome::Completed);
    assert!(began.elapsed() >= world.limits().handler);
    until(|| dropped.load(Ordering::SeqCst) == 1).await;
    let heard = agent.heard_after_close(&client).await;
    assert_eq!(heard.answer(0)["error"]["code"], -32603);
}

// 8: handlers start in wire order and run concurrently; an answer may overtake another.
twice!(
    rule_08_handlers_start_in_order_and_run_together,
    concurrent_handlers
);
async fn concurrent_handlers(world: World) {
    let gate = Arc::new(tokio::sync::Notify::new());
    let opened = Arc::clone(&gate);
    let files = Files::new(move |question: Question| {
        let gate = Arc::clone(&opened);
        let first = question.raw().get().contains("/0");
        async move {
            if first {
                gate.notified().await;
            } else {
                gate.notify_one();
            }
            content()
        }
    });
    let asked = Arc::clone(&files.asked);
    let path = |n| format!(r#"{{"sessionId":"s","path":"/{n}"}}"#);
    let script = Script::new()
        .expect("session/prompt")
        .request("fs/read_text_file", &path(0))
        .request("fs/read_text_file", &path(1))
        .request("fs/read_text_file", &path(2))
        .step(acp_testkit::Step::ExpectAnswer(Some(0)))
        .step(acp_testkit::Step::ExpectAnswer(Some(1)))
        .step(acp_testkit::Step::ExpectAnswer(Some(2)))
        .end_turn()
        .drain();
    let (client, session, agent) = world
        .open_with(world.builder().handler(files), script)
        .await;
    session
        .prompt("go")
        .start()
        .unwrap()
        .finish()
        .await
        .unwrap();
    assert_eq!(*asked.lock().unwrap(), [path(0), path(1), path(2)]);
    let heard = agent.heard_after_close(&client).await;
    for id in 0..3 {
        assert_eq!(heard.answer(id)["result"]["content"], "a");
    }
}

// A panic in a handler is contained and answered.
twice!(a_panic_in_a_handler_is_answered, panicking_handler);
async fn panicking_handler(world: World) {
    let files = Files::new(|question: Question| async move {
        if question.raw().get().contains("/work/a") {
            std::panic::panic_any("told to");
        }
        content()
    });
    let script = Script::new()
        .expect("session/prompt")
        .request("fs/read_text_file", READ)
        .expect_answer()
        .request("fs/read_text_file", r#"{"sessionId":"s","path":"/b"}"#)
        .expect_answer()
        .end_turn()
        .drain();
    let (client, session, agent) = world
        .open_with(world.builder().handler(files), script)
        .await;
    let outcome = session
        .prompt("go")
        .start()
        .unwrap()
        .finish()
        .await
        .unwrap();
    assert_eq!(outcome.outcome(), Outcome::Completed);
    let heard = agent.heard_after_close(&client).await;
    assert_eq!(heard.answer(0)["error"]["code"], -32603);
    assert_eq!(heard.answer(1)["result"]["content"], "a");
}

// A handler may send a request itself and wait for the answer.
twice!(a_handler_may_ask_back, asking_handler);
async fn asking_handler(world: World) {
    let files = Files::new(|question: Question| async move {
        let list = question
            .requester()
            .call("session/list", &json!({}))
            .await
            .unwrap();
        assert_eq!(list.get(), r#"{"sessions":[]}"#);
        content()
    });
    let script = Script::new()
        .expect("session/prompt")
        .request("fs/read_text_file", READ)
        .expect("session/list")
        .reply(r#"{"sessions":[]}"#)
        .expect_answer()
        .end_turn()
        .drain();
    let (client, session, agent) = world
        .open_with(world.builder().handler(files), script)
        .await;
    session
        .prompt("go")
        .start()
        .unwrap()
        .finish()
        .await
        .unwrap();
    let heard = agent.heard_after_close(&client).await;
    assert_eq!(heard.answer(0)["result"]["content"], "a");
}

// A slow handler of one session delays no response of another.
twice!(a_slow_handler_delays_nobody, slow_handler);
async fn slow_handler(world: World) {
    let gate = Arc::new(tokio::sync::Notify::new());
    let opened = Arc::clone(&gate);
    let files = Files::new(move |_| {
        let gate = Arc::clone(&opened);
        async move {
            gate.notified().await;
            content()
        }
    });
    let script = Script::new()
        .expect("session/prompt")
        .request("fs/read_text_file", READ)
        .expect("session/new")
        .reply(r#"{"sessionId":"t"}"#)
        .expect("session/prompt")
        .say("t", "quick")
        .reply(ENDED)
        .expect_answer()
        .line(r#"{"jsonrpc":"2.0","id":2,"result":{"stopReason":"end_turn"}}"#)
        .drain();
    let (_client, session, _agent) = {
        let (client, session, agent) = world
            .open_with(world.builder().handler(files), script)
            .await;
        let slow = session.prompt("slow").start().unwrap();
        let other = client.new_session("/work").open().await.unwrap();
        let quick = other
            .prompt("quick")
            .start()
            .unwrap()
            .finish()
            .await
            .unwrap();
        assert_eq!(quick.outcome(), Outcome::Completed);
        gate.notify_one();
        assert_eq!(slow.finish().await.unwrap().outcome(), Outcome::Completed);
        (client, session, agent)
    };
    drop(session);
}

// What nobody registered for is refused, and the capability says so.
twice!(no_handler_no_capability, undeclared);
async fn undeclared(world: World) {
    let script = Script::new()
        .expect("session/prompt")
        .request("fs/read_text_file", READ)
        .expect_answer()
        .request("_vendor/thing", "{}")
        .expect_answer()
        .end_turn()
        .drain();
    let (client, session, agent) = world.open(script).await;
    session
        .prompt("go")
        .start()
        .unwrap()
        .finish()
        .await
        .unwrap();
    assert_eq!(client.counters().unsupported, 2);
    let heard = agent.heard_after_close(&client).await;
    let fs = &heard.0[0]["params"]["clientCapabilities"]["fs"];
    assert_eq!(*fs, json!({"readTextFile":false,"writeTextFile":false}));
    assert_eq!(heard.answer(0)["error"]["code"], -32601);
    assert_eq!(heard.answer(1)["error"]["code"], -32601);
}

// A registered handler flips exactly its own capability.
twice!(a_handler_flips_its_capability, declared);
async fn declared(world: World) {
    let files = Files::new(|_| async { content() });
    let (client, _session, agent) = world
        .open_with(world.builder().handler(files), Script::new().drain())
        .await;
    let heard = agent.heard_after_close(&client).await;
    let capabilities = &heard.0[0]["params"]["clientCapabilities"];
    assert_eq!(
        capabilities["fs"],
        json!({"readTextFile":true,"writeTextFile":false})
    );
    assert_eq!(capabilities["terminal"], false);
}

// A host may pull a kind of request itself, with a responder inside.
twice!(elicitation_can_be_pulled, pulled_elicitation);
async fn pulled_elicitation(world: World) {
    let form = r#"{"sessionId":"s","mode":"form","message":"Name?","requestedSchema":{"type":"object","properties":{"name":{"type":"string"}}}}"#;
    let script = Script::new()
        .expect("session/prompt")
        .request("elicitation/create", form)
        .expect_answer()
        .request("elicitation/create", form)
        .expect_answer()
        .end_turn()
        .drain();
    let builder = world.builder().pull(Ability::ElicitationForm);
    let (client, session, agent) = world.open_with(builder, script).await;
    let mut turn = session.prompt("go").start().unwrap();
    let mut asked = 0;
    while let Some(event) = turn.next().await.unwrap() {
        if let Event::Elicitation(question) = event {
            asked += 1;
            if asked == 1 {
                question.cancel().unwrap();
            }
        }
    }
    assert_eq!(asked, 2);
    let heard = agent.heard_after_close(&client).await;
    assert_eq!(heard.answer(0)["result"], json!({"action":"cancel"}));
    assert_eq!(heard.answer(1)["result"], json!({"action":"decline"}));
}

// Two handlers for one method are an error of the host, found before anything is sent.
#[tokio::test]
async fn two_handlers_of_one_method() {
    let files = || Files::new(|_| async { content() });
    let (end, _other) = acp_testkit::pipe(1);
    let link = acp_transport::Link::new(end.reader, end.writer);
    let error = World::Memory
        .builder()
        .handler(files())
        .handler(files())
        .connect(link);
    assert_eq!(
        error.unwrap_err().to_string(),
        "two handlers answer fs/read_text_file"
    );
}

// An agent names its paths and not from where; the policy is told where the session works.
#[tokio::test(start_paused = true)]
async fn a_policy_knows_where_the_session_works() {
    let ask = |path: &str| {
        let call = json!({"toolCallId": "t", "kind": "edit", "rawInput": {"path": path}});
        let options = [json!({"optionId": "yes", "name": "Yes", "kind": "allow_once"})];
        json!({"sessionId": "s", "toolCall": call, "options": options}).to_string()
    };
    let mut script = Script::new().expect("session/prompt");
    for path in ["src/a.rs", "../other/a.rs"] {
        script = script
            .request("session/request_permission", &ask(path))
            .expect_answer();
    }
    let (_client, session, _agent) = World::Memory.open(script.end_turn().drain()).await;
    let mut turn = session.prompt("go").start().unwrap();
    let rules = acp_permission::Rules::new()
        .allow(acp_permission::Kind::Edit.inside("/work"))
        .otherwise(acp_permission::Decision::Cancel);
    let mut directories = Vec::new();
    while let Some(event) = turn.next().await.unwrap() {
        if let Event::Permission(ask) = event {
            directories.extend(ask.request().directory().map(str::to_owned));
            drop(ask.decide(&rules).unwrap());
        }
    }
    assert_eq!(directories, ["/work", "/work"]);
    let decisions = &turn.outcome().unwrap().decisions;
    let outcomes: Vec<_> = decisions.iter().map(|record| record.outcome).collect();
    assert_eq!(outcomes, ["selected", "cancelled"]);
}
