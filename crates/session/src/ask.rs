//! What the agent asks of us: accepted within bounds, handed over once, answered exactly once
//! (rules 7 and 8).

use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet};
use std::fmt;
use std::time::{Duration, Instant};

use acp_vocab::{ErrorCode, ErrorObject, RequestId, ToolCallId};

use crate::correlation::Incoming;
use crate::key::{AskKey, CallKey, Scope, SessionKey};

/// How a question was settled.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Settled {
    /// The host answered.
    Answered,
    /// The host let go of it without an answer, or nobody reads its stream any more.
    Dropped,
    /// The turn was cancelled.
    Cancelled,
    /// The agent took it back with `$/cancel_request`.
    Withdrawn,
    /// Nobody was there to decide: it stayed unread while a call waited behind it.
    Unread,
    /// A handler took too long.
    TimedOut,
    /// Its turn ended.
    TurnEnded,
    /// The connection was closed, or ended.
    Closed,
}

impl Settled {
    /// A short name for records, in `snake_case`.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Answered => "answered",
            Self::Dropped => "dropped",
            Self::Cancelled => "cancelled",
            Self::Withdrawn => "withdrawn",
            Self::Unread => "unread",
            Self::TimedOut => "timed_out",
            Self::TurnEnded => "turn_ended",
            Self::Closed => "closed",
        }
    }
}

impl fmt::Display for Settled {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Answered => "answered",
            Self::Dropped => "dropped without an answer",
            Self::Cancelled => "its turn was cancelled",
            Self::Withdrawn => "withdrawn by the agent",
            Self::Unread => "nobody was there to decide",
            Self::TimedOut => "the handler took too long",
            Self::TurnEnded => "its turn ended",
            Self::Closed => "the connection ended",
        })
    }
}

/// What kind of answer is owed when nobody gives one.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Kind {
    Permission,
    Elicitation,
    /// A request whose handler waits for a process, bounded by the turn.
    TerminalExit,
    Other,
}

impl Kind {
    pub(crate) fn of(method: &str) -> Self {
        match method {
            "session/request_permission" => Self::Permission,
            "elicitation/create" => Self::Elicitation,
            "terminal/wait_for_exit" => Self::TerminalExit,
            _ => Self::Other,
        }
    }
}

/// Appends the answer that is given when the host gives none. It never approves anything.
pub(crate) fn write_default(
    out: &mut Vec<u8>,
    id: &RequestId,
    kind: Kind,
    settled: Settled,
) -> Result<usize, acp_codec::EncodeError> {
    #[derive(serde::Serialize)]
    struct Outcome {
        outcome: &'static str,
    }
    #[derive(serde::Serialize)]
    struct Permission {
        outcome: Outcome,
    }
    #[derive(serde::Serialize)]
    struct Elicitation {
        action: &'static str,
    }
    match (kind, settled) {
        (Kind::Permission, _) => {
            let outcome = Permission {
                outcome: Outcome {
                    outcome: "cancelled",
                },
            };
            acp_codec::encode::result(out, id, &outcome)
        }
        (Kind::Elicitation, Settled::Cancelled | Settled::Withdrawn) => {
            acp_codec::encode::result(out, id, &Elicitation { action: "cancel" })
        }
        (Kind::Elicitation, _) => {
            acp_codec::encode::result(out, id, &Elicitation { action: "decline" })
        }
        (_, Settled::Withdrawn | Settled::Cancelled) => {
            let error = ErrorObject::new(ErrorCode(-32800), "request cancelled");
            acp_codec::encode::error(out, id, &error)
        }
        (_, Settled::Closed) => {
            acp_codec::encode::error(out, id, &ErrorObject::new(ErrorCode(-32603), "closing"))
        }
        (_, _) => {
            let error = ErrorObject::new(ErrorCode(-32603), "not handled");
            acp_codec::encode::error(out, id, &error)
        }
    }
}

/// An accepted request.
#[derive(Debug)]
pub(crate) struct Accepted {
    pub(crate) method: Cow<'static, str>,
    pub(crate) kind: Kind,
    pub(crate) session: Option<SessionKey>,
    /// The tool call that a permission request is about.
    pub(crate) tool: Option<ToolCallId>,
    /// Whose idle clock it pauses once it was handed over.
    pub(crate) pauses: Option<(Scope, Option<CallKey>)>,
    pub(crate) arrived: Instant,
    pub(crate) handed: Option<Instant>,
    /// Whether a registered handler gets it, and not the stream.
    pub(crate) for_handler: bool,
}

/// The questions that are open, and those that were settled while somebody still holds them.
#[derive(Debug)]
pub(crate) struct Asks {
    open: Incoming<AskKey, Accepted>,
    /// Settled by the machine; a queue slot or a responder still names them.
    settled: BTreeMap<AskKey, (Option<SessionKey>, Settled)>,
    unread: usize,
    session_limit: usize,
    limit: usize,
    patience: Duration,
    handler: Duration,
}

impl Asks {
    pub(crate) fn new(limits: &crate::Limits) -> Self {
        Self {
            open: Incoming::default(),
            settled: BTreeMap::new(),
            unread: 0,
            session_limit: limits.session_asks,
            limit: limits.connection_asks,
            patience: limits.unread_ask,
            handler: limits.handler,
        }
    }

    /// Whether one more may be accepted. What is settled and still held counts, as do answers that
    /// are not written: the agent could otherwise ask and withdraw, or ask and not read, without
    /// end.
    pub(crate) fn has_room(&self, session: Option<SessionKey>, unwritten: usize) -> bool {
        if self.open.len() + self.settled.len() + unwritten >= self.limit {
            return false;
        }
        let open = self
            .open
            .iter()
            .filter(|(_, _, ask)| ask.session == session)
            .count();
        let settled = self
            .settled
            .values()
            .filter(|(of, _)| *of == session)
            .count();
        session.is_none() || open + settled < self.session_limit
    }

    pub(crate) fn accept(&mut self, key: AskKey, id: RequestId, ask: Accepted) {
        self.unread += 1;
        self.open.accept(key, id, ask);
    }

    /// Notes that the host has it. Gives what it pauses from now on, or how it was settled before.
    pub(crate) fn hand_over(
        &mut self,
        now: Instant,
        key: AskKey,
    ) -> Result<Option<(Scope, Option<CallKey>)>, Settled> {
        match self.open.open_mut(key) {
            Some(ask) => {
                if ask.handed.replace(now).is_none() {
                    self.unread -= 1;
                    return Ok(ask.pauses);
                }
                Ok(None)
            }
            None => Err(self.release(key).unwrap_or(Settled::Closed)),
        }
    }

    /// Takes it out to answer it. When the host does not know yet, it is remembered until the
    /// host lets go.
    pub(crate) fn settle(&mut self, key: AskKey, how: Settled) -> Option<(RequestId, Accepted)> {
        let (id, ask) = self.open.settle(key)?;
        if ask.handed.is_none() {
            self.unread -= 1;
        }
        if !matches!(how, Settled::Answered | Settled::Dropped) {
            self.settled.insert(key, (ask.session, how));
        }
        Some((id, ask))
    }

    /// Whoever held it lets go. Says how it was settled, if it was.
    pub(crate) fn release(&mut self, key: AskKey) -> Option<Settled> {
        self.settled.remove(&key).map(|(_, how)| how)
    }

    /// How it was settled, while somebody still holds it.
    pub(crate) fn settled(&self, key: AskKey) -> Option<Settled> {
        self.settled.get(&key).map(|&(_, how)| how)
    }

    pub(crate) fn is_open(&self, key: AskKey) -> bool {
        self.open.open(key).is_some()
    }

    pub(crate) fn find(&self, id: &RequestId) -> Option<AskKey> {
        self.open.find(id)
    }

    /// The id and the method of an open question.
    pub(crate) fn label(&self, key: AskKey) -> Option<(RequestId, Cow<'static, str>)> {
        self.open
            .open(key)
            .map(|(id, ask)| (id.clone(), ask.method.clone()))
    }

    pub(crate) fn kind(&self, key: AskKey) -> Option<Kind> {
        self.open.open(key).map(|(_, ask)| ask.kind)
    }

    /// What is open in a session; only what a person decides about foreground work, unless `all`.
    pub(crate) fn of_session(
        &self,
        session: SessionKey,
        all: bool,
        background: &BTreeSet<ToolCallId>,
    ) -> Vec<AskKey> {
        let foreground = |ask: &Accepted| {
            ask.tool
                .as_ref()
                .is_none_or(|tool| !background.contains(tool))
        };
        let decides = |ask: &Accepted| {
            matches!(ask.kind, Kind::Permission | Kind::Elicitation) && foreground(ask)
        };
        let of = self
            .open
            .iter()
            .filter(|(_, _, ask)| ask.session == Some(session));
        of.filter(|(_, _, ask)| all || decides(ask))
            .map(|(key, _, _)| key)
            .collect()
    }

    pub(crate) const fn has_unread(&self) -> bool {
        self.unread > 0
    }

    /// How many handed questions pause a call in this scope.
    pub(crate) fn holds(&self, scope: Scope) -> usize {
        let holds = |ask: &Accepted| ask.handed.is_some() && ask.pauses == Some((scope, None));
        self.open.iter().filter(|(_, _, ask)| holds(ask)).count()
    }

    /// The first question that has stayed unread too long behind a parked call, with the moment
    /// of that; `calls` are the parked ones.
    pub(crate) fn first_unread(&self, calls: &[(Scope, Instant)]) -> Option<(Instant, AskKey)> {
        if self.unread == 0 || calls.is_empty() {
            return None;
        }
        let due = |ask: &Accepted| {
            let scope = ask.session.map(Scope::Session);
            let blocks = calls
                .iter()
                .filter(|(of, _)| scope.is_none_or(|scope| scope == *of));
            let since = blocks.map(|&(_, since)| since).min()?;
            Some(ask.arrived.max(since) + self.patience)
        };
        let unread = self.open.iter().filter(|(_, _, ask)| ask.handed.is_none());
        unread
            .filter_map(|(key, _, ask)| Some((due(ask)?, key)))
            .min()
    }

    /// The first handler that will have taken too long; `turn` gives the absolute bound of a turn
    /// of the session, for those that wait for a process.
    pub(crate) fn first_slow(
        &self,
        turn: impl Fn(SessionKey) -> Option<Instant>,
    ) -> Option<(Instant, AskKey)> {
        let due = |ask: &Accepted| {
            let handed = ask.handed.filter(|_| ask.for_handler)?;
            let own = handed + self.handler;
            Some(match ask.kind {
                Kind::TerminalExit => ask.session.and_then(&turn).unwrap_or(own),
                Kind::Permission | Kind::Elicitation | Kind::Other => own,
            })
        };
        self.open
            .iter()
            .filter_map(|(key, _, ask)| Some((due(ask)?, key)))
            .min()
    }

    pub(crate) fn keys(&self) -> Vec<AskKey> {
        self.open.iter().map(|(key, _, _)| key).collect()
    }
}
