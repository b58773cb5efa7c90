//! Blocking streams made asynchronous by a thread each.
//!
//! Not `tokio::io::stdin`: its read runs on the runtime's blocking pool, and a runtime that ends
//! waits for it, so a program would hang until its terminal has given it a line.

use std::{
    io::{self, Read, Write},
    pin::Pin,
    task::{Context, Poll, ready},
    thread,
};

use tokio::{
    io::{AsyncRead, AsyncWrite, ReadBuf},
    sync::mpsc::{self, Receiver, Sender},
};

/// The largest piece that crosses a bridge, in bytes. At most two are in memory at a time.
const CHUNK: usize = 64 * 1024;

/// Reads ahead by one chunk.
#[derive(Debug)]
pub(super) struct BridgedReader {
    chunks: Receiver<io::Result<Vec<u8>>>,
    chunk: Vec<u8>,
    taken: usize,
}

impl BridgedReader {
    pub(super) fn start(mut source: impl Read + Send + 'static) -> io::Result<Self> {
        let (sender, chunks) = mpsc::channel(1);
        spawn("acp-stdin", move || {
            let mut buffer = vec![0; CHUNK];
            loop {
                let chunk = match source.read(&mut buffer) {
                    Ok(count) => Ok(buffer.get(..count).unwrap_or_default().to_vec()),
                    Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
                    Err(error) => Err(error),
                };
                let over = chunk.as_ref().map_or(true, Vec::is_empty);
                if sender.blocking_send(chunk).is_err() || over {
                    return;
                }
            }
        })?;
        Ok(Self {
            chunks,
            chunk: Vec::new(),
            taken: 0,
        })
    }
}

impl AsyncRead for BridgedReader {
    fn poll_read(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
        buf: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        if self.taken == self.chunk.len() {
            let next = ready!(self.chunks.poll_recv(cx)).unwrap_or_else(|| Ok(Vec::new()))?;
            self.chunk = next;
            self.taken = 0;
        }
        let rest = self.chunk.get(self.taken..).unwrap_or_default();
        let count = rest.len().min(buf.remaining());
        buf.put_slice(rest.get(..count).unwrap_or_default());
        self.taken += count;
        Poll::Ready(Ok(()))
    }
}

/// Writes one chunk at a time; flushed when the last one was written and flushed.
#[derive(Debug)]
pub(super) struct BridgedWriter {
    /// `None` after shutdown.
    chunks: Option<Sender<Vec<u8>>>,
    written: Receiver<io::Result<()>>,
    /// A chunk is on its way, and what became of it is not known.
    busy: bool,
}

impl BridgedWriter {
    pub(super) fn start(mut sink: impl Write + Send + 'static) -> io::Result<Self> {
        let (chunks, mut taken) = mpsc::channel::<Vec<u8>>(1);
        let (done, written) = mpsc::channel(1);
        spawn("acp-stdout", move || {
            while let Some(chunk) = taken.blocking_recv() {
                let result = sink.write_all(&chunk).and_then(|()| sink.flush());
                if done.blocking_send(result).is_err() {
                    return;
                }
            }
        })?;
        Ok(Self {
            chunks: Some(chunks),
            written,
            busy: false,
        })
    }

    fn poll_idle(&mut self, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        if !self.busy {
            return Poll::Ready(Ok(()));
        }
        let result = ready!(self.written.poll_recv(cx));
        self.busy = false;
        Poll::Ready(result.unwrap_or_else(|| Err(io::ErrorKind::BrokenPipe.into())))
    }
}

impl AsyncWrite for BridgedWriter {
    fn poll_write(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
        buf: &[u8],
    ) -> Poll<io::Result<usize>> {
        ready!(self.poll_idle(cx))?;
        let chunk = buf.get(..buf.len().min(CHUNK)).unwrap_or_default();
        if chunk.is_empty() {
            return Poll::Ready(Ok(0));
        }
        let sent = self
            .chunks
            .as_ref()
            .is_some_and(|chunks| chunks.try_send(chunk.to_vec()).is_ok());
        if !sent {
            return Poll::Ready(Err(io::ErrorKind::BrokenPipe.into()));
        }
        self.busy = true;
        Poll::Ready(Ok(chunk.len()))
    }

    fn poll_flush(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        self.poll_idle(cx)
    }

    fn poll_shutdown(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        let result = ready!(self.poll_idle(cx));
        self.chunks = None;
        Poll::Ready(result)
    }
}

fn spawn(name: &str, body: impl FnOnce() + Send + 'static) -> io::Result<()> {
    thread::Builder::new()
        .name(name.into())
        .stack_size(128 * 1024)
        .spawn(body)
        .map(drop)
}

#[cfg(test)]
mod tests;
