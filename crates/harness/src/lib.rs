//! The facade of the Agent Client Protocol stack: hosts and agents, v1 and v2, one dependency.
#![doc = include_str!("../README.md")]

pub use acp_client as client;
pub use acp_client::{
    Bound, Budget, CallError, Chunk, Client, ClientBuilder, ClientEvents, ConnectError,
    ConnectionError, ContentChange, Counters, DeadlineError, Decided, Diagnostic, Elicitation,
    Elicitations, EndCause, Event, Exit, Files, Handler, Handling, InitializeError, Inquiry, Label,
    Limits, LoadSession, Message, NewSession, Notification, OptionValue, Outcome, PendingRequest,
    Permission, Phase, Plan, PlanContent, Prompt, ProtocolError, Pump, Question, Received, Replay,
    Report, RequestError, Requester, Served, ServedClass, Session, SessionEvents, SessionPlace,
    SessionScope, Settled, SettledAsk, Speaker, StartPrompt, StarvedError, StreamError, Terminals,
    Tool, ToolChange, ToolContent, Turn, TurnEnd, TurnOutcome, UsageError, UserReply,
};
pub use acp_codec as codec;
pub use acp_handshake as handshake;
pub use acp_permission as permission;
pub use acp_serve as serve;
pub use acp_session as session;
pub use acp_thinking as thinking;
pub use acp_transport as transport;
pub use acp_vocab as vocab;
