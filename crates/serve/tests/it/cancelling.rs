//! Cancel, withdraw, disconnect.

use std::time::Duration;

use acp_serve::{Config, Ended};
use serde_json::json;

use crate::driver::{Driver, V1, V2};

#[tokio::test(start_paused = true)]
async fn a_cancel_is_answered_after_the_clean_up() {
    for version in [V1, V2] {
        let (mut driver, session) = Driver::open(4096, version, Config::default()).await;
        let prompt = driver.prompt(&session, "wait 5").await;
        driver.cancel(&session).await;
        assert_eq!(driver.end(prompt).await, "cancelled");
        assert_eq!(driver.seen.notes()[1..], ["told to stop", "cleaned up"]);
        assert_eq!(driver.text(), "bye");
        // The session goes on.
        let prompt = driver.prompt(&session, "say hi").await;
        assert_eq!(driver.end(prompt).await, "end_turn");
    }
}

#[tokio::test(start_paused = true)]
async fn a_cancel_that_concerns_nobody_has_no_effect() {
    for version in [V1, V2] {
        let (mut driver, session) = Driver::open(4096, version, Config::default()).await;
        driver.cancel(&session).await;
        driver.cancel("nobody").await;
        let other = driver.new_session().await;
        let prompt = driver.prompt(&session, "deaf 1").await;
        driver.cancel(&other).await;
        assert_eq!(driver.end(prompt).await, "end_turn");
    }
}

#[tokio::test(start_paused = true)]
async fn a_cancel_that_comes_too_late_is_what_the_client_waits_for() {
    for version in [V1, V2] {
        let (mut driver, session) = Driver::open(4096, version, Config::default()).await;
        let prompt = driver.prompt(&session, "deaf 3").await;
        driver.cancel(&session).await;
        assert_eq!(driver.end(prompt).await, "cancelled");
        assert_eq!(driver.seen.notes()[1..], ["done all the same"]);
    }
}

#[tokio::test(start_paused = true)]
async fn a_handler_that_ignores_its_token_is_abandoned() {
    for version in [V1, V2] {
        let (mut driver, session) = Driver::open(4096, version, Config::default()).await;
        let prompt = driver.prompt(&session, "ignore").await;
        driver
            .peer
            .listen(Duration::from_secs(1))
            .await
            .expect("quiet");
        let before = tokio::time::Instant::now();
        driver.cancel(&session).await;
        assert_eq!(driver.end(prompt).await, "cancelled");
        assert_eq!(before.elapsed(), Config::default().cleanup);
        let (report, _) = driver.close().await;
        assert_eq!(report.expect("a good end").abandoned, 1);
    }
}

#[tokio::test(start_paused = true)]
async fn open_tool_calls_are_closed() {
    for (version, status) in [(V1, "failed"), (V2, "cancelled")] {
        let (mut driver, session) = Driver::open(4096, version, Config::default()).await;
        let prompt = driver.prompt(&session, "tools 2").await;
        driver
            .peer
            .find("the second tool", |frame| {
                frame["params"]["update"]["toolCallId"] == "t1"
            })
            .await
            .expect("a tool");
        driver.cancel(&session).await;
        assert_eq!(driver.end(prompt).await, "cancelled");
        let closed: Vec<_> = driver
            .updates()
            .into_iter()
            .filter(|update| update["status"] == status)
            .map(|update| update["toolCallId"].clone())
            .collect();
        assert_eq!(closed, ["t0", "t1"]);
    }
}

#[tokio::test(start_paused = true)]
async fn a_question_ends_with_its_turn() {
    for version in [V1, V2] {
        let (mut driver, session) = Driver::open(4096, version, Config::default()).await;
        let prompt = driver.prompt(&session, "edit").await;
        let ask = driver
            .peer
            .expect("session/request_permission")
            .await
            .expect("a question");
        driver.cancel(&session).await;
        assert_eq!(driver.end(prompt).await, "cancelled");
        if version == V2 {
            // The agent takes its question back.
            let back = driver
                .peer
                .expect("$/cancel_request")
                .await
                .expect("taken back");
            assert_eq!(Some(&back.params["requestId"]), ask.id.as_ref());
        }
        // An answer that comes all the same is no harm.
        let outcome = json!({"outcome": {"outcome": "cancelled"}});
        driver.peer.reply(&ask, outcome).await.expect("sent");
        let prompt = driver.prompt(&session, "say hi").await;
        assert_eq!(driver.end(prompt).await, "end_turn");
        let (report, _) = driver.close().await;
        assert_eq!(report.expect("a good end").stray, 0);
    }
}

#[tokio::test(start_paused = true)]
async fn held_prompts_are_given_back() {
    let (mut driver, session) = Driver::open(4096, V2, Config::default()).await;
    let first = driver.prompt(&session, "wait").await;
    let second = driver.prompt(&session, "say two").await;
    let third = driver.prompt(&session, "say three").await;
    // One of them alone.
    driver
        .peer
        .notify("$/cancel_request", json!({"requestId": second}))
        .await
        .expect("sent");
    assert_eq!(driver.answer(second).await["error"]["code"], -32800);
    // One that is inserted is not taken back.
    driver
        .peer
        .notify("$/cancel_request", json!({"requestId": first}))
        .await
        .expect("sent");
    assert!(driver.answer(first).await["result"]["messageId"].is_string());
    driver.cancel(&session).await;
    assert_eq!(driver.answer(third).await["error"]["code"], -32800);
    assert_eq!(driver.idle().await["stopReason"], "cancelled");
    // What is sent after the cancel is not touched by it.
    let fourth = driver.prompt(&session, "say four").await;
    assert_eq!(driver.end(fourth).await, "end_turn");
    assert!(driver.text().ends_with("four"));
}

#[tokio::test(start_paused = true)]
async fn a_prompt_of_version_one_can_be_withdrawn() {
    let (mut driver, session) = Driver::open(4096, V1, Config::default()).await;
    let prompt = driver.prompt(&session, "wait").await;
    driver
        .peer
        .notify("$/cancel_request", json!({"requestId": prompt}))
        .await
        .expect("sent");
    assert_eq!(driver.end(prompt).await, "cancelled");
}

#[tokio::test(start_paused = true)]
async fn closing_ends_the_work_first() {
    for version in [V1, V2] {
        let (mut driver, session) = Driver::open(4096, version, Config::default()).await;
        let prompt = driver.prompt(&session, "wait").await;
        let close = driver
            .peer
            .ask("session/close", json!({"sessionId": session}))
            .await
            .expect("sent");
        assert_eq!(driver.answer(close).await["result"], json!({}));
        let heard = driver.peer.heard();
        let closed = heard
            .iter()
            .position(|frame| frame["id"] == close && frame.get("method").is_none());
        let ended = heard.iter().position(|frame| {
            frame["params"]["update"]["stopReason"] == "cancelled"
                || (frame["id"] == prompt && frame["result"]["stopReason"] == "cancelled")
        });
        assert!(ended.expect("an end") < closed.expect("closed"));
        let notes = driver.seen.notes();
        assert_eq!(notes[1..], ["told to stop", "cleaned up", "close"]);
    }
}

#[tokio::test(start_paused = true)]
async fn the_end_of_the_input_ends_everything() {
    for version in [V1, V2] {
        let (mut driver, session) = Driver::open(4096, version, Config::default()).await;
        driver.prompt(&session, "wait").await;
        driver
            .peer
            .listen(Duration::from_secs(1))
            .await
            .expect("quiet");
        let seen = std::sync::Arc::clone(&driver.seen);
        let (report, rest) = driver.close().await;
        let report = report.expect("a good end");
        assert_eq!((report.ended, report.abandoned), (Ended::Eof, 0));
        assert_eq!(seen.notes()[1..], ["told to stop", "cleaned up"]);
        // Whoever still reads is told.
        let last = rest.last().expect("an end").to_string();
        assert!(last.contains(r#""stopReason":"cancelled""#), "{last}");
    }
}

#[tokio::test(start_paused = true)]
async fn the_end_of_the_input_does_not_wait_for_ever() {
    let (mut driver, session) = Driver::open(4096, V1, Config::default()).await;
    driver.prompt(&session, "ignore").await;
    driver
        .peer
        .listen(Duration::from_secs(1))
        .await
        .expect("quiet");
    let before = tokio::time::Instant::now();
    let (report, _) = driver.close().await;
    assert_eq!(report.expect("a good end").abandoned, 1);
    let config = Config::default();
    assert!(before.elapsed() <= config.farewell + config.flush);
}

#[tokio::test(start_paused = true)]
async fn a_client_that_closes_its_input_is_gone() {
    let (mut driver, session) = Driver::open(64, V1, Config::default()).await;
    driver.prompt(&session, "count 1000000").await;
    for _ in 0..10 {
        driver.peer.next().await.expect("a frame");
    }
    driver.peer.close_input();
    let error = driver.server.await.expect("no panic").expect_err("gone");
    assert!(
        error
            .to_string()
            .starts_with("writing to the client failed"),
        "{error}"
    );
}

#[tokio::test(start_paused = true)]
async fn trap_05_a_question_taken_back_may_be_answered_either_way() {
    for version in [V1, V2] {
        for code in [None, Some(-32800), Some(-32603)] {
            let (mut driver, session) = Driver::open(4096, version, Config::default()).await;
            let prompt = driver.prompt(&session, "edit").await;
            let ask = driver
                .peer
                .expect("session/request_permission")
                .await
                .expect("a question");
            driver.cancel(&session).await;
            let sent = match code {
                Some(code) => driver.peer.refuse(&ask, code, "taken back").await,
                None => {
                    let outcome = json!({"outcome": {"outcome": "cancelled"}});
                    driver.peer.reply(&ask, outcome).await
                }
            };
            sent.expect("sent");
            assert_eq!(driver.end(prompt).await, "cancelled", "{code:?}");
            let prompt = driver.prompt(&session, "say hi").await;
            assert_eq!(driver.end(prompt).await, "end_turn", "{code:?}");
        }
    }
}

#[tokio::test(start_paused = true)]
async fn trap_58_a_cancelled_turn_says_nothing_about_tokens_that_nobody_counted() {
    let (mut driver, session) = Driver::open(4096, V1, Config::default()).await;
    let prompt = driver.prompt(&session, "wait 5").await;
    driver.cancel(&session).await;
    let answer = driver.answer(prompt).await;
    assert_eq!(answer["result"], json!({"stopReason": "cancelled"}));

    let (mut driver, session) = Driver::open(4096, V2, Config::default()).await;
    driver.prompt(&session, "wait 5").await;
    driver.cancel(&session).await;
    let idle = driver.idle().await;
    assert_eq!(idle["stopReason"], "cancelled");
    assert_eq!(idle.get("usage"), None, "{idle}");
}
