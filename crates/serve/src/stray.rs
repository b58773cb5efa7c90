//! What prints to standard output beside the protocol: sent to standard error, and counted.

use std::{
    fs::File,
    io,
    sync::{
        Arc, Mutex,
        atomic::{AtomicU64, Ordering},
        mpsc,
    },
    time::Duration,
};

use crate::shared::lock;

/// How long the last stray output may take to be passed on.
const DRAIN: Duration = Duration::from_millis(200);

/// Standard output, taken over: what was descriptor 1 belongs to the protocol alone, and whatever
/// this process, its libraries and its children print goes to standard error and is counted.
///
/// Take it first thing in `main`, before anything can print, and serve on it with
/// [`Server::serve_stdout`](crate::Server::serve_stdout). [`Server::stdio`](crate::Server::stdio)
/// takes it by itself, which is as good where nothing prints before.
///
/// Where the system has no descriptors nothing is taken over, and nothing is counted.
#[derive(Debug)]
pub struct Stdout {
    pub(crate) output: Option<File>,
    pub(crate) stray: Stray,
}

/// Counts what was printed beside the protocol.
#[derive(Debug, Clone, Default)]
pub(crate) struct Stray {
    bytes: Arc<AtomicU64>,
    /// Told when the detour has ended.
    done: Arc<Mutex<Option<mpsc::Receiver<()>>>>,
}

impl Stdout {
    /// Takes it over.
    ///
    /// # Errors
    /// What the system says: no descriptor or thread is left.
    #[cfg(not(unix))]
    pub fn take() -> io::Result<Self> {
        Ok(Self {
            output: None,
            stray: Stray::default(),
        })
    }

    /// Takes it over.
    ///
    /// # Errors
    /// What the system says: no descriptor or thread is left.
    #[cfg(unix)]
    pub fn take() -> io::Result<Self> {
        use rustix::{
            io::fcntl_dupfd_cloexec,
            stdio::{dup2_stdout, stdout},
        };

        let output = fcntl_dupfd_cloexec(stdout(), 3)?;
        #[cfg(target_os = "linux")]
        let (reader, writer) = rustix::pipe::pipe_with(rustix::pipe::PipeFlags::CLOEXEC)?;
        #[cfg(not(target_os = "linux"))]
        let (reader, writer) = rustix::pipe::pipe()?;
        let (sender, done) = mpsc::sync_channel(1);
        let stray = Stray {
            bytes: Arc::default(),
            done: Arc::new(Mutex::new(Some(done))),
        };
        let bytes = Arc::clone(&stray.bytes);
        std::thread::Builder::new()
            .name("acp-stray".into())
            .stack_size(64 << 10)
            .spawn(move || {
                forward(&bytes, File::from(reader));
                // Nobody may be waiting.
                let _ = sender.try_send(());
            })?;
        dup2_stdout(&writer)?;
        Ok(Self {
            output: Some(File::from(output)),
            stray,
        })
    }
}

impl Stray {
    /// Ends the detour: descriptor 1 is standard error itself from now on. Waits, not long, until
    /// everything that was printed is passed on, and says how much it was.
    pub(crate) fn finish(&self) -> u64 {
        let done = lock(&self.done).take();
        if let Some(done) = done {
            #[cfg(unix)]
            if rustix::stdio::dup2_stdout(rustix::stdio::stderr()).is_err() {
                tracing::warn!("standard output cannot be pointed at standard error");
            }
            // A child may hold the pipe open for longer.
            let _ = done.recv_timeout(DRAIN);
        }
        self.bytes.load(Ordering::Acquire)
    }
}

#[cfg(unix)]
fn forward(bytes: &AtomicU64, mut from: File) {
    use io::{Read as _, Write as _};

    let mut buffer = vec![0; 8 << 10];
    loop {
        match from.read(&mut buffer) {
            Ok(0) => return,
            Ok(count) => {
                bytes.fetch_add(count as u64, Ordering::AcqRel);
                let printed = buffer.get(..count).unwrap_or_default();
                // Standard error that cannot be written is nobody's to mend; reading goes on, so
                // that whoever prints is not held up.
                drop(io::stderr().write_all(printed));
            }
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            Err(_) => return,
        }
    }
}
