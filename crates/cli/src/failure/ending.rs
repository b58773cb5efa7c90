//! The agent has ended, or its output has.

use acp_harness::client::{ConnectionError, EndCause};

use super::{Broken, Scene};
use crate::exit::Exit;

/// How many lines of an agent's stderr are shown.
const STDERR_LINES: usize = 8;

impl Broken {
    /// The agent ended, or its output did.
    pub(crate) fn connection(error: &ConnectionError, scene: &Scene) -> Self {
        let (exit, outcome) = match error.cause() {
            EndCause::Protocol(_) => (Exit::Protocol, "protocol_error"),
            EndCause::StoppedReading { .. } => (Exit::Timeout, "timeout"),
            _ => (Exit::AgentDied, "agent_died"),
        };
        let mut broken = Self::new(exit, outcome, error.to_string());
        let stderr = if error.stderr().is_empty() {
            &scene.stderr
        } else {
            error.stderr()
        };
        broken.failure.stderr = last_lines(stderr);
        if outcome == "agent_died" && broken.failure.stderr.is_none() {
            broken.failure.hint = Some(format!(
                "it wrote nothing to stderr; run it by itself to see why: {}",
                scene.command
            ));
        }
        broken
    }
}

/// The last lines that say something.
pub(super) fn last_lines(stderr: &str) -> Option<String> {
    let lines: Vec<&str> = stderr
        .lines()
        .filter(|line| !line.trim().is_empty())
        .collect();
    let skip = lines.len().saturating_sub(STDERR_LINES);
    let lines = lines.get(skip..).unwrap_or_default();
    if lines.is_empty() {
        None
    } else {
        Some(lines.join("\n"))
    }
}
