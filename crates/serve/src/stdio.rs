//! Serving over this process's own standard streams: output protected, signals obeyed.

use acp_transport::{stdio, stdio_with_output};
use tokio_util::sync::CancellationToken;

use crate::{agent::Agent, error::ServeError, report::Report, server::Server, stray::Stdout};

impl<A: Agent> Server<A> {
    /// Serves one client over standard input and output, until it is gone or a signal (INT, TERM,
    /// HUP) says to stop.
    ///
    /// Standard output is taken over first: whatever else this process and its libraries print to it
    /// goes to standard error and is counted in [`Report::stray_output`].
    ///
    /// # Errors
    /// [`ServeError`].
    pub async fn stdio(self) -> Result<Report, ServeError> {
        let stdout = Stdout::take().map_err(ServeError::Setup)?;
        self.serve_stdout(stdout).await
    }

    /// The same, on standard output that was taken over before.
    ///
    /// # Errors
    /// [`ServeError`].
    pub async fn serve_stdout(self, stdout: Stdout) -> Result<Report, ServeError> {
        let Stdout { output, stray } = stdout;
        let link = match output {
            Some(output) => stdio_with_output(output),
            None => stdio(),
        };
        let link = link.map_err(ServeError::Setup)?;
        let stop = CancellationToken::new();
        let watch = tokio::spawn(signals(stop.clone()));
        let result = self.serve_link(link, stop).await;
        watch.abort();
        let stray_output = tokio::task::spawn_blocking(move || stray.finish()).await;
        let mut report = result?;
        report.stray_output = stray_output.unwrap_or_default();
        Ok(report)
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
