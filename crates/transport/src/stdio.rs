//! This process's own standard input and output as a link: what an agent speaks over.

mod bridge;

use std::io;

use tokio::io::AsyncWrite;

use crate::Link;

use bridge::{BridgedReader, BridgedWriter};

/// This process's standard input and output as a [`Link`].
///
/// On Linux a pipe is opened a second time and read and written through the runtime; the flags of
/// the descriptors that other code of this process, its parent and its children share are left
/// alone. Anything else (a terminal, a file, a socket, another system) is bridged by a thread each,
/// which does not hold up the end of the runtime.
///
/// Both descriptors stay open: the peer sees the end of our output when this process ends. Whatever
/// else prints to standard output corrupts the conversation; an agent should print to standard
/// error only. Call it once: two readers of one pipe would share its bytes out between them.
///
/// # Errors
/// When a thread cannot be started, or a pipe cannot be registered with the runtime.
///
/// # Panics
/// Outside a tokio runtime, or in one that was built without its I/O driver.
pub fn stdio() -> io::Result<Link> {
    #[cfg(target_os = "linux")]
    let writer = linux::pipe_writer(1)?;
    #[cfg(not(target_os = "linux"))]
    let writer = None::<tokio::io::Sink>;
    match writer {
        Some(writer) => with_input(writer),
        None => with_input(BridgedWriter::start(io::stdout())?),
    }
}

/// As [`stdio`], with this file in the place of standard output: a duplicate that was made before
/// descriptor 1 was pointed elsewhere, so that nothing else of this process can write to the peer.
///
/// # Errors
/// As [`stdio`].
///
/// # Panics
/// As [`stdio`].
pub fn stdio_with_output(output: std::fs::File) -> io::Result<Link> {
    #[cfg(target_os = "linux")]
    let writer = {
        use std::os::fd::AsRawFd as _;
        linux::pipe_writer(output.as_raw_fd())?
    };
    #[cfg(not(target_os = "linux"))]
    let writer = None::<tokio::io::Sink>;
    match writer {
        Some(writer) => with_input(writer),
        None => with_input(BridgedWriter::start(output)?),
    }
}

fn with_input(writer: impl AsyncWrite + Send + Unpin + 'static) -> io::Result<Link> {
    #[cfg(target_os = "linux")]
    let reader = linux::pipe_reader(0)?;
    #[cfg(not(target_os = "linux"))]
    let reader = None::<tokio::io::Empty>;
    let link = match reader {
        Some(reader) => Link::new(reader, writer),
        None => Link::new(BridgedReader::start(io::stdin())?, writer),
    };
    Ok(link.named("stdio"))
}

#[cfg(target_os = "linux")]
mod linux {
    //! Opening a pipe that we were given a second time, so that its flags are our own.

    use std::{io, os::unix::fs::FileTypeExt, path::PathBuf};

    use tokio::net::unix::pipe::{self, Receiver, Sender};

    pub(super) fn pipe_reader(descriptor: i32) -> io::Result<Option<Receiver>> {
        let Some(path) = pipe_path(descriptor) else {
            return Ok(None);
        };
        pipe::OpenOptions::new().open_receiver(path).map(Some)
    }

    pub(super) fn pipe_writer(descriptor: i32) -> io::Result<Option<Sender>> {
        let Some(path) = pipe_path(descriptor) else {
            return Ok(None);
        };
        pipe::OpenOptions::new().open_sender(path).map(Some)
    }

    /// The path that opens the pipe again; `None` when the descriptor is no pipe, or cannot be
    /// opened by path.
    fn pipe_path(descriptor: i32) -> Option<PathBuf> {
        let path = PathBuf::from(format!("/proc/self/fd/{descriptor}"));
        let metadata = std::fs::metadata(&path).ok()?;
        metadata.file_type().is_fifo().then_some(path)
    }
}
