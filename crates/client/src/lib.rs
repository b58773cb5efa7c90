//! Drive a coding agent over the Agent Client Protocol: bounded, cancel-safe, policy-free.
#![doc = include_str!("../README.md")]

mod account;
mod budget;
mod builder;
mod choosing;
mod client;
mod clock;
mod context;
mod elicitation;
mod elicitations;
mod entity;
mod error;
mod event;
#[cfg(feature = "files")]
mod files;
mod handler;
mod handlers;
mod inquiry;
mod kept;
mod launch;
mod load;
mod login;
mod noted;
mod offered;
mod open;
mod outcome;
mod permission;
mod prompt;
mod pump;
mod reports;
mod request;
mod requester;
mod scope;
mod served;
mod session;
mod sessions;
mod setup;
mod shared;
mod stream;
mod terminals;
mod tools;
mod turn;
mod turns;
mod unclaimed;
mod waiter;
mod wakers;

#[cfg(feature = "files")]
pub use crate::files::Files;
pub use crate::{
    budget::Budget,
    builder::ClientBuilder,
    choosing::Chosen,
    client::Client,
    context::Context,
    elicitation::Elicitation,
    elicitations::{Elicitations, FormContent, FormFault, UserReply},
    error::{ConnectError, InitializeError, LaunchError, RequestError, ReviveError},
    event::{Event, Received},
    handler::{Handler, Handling, Question},
    inquiry::Inquiry,
    kept::{Keeper, Respawn, Restored, Revived},
    launch::Launched,
    load::{LoadSession, Replay},
    open::NewSession,
    outcome::TurnOutcome,
    permission::{Decided, Permission},
    prompt::{Prompt, StartPrompt},
    pump::Pump,
    request::PendingRequest,
    requester::Requester,
    scope::{SessionPlace, SessionScope},
    served::{Served, ServedClass},
    session::{OptionValue, Session},
    sessions::{ListSessions, SessionPage},
    stream::{ClientEvents, SessionEvents, StreamError},
    terminals::Terminals,
    tools::{ToolsError, ToolsRule, declared_tools},
    turn::Turn,
};
pub use acp_session::{
    Bound, CallError, Chunk, ConnectionError, ContentChange, Conversation, ConversationLimits,
    Counters, DeadlineError, Diagnostic, EndCause, Entry, Exit, Label, Limits, Message,
    Notification, Outcome, Phase, Plan, PlanContent, ProtocolError, Report, Settled, SettledAsk,
    Speaker, StarvedError, Tool, ToolChange, ToolContent, TurnEnd, UsageError,
};
pub use acp_thinking::{Axis, Choice, ChooseError, Level as Effort, Options, Wishes};
