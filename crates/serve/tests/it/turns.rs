//! Turns: what is sent, in which form, and how they end.

use acp_serve::Config;
use serde_json::{Value, json};

use crate::driver::{Driver, V1, V2, plain};

/// Runs one prompt and checks what the client is told of its end.
async fn check(version: u16, prompt: &str, end: Value) {
    let (mut driver, session) = Driver::open(4096, version, Config::default()).await;
    let prompt_id = driver.prompt(&session, prompt).await;
    let got = driver.end(prompt_id).await;
    assert_eq!(got, end, "v{version}: {prompt}");
}

#[tokio::test(start_paused = true)]
async fn how_a_turn_ends() {
    let failed = |code: i64, message: &str, data: Value| json!({"code": code, "message": message, "data": data});
    for version in [V1, V2] {
        check(version, "say hi", json!("end_turn")).await;
        check(version, "deny", json!("refusal")).await;
        check(version, "tokens", json!("max_tokens")).await;
        let data = json!({"outcome": "failed", "class": "provider"});
        check(version, "fail", failed(-32603, "told to fail", data)).await;
        let data = json!({"outcome": "failed", "class": "auth"});
        check(version, "auth", failed(-32000, "log in", data)).await;
        let data = json!({"outcome": "failed", "class": "internal"});
        check(version, "panic", failed(-32603, "the handler failed", data)).await;
    }
}

/// A whole turn with a permission, as it stands on the wire.
async fn whole_turn(version: u16, option: Option<&str>) -> (Driver, Vec<String>) {
    let (mut driver, session) = Driver::open(4096, version, Config::default()).await;
    let prompt = driver.prompt(&session, "edit").await;
    let ask = driver
        .peer
        .expect("session/request_permission")
        .await
        .expect("a question");
    let outcome = match option {
        Some(option) => json!({"outcome": "selected", "optionId": option}),
        None => json!({"outcome": "cancelled"}),
    };
    driver
        .peer
        .reply(&ask, json!({"outcome": outcome}))
        .await
        .expect("sent");
    assert_eq!(driver.end(prompt).await, "end_turn");
    let notes = driver.seen.notes();
    (driver, notes)
}

#[tokio::test(start_paused = true)]
async fn a_whole_turn_on_the_wire() {
    for version in [V1, V2] {
        let (driver, _) = whole_turn(version, Some("allow")).await;
        let frames: Vec<Value> = driver.peer.heard().iter().skip(2).cloned().collect();
        insta::assert_json_snapshot!(format!("turn_v{version}"), plain(frames));
    }
}

#[tokio::test(start_paused = true)]
async fn the_answer_decides() {
    for version in [V1, V2] {
        for (option, expected) in [
            (Some("allow"), "Allowed"),
            (Some("reject"), "Rejected"),
            (Some("something else"), "Cancelled"),
            (None, "Cancelled"),
        ] {
            let (driver, notes) = whole_turn(version, option).await;
            assert!(notes[1].starts_with(expected), "{option:?}: {notes:?}");
            let last = driver
                .updates()
                .into_iter()
                .rfind(|update| update["sessionUpdate"] == "tool_call_update")
                .expect("a tool call");
            let status = if expected == "Allowed" {
                "completed"
            } else {
                "failed"
            };
            assert_eq!(last["status"], status);
        }
    }
}

#[tokio::test(start_paused = true)]
async fn one_prompt_at_a_time_in_version_one() {
    let (mut driver, session) = Driver::open(4096, V1, Config::default()).await;
    let first = driver.prompt(&session, "wait").await;
    let second = driver.prompt(&session, "say hi").await;
    assert_eq!(driver.answer(second).await["error"]["code"], -32600);
    driver.cancel(&session).await;
    assert_eq!(driver.end(first).await, "cancelled");

    let mut config = Config::default();
    config.second_prompt = acp_serve::SecondPrompt::Hold;
    let (mut driver, session) = Driver::open(4096, V1, config).await;
    let first = driver.prompt(&session, "deaf 1").await;
    let second = driver.prompt(&session, "say hi").await;
    assert_eq!(driver.end(first).await, "end_turn");
    assert_eq!(driver.end(second).await, "end_turn");
    assert_eq!(driver.text(), "hi");
}

#[tokio::test(start_paused = true)]
async fn prompts_are_held_in_version_two() {
    let (mut driver, session) = Driver::open(4096, V2, Config::default()).await;
    let first = driver.prompt(&session, "deaf 1").await;
    let second = driver.prompt(&session, "say two").await;
    let third = driver.prompt(&session, "say three").await;
    assert!(driver.answer(first).await["result"]["messageId"].is_string());
    assert_eq!(driver.idle().await["stopReason"], "end_turn");
    assert!(driver.answer(second).await["result"]["messageId"].is_string());
    assert_eq!(driver.idle().await["stopReason"], "end_turn");
    assert!(driver.answer(third).await["result"]["messageId"].is_string());
    assert_eq!(driver.idle().await["stopReason"], "end_turn");
    assert_eq!(driver.text(), "twothree");
}

#[tokio::test(start_paused = true)]
async fn a_submission_that_is_repeated_is_one_message() {
    let (mut driver, session) = Driver::open(4096, V2, Config::default()).await;
    let prompt = json!([{"type": "text", "text": "say hi"}]);
    let params = json!({"sessionId": session, "prompt": prompt, "idempotencyKey": "k"});
    let first = driver.call("session/prompt", params.clone()).await;
    driver.idle().await;
    let second = driver.call("session/prompt", params).await;
    assert_eq!(first["result"]["messageId"], second["result"]["messageId"]);
    driver
        .peer
        .listen(std::time::Duration::from_secs(1))
        .await
        .expect("quiet");
    assert_eq!(driver.text(), "hi");
    let prompt = json!([{"type": "text", "text": "say hi"}]);
    let params = json!({"sessionId": session, "prompt": prompt, "idempotencyKey": ""});
    let answer = driver.call("session/prompt", params).await;
    assert_eq!(answer["error"]["code"], -32602);
}

#[tokio::test(start_paused = true)]
async fn a_prompt_over_the_bound_is_refused() {
    let mut config = Config::default();
    config.prompt_text = 10;
    let (mut driver, session) = Driver::open(4096, V1, config).await;
    let prompt = driver.prompt(&session, "say 7 bytes").await;
    assert_eq!(driver.answer(prompt).await["error"]["code"], -32602);
    let prompt = driver.prompt(&session, "say six").await;
    assert_eq!(driver.end(prompt).await, "end_turn");
}

#[tokio::test(start_paused = true)]
async fn an_event_over_the_line_bound_is_refused_to_its_sender() {
    let mut config = Config::default();
    config.max_line_out = 10_000;
    for version in [V1, V2] {
        let (mut driver, session) = Driver::open(4096, version, config.clone()).await;
        let prompt = driver.prompt(&session, "long 9000").await;
        let end = driver.end(prompt).await;
        assert_eq!(end["data"]["class"], "too_large", "{end}");
        assert_eq!(driver.text(), "");
        let prompt = driver.prompt(&session, "long 5000").await;
        assert_eq!(driver.end(prompt).await, "end_turn");
    }
}

#[tokio::test(start_paused = true)]
async fn limits_stop_a_turn() {
    let mut config = Config::default();
    config.tool_calls = Some(2);
    config.model_calls = Some(2);
    config.deadline = Some(std::time::Duration::from_secs(5));
    for version in [V1, V2] {
        let (mut driver, session) = Driver::open(4096, version, config.clone()).await;
        let prompt = driver.prompt(&session, "tools 3").await;
        assert_eq!(driver.end(prompt).await, "max_turn_requests");
        let prompt = driver.prompt(&session, "models 3").await;
        assert_eq!(driver.end(prompt).await, "max_turn_requests");
        let prompt = driver.prompt(&session, "models 2").await;
        assert_eq!(driver.end(prompt).await, "end_turn");
        let prompt = driver.prompt(&session, "wait").await;
        let end = driver.end(prompt).await;
        assert_eq!(end["data"]["outcome"], "timed_out", "{end}");
    }
}

#[tokio::test(start_paused = true)]
async fn nothing_comes_after_the_end() {
    let (mut driver, session) = Driver::open(4096, V1, Config::default()).await;
    let prompt = driver.prompt(&session, "late").await;
    assert_eq!(driver.end(prompt).await, "end_turn");
    driver
        .peer
        .listen(std::time::Duration::from_secs(5))
        .await
        .expect("quiet");
    assert_eq!(driver.text(), "");
    assert_eq!(driver.seen.notes()[1..], ["Err(Ended)"]);
}

#[tokio::test(start_paused = true)]
async fn files_and_terminals_of_a_client_that_has_them() {
    let (mut driver, session) = Driver::open(4096, V1, Config::default()).await;
    let prompt = driver.prompt(&session, "fs").await;
    let ask = driver
        .peer
        .expect("fs/read_text_file")
        .await
        .expect("asked");
    assert_eq!(ask.params["path"], "/w/a.txt");
    driver
        .peer
        .reply(&ask, json!({"content": "abc"}))
        .await
        .expect("sent");
    assert_eq!(driver.end(prompt).await, "end_turn");

    let prompt = driver.prompt(&session, "terminal").await;
    let ask = driver.peer.expect("terminal/create").await.expect("asked");
    assert_eq!(ask.params["args"], json!(["a b"]));
    driver
        .peer
        .reply(&ask, json!({"terminalId": "t1"}))
        .await
        .expect("sent");
    let ask = driver
        .peer
        .expect("terminal/wait_for_exit")
        .await
        .expect("asked");
    driver
        .peer
        .reply(&ask, json!({"exitCode": 0}))
        .await
        .expect("sent");
    assert_eq!(driver.end(prompt).await, "end_turn");
    // The handle was dropped: the terminal is given back.
    let release = driver.peer.expect("terminal/release").await.expect("asked");
    assert_eq!(release.params["terminalId"], "t1");
    assert_eq!(driver.seen.notes()[1..], ["read abc", "exit Some(0)"]);
}

#[tokio::test(start_paused = true)]
async fn files_of_a_client_that_has_none() {
    for version in [V1, V2] {
        let mut driver = Driver::raw(4096, Config::default());
        driver.initialize_with(version, json!({})).await;
        let session = driver.new_session().await;
        let prompt = driver.prompt(&session, "fs").await;
        assert_eq!(driver.end(prompt).await, "end_turn");
        let note = driver.seen.notes()[1].clone();
        assert!(note.starts_with("fs/read_text_file"), "{note}");
    }
}

#[tokio::test(start_paused = true)]
async fn a_terminal_on_display() {
    for version in [V1, V2] {
        let (mut driver, session) = Driver::open(4096, version, Config::default()).await;
        let prompt = driver.prompt(&session, "display").await;
        assert_eq!(driver.end(prompt).await, "end_turn");
        let tools: Vec<Value> = driver
            .updates()
            .into_iter()
            .filter(|update| {
                let kind = update["sessionUpdate"].as_str().unwrap_or_default();
                kind.starts_with("tool") || kind.starts_with("terminal")
            })
            .collect();
        insta::assert_json_snapshot!(format!("display_v{version}"), plain(tools));
    }
}

#[tokio::test(start_paused = true)]
async fn one_tool_call_is_cancelled_alone() {
    let (mut driver, session) = Driver::open(4096, V2, Config::default()).await;
    let prompt = driver.prompt(&session, "tool").await;
    driver
        .peer
        .find("the offer", |frame| {
            frame["params"]["update"]["capabilities"]["cancel"].is_object()
        })
        .await
        .expect("an offer");
    let params = json!({"sessionId": session, "toolCallId": "other"});
    let answer = driver.call("tool_call/cancel", params).await;
    assert_eq!(answer["error"]["code"], -32602);
    let params = json!({"sessionId": session, "toolCallId": "t"});
    let answer = driver.call("tool_call/cancel", params.clone()).await;
    assert_eq!(answer["result"], json!({}));
    assert_eq!(driver.end(prompt).await, "end_turn");
    assert_eq!(driver.text(), "goes on");
    let last = driver
        .updates()
        .into_iter()
        .rfind(|update| update["sessionUpdate"] == "tool_call_update");
    assert_eq!(last.expect("an update")["status"], "cancelled");
    let answer = driver.call("tool_call/cancel", params).await;
    assert_eq!(answer["error"]["code"], -32602);
    let params = json!({"sessionId": session, "terminalId": "t"});
    let answer = driver.call("terminal/cancel", params).await;
    assert_eq!(answer["error"]["code"], -32602);
}

#[tokio::test(start_paused = true)]
async fn the_agent_changes_its_mode_itself() {
    for (version, kinds) in [
        (V1, vec!["config_option_update", "current_mode_update"]),
        (V2, vec!["config_option_update"]),
    ] {
        let (mut driver, session) = Driver::open(4096, version, Config::default()).await;
        let prompt = driver.prompt(&session, "mode").await;
        assert_eq!(driver.end(prompt).await, "end_turn");
        let told: Vec<String> = driver
            .kinds()
            .into_iter()
            .filter(|kind| kind.ends_with("option_update") || kind.ends_with("mode_update"))
            .collect();
        assert_eq!(told, kinds);
    }
}

/// A repeat of a submission that is held becomes no message of its own.
#[tokio::test(start_paused = true)]
async fn a_held_submission_that_is_repeated_is_one_message() {
    let (mut driver, session) = Driver::open(4096, V2, Config::default()).await;
    driver.prompt(&session, "deaf 1").await;
    let prompt = json!([{"type": "text", "text": "say hi"}]);
    let params = json!({"sessionId": session, "prompt": prompt, "idempotencyKey": "k"});
    let mut ids = Vec::new();
    for _ in 0..2 {
        let id = driver.peer.ask("session/prompt", params.clone()).await;
        ids.push(id.expect("sent"));
    }
    let first = driver.answer(ids[0]).await;
    let second = driver.answer(ids[1]).await;
    assert!(first["result"]["messageId"].is_string());
    assert_eq!(first["result"], second["result"]);
    driver
        .peer
        .listen(std::time::Duration::from_secs(1))
        .await
        .expect("quiet");
    assert_eq!(driver.text(), "hi");
}

/// What version 2 could not echo is not taken.
#[tokio::test(start_paused = true)]
async fn a_prompt_that_cannot_be_echoed_is_refused() {
    let mut config = Config::default();
    config.max_line_out = 10_000;
    let (mut driver, session) = Driver::open(4096, V2, config).await;
    let prompt = driver.prompt(&session, &"y".repeat(9_000)).await;
    assert_eq!(driver.answer(prompt).await["error"]["code"], -32602);
}
