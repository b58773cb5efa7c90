//! Who decides: policies over Agent Client Protocol permission requests, by option kind, with a record.
#![doc = include_str!("../README.md")]

mod audit;
mod broker;
mod builtin;
mod command;
mod decision;
mod dry_run;
mod error;
mod file;
mod glob;
mod input;
mod kind;
mod memory;
mod pending;
mod pick;
mod place;
mod policy;
mod reports;
mod request;
mod rules;
mod scope;
mod shell;
mod spelling;
mod tool;
mod wire;

pub use audit::{Audit, MAX_RECORDED_PATHS, MAX_RECORDED_TEXT, Record, Recorded};
pub use broker::{Broker, BrokerLimits, Opened, Resolved};
pub use builtin::{AllowOnce, Ask, Cancel, Deny, ReadOnly};
pub use command::Command;
pub use decision::{Decision, Verdict};
pub use dry_run::{DryRow, DryRun, RecordedAnswer, Side};
pub use error::{AnswerError, SpellingError};
pub use file::{RuleEntry, RulesFile, Spelled};
pub use input::McpTool;
pub use kind::Kind;
pub use memory::{MAX_REMEMBERED, MAX_REMEMBERED_INPUT, MAX_REMEMBERING_SESSIONS, Memory};
pub use pending::{Ended, Pending, PendingId};
pub use pick::{Answer, Note, Outcome, pick};
pub use policy::{Chain, Policy};
pub use reports::{MAX_REPORTED_BYTES, MAX_TOOL_REPORTS, ToolReports};
pub use request::Request;
pub use rules::{Effect, Rules};
pub use scope::Scope;
pub use tool::ToolReport;
