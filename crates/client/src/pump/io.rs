//! The three things a pump sleeps on besides its tasks: input, output, time.

use std::{
    pin::Pin,
    sync::Arc,
    task::{Context, Poll},
    time::Instant,
};

use acp_session::Transmit;
use acp_transport::{Reader, Writer};
use tokio::{
    io::{AsyncRead, AsyncWrite, ReadBuf},
    time::Sleep,
};

use crate::shared::{Half, Shared};

/// As much as a pipe holds on Linux; what is read is handled under one lock.
const CHUNK: usize = 64 * 1024;

/// The reading half and the chunk it reads into.
#[derive(Debug)]
pub(super) struct Input {
    reader: Option<Reader>,
    chunk: Box<[u8]>,
}

impl Input {
    pub(super) fn new(reader: Reader) -> Self {
        Self {
            reader: Some(reader),
            chunk: vec![0; CHUNK].into_boxed_slice(),
        }
    }

    pub(super) fn close(&mut self, shared: &Shared) {
        if self.reader.take().is_some() {
            shared.with(|inner, _| inner.pump.reading = Half::Gone);
        }
    }

    /// Reads once, if the machine wants more. True when something came.
    pub(super) fn poll(&mut self, cx: &mut Context<'_>, shared: &Arc<Shared>) -> bool {
        let Some(reader) = self.reader.as_mut() else {
            return false;
        };
        let wanted = shared.with(|inner, now| {
            let wanted = inner.machine.wants_read(now);
            inner.pump.reading = if wanted { Half::Awaited } else { Half::Idle };
            wanted
        });
        if !wanted {
            return false;
        }
        let mut buf = ReadBuf::new(&mut self.chunk);
        let result = match Pin::new(reader).poll_read(cx, &mut buf) {
            Poll::Pending => return false,
            Poll::Ready(result) => result,
        };
        match result {
            Ok(()) if !buf.filled().is_empty() => {
                shared.with(|inner, now| inner.machine.handle_bytes(now, buf.filled()));
            }
            Ok(()) => {
                self.close(shared);
                shared.with(|inner, now| inner.machine.handle_eof(now));
            }
            Err(error) => {
                tracing::debug!(kind = %error.kind(), "reading failed");
                self.close(shared);
                shared.with(|inner, now| inner.machine.handle_read_error(now, error.kind()));
            }
        }
        true
    }
}

/// The writing half; what is pending stays in the machine, which holds the cursor.
#[derive(Debug)]
pub(super) struct Output {
    writer: Option<Writer>,
    /// Something was written since the last flush.
    dirty: bool,
    /// We closed it, and it did not break.
    shut: bool,
}

/// What one look at the outgoing bytes came to.
enum Step {
    Wrote,
    Full,
    Empty,
    ShutDown,
    Failed,
}

impl Output {
    pub(super) fn new(writer: Writer) -> Self {
        Self {
            writer: Some(writer),
            dirty: false,
            shut: false,
        }
    }

    pub(super) fn close(&mut self, shared: &Shared) {
        if self.writer.take().is_some() {
            shared.with(|inner, _| inner.pump.writing = Half::Gone);
        }
    }

    /// Whether our side was shut down by us.
    pub(super) const fn is_shut(&self) -> bool {
        self.shut
    }

    /// Writes what the pipe takes. True when something was written or the output closed.
    pub(super) fn poll(&mut self, cx: &mut Context<'_>, shared: &Arc<Shared>) -> bool {
        let Some(writer) = self.writer.as_mut() else {
            return false;
        };
        let step = shared.with(|inner, now| {
            let transmit = inner.machine.poll_transmit();
            inner.pump.writing = match transmit {
                Transmit::Bytes(_) | Transmit::Shutdown => Half::Awaited,
                Transmit::Nothing | _ => Half::Idle,
            };
            let written = match transmit {
                Transmit::Bytes(bytes) => Pin::new(&mut *writer).poll_write(cx, bytes),
                Transmit::Shutdown => return Step::ShutDown,
                Transmit::Nothing | _ => return Step::Empty,
            };
            match written {
                Poll::Pending => Step::Full,
                Poll::Ready(Ok(0)) => {
                    inner
                        .machine
                        .handle_write_error(now, std::io::ErrorKind::WriteZero);
                    Step::Failed
                }
                Poll::Ready(Ok(count)) => {
                    inner.machine.handle_written(now, count);
                    Step::Wrote
                }
                Poll::Ready(Err(error)) => {
                    tracing::debug!(kind = %error.kind(), "writing failed");
                    inner.machine.handle_write_error(now, error.kind());
                    Step::Failed
                }
            }
        });
        if matches!(step, Step::Wrote | Step::Failed) {
            shared.wrote();
        }
        match step {
            Step::Wrote => {
                self.dirty = true;
                true
            }
            Step::Full => false,
            Step::Empty => {
                if self.dirty && Pin::new(writer).poll_flush(cx).is_ready() {
                    self.dirty = false;
                }
                false
            }
            Step::ShutDown => {
                // Whatever becomes of it, the end of our side follows from the drop.
                let down = Pin::new(writer).poll_shutdown(cx).is_ready();
                if down {
                    self.close(shared);
                    self.shut = true;
                }
                down
            }
            Step::Failed => {
                self.close(shared);
                true
            }
        }
    }
}

/// The machine's next timer.
#[derive(Debug, Default)]
pub(super) struct Timer {
    sleep: Option<Pin<Box<Sleep>>>,
}

impl Timer {
    /// True when a timer fired. A timer that moved away fires early once and is then set anew,
    /// so that a busy connection does not touch the wheel for every chunk.
    pub(super) fn poll(&mut self, cx: &mut Context<'_>, shared: &Arc<Shared>) -> bool {
        let next = shared.with(|inner, now| {
            let next = inner.machine.poll_timeout();
            if next.is_some_and(|next| next <= now) {
                inner.machine.handle_timeout(now);
                return Err(());
            }
            inner.pump.deadline = match (inner.pump.deadline, next) {
                (Some(armed), Some(next)) if armed <= next && armed > now => Some(armed),
                (_, next) => next,
            };
            Ok(inner.pump.deadline)
        });
        match next {
            Err(()) => true,
            Ok(None) => {
                self.sleep = None;
                false
            }
            Ok(Some(at)) => self.sleep_until(at).as_mut().poll(cx).is_ready(),
        }
    }

    fn sleep_until(&mut self, at: Instant) -> &mut Pin<Box<Sleep>> {
        let at = tokio::time::Instant::from_std(at);
        let sleep = self
            .sleep
            .get_or_insert_with(|| Box::pin(tokio::time::sleep_until(at)));
        if sleep.deadline() != at {
            sleep.as_mut().reset(at);
        }
        sleep
    }
}
