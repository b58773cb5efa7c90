//! An in-memory pipe pair of any width.
//!
//! Why not `tokio::io::duplex`: its halves cannot be closed one by one, and a test of
//! back-pressure needs to see how many bytes have passed without taking any.

use std::{
    collections::VecDeque,
    io,
    pin::Pin,
    sync::{Arc, Mutex, MutexGuard, PoisonError},
    task::{Context, Poll, Waker},
};

use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};

/// Joins two ends: what one writes, the other reads. Each direction holds `width` bytes at
/// most (at least 1), so a width of 1 makes every write and every read a single byte.
#[must_use]
pub fn pipe(width: usize) -> (End, End) {
    let (to_left, from_right) = channel(width);
    let (to_right, from_left) = channel(width);
    (
        End {
            reader: from_right,
            writer: to_right,
        },
        End {
            reader: from_left,
            writer: to_left,
        },
    )
}

/// One end of a [`pipe`]: the halves are separate, so each can be closed by dropping it.
#[derive(Debug)]
#[non_exhaustive]
pub struct End {
    /// What the other end wrote.
    pub reader: PipeReader,
    /// What the other end will read.
    pub writer: PipeWriter,
}

/// The reading half. Dropping it makes the other end's writes fail with a broken pipe.
#[derive(Debug)]
pub struct PipeReader(Arc<Mutex<Channel>>);

/// The writing half. Dropping it, or shutting it down, is the end of file for the reader.
#[derive(Debug)]
pub struct PipeWriter(Arc<Mutex<Channel>>);

/// Counts what passes through one direction of a pipe without touching it.
#[derive(Clone, Debug)]
pub struct PipeMeter(Arc<Mutex<Channel>>);

#[derive(Debug)]
struct Channel {
    bytes: VecDeque<u8>,
    width: usize,
    written: u64,
    taken: u64,
    writer_closed: bool,
    reader_closed: bool,
    reader: Option<Waker>,
    writer: Option<Waker>,
}

fn channel(width: usize) -> (PipeWriter, PipeReader) {
    let shared = Arc::new(Mutex::new(Channel {
        bytes: VecDeque::new(),
        width: width.max(1),
        written: 0,
        taken: 0,
        writer_closed: false,
        reader_closed: false,
        reader: None,
        writer: None,
    }));
    (PipeWriter(Arc::clone(&shared)), PipeReader(shared))
}

fn lock(shared: &Mutex<Channel>) -> MutexGuard<'_, Channel> {
    shared.lock().unwrap_or_else(PoisonError::into_inner)
}

fn wake(slot: &mut Option<Waker>) {
    if let Some(waker) = slot.take() {
        waker.wake();
    }
}

impl PipeReader {
    /// A meter of what this half reads.
    #[must_use]
    pub fn meter(&self) -> PipeMeter {
        PipeMeter(Arc::clone(&self.0))
    }
}

impl PipeWriter {
    /// A meter of what this half writes.
    #[must_use]
    pub fn meter(&self) -> PipeMeter {
        PipeMeter(Arc::clone(&self.0))
    }
}

impl PipeMeter {
    /// Bytes that were written into this direction so far.
    #[must_use]
    pub fn written(&self) -> u64 {
        lock(&self.0).written
    }

    /// Bytes that were taken out of this direction so far.
    #[must_use]
    pub fn taken(&self) -> u64 {
        lock(&self.0).taken
    }

    /// Whether the writing half is closed.
    #[must_use]
    pub fn is_closed(&self) -> bool {
        lock(&self.0).writer_closed
    }
}

impl AsyncRead for PipeReader {
    fn poll_read(
        self: Pin<&mut Self>,
        cx: &mut Context<'_>,
        buf: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        let mut channel = lock(&self.0);
        if channel.bytes.is_empty() {
            if channel.writer_closed {
                return Poll::Ready(Ok(()));
            }
            channel.reader = Some(cx.waker().clone());
            return Poll::Pending;
        }
        let mut taken = 0;
        while buf.remaining() > 0 && !channel.bytes.is_empty() {
            let (front, _) = channel.bytes.as_slices();
            let step = front.len().min(buf.remaining());
            buf.put_slice(front.get(..step).unwrap_or(front));
            channel.bytes.drain(..step);
            taken += step;
        }
        channel.taken += taken as u64;
        wake(&mut channel.writer);
        Poll::Ready(Ok(()))
    }
}

impl AsyncWrite for PipeWriter {
    fn poll_write(
        self: Pin<&mut Self>,
        cx: &mut Context<'_>,
        buf: &[u8],
    ) -> Poll<io::Result<usize>> {
        let mut channel = lock(&self.0);
        if channel.reader_closed || channel.writer_closed {
            return Poll::Ready(Err(io::ErrorKind::BrokenPipe.into()));
        }
        let room = channel
            .width
            .saturating_sub(channel.bytes.len())
            .min(buf.len());
        if room == 0 && !buf.is_empty() {
            channel.writer = Some(cx.waker().clone());
            return Poll::Pending;
        }
        channel.bytes.extend(buf.iter().take(room));
        channel.written += room as u64;
        wake(&mut channel.reader);
        Poll::Ready(Ok(room))
    }

    fn poll_flush(self: Pin<&mut Self>, _: &mut Context<'_>) -> Poll<io::Result<()>> {
        Poll::Ready(Ok(()))
    }

    fn poll_shutdown(self: Pin<&mut Self>, _: &mut Context<'_>) -> Poll<io::Result<()>> {
        let mut channel = lock(&self.0);
        channel.writer_closed = true;
        wake(&mut channel.reader);
        Poll::Ready(Ok(()))
    }
}

impl Drop for PipeReader {
    fn drop(&mut self) {
        let mut channel = lock(&self.0);
        channel.reader_closed = true;
        wake(&mut channel.writer);
    }
}

impl Drop for PipeWriter {
    fn drop(&mut self) {
        let mut channel = lock(&self.0);
        channel.writer_closed = true;
        wake(&mut channel.reader);
    }
}
