//! Questions to the client: gated, answered once, taken back, refused.

use acp_serve::{Client, Config, Turn, Updates};
use serde_json::{Value, json};

use crate::driver::{Driver, V1, V2};

/// Runs a prompt whose handler asks `method`, answers with one member (`result` or `error`), and
/// checks what the handler made of it.
async fn check(prompt: &str, method: &str, member: &str, value: Value, note: &str) {
    for version in [V1, V2] {
        let mut driver = Driver::raw(4096, Config::default());
        let capabilities = json!({"elicitation": {"form": {}, "url": {}}});
        driver.initialize_with(version, capabilities).await;
        let session = driver.new_session().await;
        let id = driver.prompt(&session, prompt).await;
        let ask = driver.peer.expect(method).await.expect("a question");
        assert_eq!(ask.params["sessionId"], session.as_str());
        let answer = json!({"jsonrpc": "2.0", "id": ask.id, member: value});
        driver.peer.frame(&answer).await.expect("sent");
        driver.end(id).await;
        let got = driver.seen.notes()[1].clone();
        assert!(got.starts_with(note), "{value}: {got}");
    }
}

#[tokio::test(start_paused = true)]
async fn forms_and_links() {
    let form = "elicitation/create";
    let accepted = json!({"action": "accept", "content": {"name": "Ann"}});
    check("form", form, "result", accepted, "Accept").await;
    check(
        "form",
        form,
        "result",
        json!({"action": "decline"}),
        "Decline",
    )
    .await;
    check(
        "form",
        form,
        "result",
        json!({"action": "cancel"}),
        "Cancel",
    )
    .await;
    // What nobody knows is no consent.
    check("form", form, "result", json!({"action": "later"}), "Cancel").await;
    let refused = json!({"code": -32602, "message": "secret words"});
    check("form", form, "error", refused, "the client refused: -32602").await;
    check(
        "form",
        form,
        "result",
        json!(7),
        "the client's answer cannot be read",
    )
    .await;
    check(
        "link",
        form,
        "result",
        json!({"action": "accept"}),
        "Accept",
    )
    .await;
}

#[tokio::test(start_paused = true)]
async fn a_link_is_told_when_it_is_done() {
    let mut driver = Driver::raw(4096, Config::default());
    let capabilities = json!({"elicitation": {"url": {}}});
    driver.initialize_with(V1, capabilities).await;
    let session = driver.new_session().await;
    let id = driver.prompt(&session, "link").await;
    let ask = driver
        .peer
        .expect("elicitation/create")
        .await
        .expect("asked");
    assert_eq!(ask.params["url"], "https://example.com");
    let result = json!({"action": "accept"});
    driver.peer.reply(&ask, result).await.expect("sent");
    let told = driver
        .peer
        .expect("elicitation/complete")
        .await
        .expect("told");
    assert_eq!(told.params, json!({"elicitationId": "l1"}));
    driver.end(id).await;
}

/// Each way is gated by its own capability.
#[tokio::test(start_paused = true)]
async fn what_the_client_does_not_have_is_not_asked() {
    for (capabilities, prompt, note) in [
        (json!({}), "form", "elicitation/create"),
        (json!({"elicitation": {}}), "form", "elicitation/create"),
        (
            json!({"elicitation": {"url": {}}}),
            "form",
            "elicitation/create needs `elicitation.form`",
        ),
        (
            json!({"elicitation": {"form": {}}}),
            "link",
            "elicitation/create needs `elicitation.url`",
        ),
    ] {
        for version in [V1, V2] {
            let mut driver = Driver::raw(4096, Config::default());
            driver.initialize_with(version, capabilities.clone()).await;
            let session = driver.new_session().await;
            let id = driver.prompt(&session, prompt).await;
            assert_eq!(driver.end(id).await, "end_turn");
            let got = driver.seen.notes()[1].clone();
            assert!(got.starts_with(note), "{capabilities}: {got}");
            let asked = driver.peer.heard().iter().any(|frame| {
                frame["method"]
                    .as_str()
                    .is_some_and(|name| name.starts_with("elicitation"))
            });
            assert!(!asked);
        }
    }
}

/// A question whose future is dropped is taken back, and the turn goes on.
#[tokio::test(start_paused = true)]
async fn a_dropped_question_is_taken_back() {
    for version in [V1, V2] {
        let (mut driver, session) = Driver::open(4096, version, Config::default()).await;
        let id = driver.prompt(&session, "impatient").await;
        let ask = driver
            .peer
            .expect("session/request_permission")
            .await
            .expect("asked");
        let back = driver
            .peer
            .expect("$/cancel_request")
            .await
            .expect("taken back");
        assert_eq!(Some(&back.params["requestId"]), ask.id.as_ref());
        assert_eq!(driver.end(id).await, "end_turn");
        assert_eq!(driver.seen.notes()[1], "gave up");
        let error = json!({"code": -32800, "message": "cancelled"});
        let answer = json!({"jsonrpc": "2.0", "id": ask.id, "error": error});
        driver.peer.frame(&answer).await.expect("sent");
        if version == V2 {
            let states: Vec<_> = driver
                .kinds()
                .into_iter()
                .filter(|kind| kind.starts_with("state"))
                .collect();
            let expected = ["running", "requires_action", "running", "idle"];
            assert_eq!(
                states,
                expected.map(|state| format!("state_update:{state}"))
            );
        }
        let (report, _) = driver.close().await;
        assert_eq!(report.expect("a good end").stray, 0);
    }
}

/// A reply that cannot be read ends the question that it names; one that names none is counted.
#[tokio::test(start_paused = true)]
async fn replies_that_are_none() {
    let (mut driver, session) = Driver::open(4096, V1, Config::default()).await;
    let id = driver.prompt(&session, "form").await;
    let ask = driver
        .peer
        .expect("elicitation/create")
        .await
        .expect("asked");
    let stray = json!({"jsonrpc": "2.0", "id": 77, "result": {}});
    driver.peer.frame(&stray).await.expect("sent");
    let neither = json!({"jsonrpc": "2.0", "id": ask.id});
    driver.peer.frame(&neither).await.expect("sent");
    driver.end(id).await;
    assert_eq!(driver.seen.notes()[1], "the client's answer is malformed");
    let (report, _) = driver.close().await;
    assert_eq!(report.expect("a good end").stray, 1);
}

#[test]
fn handles_cross_threads() {
    fn check<T: Send + Sync + Clone + 'static>() {}
    check::<Turn>();
    check::<Updates>();
    check::<Client>();
}
