//! Anything that a client can do, in any order: every request is answered exactly once, and the
//! server ends.

use std::{collections::BTreeMap, time::Duration};

use acp_serve::{Config, Extension, SecondPrompt};
use proptest::{collection::vec, prelude::*};
use serde_json::{Value, json};

use crate::driver::{Driver, V1, V2, puppet};

const NS: &str = "example.com/agent";

/// One thing that a client does.
#[derive(Debug, Clone)]
enum Act {
    /// A prompt: in the session that is open, or in the one that is stored.
    Prompt(&'static str, &'static str),
    Cancel(&'static str),
    Withdraw(i64),
    Call(&'static str, &'static str),
    Line(&'static str),
    Read(usize),
    Wait(u64),
    Answer,
}

/// Which session: the one that is open, or the one that is stored and may be opened.
fn session() -> impl Strategy<Value = &'static str> {
    prop::sample::select(vec!["", "", "stored"])
}

fn act() -> impl Strategy<Value = Act> {
    let prompts = vec![
        "say a b c",
        "count 20",
        "wait 3",
        "ignore",
        "deaf 1",
        "panic",
        "fail",
        "edit",
        "form",
        "impatient",
        "late",
        "tools 2",
        "mcp",
        "",
    ];
    let methods = vec![
        "session/new",
        "session/list",
        "session/close",
        "session/delete",
        "session/set_mode",
        "session/set_config_option",
        "session/load",
        "session/resume",
        "session/fork",
        "session/archive",
        "session/status",
        "session/options",
        "providers/list",
        "authenticate",
        "auth/login",
        "initialize",
        "nonsense",
    ];
    let lines = vec![
        "[]",
        "{}",
        "not json",
        r#"{"jsonrpc":"2.0","id":0,"result":{}}"#,
        r#"{"jsonrpc":"2.0","method":"session/cancel"}"#,
        r#"{"jsonrpc":"2.0","method":"mcp/message","params":{"serverId":"srv","requestId":"x","method":"m"}}"#,
        r#"{"jsonrpc":"2.0","method":"$/cancel_request","params":{"requestId":"x"}}"#,
    ];
    prop_oneof![
        (prop::sample::select(prompts), session()).prop_map(|(text, on)| Act::Prompt(text, on)),
        session().prop_map(Act::Cancel),
        (0_i64..30).prop_map(Act::Withdraw),
        (prop::sample::select(methods), session()).prop_map(|(method, on)| Act::Call(method, on)),
        prop::sample::select(lines).prop_map(Act::Line),
        (1_usize..20).prop_map(Act::Read),
        (1_u64..300).prop_map(Act::Wait),
        Just(Act::Answer),
    ]
}

async fn play(version: u16, width: usize, acts: Vec<Act>) -> Result<(), TestCaseError> {
    let mut config = Config::default();
    config.second_prompt = SecondPrompt::Hold;
    config.held_prompts = 3;
    config.events = 2;
    let (server, seen) = puppet();
    let server = server.config(config).extension(Extension::new(NS));
    let mut driver = Driver::over(width, server, seen);
    let wanted = json!({"elicitation": {"form": {}}, "_meta": {NS: {"revision": 2}}});
    driver.initialize_with(version, wanted).await;
    let session = driver.new_session().await;
    // What opened the session has the ids 0 and 1.
    let mut asked: Vec<i64> = vec![0, 1];
    let mut answered = 0;
    for act in acts {
        perform(&mut driver, &session, &act, &mut asked, &mut answered).await;
    }
    driver.peer.close_output().await.expect("closed");
    let rest = tokio::time::timeout(Duration::from_secs(60), driver.peer.rest()).await;
    prop_assert!(rest.is_ok(), "the server does not end");
    let report = driver.server.await.expect("no panic");
    let report = report.map_err(|error| TestCaseError::fail(error.to_string()))?;
    prop_assert_eq!(report.panicked, 0);
    let mut answers: BTreeMap<i64, usize> = BTreeMap::new();
    for frame in driver.peer.heard() {
        if frame.get("method").is_none()
            && let Some(id) = frame["id"].as_i64()
        {
            *answers.entry(id).or_default() += 1;
        }
    }
    // Every event has its number, whatever was joined, cancelled or closed meanwhile.
    let mut last: BTreeMap<String, u64> = BTreeMap::new();
    for frame in driver.peer.heard() {
        let params = &frame["params"];
        let meta = &params["_meta"][NS];
        let number = |name: &str| {
            meta[name]
                .as_str()
                .and_then(|text| text.parse::<u64>().ok())
        };
        if let (Some(first), Some(end)) = (number("first"), number("last")) {
            let id = params["sessionId"].as_str().unwrap_or_default().to_owned();
            let before = last.insert(id, end).unwrap_or(0);
            let anew = first == 1;
            prop_assert!(anew || first == before + 1, "{} after {}", first, before);
            prop_assert!(end >= first);
        }
    }
    for id in asked {
        prop_assert_eq!(answers.get(&id).copied(), Some(1), "request {}", id);
    }
    Ok(())
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 60, ..ProptestConfig::default() })]

    #[test]
    fn every_request_is_answered_once(
        version in prop::sample::select(vec![V1, V2]),
        width in prop::sample::select(vec![1_usize, 7, 100, 65_536]),
        acts in vec(act(), 1..30),
    ) {
        let runtime = tokio::runtime::Builder::new_current_thread()
            .enable_all()
            .start_paused(true)
            .build()
            .expect("a runtime");
        runtime.block_on(play(version, width, acts))?;
    }
}

async fn perform(
    driver: &mut Driver,
    session: &str,
    act: &Act,
    asked: &mut Vec<i64>,
    answered: &mut usize,
) {
    let on = |which: &'static str| if which.is_empty() { session } else { which };
    match act {
        Act::Prompt(text, which) => asked.push(driver.prompt(on(which), text).await),
        Act::Cancel(which) => driver.cancel(on(which)).await,
        Act::Withdraw(id) => {
            let params = json!({"requestId": id});
            driver
                .peer
                .notify("$/cancel_request", params)
                .await
                .expect("sent");
        }
        Act::Call(method, which) => {
            let params = json!({
                "sessionId": on(which), "cwd": driver.cwd(), "mcpServers": [], "modeId": "auto",
                "configId": "mode", "value": "auto", "type": "id", "methodId": "key",
                "protocolVersion": 1,
            });
            asked.push(driver.peer.ask(method, params).await.expect("sent"));
        }
        Act::Line(line) => driver.peer.line(line).await.expect("sent"),
        Act::Read(count) => {
            for _ in 0..*count {
                let next = driver.peer.next();
                if tokio::time::timeout(Duration::from_millis(1), next)
                    .await
                    .is_err()
                {
                    break;
                }
            }
        }
        Act::Wait(millis) => tokio::time::sleep(Duration::from_millis(*millis)).await,
        Act::Answer => {
            let questions: Vec<Value> = driver
                .peer
                .heard()
                .iter()
                .filter(|frame| frame.get("method").is_some() && frame.get("id").is_some())
                .skip(*answered)
                .cloned()
                .collect();
            *answered += questions.len();
            for question in questions {
                let result = json!({
                    "outcome": {"outcome": "selected", "optionId": "allow"}, "action": "accept",
                    "result": 1,
                });
                let answer = json!({"jsonrpc": "2.0", "id": question["id"], "result": result});
                driver.peer.frame(&answer).await.expect("sent");
            }
        }
    }
}
