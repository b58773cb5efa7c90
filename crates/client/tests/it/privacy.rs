//! What is logged at `info` and above, and what errors print, holds no word of anybody.

use std::{
    fmt,
    sync::{Arc, Mutex},
};

use acp_client::Event;
use acp_permission::AllowOnce;
use acp_testkit::{Script, Step};
use serde_json::json;
use tracing::{
    Level, Metadata,
    field::{Field, Visit},
    span,
    subscriber::Subscriber,
};

use crate::stage::World;

const SECRET: &str = "xyzzy-secret";

/// Keeps every field of every event, with its level.
#[derive(Clone, Default)]
struct Capture(Arc<Mutex<Vec<(Level, String)>>>);

impl Capture {
    fn lines(&self) -> Vec<(Level, String)> {
        self.0.lock().unwrap().clone()
    }
}

struct Text(String);

impl Visit for Text {
    fn record_debug(&mut self, field: &Field, value: &dyn fmt::Debug) {
        self.0.push_str(&format!(" {field}={value:?}"));
    }
}

impl Subscriber for Capture {
    fn enabled(&self, _: &Metadata<'_>) -> bool {
        true
    }

    fn new_span(&self, _: &span::Attributes<'_>) -> span::Id {
        span::Id::from_u64(1)
    }

    fn record(&self, _: &span::Id, _: &span::Record<'_>) {}

    fn record_follows_from(&self, _: &span::Id, _: &span::Id) {}

    fn event(&self, event: &tracing::Event<'_>) {
        let mut text = Text(event.metadata().target().to_owned());
        event.record(&mut text);
        self.0
            .lock()
            .unwrap()
            .push((*event.metadata().level(), text.0));
    }

    fn enter(&self, _: &span::Id) {}

    fn exit(&self, _: &span::Id) {}
}

/// A whole turn in which everybody says the secret, in every place there is.
async fn talk() -> Vec<String> {
    let tool = format!(
        r#"{{"sessionUpdate":"tool_call","toolCallId":"t","title":"{SECRET}","rawInput":{{"k":"{SECRET}"}}}}"#
    );
    let script = Script::new()
        .expect("session/prompt")
        .line(SECRET)
        .step(Step::Complain(format!("{SECRET}\n")))
        .say("s", SECRET)
        .update("s", &tool)
        .update(
            "s",
            &format!(r#"{{"sessionUpdate":"tool_call","title":"{SECRET}"}}"#),
        )
        .ask_permission("s", "t")
        .expect_answer()
        .request("_vendor/x", &format!(r#"{{"k":"{SECRET}"}}"#))
        .expect_answer()
        .refuse(-32000, SECRET)
        .expect("session/list")
        .line(&format!(
            r#"{{"jsonrpc":"2.0","id":{{id}},"error":{{"code":"{SECRET}"}}}}"#
        ))
        .step(Step::Exit(3));
    let (client, session, _agent) = World::Child.open(script).await;
    let mut errors = Vec::new();
    let mut turn = session.prompt(SECRET).start().unwrap();
    loop {
        match turn.next().await {
            Ok(Some(Event::Permission(ask))) => drop(ask.decide(&AllowOnce).unwrap()),
            Ok(Some(Event::Diagnostic(diagnostic))) => errors.push(diagnostic.to_string()),
            Ok(Some(_)) => {}
            Ok(None) => break,
            Err(error) => errors.push(error.to_string()),
        }
    }
    let error = client
        .call("session/list", &json!({"k":SECRET}))
        .await
        .unwrap_err();
    errors.push(error.to_string());
    let ended = client.closed().await;
    assert!(
        ended.stderr().contains(SECRET),
        "it is there for whoever asks"
    );
    errors.push(ended.to_string());
    errors.push(client.close().await.to_string());
    errors
}

#[tokio::test]
async fn nothing_said_is_logged_or_printed() {
    let capture = Capture::default();
    // For the whole process: a subscriber of this thread alone would depend on which test was the
    // first to reach a log line.
    tracing::subscriber::set_global_default(capture.clone()).unwrap();
    let errors = talk().await;
    assert!(errors.len() >= 4, "{errors:?}");
    for error in &errors {
        assert!(!error.contains(SECRET), "{error}");
    }
    let lines = capture.lines();
    assert!(
        lines
            .iter()
            .any(|(_, line)| line.contains("session/prompt")),
        "{lines:?}"
    );
    for (level, line) in lines {
        // More than promised: our own lines hold nothing at any level.
        let ours = line.starts_with("acp_");
        assert!(
            !line.contains(SECRET) || (level > Level::INFO && !ours),
            "{level} {line}"
        );
    }
}
