//! How it ended: the last record of every run.

use serde::{Deserialize, Serialize};
use serde_json::value::RawValue;

use super::Usage;
use crate::{
    login::Login,
    opening::{Reopened, Unapplied},
};

/// The last record of every run.
#[derive(Debug, Default, Serialize)]
pub(crate) struct Outcome {
    /// `completed`, `denied`, `timeout` ...
    pub(crate) outcome: &'static str,
    /// The agent's word for why the turn ended.
    pub(crate) stop_reason: Option<String>,
    pub(crate) exit: u8,
    /// How far the run came: `usage`, `spawn`, `initialize`, `authenticate`, `session`, `prompt`, `done`.
    pub(crate) phase: &'static str,
    pub(crate) session_id: Option<String>,
    pub(crate) usage: Option<Usage>,
    /// What the agent reported for the turn itself, as it came.
    pub(crate) turn_usage: Option<Box<RawValue>>,
    pub(crate) permissions: Permissions,
    pub(crate) tools: usize,
    pub(crate) diagnostics: u64,
    pub(crate) skipped_lines: u64,
    /// Messages for a session that was not known yet, and for which there was no room until it was, or which never came.
    #[serde(skip_serializing_if = "is_zero")]
    pub(crate) early_dropped: u64,
    /// What became of a stored session, with --resume-or-new.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) reopened: Option<Reopened>,
    /// Wishes that are not in force, with --best-effort.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(crate) unapplied: Vec<Unapplied>,
    pub(crate) error: Option<Box<Failure>>,
}

/// What was decided, in numbers and one by one.
#[derive(Debug, Default, Serialize)]
pub(crate) struct Permissions {
    pub(crate) allowed: usize,
    pub(crate) denied: usize,
    pub(crate) cancelled: usize,
    /// Ended before anybody decided: the agent took it back, or its turn was over.
    pub(crate) withdrawn: usize,
    pub(crate) decisions: Vec<Decided>,
}

/// One decision, in short; the whole record was written when it was made.
#[derive(Debug, Clone, Serialize)]
pub(crate) struct Decided {
    pub(crate) kind: String,
    pub(crate) title: String,
    pub(crate) decision: String,
    /// `selected`, `cancelled` or `withdrawn`.
    pub(crate) outcome: &'static str,
    pub(crate) by: String,
    pub(crate) why: String,
    pub(crate) option_kind: Option<String>,
}

/// Why a run failed.
#[derive(Debug, Clone, Default, Serialize)]
pub(crate) struct Failure {
    /// One sentence of ours, without any text of the agent.
    pub(crate) message: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) method: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) id: Option<String>,
    /// The agent's error code and what it said.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) code: Option<i32>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) agent_said: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) data: Option<Box<RawValue>>,
    /// The last lines of its stderr.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) stderr: Option<String>,
    /// The ways to log in, where one is needed.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(crate) logins: Vec<Login>,
    /// What to do about it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) hint: Option<String>,
}

impl Failure {
    /// What the agent's error says beyond its message: many say "Internal error" and put the cause into `data`, as text or as
    /// `details`.
    pub(crate) fn details(&self) -> Option<String> {
        #[derive(Deserialize)]
        #[serde(untagged)]
        enum Data {
            Text(String),
            Object { details: String },
        }
        let (Data::Text(text) | Data::Object { details: text }) =
            serde_json::from_str(self.data.as_ref()?.get()).ok()?;
        let said = self.agent_said.as_deref().unwrap_or_default();
        (!text.is_empty() && !said.contains(&text)).then_some(text)
    }
}

#[expect(
    clippy::trivially_copy_pass_by_ref,
    reason = "serde hands it over like this"
)]
fn is_zero(value: &u64) -> bool {
    *value == 0
}
