//! The things that a pump sleeps on besides its queue: input, output, time.

use std::{
    io,
    pin::Pin,
    task::{Context, Poll},
};

use acp_transport::{Reader, Writer};
use tokio::{
    io::{AsyncRead, AsyncWrite, ReadBuf},
    time::{Instant, Sleep, sleep_until},
};

use crate::outbox::Outbox;

/// Bytes that are read at once: as much as a pipe holds on Linux.
const CHUNK: usize = 64 << 10;

/// The reading half and the chunk it reads into.
pub(super) struct Input {
    /// `None` once its end was read.
    reader: Option<Reader>,
    chunk: Box<[u8]>,
}

/// What one look at the input came to.
pub(super) enum Read<'a> {
    Nothing,
    Bytes(&'a [u8]),
    Ended,
    Failed(io::Error),
}

impl Input {
    pub(super) fn new(reader: Reader) -> Self {
        Self {
            reader: Some(reader),
            chunk: vec![0; CHUNK].into_boxed_slice(),
        }
    }

    pub(super) fn poll(&mut self, cx: &mut Context<'_>) -> Read<'_> {
        let Some(reader) = self.reader.as_mut() else {
            return Read::Nothing;
        };
        let mut buf = ReadBuf::new(&mut self.chunk);
        match Pin::new(reader).poll_read(cx, &mut buf) {
            Poll::Pending => Read::Nothing,
            Poll::Ready(Ok(())) => {
                let count = buf.filled().len();
                if count == 0 {
                    self.reader = None;
                    return Read::Ended;
                }
                Read::Bytes(self.chunk.get(..count).unwrap_or_default())
            }
            Poll::Ready(Err(error)) => {
                self.reader = None;
                Read::Failed(error)
            }
        }
    }
}

/// The writing half; what is pending stays in the outbox, which holds the cursor.
pub(super) struct Output {
    /// `None` once it failed.
    writer: Option<Writer>,
}

/// What one look at the output came to.
pub(super) enum Write {
    Nothing,
    Wrote(usize),
    Flushed,
    Failed(io::Error),
}

impl Output {
    pub(super) fn new(writer: Writer) -> Self {
        Self {
            writer: Some(writer),
        }
    }

    pub(super) fn close(&mut self) {
        self.writer = None;
    }

    pub(super) const fn is_closed(&self) -> bool {
        self.writer.is_none()
    }

    /// Both writing and flushing may be left and begun anew at any time.
    pub(super) fn poll(&mut self, cx: &mut Context<'_>, outbox: &Outbox) -> Write {
        let Some(writer) = self.writer.as_mut() else {
            return Write::Nothing;
        };
        let pending = outbox.pending();
        if !pending.is_empty() {
            return match Pin::new(writer).poll_write(cx, pending) {
                Poll::Pending => Write::Nothing,
                Poll::Ready(Ok(0)) => Write::Failed(io::ErrorKind::WriteZero.into()),
                Poll::Ready(Ok(count)) => Write::Wrote(count),
                Poll::Ready(Err(error)) => Write::Failed(error),
            };
        }
        if !outbox.needs_flush() {
            return Write::Nothing;
        }
        match Pin::new(writer).poll_flush(cx) {
            Poll::Pending => Write::Nothing,
            Poll::Ready(Ok(())) => Write::Flushed,
            Poll::Ready(Err(error)) => Write::Failed(error),
        }
    }
}

/// One timer for everything that is due.
#[derive(Debug, Default)]
pub(super) struct Timer {
    sleep: Option<Pin<Box<Sleep>>>,
}

impl Timer {
    /// Whether `at` has come; if not, the task is woken then. A timer that moved away fires early
    /// once and is then set anew, so that a busy connection does not touch the wheel for every event.
    pub(super) fn poll(&mut self, cx: &mut Context<'_>, at: Instant) -> bool {
        let sleep = self.sleep.get_or_insert_with(|| Box::pin(sleep_until(at)));
        if at < sleep.deadline() {
            sleep.as_mut().reset(at);
        }
        while sleep.as_mut().poll(cx).is_ready() {
            if at <= Instant::now() {
                sleep.as_mut().reset(at + REST);
                return true;
            }
            sleep.as_mut().reset(at);
        }
        false
    }
}

/// How far a timer that has fired is moved away, so that it does not fire again at once.
const REST: std::time::Duration = std::time::Duration::from_secs(3600);
