//! `acp probe`: start an agent once, and write down what it offers and how it behaves.

use std::{
    collections::BTreeMap,
    sync::{Arc, Mutex, PoisonError},
    time::Duration,
};

use acp_harness::{
    client::Client,
    codec::SkipKind,
    transport::{Direction, Ended, Exit as Exited, Grace, KillHandle, Link, Observer},
};
use serde::{Deserialize, Serialize};
use tokio::time::{Instant, sleep};

use crate::{
    duration,
    exit::Exit,
    failure::Broken,
    hiargs::Started,
    lowargs::Probe,
    moment::Moment,
    output::{Answer, Style},
    safe,
    setup::{Choice, Setup},
    stage, start,
    talk::Talk,
    verb::negotiate::Report,
    wire::Wire,
};

/// How long it is listened to after the session is open, at most, and how long it must be silent to end that sooner.
const LISTEN: Duration = Duration::from_secs(2);
const SILENCE: Duration = Duration::from_millis(300);
/// How many different unsolicited messages and kinds of noise are kept.
const MAX_KINDS: usize = 64;
/// How much of a line of noise is kept.
const SAMPLE: usize = 120;

/// What was found.
#[derive(Debug, Serialize)]
pub(crate) struct Findings {
    #[serde(flatten)]
    agreement: Report,
    session: Option<Opened>,
    /// What the agent said without being asked, and how often.
    unsolicited: BTreeMap<String, usize>,
    /// Lines on its stdout that were no messages.
    noise: BTreeMap<String, Noise>,
    times: Option<Times>,
    exit: Option<Left>,
}

#[derive(Debug, Serialize)]
struct Opened {
    #[serde(flatten)]
    setup: Setup,
}

#[derive(Debug, Clone, Default, Serialize)]
struct Noise {
    lines: usize,
    first: String,
}

#[derive(Debug, Serialize)]
struct Times {
    initialize_ms: u64,
    session_ms: Option<u64>,
    exit_ms: Option<u64>,
}

/// How it went when its input was closed.
#[derive(Debug, Serialize)]
struct Left {
    /// `eof`, `sigterm` or `sigkill`: what it took.
    on: &'static str,
    status: Option<i32>,
    signal: Option<i32>,
    #[serde(skip)]
    took: Duration,
}

/// Runs it.
pub(crate) fn probe(low: &Probe, style: &Style) -> Exit {
    stage::play(
        &low.start,
        style,
        Answer::new(None),
        async |talk, signals| {
            let started = Started::new(&low.start).map_err(Broken::misuse)?;
            let wire = stage::watch(talk, &started, style)?;
            let ear = Arc::new(Ear {
                heard: Mutex::default(),
                wire,
            });
            tokio::select! {
                probed = ask(talk, &started, &ear, style) => probed.map(|()| None),
                signal = signals.next() => Ok(Some(signal)),
            }
        },
        |talk, signal| match signal {
            None => talk.finish(Exit::Ok, "completed", None, None),
            Some(signal) => talk.finish(signal.exit(), "interrupted", None, None),
        },
    )
}

/// Asks what there is to ask, and shows what was found, also when a later step failed.
async fn ask(
    talk: &mut Talk,
    started: &Started,
    ear: &Arc<Ear>,
    style: &Style,
) -> Result<(), Broken> {
    let budget = start::budget(started.idle, started.absolute);
    let began = Instant::now();
    let client = start::connect(talk, started, |link: Link| {
        link.observed(Arc::<Ear>::clone(ear))
    })?;
    let agreement = start::agree(talk, &client, &budget).await?;
    let initialized = began.elapsed();
    let mut findings = Findings {
        agreement: Report::of(&agreement),
        session: None,
        unsolicited: BTreeMap::new(),
        noise: BTreeMap::new(),
        times: None,
        exit: None,
    };
    let asked = Instant::now();
    let opened = start::open(talk, &client, started, &budget).await;
    let session_took = asked.elapsed();
    if let Ok(session) = &opened {
        findings.session = Some(Opened {
            setup: Setup::read(session.setup()),
        });
        ear.listen().await;
    }
    let agent = talk.agent.clone();
    findings.exit = match &agent {
        Some(agent) => Some(leave(&client, agent).await),
        None => None,
    };
    let heard = ear.take();
    (findings.unsolicited, findings.noise) = (heard.unsolicited, heard.noise);
    talk.skipped_lines = findings
        .noise
        .values()
        .map(|noise| noise.lines as u64)
        .sum();
    let millis = |length: Duration| u64::try_from(length.as_millis()).unwrap_or(u64::MAX);
    findings.times = style.times.then(|| Times {
        initialize_ms: millis(initialized),
        session_ms: opened.is_ok().then(|| millis(session_took)),
        exit_ms: findings.exit.as_ref().map(|left| millis(left.took)),
    });
    talk.show(&Moment::Probe(Box::new(findings)))?;
    opened?;
    talk.phase = "done";
    Ok(())
}

/// Closes the agent's input and watches how its process ends.
async fn leave(client: &Client, agent: &KillHandle) -> Left {
    let began = Instant::now();
    // What is left of its group is waited for at the end of the run.
    let ended = tokio::select! {
        ended = agent.ending().wait() => ended,
        ended = client.close() => ended,
    };
    let took = began.elapsed();
    let (status, signal) = (
        ended.exit().and_then(Exited::code),
        ended.exit().and_then(Exited::signal),
    );
    let grace = Grace::default();
    let on = match signal {
        Some(9) => "sigkill",
        _ if took >= grace.after_close + grace.after_terminate => "sigkill",
        Some(15) => "sigterm",
        _ if took >= grace.after_close => "sigterm",
        _ => "eof",
    };
    Left {
        on,
        status,
        signal,
        took,
    }
}

/// What was heard on the wire and not asked for.
#[derive(Debug, Default)]
struct Heard {
    unsolicited: BTreeMap<String, usize>,
    noise: BTreeMap<String, Noise>,
    lines: usize,
}

/// Listens on the link, for the probe and for a recording.
#[derive(Debug)]
struct Ear {
    heard: Mutex<Heard>,
    wire: Option<Arc<Wire>>,
}

impl Ear {
    fn with<T>(&self, act: impl FnOnce(&mut Heard) -> T) -> T {
        act(&mut self.heard.lock().unwrap_or_else(PoisonError::into_inner))
    }

    fn take(&self) -> Heard {
        self.with(std::mem::take)
    }

    /// Waits until it has been silent for a moment.
    async fn listen(&self) {
        let end = Instant::now() + LISTEN;
        let mut before = self.with(|heard| heard.lines);
        while Instant::now() < end {
            sleep(SILENCE).await;
            let now = self.with(|heard| heard.lines);
            if now == before {
                return;
            }
            before = now;
        }
    }
}

impl Observer for Ear {
    fn line(&self, direction: Direction, line: &[u8]) {
        if direction == Direction::Received {
            let unsolicited = unsolicited(line);
            self.with(|heard| {
                heard.lines += 1;
                if let Some(name) = unsolicited
                    && (heard.unsolicited.len() < MAX_KINDS
                        || heard.unsolicited.contains_key(&name))
                {
                    *heard.unsolicited.entry(name).or_default() += 1;
                }
            });
        }
        if let Some(wire) = &self.wire {
            wire.line(direction, line);
        }
    }

    fn skipped(&self, direction: Direction, kind: SkipKind, sample: &[u8], seen: usize) {
        self.with(|heard| {
            heard.lines += 1;
            let noise = heard.noise.entry(kind.name().to_owned()).or_default();
            noise.lines += 1;
            if noise.lines == 1 {
                noise.first = safe::line(
                    &String::from_utf8_lossy(sample.get(..SAMPLE * 4).unwrap_or(sample)),
                    SAMPLE,
                );
            }
        });
        if let Some(wire) = &self.wire {
            wire.skipped(direction, kind, sample, seen);
        }
    }

    fn stderr(&self, bytes: &[u8]) {
        if let Some(wire) = &self.wire {
            wire.stderr(bytes);
        }
    }

    fn ended(&self, ended: &Ended) {
        if let Some(wire) = &self.wire {
            wire.ended(ended);
        }
    }
}

/// The name of a message that is no answer: its method, and for an update its kind.
fn unsolicited(line: &[u8]) -> Option<String> {
    #[derive(Deserialize)]
    struct Message {
        method: String,
        #[serde(default)]
        params: Option<Params>,
    }
    #[derive(Deserialize, Default)]
    struct Params {
        #[serde(default)]
        update: Option<Update>,
    }
    #[derive(Deserialize)]
    struct Update {
        #[serde(rename = "sessionUpdate", default)]
        kind: Option<String>,
    }
    #[derive(Deserialize)]
    struct Named {
        method: String,
    }
    match serde_json::from_slice::<Message>(line) {
        Ok(message) => {
            let kind = message
                .params
                .and_then(|params| params.update)
                .and_then(|update| update.kind);
            Some(kind.map_or_else(
                || message.method.clone(),
                |kind| format!("{} {kind}", message.method),
            ))
        }
        Err(_) => serde_json::from_slice::<Named>(line)
            .ok()
            .map(|message| message.method),
    }
}

impl Findings {
    /// A table for people.
    pub(crate) fn text(&self) -> String {
        let mut out = self.agreement.text();
        let mut put = |line: String| {
            out.push_str(line.trim_end());
            out.push('\n');
        };
        match &self.session {
            None => put(String::from("session           none could be opened")),
            Some(Opened { setup }) => {
                put(format!(
                    "modes             {}",
                    choices(&setup.modes, setup.current_mode.as_deref())
                ));
                put(format!(
                    "models            {}",
                    choices(&setup.models, setup.current_model.as_deref())
                ));
                put(format!(
                    "effort levels     {}",
                    choices(&setup.efforts, setup.current_effort.as_deref())
                ));
                put(format!(
                    "config options    {}",
                    if setup.options.is_empty() { "none" } else { "" }
                ));
                for option in &setup.options {
                    let category = option
                        .category
                        .as_deref()
                        .map(|category| format!(" [{}]", safe::line(category, 30)))
                        .unwrap_or_default();
                    let current = safe::line(option.current.as_deref().unwrap_or("?"), 60);
                    put(format!(
                        "  {:<18} {}{category} = {current}",
                        safe::line(&option.id, 40),
                        safe::line(&option.kind, 20)
                    ));
                }
            }
        }
        put(format!(
            "unsolicited       {}",
            if self.unsolicited.is_empty() {
                "nothing"
            } else {
                ""
            }
        ));
        for (name, count) in &self.unsolicited {
            put(format!("  {count:>4} × {}", safe::line(name, 80)));
        }
        put(format!(
            "noise lines       {}",
            if self.noise.is_empty() { "none" } else { "" }
        ));
        for (kind, noise) in &self.noise {
            put(format!("  {:>4} × {kind}: {}", noise.lines, noise.first));
        }
        if let Some(times) = &self.times {
            let shown = |millis: u64| duration::show(Duration::from_millis(millis));
            let session = times
                .session_ms
                .map(|millis| format!(", session {}", shown(millis)))
                .unwrap_or_default();
            put(format!(
                "start-up          initialize {}{session}",
                shown(times.initialize_ms)
            ));
        }
        if let Some(left) = &self.exit {
            let how = match (left.status, left.signal) {
                (Some(status), _) => format!("exit status {status}"),
                (None, Some(signal)) => format!("signal {signal}"),
                (None, None) => String::from("unknown status"),
            };
            let on = match left.on {
                "eof" => "its input closed",
                "sigterm" => "SIGTERM (it ignored that its input closed)",
                _ => "SIGKILL (it ignored SIGTERM)",
            };
            let took = if self.times.is_some() {
                format!(" after {}", duration::show(left.took))
            } else {
                String::new()
            };
            put(format!("ends on           {on}{took}, {how}"));
        }
        out
    }
}

fn choices(choices: &[Choice], current: Option<&str>) -> String {
    if choices.is_empty() {
        return String::from("none listed");
    }
    let mark = |choice: &Choice| {
        format!(
            "{}{}",
            safe::line(&choice.id, 60),
            if current == Some(choice.id.as_str()) {
                "*"
            } else {
                ""
            }
        )
    };
    let shown: Vec<String> = choices.iter().take(16).map(mark).collect();
    let more = if choices.len() > shown.len() {
        format!(" and {} more", choices.len() - shown.len())
    } else {
        String::new()
    };
    format!("{}{more}", shown.join(", "))
}
