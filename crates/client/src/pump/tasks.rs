//! Running handlers, each in a task of its own, contained.

use std::{
    collections::BTreeMap,
    fmt,
    sync::Arc,
    task::{Context, Poll},
};

use acp_session::{AskKey, WaitKey};
use acp_vocab::{ErrorCode, ErrorObject, Raw};
use tokio::task::{Id, JoinSet};

use crate::{
    handler::Question, handlers::Handlers, requester::Requester, shared::Shared, turns::Held,
};

/// With so many bytes of questions in the hands of handlers the next one waits in the machine, where
/// it counts and holds the agent back. One that is larger is handed out alone.
const HELD: usize = 8 * 1024 * 1024;

/// The handlers that run. Their number is bounded by the questions that the machine accepts.
pub(super) struct Tasks {
    handlers: Arc<Handlers>,
    requester: Requester,
    running: JoinSet<Result<Raw, ErrorObject>>,
    asks: BTreeMap<Id, Asked>,
    /// Bytes of their questions.
    held: usize,
}

struct Asked {
    key: AskKey,
    method: Box<str>,
    bytes: usize,
    /// Let go of behind the answer.
    turn: Held,
}

impl fmt::Debug for Tasks {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Tasks")
            .field("running", &self.running.len())
            .finish_non_exhaustive()
    }
}

impl Tasks {
    pub(super) fn new(handlers: Handlers, requester: Requester) -> Self {
        Self {
            handlers: Arc::new(handlers),
            requester,
            running: JoinSet::new(),
            asks: BTreeMap::new(),
            held: 0,
        }
    }

    pub(super) fn abort(&mut self) {
        self.running.abort_all();
    }

    /// Answers what was finished and starts what was asked. True when anything was done.
    pub(super) fn poll(&mut self, cx: &mut Context<'_>, shared: &Arc<Shared>) -> bool {
        let mut busy = false;
        while self.start_next(shared) {
            busy = true;
        }
        while let Poll::Ready(Some(finished)) = self.running.poll_join_next_with_id(cx) {
            busy = true;
            let (id, answer) = match finished {
                Ok((id, answer)) => (id, answer),
                Err(error) => {
                    let answer = Err(ErrorObject::of(ErrorCode::INTERNAL_ERROR));
                    if error.is_panic()
                        && let Some(asked) = self.asks.get(&error.id())
                    {
                        tracing::warn!(method = &*asked.method, "a handler panicked");
                    }
                    (error.id(), answer)
                }
            };
            if let Some(asked) = self.asks.remove(&id) {
                self.held -= asked.bytes;
                answer_ask(shared, asked.key, answer);
                drop(asked.turn);
            }
        }
        busy
    }

    fn start_next(&mut self, shared: &Arc<Shared>) -> bool {
        if self.held >= HELD {
            // The end of any of them wakes the pump.
            shared.with(|inner, _| inner.pump.asked = false);
            return false;
        }
        let ask = shared.with(|inner, now| {
            let ask = inner.machine.next_handler_ask(now);
            inner.pump.asked = false;
            // After the end there are no questions, and a park would be over at once.
            if ask.is_none() && inner.machine.ended().is_none() {
                inner.machine.park(now, WaitKey::Handler);
            }
            ask.map(|ask| {
                let scope = inner.scopes.hand(&inner.machine, ask.key);
                (ask, scope)
            })
        });
        let Some((ask, scope)) = ask else {
            return false;
        };
        tracing::debug!(method = &*ask.method, id = %ask.id, "handler starts");
        let (key, method) = (ask.key, ask.method.clone());
        let bytes = ask.params.get().len();
        let turn = Held::default();
        let question = Question {
            ask,
            requester: self.requester.clone(),
            scope,
            turn: Held::clone(&turn),
        };
        let handlers = Arc::clone(&self.handlers);
        let task = self
            .running
            .spawn(async move { handlers.answer(question).await });
        self.held += bytes;
        let asked = Asked {
            key,
            method,
            bytes,
            turn,
        };
        self.asks.insert(task.id(), asked);
        shared.with(|inner, now| {
            // When the machine settles the question by itself, the task is aborted.
            inner.running.insert(key, task);
            inner.machine.park(now, WaitKey::Ask(key));
        });
        true
    }
}

fn answer_ask(shared: &Arc<Shared>, ask: AskKey, answer: Result<Raw, ErrorObject>) {
    let internal = || ErrorObject::of(ErrorCode::INTERNAL_ERROR);
    let late = shared.with(|inner, now| {
        inner.running.remove(&ask);
        inner.machine.unpark(now, WaitKey::Ask(ask));
        let answered = match &answer {
            Ok(result) => inner.machine.answer(now, ask, result),
            Err(error) => inner.machine.refuse(now, ask, error),
        };
        match answered {
            Ok(()) => None,
            // Settled before, by a bound, a withdrawal or the end: the agent has its answer.
            Err(error @ acp_session::UsageError::TooLate { .. }) => Some(error),
            Err(error) => {
                inner.machine.refuse(now, ask, &internal()).err();
                Some(error)
            }
        }
    });
    if let Some(error) = late {
        tracing::debug!(%error, "a handler's answer was not sent");
    }
}
