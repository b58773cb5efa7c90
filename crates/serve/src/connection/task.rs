//! Handlers as tasks: contained, answered once, abandoned when they will not end.

use std::{
    panic::{AssertUnwindSafe, catch_unwind},
    task::Poll,
};

use acp_vocab::{ErrorObject, RequestId, SessionId};
use tokio::time::Instant;

use super::Connection;
use crate::{
    command::{Answer, Command, RequestKey},
    refusal::{internal, withdrawn},
};

impl Connection {
    /// Runs the handler of a request; what it returns is the answer.
    pub(super) fn handle(
        &mut self,
        key: RequestKey,
        handler: impl Future<Output = Answer> + Send + 'static,
    ) {
        let queue = self.queue.clone();
        let task = self.tasks.spawn(async move {
            let answer = contained(handler)
                .await
                .unwrap_or_else(|| Answer::Plain(Err(panicked())));
            // Nobody is there to answer when this fails.
            drop(queue.send(Command::Answer(key, Box::new(answer))).await);
        });
        if let Some(pending) = self.requests.open_mut(key) {
            pending.task = Some(task);
        }
    }

    /// The client takes a request back (`$/cancel_request`). It is answered all the same.
    pub(super) fn withdraw(&mut self, now: Instant, id: &RequestId) {
        let Some(key) = self.requests.find(id) else {
            return;
        };
        if !self.withdraw_prompt(now, key) {
            self.withdraw_handler(now, key);
        }
    }

    /// A session that is being opened is not wanted any more.
    pub(super) fn cancel_opening(&mut self, now: Instant, id: &SessionId) {
        let opening = self
            .requests
            .iter()
            .find(|(_, _, pending)| pending.opens.as_ref() == Some(id))
            .map(|(key, ..)| key);
        if let Some(key) = opening {
            self.withdraw_handler(now, key);
        }
    }

    /// Ends the handler of a request, and answers in its place.
    fn withdraw_handler(&mut self, now: Instant, key: RequestKey) {
        let task = self
            .requests
            .open_mut(key)
            .and_then(|pending| pending.task.take());
        if let Some(task) = task {
            task.abort();
            self.respond(now, key, &Err::<(), _>(withdrawn()));
        }
    }

    /// The client is gone, or has to go: everything is told to stop.
    pub(crate) fn stop_all(&mut self, now: Instant) {
        self.gone.cancel();
        let farewell = self.host.config.farewell;
        let ids: Vec<_> = self.sessions.keys().cloned().collect();
        for id in ids {
            let Some(session) = self.sessions.get_mut(&id) else {
                continue;
            };
            session.live.token.cancel();
            if let Some(running) = &mut session.running {
                running.stop(now, farewell);
                running.cleanup = running.cleanup.map(|at| at.min(now + farewell));
            }
            let held: Vec<_> = session.held.drain(..).collect();
            for held in held {
                self.give_back(now, held.key);
            }
        }
        // Handlers that are no turns have nothing to wind up.
        let keys: Vec<RequestKey> = self
            .requests
            .iter()
            .filter(|(_, _, pending)| pending.task.is_some())
            .map(|(key, ..)| key)
            .collect();
        for key in keys {
            if let Some(task) = self
                .requests
                .open_mut(key)
                .and_then(|pending| pending.task.take())
            {
                task.abort();
            }
            self.respond(now, key, &Err::<(), _>(withdrawn()));
        }
    }

    /// A task ended. Its answer came through the queue; here only what went wrong is seen.
    pub(crate) fn joined_task(&mut self, result: Result<(), tokio::task::JoinError>) {
        if let Err(error) = result
            && error.is_panic()
        {
            self.report.panicked += 1;
            tracing::error!("a task of the server panicked");
        }
    }
}

pub(super) fn panicked() -> ErrorObject {
    internal("the handler failed")
}

/// Calls what the agent implements and contains its panic: `None`.
pub(super) fn contained_call<T>(call: impl FnOnce() -> T) -> Option<T> {
    let called = catch_unwind(AssertUnwindSafe(call));
    if called.is_err() {
        tracing::warn!("a handler panicked");
    }
    called.ok()
}

/// Polls a future and contains its panic: `None`.
pub(super) async fn contained<T>(future: impl Future<Output = T>) -> Option<T> {
    let mut future = Some(Box::pin(future));
    std::future::poll_fn(move |cx| {
        let polled = contained_call(|| match future.as_mut() {
            None => Poll::Pending,
            Some(polled) => {
                let ready = std::task::ready!(polled.as_mut().poll(cx));
                // Dropping what it holds is the handler's code, too.
                future = None;
                Poll::Ready(ready)
            }
        });
        match polled {
            Some(polled) => polled.map(Some),
            None => {
                // What is left of it may panic again.
                contained_call(|| future = None);
                Poll::Ready(None)
            }
        }
    })
    .await
}
