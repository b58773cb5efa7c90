//! Listening on the wire while an agent is probed: what came without being asked for, and what was no message.

use std::{
    collections::BTreeMap,
    sync::{Arc, Mutex, PoisonError},
    time::Duration,
};

use acp_harness::{
    codec::SkipKind,
    transport::{Direction, Ended, Observer},
};
use serde::{Deserialize, Serialize};
use tokio::time::{Instant, sleep};

use crate::{safe, wire::Wire};

/// How long it is listened to after the session is open, at most, and how long it must be silent to end that sooner.
const LISTEN: Duration = Duration::from_secs(2);
const SILENCE: Duration = Duration::from_millis(300);
/// How many different unsolicited messages are kept.
const MAX_KINDS: usize = 64;
/// How long their names may be.
const NAME: usize = 120;
/// How much of a line of noise is kept.
const SAMPLE: usize = 120;

/// What was heard.
#[derive(Debug, Default)]
pub(crate) struct Heard {
    /// Messages that are no answers, by name, and how often.
    pub(crate) unsolicited: BTreeMap<String, usize>,
    /// Lines that are no messages, by kind.
    pub(crate) noise: BTreeMap<String, Noise>,
    lines: usize,
}

/// Lines of one kind of noise.
#[derive(Debug, Clone, Default, Serialize)]
pub(crate) struct Noise {
    pub(crate) lines: usize,
    /// The beginning of the first of them, made safe.
    pub(crate) first: String,
}

/// Listens on the link, for the probe and for a recording.
#[derive(Debug)]
pub(crate) struct Ear {
    heard: Mutex<Heard>,
    wire: Option<Arc<Wire>>,
}

impl Ear {
    /// Listens, and passes everything on to the watcher of the wire.
    pub(crate) fn new(wire: Option<Arc<Wire>>) -> Self {
        Self {
            heard: Mutex::default(),
            wire,
        }
    }

    fn with<T>(&self, act: impl FnOnce(&mut Heard) -> T) -> T {
        act(&mut self.heard.lock().unwrap_or_else(PoisonError::into_inner))
    }

    /// What was heard up to now.
    pub(crate) fn take(&self) -> Heard {
        self.with(std::mem::take)
    }

    /// Waits until it has been silent for a moment.
    pub(crate) async fn listen(&self) {
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
            let method = safe::line(&message.method, NAME);
            Some(match kind {
                Some(kind) => format!("{method} {}", safe::line(&kind, NAME)),
                None => method,
            })
        }
        Err(_) => serde_json::from_slice::<Named>(line)
            .ok()
            .map(|message| safe::line(&message.method, NAME)),
    }
}

#[cfg(test)]
mod tests {
    use super::unsolicited;

    #[track_caller]
    fn check(line: &str, name: Option<&str>) {
        assert_eq!(unsolicited(line.as_bytes()).as_deref(), name, "{line}");
    }

    #[test]
    fn a_message_that_is_no_answer_has_a_name_that_is_short_and_safe() {
        check(r#"{"id":1,"result":{}}"#, None);
        check(r#"{"method":"_x/y","params":7}"#, Some("_x/y"));
        check(
            r#"{"method":"session/update","params":{"update":{"sessionUpdate":"plan"}}}"#,
            Some("session/update plan"),
        );
        check(
            r#"{"method":"\u001b[2J","params":{"update":{"sessionUpdate":"\u009bm"}}}"#,
            Some("\\x1b[2J \\u{9b}m"),
        );
        let long = "x".repeat(1 << 20);
        for line in [
            format!(r#"{{"method":"{long}"}}"#),
            format!(r#"{{"method":"{long}","params":[]}}"#),
            format!(r#"{{"method":"m","params":{{"update":{{"sessionUpdate":"{long}"}}}}}}"#),
        ] {
            let name = unsolicited(line.as_bytes()).expect("a name");
            assert!(name.chars().count() < 130, "{}", name.len());
        }
    }
}
