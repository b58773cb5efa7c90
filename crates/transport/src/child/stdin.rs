//! The child's input: written by whoever holds the link's writer, closed by him or by the shutdown
//! ladder.

use std::{
    io,
    pin::Pin,
    sync::{Arc, Mutex, MutexGuard, PoisonError},
    task::{Context, Poll, Waker},
};

use tokio::{io::AsyncWrite, process::ChildStdin};

/// The pipe, if it is open, shared between the writer and the ladder.
#[derive(Clone, Debug, Default)]
pub(super) struct Input(Arc<Mutex<Slot>>);

#[derive(Debug, Default)]
struct Slot {
    pipe: Option<ChildStdin>,
    /// It was closed, or must not be opened any more.
    closed: bool,
    /// Who waits for room in the pipe, and has to be told when it is closed under him.
    waiting: Option<Waker>,
}

impl Input {
    /// Puts the pipe in, unless the ladder was quicker.
    pub(super) fn open(&self, pipe: ChildStdin) {
        let mut slot = self.slot();
        if !slot.closed {
            slot.pipe = Some(pipe);
        }
    }

    /// Closes the pipe; the child reads the end of its input.
    pub(super) fn close(&self) {
        let mut slot = self.slot();
        slot.closed = true;
        let (pipe, waiting) = (slot.pipe.take(), slot.waiting.take());
        drop(slot);
        drop(pipe);
        if let Some(waker) = waiting {
            waker.wake();
        }
    }

    fn slot(&self) -> MutexGuard<'_, Slot> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn poll<T>(
        &self,
        cx: &mut Context<'_>,
        act: impl FnOnce(Pin<&mut ChildStdin>, &mut Context<'_>) -> Poll<io::Result<T>>,
    ) -> Poll<io::Result<T>> {
        let mut slot = self.slot();
        let Some(pipe) = &mut slot.pipe else {
            return Poll::Ready(Err(io::ErrorKind::BrokenPipe.into()));
        };
        let result = act(Pin::new(pipe), cx);
        slot.waiting = result.is_pending().then(|| cx.waker().clone());
        result
    }
}

/// The writing half of a child's link. Dropping it closes the pipe.
#[derive(Debug)]
pub(super) struct InputWriter(pub(super) Input);

impl AsyncWrite for InputWriter {
    fn poll_write(
        self: Pin<&mut Self>,
        cx: &mut Context<'_>,
        buf: &[u8],
    ) -> Poll<io::Result<usize>> {
        self.0.poll(cx, |pipe, cx| pipe.poll_write(cx, buf))
    }

    fn poll_flush(self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        self.0.poll(cx, AsyncWrite::poll_flush)
    }

    fn poll_shutdown(self: Pin<&mut Self>, _: &mut Context<'_>) -> Poll<io::Result<()>> {
        self.0.close();
        Poll::Ready(Ok(()))
    }
}

impl Drop for InputWriter {
    fn drop(&mut self) {
        self.0.close();
    }
}
