//! This process's own standard input and output as a link: what an agent speaks over.

mod bridge;

use std::io;

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
    let pipes = (linux::pipe_reader(0)?, linux::pipe_writer(1)?);
    #[cfg(not(target_os = "linux"))]
    let pipes = (None::<tokio::io::Empty>, None::<tokio::io::Sink>);
    let link = match pipes {
        (Some(reader), Some(writer)) => Link::new(reader, writer),
        (Some(reader), None) => Link::new(reader, BridgedWriter::start(io::stdout())?),
        (None, Some(writer)) => Link::new(BridgedReader::start(io::stdin())?, writer),
        (None, None) => Link::new(
            BridgedReader::start(io::stdin())?,
            BridgedWriter::start(io::stdout())?,
        ),
    };
    Ok(link.named("stdio"))
}

#[cfg(target_os = "linux")]
mod linux {
    //! Opening a pipe that we were given a second time, so that its flags are our own.

    use std::{io, os::unix::fs::FileTypeExt, path::PathBuf};

    use tokio::net::unix::pipe::{self, Receiver, Sender};

    pub(super) fn pipe_reader(descriptor: u32) -> io::Result<Option<Receiver>> {
        let Some(path) = pipe_path(descriptor) else {
            return Ok(None);
        };
        pipe::OpenOptions::new().open_receiver(path).map(Some)
    }

    pub(super) fn pipe_writer(descriptor: u32) -> io::Result<Option<Sender>> {
        let Some(path) = pipe_path(descriptor) else {
            return Ok(None);
        };
        pipe::OpenOptions::new().open_sender(path).map(Some)
    }

    /// The path that opens the pipe again; `None` when the descriptor is no pipe, or cannot be
    /// opened by path.
    fn pipe_path(descriptor: u32) -> Option<PathBuf> {
        let path = PathBuf::from(format!("/proc/self/fd/{descriptor}"));
        let metadata = std::fs::metadata(&path).ok()?;
        metadata.file_type().is_fifo().then_some(path)
    }
}
