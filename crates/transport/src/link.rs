//! A link: the bytes of a peer, the bytes to it, and how it ended.

use std::{
    fmt, io,
    pin::Pin,
    sync::Arc,
    task::{Context, Poll},
};

use tokio::{
    io::{AsyncRead, AsyncWrite, ReadBuf},
    sync::watch,
};

use crate::{Direction, Ended, Ending, Observer, Peer, observer::Watch};

/// A connection to a peer: a reader, a writer, and the end of the peer.
///
/// Any reader and writer are a link: an in-memory pipe, a socket, the pipes of a
/// [`Child`](crate::Child). The link owns its peer: dropping it ends a child by the shutdown
/// ladder.
#[derive(Debug)]
pub struct Link {
    reader: Reader,
    writer: Writer,
    peer: Peer,
}

impl Link {
    /// A link over any reader and writer.
    pub fn new(
        reader: impl AsyncRead + Send + Unpin + 'static,
        writer: impl AsyncWrite + Send + Unpin + 'static,
    ) -> Self {
        let (ended, ending) = Ending::channel();
        Self {
            reader: Reader {
                inner: Box::new(reader),
                eof: Some(ended),
                watch: None,
            },
            writer: Writer {
                inner: Box::new(writer),
                watch: None,
            },
            peer: Peer::new("peer", ending),
        }
    }

    /// A link over both halves of one stream: a socket, an in-memory pipe.
    pub fn from_stream(stream: impl AsyncRead + AsyncWrite + Send + 'static) -> Self {
        let (reader, writer) = tokio::io::split(stream);
        Self::new(reader, writer)
    }

    /// The same link with a name for its peer, which errors and logs show.
    #[must_use]
    pub fn named(mut self, name: impl Into<Arc<str>>) -> Self {
        self.peer.rename(name.into());
        self
    }

    /// The same link with an observer, which sees everything that crosses it from now on.
    #[must_use]
    pub fn observed(mut self, observer: Arc<dyn Observer>) -> Self {
        #[cfg(feature = "child")]
        if let Some(process) = self.peer.process() {
            process.observe(Arc::clone(&observer));
        }
        let watch = |direction| Some(Box::new(Watch::new(Arc::clone(&observer), direction)));
        self.reader.watch = watch(Direction::Received);
        self.writer.watch = watch(Direction::Sent);
        self
    }

    /// Who is at the other end.
    #[must_use]
    pub const fn peer(&self) -> &Peer {
        &self.peer
    }

    /// Resolves when the peer has ended: see [`Ending::wait`].
    pub fn ended(&self) -> impl Future<Output = Ended> + Send + 'static {
        self.peer.ended()
    }

    /// Takes the link apart, for the task that pumps it. The [`Peer`] is the ownership: whoever
    /// holds it decides how long a child lives.
    #[must_use]
    pub fn into_parts(self) -> (Reader, Writer, Peer) {
        (self.reader, self.writer, self.peer)
    }

    #[cfg(feature = "child")]
    pub(crate) fn owned(
        reader: impl AsyncRead + Send + Unpin + 'static,
        writer: impl AsyncWrite + Send + Unpin + 'static,
        peer: Peer,
    ) -> Self {
        Self {
            reader: Reader {
                inner: Box::new(reader),
                eof: None,
                watch: None,
            },
            writer: Writer {
                inner: Box::new(writer),
                watch: None,
            },
            peer,
        }
    }
}

/// The reading half of a [`Link`].
pub struct Reader {
    inner: Box<dyn AsyncRead + Send + Unpin>,
    /// Whom to tell that the stream has ended; `None` where a process tells it.
    eof: Option<watch::Sender<Option<Ended>>>,
    watch: Option<Box<Watch>>,
}

impl AsyncRead for Reader {
    fn poll_read(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
        buf: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        let (before, room) = (buf.filled().len(), buf.remaining());
        let result = std::task::ready!(Pin::new(&mut self.inner).poll_read(cx, buf));
        let got = buf.filled().get(before..).unwrap_or_default();
        let over = result.is_err() || (room > 0 && got.is_empty());
        if let Some(watch) = &mut self.watch {
            watch.feed(got);
            if over {
                watch.finish();
            }
        }
        if over && let Some(eof) = self.eof.take() {
            eof.send_replace(Some(Ended::eof()));
        }
        Poll::Ready(result)
    }
}

impl fmt::Debug for Reader {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Reader").finish_non_exhaustive()
    }
}

/// The writing half of a [`Link`]. Shutting it down closes the peer's input; so does dropping it,
/// unless reader and writer are halves of one stream.
pub struct Writer {
    inner: Box<dyn AsyncWrite + Send + Unpin>,
    watch: Option<Box<Watch>>,
}

impl AsyncWrite for Writer {
    fn poll_write(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
        buf: &[u8],
    ) -> Poll<io::Result<usize>> {
        let written = std::task::ready!(Pin::new(&mut self.inner).poll_write(cx, buf))?;
        if let Some(watch) = &mut self.watch {
            watch.feed(buf.get(..written).unwrap_or(buf));
        }
        Poll::Ready(Ok(written))
    }

    fn poll_flush(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.inner).poll_flush(cx)
    }

    fn poll_shutdown(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.inner).poll_shutdown(cx)
    }
}

impl fmt::Debug for Writer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Writer").finish_non_exhaustive()
    }
}
