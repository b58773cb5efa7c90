//! One session: its turns, its queue and who reads which part of that, what it is told to end.

use std::collections::{BTreeSet, VecDeque};

use acp_vocab::SessionId;

use crate::beside::{Beside, Subject};
use crate::event::Received;
use crate::key::{CallKey, SessionKey, Stream, TurnKey};
use crate::queue::Queue;
use crate::tools::Tools;
use crate::turn::Turn;

/// Where a session stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Stage {
    /// Its opening request is unanswered; when it asked for a replay, what comes now is history.
    Opening { replays: bool },
    /// In use.
    Open,
    /// Closed or deleted; what was read before can still be taken.
    Over,
}

#[derive(Debug)]
pub(crate) struct Session {
    pub(crate) id: SessionId,
    pub(crate) stage: Stage,
    pub(crate) queue: Queue,
    /// Live turns, oldest first.
    pub(crate) turns: VecDeque<Turn>,
    /// What drained events said of how the session stands: the latest of each of five kinds.
    pub(crate) kept: Vec<Received>,
    /// Whether the host holds the session.
    pub(crate) held: bool,
    /// Whether a turn has ended, so that what comes between turns is late.
    pub(crate) had_turn: bool,
    /// Prompts that the agent has not answered.
    pub(crate) unanswered: usize,
    /// Prompts whose line waits: in v1 until those are, in v2 until the agent has wound down.
    pub(crate) held_back: VecDeque<(TurnKey, Vec<u8>)>,
    pub(crate) tools: Tools,
    /// v2: what the agent lists as going on beside its turns.
    pub(crate) beside: Beside,
    /// v2: a cancel went out, and no idle has come since.
    pub(crate) winds_down: bool,
    /// v2: the prompt that was all there was to cancel. If the agent does not take it no idle follows.
    pub(crate) winds_down_with: Option<TurnKey>,
    /// Requests of the host that end the session and are unanswered.
    pub(crate) ending: BTreeSet<CallKey>,
    /// Child sessions that it announced.
    pub(crate) children: usize,
}

impl Session {
    pub(crate) fn new(id: SessionId, stage: Stage) -> Self {
        Self {
            id,
            stage,
            queue: Queue::default(),
            turns: VecDeque::new(),
            kept: Vec::new(),
            held: true,
            had_turn: false,
            unanswered: 0,
            held_back: VecDeque::new(),
            tools: Tools::default(),
            beside: Beside::default(),
            winds_down: false,
            winds_down_with: None,
            ending: BTreeSet::new(),
            children: 0,
        }
    }

    /// Whose is what comes now (rule 5): the oldest turn's that runs, else the session's; `None`:
    /// nobody reads it, so it is dropped.
    pub(crate) fn owner(&self, key: SessionKey) -> Option<Stream> {
        match self.turns.iter().find(|turn| !turn.ended) {
            Some(turn) if turn.given_up => None,
            Some(turn) => Some(Stream::Turn(turn.key)),
            None => self.held.then_some(Stream::Session(key)),
        }
    }

    /// Where in the queue the part of a stream begins: behind the end of the turn before it. `None`
    /// while that turn runs, and for a turn that is not known.
    pub(crate) fn part(&self, stream: Stream) -> Option<usize> {
        let mut before = None;
        for turn in &self.turns {
            if stream == Stream::Turn(turn.key) {
                break;
            }
            if !turn.ended {
                return None;
            }
            // The end of one that ended before an older one does not stand in the queue.
            before = if turn.end.is_none() {
                Some(turn.key)
            } else {
                before
            };
        }
        let known = match stream {
            Stream::Turn(key) => self.turn(key).is_some(),
            Stream::Session(_) => true,
            Stream::Connection => false,
        };
        known.then(|| before.map_or(0, |turn| self.queue.behind(turn)))
    }

    /// Whether something stands in the part of a stream.
    pub(crate) fn has_next(&self, stream: Stream) -> bool {
        self.part(stream).is_some_and(|at| at < self.queue.len())
    }

    /// Whether who waits for a stream is helped by reading on (rule 3): what comes now is his, and
    /// nothing is there. Nobody is helped by reading behind what another reader holds up.
    pub(crate) fn lacks(&self, key: SessionKey, stream: Stream) -> bool {
        self.queue.is_empty() || (self.owner(key) == Some(stream) && !self.has_next(stream))
    }

    /// A part of the queue that nobody will read: where it begins, and the turn that it belongs to
    /// when that has ended.
    pub(crate) fn unread_by_anybody(&self, key: SessionKey) -> Option<(usize, Option<TurnKey>)> {
        let given_up = self.turns.iter().filter(|turn| turn.given_up);
        let of_turn = |turn: &Turn| (Stream::Turn(turn.key), turn.ended.then_some(turn.key));
        let of_session = (!self.held).then_some((Stream::Session(key), None));
        let (stream, ended) = given_up
            .map(of_turn)
            .chain(of_session)
            .find(|(stream, _)| self.has_next(*stream))?;
        Some((self.part(stream)?, ended))
    }

    pub(crate) fn turn_mut(&mut self, key: TurnKey) -> Option<&mut Turn> {
        self.turns.iter_mut().find(|turn| turn.key == key)
    }

    pub(crate) fn turn(&self, key: TurnKey) -> Option<&Turn> {
        self.turns.iter().find(|turn| turn.key == key)
    }

    /// Whether an older turn than this one still runs.
    pub(crate) fn waits_behind(&self, turn: TurnKey) -> bool {
        self.turns
            .iter()
            .take_while(|older| older.key != turn)
            .any(|older| !older.ended)
    }

    /// v2: whether a prompt became part of the work of an older turn that somebody reads.
    pub(crate) fn shares_work(&self, turn: TurnKey) -> bool {
        let inserted = self.turn(turn).is_some_and(|turn| turn.message.is_some());
        let mut older = self.turns.iter().take_while(|older| older.key != turn);
        inserted && older.any(|older| !older.ended && !older.given_up)
    }

    /// Whether a turn has not ended.
    pub(crate) fn is_running(&self) -> bool {
        self.turns.iter().any(|turn| !turn.ended)
    }

    /// The turns that the agent may be working on: neither over nor held back.
    fn active(&self) -> impl Iterator<Item = &Turn> {
        let held = |turn: &Turn| self.held_back.iter().any(|(held, _)| *held == turn.key);
        self.turns
            .iter()
            .filter(move |turn| !turn.ended && !held(turn))
    }

    /// Whether what comes now belongs to no turn that runs.
    pub(crate) fn is_late(&self) -> bool {
        self.had_turn && self.active().next().is_none()
    }

    /// Whether a question is answered as cancelled at once: the work that it belongs to was
    /// cancelled, or the whole session is being ended.
    pub(crate) fn cancels(&self, subject: &Subject) -> bool {
        !self.ending.is_empty() || (!self.beside.has(subject) && self.is_cancelling())
    }

    /// v2: this turn is being cancelled, and with it everything that the agent works on.
    pub(crate) fn wind_down(&mut self, turn: TurnKey) {
        let has_begun = self.turns.iter().any(|live| !live.ended && live.is_taken());
        self.winds_down_with = (!self.winds_down && !has_begun).then_some(turn);
        self.winds_down = true;
    }

    /// v2: the agent is idle, or never began.
    pub(crate) const fn wound_down(&mut self) {
        self.winds_down = false;
        self.winds_down_with = None;
    }

    /// Whether the work that goes on was cancelled. A turn that ended here by a bound is still being
    /// cancelled until the agent has answered its prompt (v1) or is idle (v2). A later prompt of v2
    /// has no work of its own before the agent took it.
    fn is_cancelling(&self) -> bool {
        let mut active = self.active();
        match active.next() {
            Some(oldest) => {
                let mut others = active.filter(|turn| turn.is_taken());
                oldest.cancelled && others.all(|turn| turn.cancelled)
            }
            None => self.unanswered > 0 || self.winds_down,
        }
    }
}
