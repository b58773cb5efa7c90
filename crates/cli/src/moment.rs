//! What happens in a run, in the words of this program: the same for people and for `--json`.
//!
//! Every moment is a record as it stands; the text on a terminal is drawn from the same values.

mod outcome;

use acp_harness::{
    client::{self, ServedClass},
    permission,
    vocab::Method,
};
use serde::{Serialize, Serializer, ser::Error as _};
use serde_json::value::RawValue;

pub(crate) use self::outcome::{Decided, Failure, Outcome, Permissions};
use crate::{render::diff::Diff, verb::probe::Findings};

/// One thing that happened.
#[derive(Debug, Serialize)]
#[serde(untagged)]
pub(crate) enum Moment {
    /// The agent was started and a version agreed.
    Agent(AgentUp),
    /// A session is open.
    Session(SessionUp),
    /// A piece of the answer.
    AgentText(Text),
    /// A piece of what the agent thinks.
    Thought(Text),
    /// A piece of what the user said, echoed or replayed.
    UserText(Text),
    /// A tool call, as it now stands.
    Tool(Tool),
    /// The plan, as it now stands.
    Plan(Plan),
    /// A permission request and what was decided about it.
    Permission(Decision),
    /// Something that was done for the agent, or refused.
    Served(Served),
    /// How full the context is and what it has cost.
    Usage(Usage),
    /// Anything else that the agent says about its state.
    Notice(Notice),
    /// What this program did otherwise than it was told, or has to say about what it did.
    News(Notice),
    /// Something was wrong and harmed nothing else.
    Diagnostic(Diagnostic),
    /// What a probe found.
    Probe(Box<Findings>),
    /// What a verb was asked for.
    Data(Data),
}

impl Moment {
    /// Whether what comes of the answer behind it is another message: what only reports on the side parts nothing.
    pub(crate) fn parts(&self) -> bool {
        matches!(
            self,
            Self::Thought(_) | Self::Tool(_) | Self::Plan(_) | Self::Permission(_)
        )
    }

    /// The `type` of its record.
    pub(crate) fn kind(&self) -> &'static str {
        match self {
            Self::Agent(_) => "agent",
            Self::Session(_) => "session",
            Self::AgentText(_) => "agent_text",
            Self::Thought(_) => "thought",
            Self::UserText(_) => "user_text",
            Self::Tool(_) => "tool",
            Self::Plan(_) => "plan",
            Self::Permission(_) => "permission",
            Self::Served(_) => "served",
            Self::Usage(_) => "usage",
            Self::Notice(_) | Self::News(_) => "notice",
            Self::Diagnostic(_) => "diagnostic",
            Self::Probe(_) => "probe",
            Self::Data(data) => data.kind,
        }
    }
}

/// What a verb was asked for: a document for people, a value for scripts.
#[derive(Debug, Serialize)]
pub(crate) struct Data {
    #[serde(skip)]
    pub(crate) kind: &'static str,
    #[serde(skip)]
    pub(crate) text: String,
    pub(crate) data: Box<RawValue>,
}

impl Data {
    /// A value and the words for it.
    pub(crate) fn new(
        kind: &'static str,
        value: &impl Serialize,
        text: impl Into<String>,
    ) -> Result<Self, serde_json::Error> {
        Ok(Self {
            kind,
            text: text.into(),
            data: serde_json::value::to_raw_value(value)?,
        })
    }
}

/// The agent that answers.
#[derive(Debug, Serialize)]
pub(crate) struct AgentUp {
    pub(crate) name: String,
    pub(crate) version: Option<String>,
    pub(crate) protocol_version: u16,
    /// How long it took to start and agree; absent where times are.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) started_ms: Option<u64>,
    /// What it has and this program does not use.
    pub(crate) narrower: Vec<String>,
}

/// The session of the run.
#[derive(Debug, Serialize)]
pub(crate) struct SessionUp {
    pub(crate) session_id: String,
    /// What is in force, as the agent spells it.
    pub(crate) mode: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) model: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) effort: Option<String>,
}

/// A piece of text.
#[derive(Debug, Serialize)]
pub(crate) struct Text {
    pub(crate) text: String,
    /// It came after the turn had ended.
    #[serde(skip_serializing_if = "is_false")]
    pub(crate) late: bool,
}

/// A tool call.
#[derive(Debug, Clone, Serialize)]
pub(crate) struct Tool {
    pub(crate) id: String,
    pub(crate) title: String,
    pub(crate) kind: String,
    pub(crate) status: String,
    /// Nothing follows: it is done, has failed or was cancelled.
    pub(crate) is_final: bool,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(crate) paths: Vec<String>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(crate) diffs: Vec<Diff>,
    #[serde(skip_serializing_if = "is_false")]
    pub(crate) late: bool,
}

/// The steps that the agent means to take.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub(crate) struct Plan {
    pub(crate) entries: Vec<PlanEntry>,
}

/// One step.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub(crate) struct PlanEntry {
    pub(crate) content: String,
    pub(crate) priority: String,
    pub(crate) status: String,
}

/// A decision as the audit record has it, without the members that every record here has of its own.
#[derive(Debug)]
pub(crate) struct Decision(pub(crate) Box<permission::Record>);

impl Serialize for Decision {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut record = serde_json::to_value(&self.0).map_err(S::Error::custom)?;
        if let Some(members) = record.as_object_mut() {
            members.remove("v");
            members.remove("t_ms");
        }
        record.serialize(serializer)
    }
}

/// A request of the agent that this program answered: what came of it, without a path or a text.
#[derive(Debug, Serialize)]
pub(crate) struct Served {
    pub(crate) method: String,
    /// `done`, `outside`, `missing`, `shell` ...
    pub(crate) class: &'static str,
    /// Bytes of text that were read, written or shown.
    pub(crate) bytes: u64,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) terminal: Option<String>,
    /// It is worth a word to people.
    #[serde(skip)]
    pub(crate) is_news: bool,
}

impl Served {
    /// A question of the agent that a person was asked.
    pub(crate) fn asked(class: &'static str) -> Self {
        Self {
            method: String::from(Method::ELICITATION_CREATE.name()),
            class,
            bytes: 0,
            terminal: None,
            is_news: true,
        }
    }

    /// A file was to be read that is not there.
    pub(crate) fn is_missing_file(&self) -> bool {
        self.method == Method::FS_READ_TEXT_FILE.name()
            && self.class == ServedClass::Missing.as_str()
    }
}

impl From<client::Served> for Served {
    fn from(served: client::Served) -> Self {
        Self {
            method: served.method.into(),
            class: served.class.as_str(),
            bytes: served.bytes,
            terminal: served.terminal.map(|id| id.to_string()),
            is_news: served.class != ServedClass::Done,
        }
    }
}

/// How full the context is. What is unknown is null, never 0.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub(crate) struct Usage {
    pub(crate) used: Option<u64>,
    pub(crate) size: Option<u64>,
    pub(crate) cost: Option<Cost>,
}

/// What it has cost so far.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub(crate) struct Cost {
    pub(crate) amount: f64,
    pub(crate) currency: String,
}

/// News about the agent's state.
#[derive(Debug, Serialize)]
pub(crate) struct Notice {
    /// What it is about: `mode`, `commands`, `title`, `update:<tag>` ...
    pub(crate) about: String,
    pub(crate) text: String,
    /// What could not be read, as it came.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) raw: Option<Box<RawValue>>,
}

/// Something was wrong.
#[derive(Debug, Serialize)]
pub(crate) struct Diagnostic {
    pub(crate) message: String,
}

#[expect(
    clippy::trivially_copy_pass_by_ref,
    reason = "serde hands it over like this"
)]
fn is_false(value: &bool) -> bool {
    !value
}
