//! What a host is told, with a responder inside every question.

use std::{fmt, sync::Arc};

use acp_session::{Chunk, Diagnostic, Message, Notification, Plan, SettledAsk, Tool};
use acp_vocab::{
    CompactionSummaryChunk, CursorUpdate, Notice, PlanId, PromptSuggestionsUpdate, Raw, SessionId,
    SessionInfoUpdate, SessionMessage, SessionMessageChunk, SessionModeId, StateUpdate,
    SubagentUpdate, UsageUpdate, v2,
};

use crate::{
    elicitation::Elicitation, inquiry::Inquiry, outcome::Decisions, permission::Permission,
    shared::Shared,
};

/// An event and the circumstances under which it came.
#[derive(Debug)]
#[non_exhaustive]
pub struct Received {
    /// What happened.
    pub event: Event,
    /// It came after the end of the last turn and before the next: it may belong to the turn that
    /// is over, or to none.
    pub late: bool,
    /// It is history that the agent replays while a session is being opened.
    pub replay: bool,
    /// The child session that it is about, when it is not the session itself.
    pub child: Option<SessionId>,
    /// The update as it came: always for a kind that is unknown, otherwise when the client was
    /// built with [`keep_raw`](crate::ClientBuilder::keep_raw).
    pub raw: Option<Raw>,
}

impl Received {
    pub(crate) fn new(
        shared: &Arc<Shared>,
        session: Option<&SessionId>,
        received: acp_session::Received,
        decisions: Option<&Decisions>,
    ) -> Self {
        if let Some(session) = session
            && shared.keeps_state()
        {
            shared.noted(|noted| noted.hear(session, &received));
        }
        let acp_session::Received {
            event,
            late,
            replay,
            child,
            raw,
            frame,
            ..
        } = received;
        if let (acp_session::Event::Tool(tool), Some(session)) = (&event, session) {
            // A child session's tool calls are its own.
            let session = child.as_ref().unwrap_or(session);
            shared.reports(|reports| reports.note(session, tool));
        }
        if let Some(session) = child.as_ref().or(session) {
            shared.note(session, &event, frame);
        }
        Self {
            event: Event::new(shared, event, decisions),
            late,
            replay,
            child,
            raw,
        }
    }
}

/// What happened, in one model for both versions: what a version cannot say is absent.
#[derive(Debug)]
#[non_exhaustive]
pub enum Event {
    /// One more block of the agent's message.
    Text(Chunk),
    /// One more block of a thought of the agent.
    Thought(Chunk),
    /// One more block of a message of the user: history, or the echo of a prompt.
    User(Chunk),
    /// A message or thought as a whole (v2); it replaces what is known of that id.
    Message(Box<Message>),
    /// A tool call began or changed.
    Tool(Box<Tool>),
    /// A plan, as a whole.
    Plan(Plan),
    /// A plan is gone.
    PlanRemoved(PlanId),
    /// The slash commands, all of them.
    Commands(Vec<v2::AvailableCommand>),
    /// The session is in another mode (v1).
    Mode(SessionModeId),
    /// The options of the session, all of them.
    Options(Vec<v2::SessionConfigOption>),
    /// Title or time of the session changed.
    Info(Box<SessionInfoUpdate>),
    /// How full the context is, and what the session has cost.
    Usage(Box<UsageUpdate>),
    /// A message beside the conversation.
    Notice(Box<Notice>),
    /// A compaction of the context.
    Compaction(Box<v2::CompactionUpdate>),
    /// One more block of the summary of a compaction.
    CompactionSummary(Box<CompactionSummaryChunk>),
    /// A display terminal (v2).
    Terminal(Box<v2::TerminalUpdate>),
    /// More bytes of a display terminal (v2).
    TerminalOutput(Box<v2::TerminalOutputChunk>),
    /// What the agent is doing (v2).
    State(Box<StateUpdate>),
    /// The history is complete (v2).
    ReplayComplete,
    /// A child session.
    Subagent(Box<SubagentUpdate>),
    /// A message between sessions.
    SessionMessage(Box<SessionMessage>),
    /// One more block of one.
    SessionMessageChunk(Box<SessionMessageChunk>),
    /// Suggested prompts.
    Suggestions(Box<PromptSuggestionsUpdate>),
    /// A named position in the timeline.
    Cursor(Box<CursorUpdate>),
    /// The agent asks for permission. Dropped unanswered, it is cancelled.
    Permission(Box<Permission>),
    /// The agent asks the user something. Dropped unanswered, it is declined.
    Elicitation(Box<Elicitation>),
    /// The agent asks something else that the host said it pulls. Dropped unanswered, it is
    /// refused.
    Inquiry(Box<Inquiry>),
    /// A question was settled without its holder: withdrawn, cancelled, or nobody was there.
    Settled(Box<SettledAsk>),
    /// A notification that is no update.
    Notification(Notification),
    /// An update of a kind that is not known. Its JSON is in [`Received::raw`].
    Unknown {
        /// The value of `sessionUpdate`.
        tag: Box<str>,
    },
    /// A fault of the agent that harmed nothing else.
    Diagnostic(Box<Diagnostic>),
}

impl Event {
    pub(crate) fn new(
        shared: &Arc<Shared>,
        event: acp_session::Event,
        decisions: Option<&Decisions>,
    ) -> Self {
        use acp_session::Event as Seen;
        match event {
            Seen::Text(chunk) => Self::Text(chunk),
            Seen::Thought(chunk) => Self::Thought(chunk),
            Seen::User(chunk) => Self::User(chunk),
            Seen::Message(message) => Self::Message(message),
            Seen::Tool(tool) => Self::Tool(tool),
            Seen::Plan(plan) => Self::Plan(plan),
            Seen::PlanRemoved(plan) => Self::PlanRemoved(plan),
            Seen::Commands(commands) => Self::Commands(commands),
            Seen::Mode(mode) => Self::Mode(mode),
            Seen::Options(options) => Self::Options(options),
            Seen::Info(info) => Self::Info(info),
            Seen::Usage(usage) => Self::Usage(usage),
            Seen::Notice(notice) => Self::Notice(notice),
            Seen::Compaction(update) => Self::Compaction(update),
            Seen::CompactionSummary(chunk) => Self::CompactionSummary(chunk),
            Seen::Terminal(update) => Self::Terminal(update),
            Seen::TerminalOutput(chunk) => Self::TerminalOutput(chunk),
            Seen::State(state) => Self::State(state),
            Seen::ReplayComplete => Self::ReplayComplete,
            Seen::Subagent(update) => Self::Subagent(update),
            Seen::SessionMessage(message) => Self::SessionMessage(message),
            Seen::SessionMessageChunk(chunk) => Self::SessionMessageChunk(chunk),
            Seen::Suggestions(update) => Self::Suggestions(update),
            Seen::Cursor(update) => Self::Cursor(update),
            Seen::Permission(asked) => {
                Self::Permission(Box::new(Permission::new(shared, *asked, decisions)))
            }
            Seen::Elicitation(asked) => {
                Self::Elicitation(Box::new(Elicitation::new(shared, *asked)))
            }
            Seen::Request(ask) => Self::Inquiry(Box::new(Inquiry::new(Arc::clone(shared), ask))),
            Seen::Settled(settled) => Self::Settled(settled),
            Seen::Notification(note) => Self::Notification(note),
            Seen::Unknown { tag } => Self::Unknown { tag },
            Seen::Diagnostic(diagnostic) => Self::Diagnostic(diagnostic),
            // A variant of the machine that is newer than this crate: both move together.
            other => Self::Unknown {
                tag: other.name().into(),
            },
        }
    }

    /// A short name for records, in `snake_case`.
    #[must_use]
    pub const fn name(&self) -> &'static str {
        match self {
            Self::Text(_) => "text",
            Self::Thought(_) => "thought",
            Self::User(_) => "user",
            Self::Message(_) => "message",
            Self::Tool(_) => "tool",
            Self::Plan(_) => "plan",
            Self::PlanRemoved(_) => "plan_removed",
            Self::Commands(_) => "commands",
            Self::Mode(_) => "mode",
            Self::Options(_) => "options",
            Self::Info(_) => "info",
            Self::Usage(_) => "usage",
            Self::Notice(_) => "notice",
            Self::Compaction(_) => "compaction",
            Self::CompactionSummary(_) => "compaction_summary",
            Self::Terminal(_) => "terminal",
            Self::TerminalOutput(_) => "terminal_output",
            Self::State(_) => "state",
            Self::ReplayComplete => "replay_complete",
            Self::Subagent(_) => "subagent",
            Self::SessionMessage(_) => "session_message",
            Self::SessionMessageChunk(_) => "session_message_chunk",
            Self::Suggestions(_) => "suggestions",
            Self::Cursor(_) => "cursor",
            Self::Permission(_) => "permission",
            Self::Elicitation(_) => "elicitation",
            Self::Inquiry(_) => "inquiry",
            Self::Settled(_) => "settled",
            Self::Notification(_) => "notification",
            Self::Unknown { .. } => "unknown",
            Self::Diagnostic(_) => "diagnostic",
        }
    }
}

/// The name of the event, and nothing that the agent wrote.
impl fmt::Display for Event {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}
