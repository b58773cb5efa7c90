//! The sessions of a connection: which ids are open, which feed another one's stream, which are over
//! (rules 4 to 6).

use std::collections::{BTreeMap, VecDeque};
use std::time::Instant;

use acp_vocab::SessionId;

use crate::key::{SessionKey, TurnKey};
use crate::session::{Session, Stage};

/// The longest id of a child session that is remembered, in bytes.
const LONGEST_CHILD: usize = 4096;

/// What an id of the wire means.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Place {
    /// A session of the host.
    Own(SessionKey),
    /// A child session: its events go into this stream, tagged.
    Child(SessionKey),
    /// It was ours and is over.
    Inactive,
    /// Never heard of.
    Unknown,
}

#[derive(Debug)]
pub(crate) struct Sessions {
    table: BTreeMap<SessionKey, Session>,
    ids: BTreeMap<Box<str>, Place>,
    turns: BTreeMap<TurnKey, SessionKey>,
    /// v2: sessions whose prompts are held back, and until when at the latest.
    pub(crate) holding: BTreeMap<SessionKey, Instant>,
    /// Ids that are over, oldest first, for forgetting.
    inactive: VecDeque<Box<str>>,
    limit: usize,
    children: usize,
}

impl Sessions {
    pub(crate) const fn new(limits: &crate::Limits) -> Self {
        Self {
            table: BTreeMap::new(),
            ids: BTreeMap::new(),
            turns: BTreeMap::new(),
            holding: BTreeMap::new(),
            inactive: VecDeque::new(),
            limit: limits.sessions,
            children: limits.children,
        }
    }

    pub(crate) fn place(&self, id: &str) -> Place {
        self.ids.get(id).copied().unwrap_or(Place::Unknown)
    }

    pub(crate) fn is_full(&self) -> bool {
        self.table.len() >= self.limit
    }

    pub(crate) fn add(&mut self, key: SessionKey, id: SessionId, stage: Stage) {
        self.ids.insert(id.as_str().into(), Place::Own(key));
        self.table.insert(key, Session::new(id, stage));
    }

    /// A session announces a child. Its events join the stream of the announcing session (of the
    /// root, for a child's child). Beyond the bounds it stays unknown.
    pub(crate) fn adopt(&mut self, parent: SessionKey, child: &str) {
        let known = matches!(self.place(child), Place::Own(_) | Place::Child(_));
        let too_many = self.ids.len() >= self.limit.saturating_mul(4);
        if known || too_many || child.len() > LONGEST_CHILD {
            return;
        }
        if let Some(session) = self.table.get_mut(&parent)
            && session.children < self.children
        {
            session.children += 1;
            self.ids.insert(child.into(), Place::Child(parent));
        }
    }

    pub(crate) fn find(&self, key: SessionKey) -> Option<&Session> {
        self.table.get(&key)
    }

    pub(crate) fn find_mut(&mut self, key: SessionKey) -> Option<&mut Session> {
        self.table.get_mut(&key)
    }

    pub(crate) fn note_turn(&mut self, turn: TurnKey, session: SessionKey) {
        self.turns.insert(turn, session);
    }

    pub(crate) fn forget_turn(&mut self, turn: TurnKey) {
        self.turns.remove(&turn);
    }

    pub(crate) fn of_turn(&self, turn: TurnKey) -> Option<SessionKey> {
        self.turns.get(&turn).copied()
    }

    /// Nothing more is accepted for the session's id; its children go with it.
    pub(crate) fn deactivate(&mut self, key: SessionKey) {
        let gone: Vec<Box<str>> = self
            .ids
            .iter()
            .filter(|&(_, &place)| place == Place::Own(key) || place == Place::Child(key))
            .map(|(id, _)| id.clone())
            .collect();
        for id in gone {
            self.retire(id);
        }
        if let Some(session) = self.table.get_mut(&key) {
            session.stage = Stage::Over;
        }
    }

    /// Remembers an id as one whose session is over.
    pub(crate) fn retire(&mut self, id: Box<str>) {
        while self.inactive.len() >= self.limit {
            if let Some(oldest) = self.inactive.pop_front()
                && self.ids.get(&oldest) == Some(&Place::Inactive)
            {
                self.ids.remove(&oldest);
            }
        }
        self.inactive.push_back(id.clone());
        self.ids.insert(id, Place::Inactive);
    }

    /// Forgets a session whose stream nobody will read; its id stays known as inactive.
    pub(crate) fn remove(&mut self, key: SessionKey) -> Option<Session> {
        self.deactivate(key);
        self.holding.remove(&key);
        let session = self.table.remove(&key)?;
        for turn in &session.turns {
            self.turns.remove(&turn.key);
        }
        Some(session)
    }

    pub(crate) fn keys(&self) -> Vec<SessionKey> {
        self.table.keys().copied().collect()
    }

    /// The history of a session that is being opened is complete; what follows is live.
    pub(crate) fn history_ended(&mut self, key: SessionKey) {
        if let Some(session) = self.table.get_mut(&key)
            && session.stage == (Stage::Opening { replays: true })
        {
            session.stage = Stage::Opening { replays: false };
        }
    }

    /// The open session, when there is exactly one.
    pub(crate) fn only_one(&self) -> Option<SessionKey> {
        let mut open = self
            .table
            .iter()
            .filter(|(_, session)| session.stage == Stage::Open);
        match (open.next(), open.next()) {
            (Some((&key, _)), None) => Some(key),
            _ => None,
        }
    }

    /// The session with the most unread bytes.
    pub(crate) fn fullest(&self) -> Option<&Session> {
        self.table
            .values()
            .max_by_key(|session| session.queue.bytes())
    }
}
