//! `acp negotiate`: would this answer be accepted, and what would be agreed on?

use std::io::{self, Read as _, Write as _};

use acp_harness::handshake::{Agreement, AuthKind, Capability, NegotiationError};
use serde::Serialize;
use serde_json::json;

use crate::{envelope::Envelope, exit::Exit, lowargs::Negotiate, offer, output::Style, safe};

/// How much of stdin is read: as much as a line of the wire may hold.
const MAX_INPUT: u64 = 64 << 20;

/// Prints the agreement, or says why there is none.
pub(crate) fn negotiate(args: &Negotiate, style: &Style) -> Exit {
    match agree(args) {
        Ok(agreement) => {
            let report = Report::of(&agreement);
            let text = if style.json {
                report.json()
            } else {
                report.text()
            };
            match io::stdout().lock().write_all(text.as_bytes()) {
                Ok(()) => Exit::Ok,
                Err(_) => Exit::Failed,
            }
        }
        Err(envelope) => envelope.print(),
    }
}

fn agree(args: &Negotiate) -> Result<Agreement, Envelope> {
    let version = offer::version(args.protocol.as_deref())?;
    let offer =
        offer::offer(version).map_err(|error| Envelope::new(error.code(), error.to_string()))?;
    let text = match args.result.as_deref() {
        None => return Err(Envelope::new("acp-missing-result", "there is no --result")),
        Some("-") => stdin()?,
        Some(text) => text.to_owned(),
    };
    offer.accept_text(&text).map_err(|error| refusal(&error))
}

fn stdin() -> Result<String, Envelope> {
    let mut bytes = Vec::new();
    io::stdin()
        .take(MAX_INPUT)
        .read_to_end(&mut bytes)
        .map_err(|error| {
            Envelope::new(
                "acp-missing-result",
                format!("stdin cannot be read: {error}"),
            )
        })?;
    String::from_utf8(bytes).map_err(|error| {
        let at = error.utf8_error().valid_up_to();
        Envelope::new(
            "acp-result-invalid-json",
            format!("the initialize result is not UTF-8 (byte {at})"),
        )
    })
}

fn refusal(error: &NegotiationError) -> Envelope {
    let supported = error
        .supported()
        .map(|versions| versions.iter().map(|version| version.0).collect::<Vec<_>>());
    let details = match error {
        NegotiationError::BadVersion { got, .. } => {
            json!({ "got": got.to_string(), "supported": supported })
        }
        NegotiationError::Unsupported { got, .. } => {
            json!({ "got": got.to_string(), "supported": supported })
        }
        NegotiationError::BadResult { got } => json!({ "got": got.to_string() }),
        NegotiationError::InvalidJson { line, column } => json!({ "line": line, "column": column }),
        NegotiationError::ErrorResponse { code } => json!({ "error_code": code }),
        _ => serde_json::Value::Null,
    };
    Envelope::new(error.code(), error.to_string()).with(details)
}

/// What was agreed on, ready to be shown. `probe` shows the same.
#[derive(Debug, Serialize)]
pub(crate) struct Report {
    pub(crate) protocol_version: u16,
    pub(crate) agent: Option<AgentCard>,
    pub(crate) capabilities: Vec<Row>,
    pub(crate) auth_methods: Vec<Auth>,
    /// What the agent has and this program does not use.
    pub(crate) narrower: Vec<Row>,
    pub(crate) diagnostics: Vec<String>,
}

/// Who the agent says it is.
#[derive(Debug, Serialize)]
pub(crate) struct AgentCard {
    name: String,
    title: Option<String>,
    version: String,
}

/// One capability.
#[derive(Debug, Serialize)]
pub(crate) struct Row {
    path: String,
    advertised: bool,
    /// What stands there: `object`, `true`, `absent` ...
    found: String,
    /// The place in the result that was read.
    read_at: String,
}

/// One way to log in.
#[derive(Debug, Serialize)]
pub(crate) struct Auth {
    id: String,
    name: String,
    kind: String,
}

impl Report {
    /// Reads an agreement.
    pub(crate) fn of(agreement: &Agreement) -> Self {
        let member = agreement.capabilities_member();
        let row = |capability: Capability| Row {
            read_at: format!("{member}.{}", capability.path),
            path: capability.path.into(),
            advertised: capability.advertised,
            found: capability.found.to_string(),
        };
        Self {
            protocol_version: agreement.version().0,
            agent: agreement.agent().map(|agent| AgentCard {
                name: agent.name.to_string(),
                title: agent.title.as_ref().map(ToString::to_string),
                version: agent.version.to_string(),
            }),
            capabilities: agreement.known_capabilities().map(row).collect(),
            auth_methods: agreement
                .auth_methods()
                .iter()
                .map(|method| Auth {
                    id: method.id.to_string(),
                    name: method.name.to_string(),
                    kind: match &method.kind {
                        AuthKind::Terminal => String::from("terminal"),
                        AuthKind::Other(other) => other.to_string(),
                        _ => String::from("agent"),
                    },
                })
                .collect(),
            narrower: agreement.narrower().into_iter().map(row).collect(),
            diagnostics: agreement
                .diagnostics()
                .iter()
                .map(ToString::to_string)
                .collect(),
        }
    }

    /// One JSON document.
    fn json(&self) -> String {
        let mut text = serde_json::to_string(self).unwrap_or_default();
        text.push('\n');
        text
    }

    /// A table for people.
    pub(crate) fn text(&self) -> String {
        let mut out = String::new();
        let mut put = |line: String| {
            out.push_str(line.trim_end());
            out.push('\n');
        };
        put(format!("protocol version  {}", self.protocol_version));
        put(match &self.agent {
            Some(agent) => {
                let title = agent
                    .title
                    .as_deref()
                    .map(|title| format!("{} · ", safe::line(title, 60)))
                    .unwrap_or_default();
                format!(
                    "agent             {title}{} {}",
                    safe::line(&agent.name, 80),
                    safe::line(&agent.version, 40)
                )
            }
            None => String::from("agent             unknown"),
        });
        put(String::from("capabilities"));
        for row in &self.capabilities {
            put(format!(
                "  {:<3}  {:<48}  {}",
                if row.advertised { "yes" } else { "no" },
                safe::line(&row.read_at, 80),
                row.found
            ));
        }
        put(format!(
            "auth methods      {}",
            if self.auth_methods.is_empty() {
                "none listed"
            } else {
                ""
            }
        ));
        for auth in &self.auth_methods {
            put(format!(
                "  {:<24}  {}  ({})",
                safe::line(&auth.id, 60),
                safe::line(&auth.name, 60),
                safe::line(&auth.kind, 20)
            ));
        }
        if !self.narrower.is_empty() {
            put(String::from(
                "this session is narrower than the agent, which also has",
            ));
            for row in &self.narrower {
                put(format!("  {}", safe::line(&row.path, 100)));
            }
        }
        for diagnostic in &self.diagnostics {
            put(format!("note: {}", safe::line(diagnostic, 160)));
        }
        out
    }
}
