//! Whole turns.

use acp_client::{Decided, Event, Outcome};
use acp_permission::{AllowOnce, Ask, Cancel, Decision, Verdict};
use acp_testkit::Script;
use serde_json::json;

use crate::stage::{World, twice};

twice!(a_turn_with_everything, a_turn);
async fn a_turn(world: World) {
    let script = Script::new()
        .expect("session/prompt")
        .update("s", r#"{"sessionUpdate":"agent_thought_chunk","content":{"type":"text","text":"hm"}}"#)
        .update("s", r#"{"sessionUpdate":"tool_call","toolCallId":"t1","title":"Edit a file","kind":"edit","rawInput":{"path":"/work/a"}}"#)
        .ask_permission("s", "t1")
        .expect_answer()
        .say("s", "done")
        .reply_to("session/prompt", r#"{"stopReason":"end_turn","usage":{"totalTokens":3,"inputTokens":1,"outputTokens":2}}"#)
        .drain();
    let (client, session, agent) = world.open(script).await;
    let mut turn = session.prompt("fix it").start().unwrap();
    let mut names = Vec::new();
    while let Some(event) = turn.next().await.unwrap() {
        names.push(event.name());
        if let Event::Permission(ask) = event {
            assert_eq!(ask.request().paths().next(), Some("/work/a"));
            assert!(matches!(ask.decide(&AllowOnce), Ok(Decided::Answered(_))));
        }
    }
    assert_eq!(names, ["thought", "tool", "permission", "text"]);
    let outcome = turn.outcome().unwrap();
    assert_eq!(outcome.outcome(), Outcome::Completed);
    assert_eq!(outcome.usage().unwrap().total_tokens, 3);
    assert_eq!(outcome.decisions.len(), 1);
    assert!(outcome.decisions[0].approved);
    let heard = agent.heard_after_close(&client).await;
    assert_eq!(
        heard.methods(),
        ["initialize", "session/new", "session/prompt", "<answer>"]
    );
    assert_eq!(
        heard.answer(0)["result"],
        json!({"outcome":{"outcome":"selected","optionId":"yes"}})
    );
}

twice!(nobody_decides, dropped_permission);
async fn dropped_permission(world: World) {
    let script = Script::new()
        .expect("session/prompt")
        .ask_permission("s", "t")
        .expect_answer()
        .end_turn()
        .drain();
    let (client, session, agent) = world.open(script).await;
    let mut turn = session.prompt("go").start().unwrap();
    while turn.next().await.unwrap().is_some() {}
    let heard = agent.heard_after_close(&client).await;
    assert_eq!(
        heard.answer(0)["result"],
        json!({"outcome":{"outcome":"cancelled"}})
    );
}

twice!(a_person_is_asked, open_permission);
async fn open_permission(world: World) {
    let script = Script::new()
        .expect("session/prompt")
        .ask_permission("s", "t")
        .expect_answer()
        .ask_permission("s", "t")
        .expect_answer()
        .end_turn()
        .drain();
    let (client, session, agent) = world.open(script).await;
    let mut turn = session.prompt("go").start().unwrap();
    let mut asked = 0;
    while let Some(event) = turn.next().await.unwrap() {
        let Event::Permission(ask) = event else {
            continue;
        };
        asked += 1;
        if let Decided::Open(ask) = ask.decide(&Ask).unwrap()
            && asked == 1
        {
            ask.settle(&Verdict::person(Decision::Deny)).unwrap();
        }
    }
    assert_eq!(turn.outcome().unwrap().decisions.len(), 1);
    let heard = agent.heard_after_close(&client).await;
    assert_eq!(heard.answer(0)["result"]["outcome"]["optionId"], "no");
    assert_eq!(heard.answer(1)["result"]["outcome"]["outcome"], "cancelled");
}

twice!(the_default_policy, cancel_policy);
async fn cancel_policy(world: World) {
    let script = Script::new()
        .expect("session/prompt")
        .ask_permission("s", "t")
        .expect_answer()
        .end_turn()
        .drain();
    let (client, session, agent) = world.open(script).await;
    let mut turn = session.prompt("go").start().unwrap();
    while let Some(event) = turn.next().await.unwrap() {
        if let Event::Permission(ask) = event {
            ask.decide(&Cancel).unwrap();
        }
    }
    let heard = agent.heard_after_close(&client).await;
    assert_eq!(
        heard.answer(0)["result"],
        json!({"outcome":{"outcome":"cancelled"}})
    );
}

// An agent that does not heed a cancel: what it says is delivered, the grace ends, the host goes on.
twice!(a_cancel_has_a_grace, unheeded_cancel);
async fn unheeded_cancel(world: World) {
    let script = Script::new()
        .expect("session/prompt")
        .expect("session/cancel")
        .say("s", "in a minute")
        .drain();
    let (client, session, agent) = world.open(script).await;
    let mut turn = session.prompt("go").start().unwrap();
    turn.cancel_within(world.span(10_000));
    let Some(Event::Text(said)) = turn.next().await.unwrap() else {
        panic!("what it says is delivered")
    };
    assert_eq!(said.to_string(), "in a minute");
    let error = turn.next().await.unwrap_err();
    let deadline = error.deadline().unwrap_or_else(|| panic!("{error}"));
    assert_eq!(deadline.length, world.span(10_000));
    assert!(turn.outcome().unwrap().cancel_requested());
    // The connection is whole: nothing was ended but the wait.
    assert!(client.is_open());
    let heard = agent.heard_after_close(&client).await;
    assert_eq!(heard.count("session/cancel"), 1);
}
