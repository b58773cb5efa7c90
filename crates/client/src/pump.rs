//! The one task of a connection: reader, writer, timer, exit and handlers, in one poll.
//!
//! It never waits for one of them: each is asked, and when none has anything the task sleeps on
//! all of them and on the hosts' commands.

mod io;
mod tasks;

use std::{
    fmt,
    pin::{Pin, pin},
    sync::Arc,
    task::{Context, Poll},
    time::Duration,
};

use acp_session::Exit;
use acp_transport::{Ended, Link, Peer};
use tokio::{
    sync::watch,
    time::{Sleep, sleep},
};

use crate::{handlers::Handlers, requester::Requester, shared::Shared};

use self::{
    io::{Input, Output, Timer},
    tasks::Tasks,
};

/// So many turns of the loop before other tasks of the runtime get theirs.
const ROUNDS: usize = 4;

/// Drives a connection. It ends when the connection has, and the agent with it.
///
/// [`ClientBuilder::connect`](crate::ClientBuilder::connect) spawns it;
/// [`connect_with_pump`](crate::ClientBuilder::connect_with_pump) hands it out. Dropping it ends
/// the connection.
#[must_use = "nothing happens on a connection whose pump is not polled"]
pub struct Pump {
    shared: Arc<Shared>,
    input: Input,
    output: Output,
    timer: Timer,
    tasks: Tasks,
    exit: Option<Pin<Box<dyn Future<Output = Ended> + Send>>>,
    down: Down,
    grace: Duration,
    done: watch::Sender<Option<Ended>>,
}

impl fmt::Debug for Pump {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Pump").finish_non_exhaustive()
    }
}

impl Pump {
    pub(crate) fn new(
        shared: Arc<Shared>,
        link: Link,
        handlers: Handlers,
        grace: Duration,
    ) -> (Self, watch::Receiver<Option<Ended>>) {
        let (reader, writer, peer) = link.into_parts();
        let (done, receiver) = watch::channel(None);
        let exit: Pin<Box<dyn Future<Output = Ended> + Send>> = Box::pin(peer.ended());
        let requester = Requester {
            shared: Arc::clone(&shared),
        };
        let pump = Self {
            input: Input::new(reader),
            output: Output::new(writer),
            timer: Timer::default(),
            tasks: Tasks::new(handlers, requester),
            exit: Some(exit),
            down: Down::Up(Some(peer)),
            grace,
            done,
            shared,
        };
        (pump, receiver)
    }

    /// The process ended; for other links this is the end of the stream, which the reader tells.
    fn poll_exit(&mut self, cx: &mut Context<'_>) -> bool {
        let Some(exit) = self.exit.as_mut() else {
            return false;
        };
        let Poll::Ready(ended) = exit.as_mut().poll(cx) else {
            return false;
        };
        self.exit = None;
        if let Some(exit) = exit_of(&ended) {
            tracing::debug!(exit = %exit, "the agent's process ended");
            self.shared
                .with(|inner, now| inner.machine.handle_exit(now, exit));
        }
        true
    }

    /// Once our side is shut down, or the connection is over, the agent is on its way out: the
    /// ladder starts, and reading goes on to the end, or for the grace period behind it.
    fn poll_down(&mut self, cx: &mut Context<'_>) -> Poll<Ended> {
        let closed = self.shared.with(|inner, _| {
            inner.pump.over = inner.machine.closed().is_some();
            inner.pump.over
        });
        if closed {
            self.output.close(&self.shared);
            self.input.close(&self.shared);
        }
        loop {
            match &mut self.down {
                Down::Up(peer) if closed || self.output.is_shut() => {
                    self.down = match peer.take() {
                        Some(peer) => Down::Going(Box::pin(peer.shutdown())),
                        None => Down::Gone(Ended::eof(), Box::pin(sleep(self.grace))),
                    };
                }
                Down::Up(_) => return Poll::Pending,
                Down::Going(ladder) => {
                    let ended = std::task::ready!(ladder.as_mut().poll(cx));
                    self.down = Down::Gone(ended, Box::pin(sleep(self.grace)));
                }
                Down::Gone(ended, _) if closed => return Poll::Ready(ended.clone()),
                Down::Gone(_, grace) => {
                    std::task::ready!(grace.as_mut().poll(cx));
                    self.input.close(&self.shared);
                    self.shared.with(|inner, now| inner.machine.handle_eof(now));
                    cx.waker().wake_by_ref();
                    return Poll::Pending;
                }
            }
        }
    }
}

/// Where the agent is on its way out.
enum Down {
    /// In use.
    Up(Option<Peer>),
    /// On the ladder.
    Going(Pin<Box<dyn Future<Output = Ended> + Send>>),
    /// Gone; its output may still be held open by somebody else.
    Gone(Ended, Pin<Box<Sleep>>),
}

impl Future for Pump {
    type Output = ();

    fn poll(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<()> {
        let this = &mut *self;
        for _ in 0..ROUNDS {
            let mut busy = this.poll_exit(cx);
            busy |= this.tasks.poll(cx, &this.shared);
            busy |= this.output.poll(cx, &this.shared);
            busy |= this.input.poll(cx, &this.shared);
            busy |= this.timer.poll(cx, &this.shared);
            if let Poll::Ready(ended) = this.poll_down(cx) {
                this.done.send_replace(Some(ended));
                return Poll::Ready(());
            }
            if !busy && this.shared.sleep(cx.waker()) {
                return Poll::Pending;
            }
        }
        yield_to_others(cx);
        Poll::Pending
    }
}

impl Drop for Pump {
    fn drop(&mut self) {
        // Nobody will read or write any more: every wait ends now. The peer, dropped with this,
        // takes a child down in the background.
        self.tasks.abort();
        self.shared.with(|inner, now| {
            inner.machine.close(now);
            inner
                .machine
                .handle_write_error(now, std::io::ErrorKind::BrokenPipe);
            inner.machine.handle_eof(now);
            inner.pump.waker = None;
        });
    }
}

/// Wakes this task once the runtime has looked at everything else: other tasks, timers, signals.
///
/// Waking by hand would put it at the end of the run queue, and a runtime of one thread looks up
/// from a queue that is never empty only every 61 tasks: a flood would keep its host waiting.
fn yield_to_others(cx: &mut Context<'_>) {
    let turn = pin!(tokio::task::yield_now());
    if turn.poll(cx).is_ready() {
        cx.waker().wake_by_ref();
    }
}

/// How a process ended, in the machine's words; nothing for a link that is no process.
fn exit_of(ended: &Ended) -> Option<Exit> {
    let exit = ended.exit()?;
    let stderr = String::from_utf8_lossy(ended.stderr_tail()).into_owned();
    Some(Exit::new(exit.code(), exit.signal(), stderr))
}
