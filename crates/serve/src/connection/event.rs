//! Events on their way out: one at a time, numbered, text joined where the client agreed to it.

use acp_vocab::{MessageId, SessionId};
use tokio::time::Instant;

use super::Connection;
use crate::{
    command::{Body, Chunk, Command, Speaker, Update},
    extension::Agreed,
};

/// Text of one message that waits for more.
#[derive(Debug)]
pub(super) struct Joined {
    session: SessionId,
    speaker: Speaker,
    message: MessageId,
    text: String,
    first: u64,
    pub(super) due: Instant,
}

impl Connection {
    /// Whether a command can be joined to the text that waits. Everything else waits until that is
    /// written.
    pub(crate) fn joins(&self, command: &Command) -> bool {
        let Some(joined) = &self.joined else {
            return true;
        };
        match command {
            Command::Update(update) => match &update.body {
                Body::Chunk(chunk) => {
                    let most = self.host.config.coalesce.map_or(0, |it| it.bytes);
                    chunk.message == joined.message
                        && chunk.speaker == joined.speaker
                        && update.session == joined.session
                        && joined.text.len() + chunk.text.len() <= most
                }
                Body::V1(_) | Body::V2(_) | Body::Options(_) => false,
            },
            Command::Ask(_)
            | Command::Notify(..)
            | Command::Answer(..)
            | Command::Settled { .. } => false,
        }
    }

    pub(super) fn handle_update(&mut self, now: Instant, update: Update) {
        let Update {
            session,
            live,
            body,
        } = update;
        if live.is_closed() {
            self.report.late += 1;
            return;
        }
        if live.is_replay() {
            self.write_update(now, &session, &body, None);
            self.outbox.mark_event();
            return;
        }
        let chunk = match body {
            Body::Chunk(chunk) => chunk,
            Body::Options(options) => return self.own_change(now, &session, options),
            body @ (Body::V1(_) | Body::V2(_)) => return self.write_event(now, &session, &body),
        };
        if self.join(now, &session, &chunk) {
            return;
        }
        self.write_event(now, &session, &Body::Chunk(chunk));
    }

    /// Joins a chunk to what waits, or lets it begin to wait. The first of a message never waits.
    fn join(&mut self, now: Instant, session: &SessionId, chunk: &Chunk) -> bool {
        let negotiated = self.agreed().is_some();
        let Some(coalesce) = self.host.config.coalesce.filter(|_| negotiated) else {
            return false;
        };
        if let Some(joined) = &mut self.joined {
            joined.text.push_str(&chunk.text);
            self.count_event(session);
            let full = self
                .joined
                .as_ref()
                .is_some_and(|joined| joined.text.len() >= coalesce.bytes);
            if full {
                self.flush_joined(now);
            }
            return true;
        }
        let Some(known) = self.sessions.get_mut(session) else {
            return false;
        };
        if known.last_message.as_ref() != Some(&chunk.message) {
            known.last_message = Some(chunk.message.clone());
            return false;
        }
        if chunk.text.len() >= coalesce.bytes {
            return false;
        }
        let first = self.count_event(session);
        self.joined = Some(Joined {
            session: session.clone(),
            speaker: chunk.speaker,
            message: chunk.message.clone(),
            text: chunk.text.to_string(),
            first,
            due: now + coalesce.delay,
        });
        true
    }

    /// Writes what waits, whether or not it is due.
    pub(crate) fn flush_joined(&mut self, now: Instant) {
        let Some(joined) = self.joined.take() else {
            return;
        };
        let last = self
            .sessions
            .get(&joined.session)
            .map_or(joined.first, |session| session.sequence);
        let body = Body::Chunk(Chunk {
            speaker: joined.speaker,
            message: joined.message,
            text: joined.text.into(),
        });
        self.write_numbered(now, &joined.session, &body, joined.first, last);
    }

    pub(super) fn flush_joined_if_due(&mut self, now: Instant) {
        let due = self.joined.as_ref().is_some_and(|joined| joined.due <= now);
        if due && self.outbox.took_event() {
            self.flush_joined(now);
        }
    }

    pub(super) fn write_event(&mut self, now: Instant, session: &SessionId, body: &Body) {
        let number = self.count_event(session);
        self.write_numbered(now, session, body, number, number);
    }

    fn write_numbered(
        &mut self,
        now: Instant,
        session: &SessionId,
        body: &Body,
        first: u64,
        last: u64,
    ) {
        let meta = self.agreed().and_then(|agreed| {
            let running = self.sessions.get(session)?.running.as_ref();
            let trace = running.and_then(|running| running.counts.trace.as_ref());
            agreed.sequence(running.map(|running| &*running.name), first, last, trace)
        });
        self.write_update(now, session, body, meta.as_ref());
        self.outbox.mark_event();
    }

    /// Counts one more event of a session.
    fn count_event(&mut self, session: &SessionId) -> u64 {
        self.sessions.get_mut(session).map_or(0, |session| {
            session.sequence += 1;
            session.sequence
        })
    }

    fn agreed(&self) -> Option<&Agreed> {
        self.shared.as_ref()?.extension.as_ref()
    }
}
