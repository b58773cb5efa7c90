//! One open session: its running turn, the prompts behind it, who waits for its end.

use std::{
    collections::VecDeque,
    path::PathBuf,
    sync::{Arc, Mutex},
    time::Duration,
};

use acp_vocab::{
    ContentBlock, IdleStateUpdate, MessageId, Meta, RequiresActionStateUpdate, RunningStateUpdate,
    StateUpdate, v2::IdempotencyKey,
};
use tokio::{task::AbortHandle, time::Instant};

use crate::{
    command::RequestKey,
    extension::Delivery,
    options::SessionOption,
    outcome::{Outcome, Stop},
    shared::Live,
    timeline::Timeline,
    tracefile::TraceFile,
    turn::Counts,
};

/// Submissions that are remembered, a session, to recognise a repeated one.
const MAX_KEYS: usize = 256;

#[derive(Debug)]
pub(crate) struct Session {
    pub(crate) cwd: Arc<PathBuf>,
    pub(crate) live: Arc<Live>,
    pub(crate) timeline: Arc<Mutex<Timeline>>,
    pub(crate) options: Vec<SessionOption>,
    pub(crate) running: Option<Running>,
    pub(crate) held: VecDeque<Held>,
    pub(crate) submissions: Submissions,
    pub(crate) closing: Vec<Closing>,
    /// Prompts that were inserted.
    pub(crate) prompts: u64,
    /// The number of the last event.
    pub(crate) sequence: u64,
    /// The message that text was sent of last.
    pub(crate) last_message: Option<MessageId>,
    pub(crate) trace: Option<TraceFile>,
}

/// The turn that runs.
#[derive(Debug)]
pub(crate) struct Running {
    pub(crate) run: u64,
    pub(crate) name: String,
    /// The prompt's request, while it has to be answered (version 1).
    pub(crate) key: Option<RequestKey>,
    pub(crate) live: Arc<Live>,
    pub(crate) counts: Arc<Counts>,
    pub(crate) task: AbortHandle,
    /// The client asked for a cancel.
    pub(crate) cancel_asked: bool,
    pub(crate) timed_out: bool,
    /// When the turn is over whatever it does.
    pub(crate) deadline: Option<Instant>,
    /// When it is abandoned, once it was told to stop.
    pub(crate) cleanup: Option<Instant>,
    /// Questions that wait for the user.
    pub(crate) questions: usize,
    /// Bytes of its prompt, once the request is answered (version 2).
    pub(crate) bytes: usize,
}

/// A prompt that waits for the one before it.
#[derive(Debug)]
pub(crate) struct Held {
    pub(crate) key: RequestKey,
    pub(crate) blocks: Vec<ContentBlock>,
    pub(crate) submission: Option<IdempotencyKey>,
    pub(crate) meta: Option<Meta>,
}

/// Somebody who waits until the session is quiet, to close or delete it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Closing {
    pub(crate) key: RequestKey,
    pub(crate) delete: bool,
}

impl Session {
    /// What it is doing, in the words of version 2.
    pub(crate) fn state(&self) -> StateUpdate {
        match &self.running {
            None => StateUpdate::Idle(IdleStateUpdate::new()),
            Some(running) if running.questions > 0 => {
                StateUpdate::RequiresAction(RequiresActionStateUpdate::new())
            }
            Some(_) => StateUpdate::Running(RunningStateUpdate::new()),
        }
    }
}

impl Running {
    /// Tells the handler to stop, and how long it may take.
    pub(crate) fn stop(&mut self, now: Instant, cleanup: Duration) {
        self.live.token.cancel();
        self.cleanup.get_or_insert(now + cleanup);
    }

    /// The next moment at which something has to be done about it.
    pub(crate) fn wakes_at(&self) -> Option<Instant> {
        match (self.cleanup, self.deadline) {
            (Some(cleanup), _) => Some(cleanup),
            (None, deadline) => deadline,
        }
    }

    /// What the handler returned, where it only knows that it was told to stop, with the reason for
    /// that.
    pub(crate) fn reason(&self, outcome: Outcome) -> Outcome {
        match outcome {
            Err(Stop::Cancelled) => Err(match self.live.limited() {
                Some(limit) => Stop::LimitExceeded(limit),
                None if self.timed_out => Stop::TimedOut,
                None => Stop::Cancelled,
            }),
            outcome => outcome,
        }
    }

    /// Whether it was told to stop, by anybody.
    pub(crate) fn was_stopped(&self) -> bool {
        self.live.token.is_cancelled()
    }
}

/// Which submission became which message.
#[derive(Debug, Default)]
pub(crate) struct Submissions {
    known: VecDeque<(IdempotencyKey, MessageId)>,
}

impl Submissions {
    pub(crate) fn find(&self, key: &IdempotencyKey) -> Option<&MessageId> {
        self.known
            .iter()
            .find(|(known, _)| known == key)
            .map(|(_, id)| id)
    }

    pub(crate) fn note(&mut self, key: IdempotencyKey, id: MessageId) {
        if self.known.len() >= MAX_KEYS {
            self.known.pop_front();
        }
        self.known.push_back((key, id));
    }
}

/// How an outcome reached us.
#[derive(Debug)]
pub(crate) struct Settled {
    pub(crate) outcome: Outcome,
    pub(crate) delivery: Delivery,
}
