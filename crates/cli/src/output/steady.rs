//! Writing where nobody may be reading. A full pipe holds this program up, which holds the agent up; but not against a signal, and not beyond the bound of the turn.

use std::{
    io,
    sync::atomic::{AtomicU64, Ordering},
    time::Duration,
};

/// How long a stream may take nothing before it is not waited for, in milliseconds; 0 is for ever.
static PATIENCE: AtomicU64 = AtomicU64::new(0);

/// From now on a stream that takes nothing for so long is not waited for.
pub(crate) fn wait_at_most(patience: Duration) {
    let patience = u64::try_from(patience.as_millis()).unwrap_or(u64::MAX);
    PATIENCE.store(patience.max(1), Ordering::Relaxed);
}

/// How long to wait for room.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Wait {
    /// Until a signal comes, or patience is at its end.
    Patient,
    /// Not at all.
    Not,
    /// So long without progress, whatever signals came.
    Last(Duration),
}

impl Wait {
    fn is_over(self, waited: Duration) -> bool {
        match self {
            Self::Patient => {
                let patience = PATIENCE.load(Ordering::Relaxed);
                crate::signal::came() || (patience > 0 && waited >= Duration::from_millis(patience))
            }
            Self::Not => true,
            Self::Last(bound) => waited >= bound,
        }
    }
}

/// Writes what is taken, and says how much that was: less than all where it was waited for in vain.
#[cfg(unix)]
pub(super) fn push(stream: impl std::os::fd::AsFd, bytes: &[u8], wait: Wait) -> io::Result<usize> {
    use rustix::{
        event::{PollFd, PollFlags, Timespec, poll},
        io::{Errno, write},
    };

    /// What a pipe with room takes whole, so that no write waits.
    const PIECE: usize = if cfg!(target_os = "linux") { 4096 } else { 512 };
    /// How often it is looked whether a signal came.
    const GLANCE: Duration = Duration::from_millis(50);
    const NOW: Timespec = Timespec {
        tv_sec: 0,
        tv_nsec: 0,
    };
    const SOON: Timespec = Timespec {
        tv_sec: 0,
        tv_nsec: 50_000_000,
    };

    let stream = stream.as_fd();
    let mut done = 0;
    // Counted in glances: what a clock says of a program that was stopped is not what it waited.
    let mut waited = None;
    while let Some(rest) = bytes.get(done..).filter(|rest| !rest.is_empty()) {
        let mut fds = [PollFd::new(&stream, PollFlags::OUT)];
        let timeout = if waited.is_none() { NOW } else { SOON };
        let has_room = match poll(&mut fds, Some(&timeout)) {
            Ok(ready) => ready > 0,
            Err(Errno::INTR) => false,
            Err(error) => return Err(error.into()),
        };
        if has_room {
            match write(stream, rest.get(..PIECE).unwrap_or(rest)) {
                Ok(count) => {
                    done += count;
                    waited = None;
                    continue;
                }
                Err(Errno::AGAIN | Errno::INTR) => {}
                Err(error) => return Err(error.into()),
            }
        }
        let so_far = waited.unwrap_or_default();
        if wait.is_over(so_far) {
            break;
        }
        waited = Some(so_far + GLANCE);
    }
    Ok(done)
}

/// Elsewhere a write waits as long as the system lets it.
#[cfg(not(unix))]
pub(super) fn push(mut stream: impl io::Write, bytes: &[u8], _: Wait) -> io::Result<usize> {
    stream.write_all(bytes)?;
    stream.flush()?;
    Ok(bytes.len())
}

#[cfg(all(test, unix))]
mod tests {
    use std::io::Read as _;

    use super::*;

    #[test]
    fn a_pipe_that_nobody_reads_takes_what_it_holds() {
        let (mut reader, writer) = io::pipe().unwrap();
        let text = vec![b'x'; 1 << 20];
        let first = push(&writer, &text, Wait::Not).unwrap();
        assert!(first > 0 && first < text.len(), "{first}");
        let none = push(&writer, &text, Wait::Last(Duration::from_millis(1))).unwrap();
        assert_eq!(none, 0);
        // What was taken is there, and there is room again.
        let mut taken = vec![0; first];
        reader.read_exact(&mut taken).unwrap();
        assert_eq!(push(&writer, b"more", Wait::Not).unwrap(), 4);
    }

    #[test]
    fn a_reader_that_went_away_is_told() {
        let (reader, writer) = io::pipe().unwrap();
        drop(reader);
        let fault = push(&writer, b"text", Wait::Patient).unwrap_err();
        assert_eq!(fault.kind(), io::ErrorKind::BrokenPipe);
    }

    #[test]
    fn a_slow_reader_gets_everything() {
        let (mut reader, writer) = io::pipe().unwrap();
        let text: Vec<u8> = (0..=255).cycle().take(1 << 20).collect();
        let read = std::thread::scope(|scope| {
            let reading = scope.spawn(move || {
                let mut read = Vec::new();
                reader.read_to_end(&mut read).map(|_| read)
            });
            assert_eq!(push(&writer, &text, Wait::Patient).unwrap(), text.len());
            drop(writer);
            reading.join().unwrap().unwrap()
        });
        assert!(read == text);
    }

    #[test]
    fn a_file_takes_all() {
        let file = tempfile::tempfile().unwrap();
        assert_eq!(push(&file, b"text", Wait::Not).unwrap(), 4);
    }
}
