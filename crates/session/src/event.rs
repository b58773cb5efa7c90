//! What the host learns: one model for both versions. What a version cannot say is absent, never
//! invented. Events own their data; none holds on to what was read.

use std::fmt;

use acp_vocab::{
    CompactionSummaryChunk, ContentBlock, CursorUpdate, MessageId, Meta, Notice, Patch, PlanEntry,
    PlanId, PlanMarkdown, PromptSuggestionsUpdate, Raw, SessionId, SessionInfoUpdate,
    SessionMessage, SessionMessageChunk, SessionModeId, StateUpdate, SubagentUpdate, UsageUpdate,
    v2,
};

use crate::diagnostic::Diagnostic;
use crate::inquiry::{Ask, Elicitation, Permission, SettledAsk};
use crate::tool::Tool;

/// An event and the circumstances under which it came.
#[derive(Debug, Clone)]
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
    /// The update as it came: always for a kind that is unknown, otherwise when
    /// [`Config::keep_raw`](crate::Config::keep_raw) says so. Requests and notifications carry
    /// their params themselves.
    pub raw: Option<Raw>,
    /// The number of the message in which it came, counted from 1; 0 for what no message said. An
    /// event with a smaller number than [`Reply::frame`](crate::Reply::frame) was said before that
    /// reply, whenever it is read.
    pub frame: u64,
}

/// Copying more than this would be a call, and an event is moved some twenty times on its way.
const _: () = assert!(size_of::<Received>() <= 128);

impl Received {
    pub(crate) const fn new(event: Event) -> Self {
        Self {
            event,
            late: false,
            replay: false,
            child: None,
            raw: None,
            frame: 0,
        }
    }
}

/// What happened.
#[derive(Debug, Clone)]
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
    /// The agent asks for permission.
    Permission(Box<Permission>),
    /// The agent asks the user something.
    Elicitation(Box<Elicitation>),
    /// The agent asks something else that the host registered for.
    Request(Ask),
    /// A question was settled without its holder: withdrawn, cancelled, or nobody was there.
    Settled(Box<SettledAsk>),
    /// A notification that is no update.
    Notification(Notification),
    /// An update of a kind that this crate does not know. Its JSON is in [`Received::raw`].
    Unknown {
        /// The value of `sessionUpdate`.
        tag: Box<str>,
    },
    /// A fault of the agent that harmed nothing else.
    Diagnostic(Box<Diagnostic>),
}

/// One block of a message that is being written.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct Chunk {
    /// The message, when the agent names it. Without a name a run of chunks of one kind is one
    /// message.
    pub message: Option<MessageId>,
    /// The block.
    pub content: ContentBlock,
    /// The chunk's `_meta`.
    pub meta: Option<Meta>,
}

/// Writes the text, or what stands in its place: `[image image/png]`.
impl fmt::Display for Chunk {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.content {
            ContentBlock::Text(text) => f.write_str(&text.text),
            ContentBlock::Image(image) => write!(f, "[image {}]", image.mime_type),
            ContentBlock::Audio(audio) => write!(f, "[audio {}]", audio.mime_type),
            ContentBlock::ResourceLink(link) => write!(f, "[{}]", link.uri),
            ContentBlock::Resource(_)
            | ContentBlock::Skill(_)
            | ContentBlock::Unknown { .. }
            | _ => {
                write!(f, "[{}]", self.content.tag())
            }
        }
    }
}

/// Who speaks.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[non_exhaustive]
pub enum Speaker {
    /// The user.
    User,
    /// The agent.
    Agent,
    /// The agent, to itself.
    Thought,
}

/// A message as a whole (v2 section 9.1).
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct Message {
    /// Who speaks. Each has an id space of its own.
    pub speaker: Speaker,
    /// The message.
    pub id: MessageId,
    /// Absent keeps what is known, null empties it, a list replaces it.
    pub content: Patch<Vec<ContentBlock>>,
    /// The message's `_meta`.
    pub meta: Patch<Meta>,
}

/// A plan, as a whole: it replaces the plan of the same id.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct Plan {
    /// Which plan; v1's `plan` has no id and is the only one of its session.
    pub id: Option<PlanId>,
    /// What it says.
    pub content: PlanContent,
}

/// What a plan says.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub enum PlanContent {
    /// Steps.
    Steps(Vec<PlanEntry>),
    /// Markdown.
    Markdown(Box<PlanMarkdown>),
    /// A kind that this crate does not know.
    Unknown {
        /// The value of `type`.
        tag: Box<str>,
        /// The plan as it came.
        raw: Raw,
    },
}

/// A notification that is no update.
#[derive(Debug, Clone)]
#[non_exhaustive]
pub struct Notification {
    /// The method.
    pub method: Box<str>,
    /// Its params; absent and null are the same.
    pub params: Option<Raw>,
}

impl Event {
    /// The question in it.
    #[must_use]
    pub const fn ask(&self) -> Option<&Ask> {
        match self {
            Self::Permission(permission) => Some(&permission.ask),
            Self::Elicitation(elicitation) => Some(&elicitation.ask),
            Self::Request(ask) => Some(ask),
            Self::Text(_)
            | Self::Thought(_)
            | Self::User(_)
            | Self::Message(_)
            | Self::Tool(_)
            | Self::Plan(_)
            | Self::PlanRemoved(_)
            | Self::Commands(_)
            | Self::Mode(_)
            | Self::Options(_)
            | Self::Info(_)
            | Self::Usage(_)
            | Self::Notice(_)
            | Self::Compaction(_)
            | Self::CompactionSummary(_)
            | Self::Terminal(_)
            | Self::TerminalOutput(_)
            | Self::State(_)
            | Self::ReplayComplete
            | Self::Subagent(_)
            | Self::SessionMessage(_)
            | Self::SessionMessageChunk(_)
            | Self::Suggestions(_)
            | Self::Cursor(_)
            | Self::Settled(_)
            | Self::Notification(_)
            | Self::Unknown { .. }
            | Self::Diagnostic(_) => None,
        }
    }

    /// The tool call that it is about.
    #[must_use]
    #[expect(clippy::wildcard_enum_match_arm, reason = "two kinds have one")]
    pub fn tool(&self) -> Option<&Tool> {
        match self {
            Self::Tool(tool) => Some(tool),
            Self::Permission(permission) => permission.tool.as_ref(),
            _ => None,
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
            Self::Request(_) => "request",
            Self::Settled(_) => "settled",
            Self::Notification(_) => "notification",
            Self::Unknown { .. } => "unknown",
            Self::Diagnostic(_) => "diagnostic",
        }
    }
}
