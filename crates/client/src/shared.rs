//! What the handles and the pump share: the machine, who waits for it, and what the pump sleeps on.
//!
//! One lock, never held over an await. There is no channel between parsing and a host's queue: the
//! pump feeds bytes into the machine, and a host takes its events out of it.

use std::{
    collections::BTreeMap,
    sync::{Arc, Mutex, MutexGuard, PoisonError},
    task::Waker,
    time::Instant,
};

use acp_handshake::Agreement;
use acp_session::{AskKey, Connection, Event, Transmit, WaitKey};
use acp_vocab::SessionId;
use tokio::{sync::Notify, task::AbortHandle};

use crate::{
    clock,
    noted::Noted,
    reports::Reports,
    scope::{Over, Scopes},
    turns::Turns,
    wakers::{WaiterId, Wakers},
};

/// The state behind every handle of a connection.
#[derive(Debug)]
pub(crate) struct Shared {
    inner: Mutex<Inner>,
    /// Apart from the machine: only hosts that read events look at it.
    reports: Mutex<Reports>,
    /// What those events said of the sessions.
    noted: Mutex<Noted>,
    /// Whether what is said in a session is kept.
    keeps_state: bool,
    /// Something was written, or will never be.
    written: Notify,
    /// Who may make a large answer.
    turns: Turns,
}

#[derive(Debug)]
pub(crate) struct Inner {
    pub(crate) machine: Connection,
    pub(crate) wakers: Wakers,
    pub(crate) agreement: Option<Arc<Agreement>>,
    /// Handlers that run, by the question each answers.
    pub(crate) running: BTreeMap<AskKey, AbortHandle>,
    /// The sessions that handlers were asked for.
    pub(crate) scopes: Scopes,
    pub(crate) pump: PumpState,
}

/// What the pump is asleep on, so that a host wakes it only when that has changed.
#[derive(Debug, Default)]
pub(crate) struct PumpState {
    /// There while it sleeps: what happens while it is awake it sees before it falls asleep.
    pub(crate) waker: Option<Waker>,
    /// Whether the reader will wake it; nobody will when there is none any more.
    pub(crate) reading: Half,
    /// Whether the writer will.
    pub(crate) writing: Half,
    /// When the timer will.
    pub(crate) deadline: Option<Instant>,
    /// A question for a handler is there.
    pub(crate) asked: bool,
    /// It has seen that the connection is over.
    pub(crate) over: bool,
}

/// One half of the link, as the sleeping pump left it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum Half {
    /// Not asked.
    #[default]
    Idle,
    /// Asked: it wakes the pump.
    Awaited,
    /// There is none any more.
    Gone,
}

impl Inner {
    /// A waiter has what it wanted, or is gone. The machine knows one parking per key, so it is
    /// told when the last one leaves.
    pub(crate) fn release(&mut self, now: Instant, key: WaitKey, id: WaiterId) {
        if self.wakers.unpark(key, id) {
            self.machine.unpark(now, key);
        }
    }

    /// Collects whoever became ready, and the pump if its sleep is out of date.
    fn settle(&mut self, now: Instant, woken: &mut Vec<Waker>) {
        while let Some(key) = self.machine.poll_ready() {
            match key {
                WaitKey::Handler => self.pump.asked = true,
                WaitKey::Ask(ask) => {
                    if let Some(task) = self.running.remove(&ask) {
                        task.abort();
                    }
                }
                WaitKey::Call(_) | WaitKey::Stream(_) | WaitKey::Writer | WaitKey::Closed | _ => {}
            }
            self.wakers.take(key, woken);
        }
        if self.pump.waker.is_some() && self.pump_is_stale(now) {
            woken.extend(self.pump.waker.take());
        }
    }

    /// Sessions of handlers that are over.
    fn sessions_over(&mut self) -> Over {
        self.scopes.take_over(&self.machine)
    }

    /// Whether the pump, asleep on what its state says, would miss something.
    fn pump_is_stale(&mut self, now: Instant) -> bool {
        let pump = &self.pump;
        let earlier = match (self.machine.poll_timeout(), pump.deadline) {
            (Some(wanted), Some(armed)) => wanted < armed,
            (wanted, None) => wanted.is_some(),
            (None, Some(_)) => false,
        };
        let to_write = !matches!(self.machine.poll_transmit(), Transmit::Nothing);
        earlier
            || pump.asked
            || (to_write && pump.writing == Half::Idle)
            || (self.machine.closed().is_some() && !pump.over)
            || (pump.reading == Half::Idle && self.machine.wants_read(now))
    }
}

impl Shared {
    pub(crate) fn new(machine: Connection, keep_state: bool) -> Arc<Self> {
        Arc::new(Self {
            reports: Mutex::default(),
            noted: Mutex::new(Noted::new(keep_state)),
            keeps_state: keep_state,
            written: Notify::new(),
            turns: Turns::default(),
            inner: Mutex::new(Inner {
                machine,
                wakers: Wakers::default(),
                agreement: None,
                running: BTreeMap::new(),
                scopes: Scopes::default(),
                pump: PumpState::default(),
            }),
        })
    }

    fn lock(&self) -> MutexGuard<'_, Inner> {
        self.inner.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Does something to the machine and wakes whoever that concerns, after the lock is released.
    pub(crate) fn with<T>(&self, act: impl FnOnce(&mut Inner, Instant) -> T) -> T {
        let mut woken = Vec::new();
        let (value, over) = {
            let mut inner = self.lock();
            let now = clock::now();
            let value = act(&mut inner, now);
            inner.settle(now, &mut woken);
            (value, inner.sessions_over())
        };
        drop(over);
        for waker in woken {
            waker.wake();
        }
        value
    }

    /// The pump has nothing to do and wants to sleep. Says no when something came up meanwhile.
    pub(crate) fn sleep(&self, waker: &Waker) -> bool {
        let mut woken = Vec::new();
        let asleep = {
            let mut inner = self.lock();
            let now = clock::now();
            inner.settle(now, &mut woken);
            let asleep = !inner.pump_is_stale(now);
            inner.pump.waker = asleep.then(|| waker.clone());
            asleep
        };
        for waker in woken {
            waker.wake();
        }
        asleep
    }

    /// Looks at the state and changes nothing.
    pub(crate) fn read<T>(&self, look: impl FnOnce(&Inner) -> T) -> T {
        look(&self.lock())
    }

    /// Who may make a large answer on this connection.
    pub(crate) const fn turns(&self) -> &Turns {
        &self.turns
    }

    /// Tells those who wait for room that there may be some.
    pub(crate) fn wrote(&self) {
        self.written.notify_waiters();
    }

    /// Waits until fewer bytes than this wait to be written. Cancel-safe.
    pub(crate) async fn drained(&self, most: usize) {
        loop {
            // Made before the look, so that nothing that happens after it is missed.
            let written = self.written.notified();
            if self.read(|inner| inner.machine.pending_bytes()) < most {
                return;
            }
            written.await;
        }
    }

    /// What the agent reported of its tool calls.
    pub(crate) fn reports<T>(&self, look: impl FnOnce(&mut Reports) -> T) -> T {
        look(&mut self.reports.lock().unwrap_or_else(PoisonError::into_inner))
    }

    /// Whether what is said in a session is kept.
    pub(crate) const fn keeps_state(&self) -> bool {
        self.keeps_state
    }

    /// Takes what an event of a session says of what a host may do; most say nothing.
    pub(crate) fn note(&self, session: &SessionId, event: &Event, frame: u64) {
        if Noted::concerns(event) {
            self.noted(|noted| noted.note(session, event, frame));
        }
    }

    /// What the events that were read said of the sessions.
    pub(crate) fn noted<T>(&self, look: impl FnOnce(&mut Noted) -> T) -> T {
        look(&mut self.noted.lock().unwrap_or_else(PoisonError::into_inner))
    }

    pub(crate) fn agreement(&self) -> Option<Arc<Agreement>> {
        self.read(|inner| inner.agreement.clone())
    }
}
