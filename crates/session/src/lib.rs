//! The Agent Client Protocol as a pure state machine.
#![doc = include_str!("../README.md")]
//!
//! The rules that all this follows are in [`rules`].

mod address;
mod ask;
mod asks;
mod beside;
mod call;
mod clock;
mod config;
mod connection;
mod conversation;
mod correlation;
mod counter;
mod deadline;
mod diagnostic;
mod early;
mod ending;
mod error;
mod event;
mod flow;
mod inquiry;
mod key;
mod label;
mod lifecycle;
pub mod neutral;
mod outbox;
mod question;
mod queue;
mod result;
pub mod rules;
mod session;
mod sessions;
#[cfg(test)]
mod testing;
mod tool;
mod tools;
mod turn;
mod update;
mod waits;
mod weight;

pub use crate::{
    ask::Settled,
    call::Reply,
    clock::{Bound, Bounds, Clock},
    config::{Config, Limits},
    connection::{Connection, Next, Opening, Transmit},
    conversation::{
        Child, CompactionEntry, Conversation, ConversationLimits, Entry, MessageContent,
        MessageEntry, Part, SessionMessageEntry, TerminalState, ToolEntry,
    },
    correlation::{Completion, Incoming, Outgoing},
    counter::Counters,
    diagnostic::{Diagnostic, Diagnostics},
    ending::{ConnectionError, EndCause, Exit, Phase},
    error::{CallError, DeadlineError, ProtocolError, StarvedError, UsageError},
    event::{Chunk, Event, Message, Notification, Plan, PlanContent, Received, Speaker},
    inquiry::{Ask, Elicitation, Permission, SettledAsk},
    key::{AskKey, CallKey, Scope, SessionKey, Stream, TurnKey, WaitKey},
    label::Label,
    lifecycle::Protocol,
    tool::{ContentChange, Tool, ToolChange, ToolContent},
    turn::{Outcome, Report, TurnEnd},
};
