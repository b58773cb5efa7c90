//! The facade of the Agent Client Protocol stack: hosts and agents, v1 and v2, one dependency.
#![doc = include_str!("../README.md")]

pub use acp_client as client;
pub use acp_client::{
    Axis, Bound, Budget, CallError, Choice, ChooseError, Chosen, Chunk, Client, ClientBuilder,
    ClientEvents, ConnectError, ConnectionError, ContentChange, Context, Conversation, Counters,
    DeadlineError, Decided, Diagnostic, Effort, Elicitation, Elicitations, EndCause, Entry, Event,
    Exit, Files, Handler, Handling, InitializeError, Inquiry, Keeper, Label, LaunchError, Launched,
    Limits, ListSessions, LoadSession, Message, NewSession, Notification, OptionValue, Options,
    Outcome, PendingRequest, Permission, Phase, Plan, PlanContent, Prompt, ProtocolError, Pump,
    Question, Received, Replay, Report, RequestError, Requester, Respawn, Restored, ReviveError,
    Revived, Served, ServedClass, Session, SessionEvents, SessionPage, SessionPlace, SessionScope,
    Settled, SettledAsk, Speaker, StartPrompt, StarvedError, StreamError, Terminals, Tool,
    ToolChange, ToolContent, ToolsError, ToolsRule, Turn, TurnEnd, TurnOutcome, UsageError,
    UserReply, Wishes, declared_tools,
};
pub use acp_codec as codec;
pub use acp_handshake as handshake;
pub use acp_permission as permission;
pub use acp_serve as serve;
pub use acp_session as session;
pub use acp_thinking as thinking;
pub use acp_transport as transport;
pub use acp_vocab as vocab;
