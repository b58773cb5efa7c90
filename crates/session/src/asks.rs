//! The table of questions: which are open, and which were settled while somebody still holds them.

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::time::{Duration, Instant};

use acp_vocab::RequestId;

use crate::ask::{Accepted, Kind, Settled};
use crate::beside::Beside;
use crate::correlation::Incoming;
use crate::key::{AskKey, CallKey, Scope, SessionKey};

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

    pub(crate) fn session(&self, key: AskKey) -> Option<SessionKey> {
        self.open.open(key)?.1.session
    }

    pub(crate) fn kind(&self, key: AskKey) -> Option<Kind> {
        self.open.open(key).map(|(_, ask)| ask.kind)
    }

    /// What is open in a session; only what a person decides about foreground work, unless `all`.
    pub(crate) fn of_session(
        &self,
        session: SessionKey,
        all: bool,
        beside: &Beside,
    ) -> Vec<AskKey> {
        let decides = |ask: &Accepted| {
            let by_person = matches!(ask.kind, Kind::Permission | Kind::Elicitation);
            by_person && !beside.has(&ask.subject)
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
