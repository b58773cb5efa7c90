//! Serving over this process's own standard streams: output protected, signals obeyed.

use std::{io, sync::Arc};

use acp_transport::{Link, stdio, stdio_with_output};
use tokio_util::sync::CancellationToken;

use crate::{agent::Agent, error::ServeError, report::Report, server::Server, stray::Stray};

impl<A: Agent> Server<A> {
    /// Serves one client over standard input and output, until it is gone or a signal (INT, TERM,
    /// HUP) says to stop.
    ///
    /// Descriptor 1 is taken over first: whatever else this process and its libraries print to
    /// standard output goes to standard error and is counted in [`Report::stray_output`]. It stays
    /// so; a process serves its standard streams once.
    ///
    /// # Errors
    /// [`ServeError`].
    pub async fn stdio(self) -> Result<Report, ServeError> {
        let (link, stray) = protected().map_err(ServeError::Setup)?;
        let stop = CancellationToken::new();
        let watch = tokio::spawn(signals(stop.clone()));
        let result = self.serve_link(link, stop).await;
        watch.abort();
        let mut report = result?;
        report.stray_output = stray.map_or(0, |stray| stray.bytes());
        Ok(report)
    }
}

/// The standard streams as a link that nobody else can write to, where the system allows it.
fn protected() -> io::Result<(Link, Option<Arc<Stray>>)> {
    match Stray::take_over()? {
        Some((output, stray)) => Ok((stdio_with_output(output)?, Some(stray))),
        None => Ok((stdio()?, None)),
    }
}

/// Cancels `stop` at the first signal that asks this process to end.
#[cfg(unix)]
async fn signals(stop: CancellationToken) {
    use tokio::signal::unix::{SignalKind, signal};

    let kinds = [
        SignalKind::interrupt(),
        SignalKind::terminate(),
        SignalKind::hangup(),
    ];
    let [Ok(mut interrupt), Ok(mut terminate), Ok(mut hangup)] = kinds.map(signal) else {
        tracing::warn!("signals cannot be watched");
        return;
    };
    tokio::select! {
        _ = interrupt.recv() => {}
        _ = terminate.recv() => {}
        _ = hangup.recv() => {}
    }
    stop.cancel();
}

/// Cancels `stop` at Ctrl-C.
#[cfg(not(unix))]
async fn signals(stop: CancellationToken) {
    if tokio::signal::ctrl_c().await.is_ok() {
        stop.cancel();
    }
}
