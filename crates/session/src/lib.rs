//! The Agent Client Protocol as a pure state machine.
#![doc = include_str!("../README.md")]

mod ask;
mod call;
mod clock;
mod config;
mod connection;
mod correlation;
mod counter;
mod deadline;
mod diagnostic;
mod early;
mod ending;
mod error;
mod event;
mod flow;
mod key;
mod label;
mod lifecycle;
mod outbox;
mod queue;
mod session;
mod tools;
mod turn;
mod update;
mod waits;

pub use crate::{
    ask::Settled,
    call::Reply,
    clock::{Bound, Bounds, Clock},
    config::{Config, Limits},
    connection::{Connection, Next, Opening, Transmit},
    correlation::{Completion, Incoming, Outgoing},
    counter::Counters,
    diagnostic::{Diagnostic, Diagnostics},
    ending::{ConnectionError, EndCause, Exit, Phase},
    error::{CallError, DeadlineError, ProtocolError, StarvedError, UsageError},
    event::{Ask, Event, Notification, Received, SettledAsk, ToolStatus},
    key::{AskKey, CallKey, Scope, SessionKey, Stream, TurnKey, WaitKey},
    label::Label,
    lifecycle::Protocol,
    turn::{Outcome, Report, TurnEnd},
};
