//! What a probe found, as a record and as a table.

use std::{collections::BTreeMap, time::Duration};

use serde::Serialize;

use crate::{
    duration, safe,
    setup::{Choice, Setup},
    verb::{
        negotiate::Report,
        probe::{ear::Noise, tools::Proof},
    },
};

/// What was found.
#[derive(Debug, Serialize)]
pub(crate) struct Findings {
    #[serde(flatten)]
    pub(crate) agreement: Report,
    pub(crate) session: Option<Opened>,
    /// What the agent said without being asked, and how often.
    pub(crate) unsolicited: BTreeMap<String, usize>,
    /// Lines on its stdout that were no messages.
    pub(crate) noise: BTreeMap<String, Noise>,
    /// Whether it connected to our tool server, where it was given one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) mcp: Option<Proof>,
    pub(crate) times: Option<Times>,
    pub(crate) exit: Option<Left>,
}

/// What a session offers.
#[derive(Debug, Serialize)]
pub(crate) struct Opened {
    #[serde(flatten)]
    pub(crate) setup: Setup,
}

/// How long the steps took.
#[derive(Debug, Serialize)]
pub(crate) struct Times {
    pub(crate) initialize_ms: u64,
    pub(crate) session_ms: Option<u64>,
    pub(crate) exit_ms: Option<u64>,
}

/// How it went when its input was closed.
#[derive(Debug, Serialize)]
pub(crate) struct Left {
    /// `eof`, `sigterm` or `sigkill`: what it took.
    pub(crate) on: &'static str,
    pub(crate) status: Option<i32>,
    pub(crate) signal: Option<i32>,
    #[serde(skip)]
    pub(crate) took: Duration,
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
        if let Some(proof) = &self.mcp {
            put(format!("tool server       {}", proven(proof)));
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

fn proven(proof: &Proof) -> String {
    if !proof.connected {
        let how_far = if proof.started {
            "started, and never greeted"
        } else {
            "never started"
        };
        return format!("not connected: {how_far}");
    }
    let mut parts = vec![String::from("connected")];
    if let Some(client) = &proof.client {
        parts.push(format!("by {}", safe::line(client, 60)));
    }
    if let Some(version) = &proof.version {
        parts.push(format!("in MCP {}", safe::line(version, 30)));
    }
    if let Some(took) = proof.took_ms {
        parts.push(format!(
            "after {}",
            duration::show(Duration::from_millis(took))
        ));
    }
    let listed = if proof.listed {
        "its tools were listed"
    } else {
        "its tools were not listed"
    };
    format!("{}; {listed}", parts.join(" "))
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
