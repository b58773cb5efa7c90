//! Recorded conversations of real agents, replayed against a host: every request ends as it did
//! when it was recorded, and none hangs.
//!
//! The agent's side plays from the recording; the host's side does, through the public API, what
//! the recorded client did. Virtual time, so a recorded silence costs nothing.

use std::{collections::BTreeMap, path::Path, time::Duration};

use acp_client::{Budget, Client, Event, RequestError, Session, Turn};
use acp_permission::{Decision, Verdict};
use acp_testkit::{Script, pipe};
use acp_transport::Link;
use acp_vocab::{ContentBlock, ProtocolVersion};
use serde_json::Value;

/// Recordings in which the client misbehaved on purpose, or did what no host can do through this
/// API: two prompts of a v1 session at once, requests before `initialize`, handlers of its own,
/// content that the agent did not advertise.
const PASSED_OVER: &[&str] = &[
    "batch-only",
    "blocks",
    "concurrent",
    "emptyprompt-only",
    "errors",
    "fs",
    "malformed-only",
    "order",
    "perm-bogus-option",
    "perm-error",
];

/// One recording in which the client gave up waiting and sent the next prompt into the running turn.
const SECOND_PROMPT: &str = "gemini-0.61.0-v1-err500.ndjson";

fn folder() -> std::path::PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../fixtures/transcripts")
}

/// What the recorded client wrote, in order.
fn written(text: &str) -> Vec<Value> {
    let line = |line: &str| {
        let line: Value = serde_json::from_str(line).unwrap();
        (line["dir"] == "out").then(|| serde_json::from_str(line["frame"].as_str().unwrap()).ok())
    };
    text.lines().filter_map(line).flatten().collect()
}

/// The host's side of one recording.
struct Host {
    client: Client,
    sessions: BTreeMap<String, Session>,
    /// What the recorded client wrote and we have not done.
    todo: std::collections::VecDeque<Value>,
    /// How each request ended.
    ends: Vec<(String, String)>,
}

fn end_of<T>(result: &Result<T, RequestError>) -> String {
    match result {
        Ok(_) => "ok".into(),
        Err(error) => match error.refusal() {
            Some(object) => format!("error {}", object.code.0),
            None if error.deadline().is_some() || error.connection().is_some() => "none".into(),
            None => format!("{error}"),
        },
    }
}

impl Host {
    async fn run(mut self, version: ProtocolVersion) -> Vec<(String, String)> {
        let budget = Budget::start(Duration::from_secs(600), Duration::from_secs(3600));
        while let Some(frame) = self.todo.pop_front() {
            let Some(method) = frame["method"].as_str().map(str::to_owned) else {
                continue;
            };
            if frame.get("id").is_none() {
                self.client
                    .requester()
                    .notify(&method, &frame["params"])
                    .unwrap();
                continue;
            }
            let params = &frame["params"];
            let session = params["sessionId"].as_str().unwrap_or_default().to_owned();
            let cwd = params["cwd"].as_str().unwrap_or("/workspace").to_owned();
            let end = match method.as_str() {
                "initialize" => match self.client.initialize_within(&budget).await {
                    Ok(agreement) => {
                        assert_eq!(agreement.version(), version);
                        "ok".into()
                    }
                    Err(error) if error.deadline().is_some() || error.connection().is_some() => {
                        "none".into()
                    }
                    Err(error) => error.to_string(),
                },
                "session/new" => {
                    let opened = self.client.new_session(cwd).open_within(&budget).await;
                    let end = end_of(&opened);
                    if let Ok(session) = opened {
                        self.sessions.insert(session.id().to_string(), session);
                    }
                    end
                }
                "session/load" | "session/resume"
                    if self.can(&method) && !self.sessions.contains_key(&session) =>
                {
                    let opening = if method == "session/load" {
                        self.client.load(session.clone(), cwd)
                    } else {
                        self.client.resume(session.clone(), cwd)
                    };
                    let opened = opening.open_within(&budget).await;
                    let end = end_of(&opened);
                    if let Ok(opened) = opened {
                        self.sessions.insert(session, opened);
                    }
                    end
                }
                "session/prompt" if self.sessions.contains_key(&session) => {
                    let blocks =
                        serde_json::from_value::<Vec<ContentBlock>>(params["prompt"].clone());
                    let started = self.sessions[&session]
                        .prompt(blocks.unwrap())
                        .start_within(&budget);
                    match started {
                        Ok(turn) => self.turn(turn).await,
                        Err(error) => error.to_string(),
                    }
                }
                _ => {
                    let sent = self
                        .client
                        .requester()
                        .send_unchecked(&method, params, &budget)
                        .unwrap();
                    let mut sent = sent;
                    end_of(&sent.await_response().await)
                }
            };
            self.ends.push((method, end));
        }
        self.client.close().await;
        self.ends
    }

    fn can(&self, method: &str) -> bool {
        let method = acp_vocab::Method::find(method).unwrap();
        self.client
            .agreement()
            .is_some_and(|agreement| agreement.require(method).is_ok())
    }

    /// The next thing the recorded client wrote, if it is this.
    fn take(&mut self, wanted: impl Fn(&Value) -> bool) -> Option<Value> {
        let next = self.todo.front()?;
        wanted(next).then(|| self.todo.pop_front()).flatten()
    }

    async fn turn(&mut self, mut turn: Turn) -> String {
        let silence = Duration::from_secs(1);
        let mut held = Vec::new();
        loop {
            let Ok(event) = tokio::time::timeout(silence, turn.next()).await else {
                // The agent waits for us: for the cancel, or it is silent for good.
                let notification =
                    |frame: &Value| frame.get("id").is_none() && frame["method"].is_string();
                if let Some(frame) = self.take(notification) {
                    match frame["method"].as_str() {
                        Some("session/cancel") | None => turn.cancel(),
                        Some(method) => {
                            self.client
                                .requester()
                                .notify(method, &frame["params"])
                                .unwrap();
                        }
                    }
                }
                continue;
            };
            match event {
                Ok(Some(Event::Permission(ask))) => {
                    let answer = self.take(|frame| frame.get("method").is_none());
                    let Some(answer) = answer else {
                        // It was left unanswered.
                        held.push(ask);
                        continue;
                    };
                    let decision = match answer["result"]["outcome"]["optionId"].as_str() {
                        Some(option) => Decision::Select(option.into()),
                        None => Decision::Cancel,
                    };
                    ask.settle(&Verdict::person(decision)).unwrap();
                }
                Ok(Some(_)) => {}
                Ok(None) => {
                    let outcome = turn.outcome().unwrap();
                    return match (outcome.report(), outcome.error()) {
                        (Some(report), _) => report.stop_reason.to_string(),
                        (None, Some(error)) => {
                            end_of::<()>(&Err(RequestError::Call(error.clone())))
                        }
                        (None, None) => "nothing".into(),
                    };
                }
                Err(error) => return end_of::<()>(&Err(error)),
            }
        }
    }
}

async fn replay(text: &str, version: ProtocolVersion) -> Vec<(String, String)> {
    let (host, agent) = pipe(64 * 1024);
    let script = Script::from_transcript(text).unwrap();
    let agent = tokio::spawn(async move {
        let mut kept = None;
        let played = script.play_and_keep(agent, &mut kept).await;
        // A recording that was cut off leaves the agent as it was: alive and silent.
        if !kept_was_closed(&played) {
            std::future::pending::<()>().await;
        }
    });
    let builder = Client::builder("host", "1.0").versions([version]);
    let client = builder
        .connect(Link::new(host.reader, host.writer))
        .unwrap();
    let todo = written(text).into();
    let host = Host {
        client,
        sessions: BTreeMap::new(),
        todo,
        ends: Vec::new(),
    };
    let ends = host.run(version).await;
    agent.abort();
    ends
}

/// The host closed first.
fn kept_was_closed(played: &Result<acp_testkit::Played, acp_testkit::PeerError>) -> bool {
    played.is_err()
}

/// Whether a recorded answer and ours are the same end. In v2 the recorded one is the answer of
/// the prompt, and ours is the end of the turn, which says more.
fn same(version: ProtocolVersion, method: &str, recorded: &str, ours: &str) -> bool {
    let turn = version == ProtocolVersion::V2 && method == "session/prompt" && recorded == "ok";
    recorded == ours || (turn && !ours.contains(' '))
}

async fn check(version: ProtocolVersion, expected: usize) {
    let scenarios = std::fs::read_to_string(folder().join("scenarios.json")).unwrap();
    let scenarios: Value = serde_json::from_str(&scenarios).unwrap();
    let mark = format!("-v{}-", version.0);
    let mut faults = Vec::new();
    let mut replayed = 0;
    for (name, scenario) in scenarios.as_object().unwrap() {
        let Some((_, rest)) = name.split_once(&mark) else {
            continue;
        };
        let scene = rest.trim_end_matches(".ndjson");
        if PASSED_OVER.contains(&scene) || name == SECOND_PROMPT {
            continue;
        }
        let text = std::fs::read_to_string(folder().join(name)).unwrap();
        let ours = replay(&text, version).await;
        let recorded: Vec<(&str, &str)> = scenario["answers"]
            .as_array()
            .unwrap()
            .iter()
            .map(|pair| (pair[0].as_str().unwrap(), pair[1].as_str().unwrap()))
            .collect();
        let matches = ours.len() == recorded.len()
            && ours
                .iter()
                .zip(&recorded)
                .all(|((method, end), (theirs, recorded))| {
                    method == theirs && same(version, method, recorded, end)
                });
        if !matches {
            faults.push(format!(
                "{name}\n  recorded {recorded:?}\n  ours     {ours:?}"
            ));
        }
        replayed += 1;
    }
    assert!(
        faults.is_empty(),
        "{} of {replayed}:\n{}",
        faults.len(),
        faults.join("\n")
    );
    assert!(replayed >= expected, "only {replayed} recordings");
}

#[tokio::test(start_paused = true)]
async fn recorded_agents_end_as_recorded_v1() {
    check(ProtocolVersion::V1, 100).await;
}

#[tokio::test(start_paused = true)]
async fn recorded_agents_end_as_recorded_v2() {
    check(ProtocolVersion::V2, 20).await;
}
