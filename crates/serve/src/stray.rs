//! What prints to standard output beside the protocol: sent to standard error, and counted.

use std::{
    fs::File,
    io,
    sync::{
        Arc,
        atomic::{AtomicU64, Ordering},
    },
};

/// Counts what was printed beside the protocol.
#[derive(Debug, Default)]
pub(crate) struct Stray {
    bytes: AtomicU64,
}

impl Stray {
    /// Bytes so far.
    pub(crate) fn bytes(&self) -> u64 {
        self.bytes.load(Ordering::Acquire)
    }

    /// Points descriptor 1 elsewhere and returns what it was, which nobody else knows from then on.
    /// `None` where the system has no such thing.
    #[cfg(not(unix))]
    #[expect(clippy::unnecessary_wraps, reason = "it can fail elsewhere")]
    pub(crate) fn take_over() -> io::Result<Option<(File, Arc<Self>)>> {
        Ok(None)
    }

    /// Points descriptor 1 elsewhere and returns what it was, which nobody else knows from then on.
    /// Children that are started later inherit the detour, not the client's pipe.
    #[cfg(unix)]
    pub(crate) fn take_over() -> io::Result<Option<(File, Arc<Self>)>> {
        use rustix::{
            io::fcntl_dupfd_cloexec,
            pipe::{PipeFlags, pipe_with},
            stdio::{dup2_stdout, stdout},
        };

        let output = fcntl_dupfd_cloexec(stdout(), 3)?;
        #[cfg(target_os = "linux")]
        let (reader, writer) = pipe_with(PipeFlags::CLOEXEC)?;
        #[cfg(not(target_os = "linux"))]
        let (reader, writer) = rustix::pipe::pipe()?;
        let stray = Arc::new(Self::default());
        let counter = Arc::clone(&stray);
        std::thread::Builder::new()
            .name("acp-stray".into())
            .stack_size(64 << 10)
            .spawn(move || counter.forward(File::from(reader)))?;
        dup2_stdout(&writer)?;
        Ok(Some((File::from(output), stray)))
    }

    #[cfg(unix)]
    fn forward(&self, mut from: File) {
        use io::{Read as _, Write as _};

        let mut buffer = vec![0; 8 << 10];
        loop {
            match from.read(&mut buffer) {
                Ok(0) => return,
                Ok(count) => {
                    self.bytes.fetch_add(count as u64, Ordering::AcqRel);
                    let bytes = buffer.get(..count).unwrap_or_default();
                    // Standard error that cannot be written is nobody's to mend; reading goes on, so
                    // that whoever prints is not held up.
                    drop(io::stderr().write_all(bytes));
                }
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                Err(_) => return,
            }
        }
    }
}
