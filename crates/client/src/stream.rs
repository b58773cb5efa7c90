//! Streams that are not a turn's: of a session between its turns, and of the connection.

use std::{sync::Arc, time::Instant};

use acp_session::{
    Connection, ConnectionError, Next, SessionKey, StarvedError, Stream, UsageError, WaitKey,
};

use acp_vocab::SessionId;

use crate::{event::Received, shared::Shared, waiter::Waiter};

/// Takes the next item of a stream, or parks on it.
pub(crate) async fn next_item(shared: &Arc<Shared>, stream: Stream) -> Next {
    Waiter::new(shared)
        .wait(WaitKey::Stream(stream), |machine, now| {
            let next = machine.next_event(now, stream);
            (!matches!(next, Next::Pending)).then_some(next)
        })
        .await
}

/// Why a stream gives nothing.
#[derive(Clone, Debug, thiserror::Error)]
#[non_exhaustive]
pub enum StreamError {
    /// Unread events of another stream fill every bound. This stream is whole and may be asked
    /// again.
    #[error(transparent)]
    Starved(#[from] Box<StarvedError>),
    /// The connection ended, and everything that came before it was read.
    #[error(transparent)]
    Connection(#[from] ConnectionError),
}

async fn next(
    shared: &Arc<Shared>,
    stream: Stream,
    session: Option<&SessionId>,
) -> Result<Option<Received>, StreamError> {
    match next_item(shared, stream).await {
        Next::Event(received) => Ok(Some(Received::new(shared, session, received, None))),
        Next::Starved(error) => Err(error.into()),
        Next::Closed(error) => Err(error.into()),
        Next::End(_) | Next::Finished | Next::Pending | _ => Ok(None),
    }
}

/// The events of a session while no turn of it lives: late updates, what the agent does by itself.
///
/// Any number of these may exist; each event goes to one of them. The stream ends with the session.
#[derive(Debug)]
pub struct SessionEvents {
    shared: Arc<Shared>,
    session: SessionKey,
    id: SessionId,
}

impl SessionEvents {
    pub(crate) const fn new(shared: Arc<Shared>, session: SessionKey, id: SessionId) -> Self {
        Self {
            shared,
            session,
            id,
        }
    }

    /// The next event; `None` once the session is over. Cancel-safe.
    ///
    /// # Errors
    /// [`StreamError`]: waiting is hopeless at the moment, or the connection ended.
    pub async fn next(&mut self) -> Result<Option<Received>, StreamError> {
        next(&self.shared, Stream::Session(self.session), Some(&self.id)).await
    }

    /// Drops the replay that is there, or waits for some. Live events stay.
    pub(crate) async fn discard_replay(&self) {
        let stream = Stream::Session(self.session);
        Waiter::new(&self.shared)
            .wait(WaitKey::Stream(stream), |machine, now| {
                (self.drop_replay(machine, now) > 0).then_some(())
            })
            .await;
    }

    /// Drops the replay that is there.
    pub(crate) fn discard_replay_now(&self) {
        self.shared
            .with(|inner, now| self.drop_replay(&mut inner.machine, now));
    }

    /// Nobody reads it; where the host wants to know what was said it is folded into that.
    fn drop_replay(&self, machine: &mut Connection, now: Instant) -> usize {
        if !self.shared.keeps_state() {
            return machine.discard_replay(now, self.session);
        }
        // The one place that takes this lock inside the machine's; nothing takes them the other way.
        self.shared.noted(|noted| {
            machine.fold_replay(now, self.session, |received| {
                noted.note(&self.id, &received.event, received.frame);
                noted.hear(&self.id, received);
            })
        })
    }
}

/// What belongs to no session. Dropping it leaves such events to be drained and counted.
#[derive(Debug)]
pub struct ClientEvents {
    shared: Arc<Shared>,
}

impl ClientEvents {
    pub(crate) fn take(shared: Arc<Shared>) -> Result<Self, UsageError> {
        shared.with(|inner, _| inner.machine.take_connection_stream())?;
        Ok(Self { shared })
    }

    /// The next event. Cancel-safe.
    ///
    /// # Errors
    /// [`StreamError`]: waiting is hopeless at the moment, or the connection ended.
    pub async fn next(&mut self) -> Result<Received, StreamError> {
        loop {
            if let Some(received) = next(&self.shared, Stream::Connection, None).await? {
                return Ok(received);
            }
        }
    }
}

impl Drop for ClientEvents {
    fn drop(&mut self) {
        self.shared
            .with(|inner, now| inner.machine.drop_connection_stream(now));
    }
}
