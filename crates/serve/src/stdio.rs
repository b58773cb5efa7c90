//! Serving over this process's own standard streams: output protected, signals obeyed, the process
//! that started it watched.

use acp_transport::{stdio, stdio_with_output};
use tokio_util::sync::CancellationToken;

use crate::{agent::Agent, error::ServeError, report::Report, server::Server, stray::Stdout};

/// How many threads [`Server::run`] has at least: with one, as many as a small machine has cores, a
/// single blocked handler would be the end of everything.
const THREADS: usize = 8;

impl<A: Agent> Server<A> {
    /// Serves one client over standard input and output, on a runtime of its own: all that the `main`
    /// of an agent needs.
    ///
    /// It has a thread for each core and at least eight, so that a handler that blocks its thread
    /// holds up neither a cancel nor the end: it is abandoned like one that ignores its token, and
    /// does not keep the process alive once `main` returns. Only as many blocked handlers as it has
    /// threads hold it up: work that blocks for long belongs on a thread of its own.
    ///
    /// ```no_run
    /// # use acp_serve::{Agent, Outcome, Outcomes as _, Server, Turn};
    /// # struct Echo;
    /// # impl Agent for Echo {
    /// #     async fn prompt(&self, turn: Turn) -> Outcome {
    /// #         turn.say(turn.prompt().text()).await?;
    /// #         Outcome::completed()
    /// #     }
    /// # }
    /// fn main() -> Result<(), acp_serve::ServeError> {
    ///     Server::new(Echo).run()?;
    ///     Ok(())
    /// }
    /// ```
    ///
    /// # Errors
    /// [`ServeError`].
    pub fn run(self) -> Result<Report, ServeError> {
        let cores = std::thread::available_parallelism().map_or(1, std::num::NonZero::get);
        let runtime = tokio::runtime::Builder::new_multi_thread()
            .worker_threads(cores.max(THREADS))
            .enable_all()
            .build()
            .map_err(ServeError::Setup)?;
        let result = runtime.block_on(self.stdio());
        // Nobody waits for a thread that a handler has not given back.
        runtime.shutdown_background();
        result
    }

    /// Serves one client over standard input and output, until it is gone or a signal (INT, TERM,
    /// HUP) says to stop. The process that started this one is watched, too: see
    /// [`Config::parent_watch`](crate::Config::parent_watch).
    ///
    /// A handler that blocks its thread can be abandoned, but a runtime waits for its threads when it
    /// is dropped, and one of a single thread can do nothing else meanwhile: [`run`](Self::run) is for
    /// agents with such handlers.
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
        let every = self.config_in_force().parent_watch;
        let watches = [
            tokio::spawn(signals(stop.clone())),
            tokio::spawn(parent(every, stop.clone())),
        ];
        let result = self.serve_link(link, stop).await;
        for watch in watches {
            watch.abort();
        }
        let stray_output = tokio::task::spawn_blocking(move || stray.finish()).await;
        let mut report = result?;
        report.stray_output = stray_output.unwrap_or_default();
        Ok(report)
    }
}

/// Cancels `stop` once this process has another parent than it began with: the one that started it is
/// gone, and who adopts orphans differs from system to system.
#[cfg(unix)]
async fn parent(every: Option<std::time::Duration>, stop: CancellationToken) {
    let Some(every) = every else {
        return;
    };
    // No pause at all would be a loop that does nothing else.
    let every = every.max(std::time::Duration::from_millis(10));
    let first = rustix::process::getppid();
    while rustix::process::getppid() == first {
        tokio::time::sleep(every).await;
    }
    tracing::debug!("the process that started this one is gone");
    stop.cancel();
}

/// Parents are not watched here.
#[cfg(not(unix))]
async fn parent(_: Option<std::time::Duration>, _: CancellationToken) {}

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
