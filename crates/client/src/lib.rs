//! Drive a coding agent over the Agent Client Protocol: bounded, cancel-safe, policy-free.
#![doc = include_str!("../README.md")]

mod budget;
mod builder;
mod client;
mod clock;
mod elicitation;
mod error;
mod event;
mod handler;
mod handlers;
mod inquiry;
mod open;
mod outcome;
mod permission;
mod prompt;
mod pump;
mod reports;
mod request;
mod requester;
mod session;
mod shared;
mod stream;
mod turn;
mod waiter;
mod wakers;

pub use crate::{
    budget::Budget,
    builder::ClientBuilder,
    client::Client,
    elicitation::Elicitation,
    error::{ConnectError, InitializeError, RequestError},
    event::{Event, Received},
    handler::{Handler, Handling, Question},
    inquiry::Inquiry,
    open::{LoadSession, NewSession, Replay},
    outcome::TurnOutcome,
    permission::{Decided, Permission},
    prompt::{Prompt, StartPrompt},
    pump::Pump,
    request::PendingRequest,
    requester::Requester,
    session::{OptionValue, Session},
    stream::{ClientEvents, SessionEvents, StreamError},
    turn::Turn,
};
pub use acp_session::{
    Bound, CallError, Chunk, ConnectionError, ContentChange, Counters, DeadlineError, Diagnostic,
    EndCause, Exit, Label, Limits, Message, Notification, Outcome, Phase, Plan, PlanContent,
    ProtocolError, Report, Settled, SettledAsk, Speaker, StarvedError, Tool, ToolChange,
    ToolContent, TurnEnd, UsageError,
};
