//! Interrupts, one after the other: the first cancels the turn, the second ends the agent.

use std::{
    io,
    sync::{
        Arc, OnceLock,
        atomic::{AtomicBool, Ordering},
    },
};

use crate::exit::Exit;

/// Whether a signal came since they were taken over. It is set where the signal arrives, so that it is seen by what holds up the runtime, too.
static CAME: OnceLock<Arc<AtomicBool>> = OnceLock::new();

/// Whether a signal came since they were taken over.
pub(crate) fn came() -> bool {
    CAME.get().is_some_and(|came| came.load(Ordering::Relaxed))
}

/// What came.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Signal {
    /// Ctrl-C.
    Interrupt,
    /// SIGTERM, or the terminal has gone away.
    Terminate,
}

impl Signal {
    /// The number that a program ended by it reports.
    pub(crate) fn exit(self) -> Exit {
        match self {
            Self::Interrupt => Exit::Interrupted,
            Self::Terminate => Exit::Terminated,
        }
    }
}

/// Waits for signals. From its making on they no longer end this program by themselves.
#[derive(Debug)]
pub(crate) struct Signals {
    #[cfg(unix)]
    interrupt: tokio::signal::unix::Signal,
    #[cfg(unix)]
    terminate: tokio::signal::unix::Signal,
    #[cfg(unix)]
    hangup: tokio::signal::unix::Signal,
    #[cfg(windows)]
    interrupt: tokio::signal::windows::CtrlC,
    #[cfg(windows)]
    terminate: tokio::signal::windows::CtrlBreak,
}

#[cfg(unix)]
impl Signals {
    /// Takes the signals over.
    pub(crate) fn new() -> io::Result<Self> {
        use tokio::signal::unix::{SignalKind, signal};
        let came = CAME.get_or_init(Arc::default);
        for kind in [
            SignalKind::interrupt(),
            SignalKind::terminate(),
            SignalKind::hangup(),
        ] {
            signal_hook::flag::register(kind.as_raw_value(), Arc::clone(came))?;
        }
        Ok(Self {
            interrupt: signal(SignalKind::interrupt())?,
            terminate: signal(SignalKind::terminate())?,
            hangup: signal(SignalKind::hangup())?,
        })
    }

    /// The next signal. Cancel-safe.
    pub(crate) async fn next(&mut self) -> Signal {
        tokio::select! {
            _ = self.interrupt.recv() => Signal::Interrupt,
            _ = self.terminate.recv() => Signal::Terminate,
            _ = self.hangup.recv() => Signal::Terminate,
        }
    }
}

#[cfg(windows)]
impl Signals {
    /// Takes the signals over.
    pub(crate) fn new() -> io::Result<Self> {
        Ok(Self {
            interrupt: tokio::signal::windows::ctrl_c()?,
            terminate: tokio::signal::windows::ctrl_break()?,
        })
    }

    /// The next signal. Cancel-safe.
    pub(crate) async fn next(&mut self) -> Signal {
        tokio::select! {
            _ = self.interrupt.recv() => Signal::Interrupt,
            _ = self.terminate.recv() => Signal::Terminate,
        }
    }
}
