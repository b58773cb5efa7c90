//! What a person decided for always, within a session.
//!
//! Off unless a host makes one: the agent remembers too, and by its own measure. This memory answers only what is the same in its structured input:
//! the same tool, and the same command in the same directory with the same other members, or the same paths, or the very same input.
//! Never the same kind or title alone.

use std::collections::BTreeMap;

use acp_vocab::{PermissionOptionKind, SessionId};
use serde_json::{Value, value::RawValue};

use crate::{
    Command, Decision, Kind, Policy, Request, Verdict, input::McpTool, members, place::Place,
};

/// Most decisions that are remembered for a session; what comes later is asked again.
pub const MAX_REMEMBERED: usize = 1024;

/// Most sessions with something remembered.
pub const MAX_REMEMBERING_SESSIONS: usize = 256;

/// Longest input that is remembered, in bytes; a longer one is asked again.
pub const MAX_REMEMBERED_INPUT: usize = 64 * 1024;

/// Decisions for always, by session. As a [`Policy`] it defers where it remembers nothing.
///
/// # Examples
/// ```
/// use acp_permission::{Command, Decision, Kind, Memory, Policy, Request};
/// use acp_vocab::PermissionOptionKind;
///
/// let run = |line| Request::new("s", vec![]).of_kind(Kind::Execute).with_command(Command::line(line));
/// let mut memory = Memory::new();
/// memory.learn(&run("cargo test"), &PermissionOptionKind::AllowAlways);
/// assert_eq!(memory.decide(&run("cargo test")).decision, Decision::AllowOnce);
/// assert_eq!(memory.decide(&run("cargo publish")).decision, Decision::Defer);
/// ```
#[derive(Clone, Debug, Default)]
pub struct Memory {
    sessions: BTreeMap<SessionId, BTreeMap<Sameness, bool>>,
}

/// All that must be the same for a decision to be taken again.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Sameness {
    tool: Option<Box<str>>,
    /// What it is called, where that is all that tells one tool from another.
    title: Option<Box<str>>,
    kinds: Vec<Kind>,
    mcp: Option<McpTool>,
    input: Input,
}

#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Input {
    /// The command, its directory, and what else the input says: an environment, a wish to leave the sandbox.
    Command(Command, Option<Box<str>>, Box<str>),
    Paths(Vec<Place>),
    Whole(Box<str>),
}

impl Sameness {
    /// `None` where there is no structured input to tell by, or too much of it.
    fn of(request: &Request) -> Option<Self> {
        let input = match request.command() {
            Some(command) => {
                let directory = request.command_directory().map(Into::into);
                Input::Command(command.clone(), directory, besides_command(request))
            }
            None if is_about_files(request) => {
                let mut places: Vec<Place> = request.places().collect::<Option<_>>()?;
                places.sort_unstable();
                places.dedup();
                Input::Paths(places)
            }
            None => Input::Whole(whole_input(request)?),
        };
        let size = match &input {
            Input::Command(command, _, rest) => command.text().len() + rest.len(),
            Input::Whole(text) => text.len(),
            Input::Paths(_) => request.paths().map(str::len).sum(),
        };
        let mut kinds = request.effective_kinds();
        kinds.push(request.kind().clone());
        let is_nameless = matches!(input, Input::Whole(_))
            && request.tool_name().is_none()
            && request.mcp().is_none();
        (size <= MAX_REMEMBERED_INPUT).then(|| Self {
            tool: request.tool_name().map(Into::into),
            title: is_nameless.then(|| request.call_title().into()),
            kinds,
            mcp: request.mcp().cloned(),
            input,
        })
    }
}

/// A tool of the agent's own that works on files: there the paths are what matters.
fn is_about_files(request: &Request) -> bool {
    request.mcp().is_none()
        && request.paths().next().is_some()
        && (request.kind().writes() || matches!(request.kind(), Kind::Read | Kind::Search))
}

/// The members of the input beside the command that could change what it does, in order. Words about it, bounds and ids are left out.
fn besides_command(request: &Request) -> Box<str> {
    const HARMLESS: [&str; 22] = [
        "command",
        "commands",
        "cmd",
        "cwd",
        "workdir",
        "description",
        "explanation",
        "justification",
        "reason",
        "title",
        "summary",
        "timeout",
        "timeoutms",
        "timeoutseconds",
        "maxoutputtokens",
        "maxoutputlength",
        "yieldtimems",
        "id",
        "callid",
        "toolcallid",
        "turnid",
        "parsedcmd",
    ];
    let Some(raw) = request.raw_input().map(RawValue::get) else {
        return Box::default();
    };
    match serde_json::from_str(raw) {
        Ok(Value::Object(mut members)) => {
            members.retain(|name, _| !HARMLESS.contains(&members::plain(name).as_str()));
            Value::Object(members).to_string().into()
        }
        // No object, or one too deep to be taken apart: all of it counts.
        Ok(_) | Err(_) => raw.into(),
    }
}

/// The input with its members in order, so that the same input is the same text. One with nothing in it says nothing.
fn whole_input(request: &Request) -> Option<Box<str>> {
    let raw = request
        .raw_input()
        .filter(|_| request.is_structured())?
        .get();
    let ordered = serde_json::from_str::<Value>(raw).map(|value| value.to_string());
    Some(ordered.unwrap_or_else(|_| raw.to_owned()).into())
}

impl Memory {
    /// Remembers nothing yet.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Remembers that a person answered `request` with an option of `kind`. Only the kinds for always are remembered, and only where the input says enough.
    ///
    /// Returns whether it was remembered.
    pub fn learn(&mut self, request: &Request, kind: &PermissionOptionKind) -> bool {
        let allowed = *kind == PermissionOptionKind::AllowAlways;
        if !allowed && *kind != PermissionOptionKind::RejectAlways {
            return false;
        }
        let Some(sameness) = Sameness::of(request) else {
            return false;
        };
        let full = self.sessions.len() >= MAX_REMEMBERING_SESSIONS;
        if full && !self.sessions.contains_key(request.session()) {
            return false;
        }
        let known = self.sessions.entry(request.session().clone()).or_default();
        if known.len() >= MAX_REMEMBERED && !known.contains_key(&sameness) {
            return false;
        }
        known.insert(sameness, allowed);
        true
    }

    /// What was decided for always about the same request, if anything. It is decided once more, each time: the agent is not told to remember.
    #[must_use]
    pub fn recall(&self, request: &Request) -> Option<Verdict> {
        let allowed = *self
            .sessions
            .get(request.session())?
            .get(&Sameness::of(request)?)?;
        let (decision, why) = if allowed {
            (Decision::AllowOnce, "the same was allowed for the session")
        } else {
            (Decision::Deny, "the same was refused for the session")
        };
        Some(Verdict::new(decision, "memory", why))
    }

    /// Forgets what belongs to `session`. To be called when the session ends.
    pub fn forget(&mut self, session: &SessionId) {
        self.sessions.remove(session);
    }

    /// How many decisions are remembered, over all sessions.
    #[must_use]
    pub fn len(&self) -> usize {
        self.sessions.values().map(BTreeMap::len).sum()
    }

    /// Whether nothing is remembered.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }
}

impl Policy for Memory {
    fn decide(&self, request: &Request) -> Verdict {
        self.recall(request)
            .unwrap_or_else(|| Verdict::new(Decision::Defer, "memory", "nothing is remembered"))
    }
}
