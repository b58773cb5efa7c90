//! One JSON line on stderr for verbs that a script asks: `{"code":…,"message":…,"details":…}`, and exit 1.

use std::io::Write as _;

use serde::Serialize;
use serde_json::Value;

use crate::exit::Exit;

/// Why such a verb has no answer.
#[derive(Debug, Serialize)]
pub(crate) struct Envelope {
    pub(crate) code: &'static str,
    pub(crate) message: String,
    pub(crate) details: Value,
}

impl Envelope {
    /// An envelope without details.
    pub(crate) fn new(code: &'static str, message: impl Into<String>) -> Self {
        Self {
            code,
            message: message.into(),
            details: Value::Null,
        }
    }

    /// The same with details.
    pub(crate) fn with(self, details: Value) -> Self {
        Self { details, ..self }
    }

    /// Writes it to stderr. The exit of these verbs is 0 or 1 and nothing else.
    pub(crate) fn print(&self) -> Exit {
        let line = serde_json::to_string(self)
            .unwrap_or_else(|_| String::from(r#"{"code":"acp-internal"}"#));
        // With stderr gone there is nobody left to tell.
        drop(writeln!(std::io::stderr(), "{line}"));
        Exit::Failed
    }
}
