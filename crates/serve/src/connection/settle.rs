//! The end of a turn: everything it sent has gone out, now the client is told how it ended.

use std::sync::atomic::Ordering;

use acp_vocab::{
    ErrorObject, ErrorStopReason, IdleStop, Meta, SessionId, StateUpdate, StopReason, v1,
};
use tokio::time::Instant;

use super::Connection;
use crate::{
    config::Conversations,
    extension::{Decimal, Delivery, Limits, Task},
    outcome::{Outcome, Stop},
    said::Said,
    session::{Running, Settled},
    shared::{ENVELOPE, lock},
};

impl Connection {
    /// The handler of a turn returned, and its events are written.
    pub(super) fn settled(&mut self, now: Instant, id: &SessionId, run: u64, outcome: Outcome) {
        let running = self.sessions.get_mut(id).and_then(|session| {
            let mine = session.running.as_ref().is_some_and(|it| it.run == run);
            if mine { session.running.take() } else { None }
        });
        let Some(running) = running else {
            return;
        };
        let settled = Settled {
            outcome: running.reason(outcome),
            delivery: Delivery::Written,
        };
        self.end_turn(now, id, running, settled);
    }

    /// A handler that was told to stop has not returned in time.
    pub(super) fn abandon(&mut self, now: Instant, id: &SessionId) {
        let running = self
            .sessions
            .get_mut(id)
            .and_then(|session| session.running.take());
        let Some(running) = running else {
            return;
        };
        running.task.abort();
        self.report.abandoned += 1;
        self.abandoned.retain(|task| !task.is_finished());
        self.abandoned.push(running.task.clone());
        tracing::warn!(session = %id, "a handler ignored its cancellation and was abandoned");
        let settled = Settled {
            outcome: running.reason(Err(Stop::Cancelled)),
            delivery: Delivery::Abandoned,
        };
        self.end_turn(now, id, running, settled);
    }

    fn end_turn(&mut self, now: Instant, id: &SessionId, running: Running, settled: Settled) {
        self.flush_joined(now);
        running.live.close();
        self.report.turns += 1;
        let v1 = self.is_v1();
        if running.was_stopped() {
            let open = self
                .sessions
                .get(id)
                .map(|session| lock(&session.timeline).close_tools(v1))
                .unwrap_or_default();
            for body in &open {
                self.write_event(now, id, body);
            }
        }
        let room = self.host.config.max_line_out.saturating_sub(ENVELOPE);
        let said = Said::of(&settled.outcome, running.cancel_asked).within(room / 2);
        let meta = self.task_meta(id, &running, &settled, room / 2);
        let usage = settled
            .outcome
            .as_ref()
            .ok()
            .and_then(|done| done.usage.clone());
        tracing::debug!(session = %id, run = %running.name, "turn ended");
        match (running.key, said) {
            (Some(key), Said::Reason(reason)) => {
                let mut response = v1::PromptResponse::new(reason);
                response.usage = usage;
                response.meta = meta;
                self.respond(now, key, &Ok(response));
            }
            (Some(key), Said::Error(error)) => {
                let error = with_task(error, meta);
                self.respond(now, key, &Err::<(), _>(error));
            }
            (None, said) => {
                let mut idle = Self::idle(stop_of(said));
                idle.usage = usage;
                self.state(now, id, StateUpdate::Idle(idle), meta);
            }
        }
        self.after_turn(now, id);
    }

    /// The next prompt, or the end of the session.
    fn after_turn(&mut self, now: Instant, id: &SessionId) {
        let Some(session) = self.sessions.get_mut(id) else {
            return;
        };
        if !session.closing.is_empty() {
            let closing = std::mem::take(&mut session.closing);
            for closing in closing {
                self.finish_closing(id.clone(), closing);
            }
            return;
        }
        if self.host.config.conversations == Conversations::OneTask {
            session.live.revoke();
            self.sessions.remove(id);
            return;
        }
        if !self.gone.is_cancelled() {
            self.insert_next(now, id);
        }
    }

    /// The terminal object of the extension.
    fn task_meta(
        &self,
        id: &SessionId,
        running: &Running,
        settled: &Settled,
        room: usize,
    ) -> Option<Meta> {
        let agreed = self.shared.as_ref()?.extension.as_ref()?;
        let last = self.sessions.get(id).map_or(0, |session| session.sequence);
        let accounting = lock(&running.counts.accounting).clone();
        let config = &self.host.config;
        let limits = Limits {
            deadline_ms: config
                .deadline
                .map(|it| Decimal(u64::try_from(it.as_millis()).unwrap_or(u64::MAX))),
            model_calls: config.model_calls.map(Decimal),
            tool_calls: config.tool_calls.map(Decimal),
        };
        let mut task = Task::new(
            id,
            &running.name,
            &settled.outcome,
            running.cancel_asked,
            settled.delivery,
        )
        .last(last);
        if agreed.revision >= 2 {
            task = task.details(&settled.outcome, limits, accounting.as_ref());
            task = task.counted(
                running.counts.model_calls.load(Ordering::Acquire),
                running.counts.tool_calls.load(Ordering::Acquire),
            );
        }
        agreed.task(&task.within(room), running.counts.trace.as_ref())
    }
}

/// An error has no `_meta`: the object stands in its data, beside what is there.
fn with_task(error: ErrorObject, meta: Option<Meta>) -> ErrorObject {
    let Some(meta) = meta else {
        return error;
    };
    let data = error.data.as_ref().map_or("{}", |data| data.get());
    let data = data.trim();
    let members = data.strip_suffix('}').unwrap_or(data).trim_end();
    let comma = if members.ends_with('{') { "" } else { "," };
    let text = format!("{members}{comma}\"_meta\":{}}}", meta.as_raw().get());
    match acp_vocab::Raw::from_text(text) {
        Ok(data) => error.with_data(data.into_inner()),
        Err(_) => error,
    }
}

fn stop_of(said: Said) -> IdleStop {
    match said {
        Said::Reason(StopReason::MaxTokens) => IdleStop::MaxTokens,
        Said::Reason(StopReason::MaxTurnRequests) => IdleStop::MaxTurnRequests,
        Said::Reason(StopReason::Refusal) => IdleStop::Refusal,
        Said::Reason(StopReason::Cancelled) => IdleStop::Cancelled,
        Said::Reason(StopReason::EndTurn) => IdleStop::EndTurn,
        Said::Reason(_) => IdleStop::Error(ErrorStopReason::new()),
        Said::Error(error) => {
            let mut reason = ErrorStopReason::new();
            reason.error = Some(error);
            IdleStop::Error(reason)
        }
    }
}
