//! What every handle of a connection holds: the queue to the writer, and what the client said of
//! itself.

use std::{
    collections::{BTreeMap, hash_map::RandomState},
    hash::{BuildHasher, Hasher},
    io,
    sync::{
        Arc, Mutex, MutexGuard, PoisonError,
        atomic::{AtomicBool, Ordering},
    },
};

use acp_handshake::ClientOffer;
use acp_vocab::{McpRequestId, ProtocolVersion, SessionId, TerminalId};
use serde::Serialize;
use tokio::sync::{Semaphore, mpsc};
use tokio_util::sync::CancellationToken;

use crate::{
    bell::Bell,
    command::{Command, Update},
    config::Config,
    error::Unsent,
    extension::Agreed,
    mcp::Inner,
};

/// One for each agreement; cheap to share.
#[derive(Debug)]
pub(crate) struct Shared {
    pub(crate) queue: mpsc::Sender<Command>,
    pub(crate) version: ProtocolVersion,
    pub(crate) offer: ClientOffer,
    pub(crate) config: Arc<Config>,
    pub(crate) extension: Option<Agreed>,
    /// Rooms for questions.
    pub(crate) questions: Arc<Semaphore>,
    /// Something was dropped that the pump has to tell the client about.
    pub(crate) dropped: Arc<Bell>,
    /// Requests to MCP servers that the client hosts, and who hears what they say meanwhile.
    pub(crate) inner: Mutex<BTreeMap<McpRequestId, Inner>>,
    /// Whether the agent said that it tells who is logged in.
    pub(crate) tells_login: bool,
    /// Terminals of the client whose handle was dropped.
    pub(crate) terminals: Mutex<Vec<(SessionId, TerminalId)>>,
}

impl Shared {
    pub(crate) fn is_v1(&self) -> bool {
        self.version == ProtocolVersion::V1
    }

    /// Puts a command into the queue, waiting for room. Ends at once when `stop` is cancelled.
    pub(crate) async fn send(
        &self,
        command: Command,
        stop: Option<&CancellationToken>,
    ) -> Result<(), Unsent> {
        // Room at once is the usual thing, and costs no wait.
        if stop.is_none_or(|stop| !stop.is_cancelled())
            && let Ok(permit) = self.queue.try_reserve()
        {
            permit.send(command);
            return Ok(());
        }
        let reserve = self.queue.reserve();
        let permit = match stop {
            None => reserve.await,
            Some(stop) => tokio::select! {
                biased;
                () = stop.cancelled() => return Err(Unsent::Cancelled),
                permit = reserve => permit,
            },
        };
        permit.map_err(|_| Unsent::Disconnected)?.send(command);
        Ok(())
    }

    /// Refuses what would be a line over the bound, without writing it.
    pub(crate) fn check(&self, value: &(impl Serialize + ?Sized)) -> Result<(), Unsent> {
        let limit = self.config.max_line_out.saturating_sub(ENVELOPE);
        let mut count = Count { len: 0, limit };
        match serde_json::to_writer(&mut count, value) {
            Ok(()) => Ok(()),
            Err(_) if count.len > limit => Err(Unsent::TooLong {
                len: count.len,
                limit: self.config.max_line_out,
            }),
            Err(_) => Err(Unsent::NotJson),
        }
    }

    pub(crate) async fn update(&self, update: Update, obey: bool) -> Result<(), Unsent> {
        let live = Arc::clone(&update.live);
        live.check(obey)?;
        let stop = obey.then_some(&live.token);
        self.send(Command::Update(Box::new(update)), stop)
            .await
            .map_err(|unsent| live.why(unsent))
    }
}

/// How many bytes of JSON a value is, up to a bound; `None` when it is more.
pub(crate) fn measure(value: &(impl Serialize + ?Sized), limit: usize) -> Option<usize> {
    let mut count = Count { len: 0, limit };
    let written = serde_json::to_writer(&mut count, value);
    written.is_ok().then_some(count.len)
}

/// Room for everything around an update on its line: envelope, session id, extension.
pub(crate) const ENVELOPE: usize = 4 << 10;

/// Counts and throws away; says stop at the bound.
struct Count {
    len: usize,
    limit: usize,
}

impl io::Write for Count {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.len += bytes.len();
        if self.len > self.limit {
            return Err(io::ErrorKind::FileTooLarge.into());
        }
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// Whether the work that sends events is still going on.
#[derive(Debug, Default)]
pub(crate) struct Live {
    /// Cancelled when the work shall stop.
    pub(crate) token: CancellationToken,
    opened: AtomicBool,
    /// Senders refuse from now on.
    ended: AtomicBool,
    /// Its end was told to the client: what is still on its way is dropped.
    closed: AtomicBool,
    limit: Mutex<Option<crate::Limit>>,
    /// It tells what was, so that its events have no numbers.
    replays: bool,
}

impl Live {
    /// Work that is not open yet, and is cancelled with everything below `gone`.
    pub(crate) fn below(gone: &CancellationToken) -> Self {
        Self {
            token: gone.child_token(),
            ..Self::default()
        }
    }

    /// Part of something larger: cancelled with it.
    pub(crate) fn child(&self) -> Arc<Self> {
        Arc::new(Self {
            token: self.token.child_token(),
            opened: AtomicBool::new(true),
            ended: AtomicBool::new(false),
            closed: AtomicBool::new(false),
            limit: Mutex::new(None),
            replays: false,
        })
    }

    /// The replay of what was said: part of something larger, too.
    pub(crate) fn replay(&self) -> Arc<Self> {
        Arc::new(Self {
            token: self.token.child_token(),
            opened: AtomicBool::new(true),
            replays: true,
            ..Self::default()
        })
    }

    pub(crate) const fn is_replay(&self) -> bool {
        self.replays
    }

    pub(crate) fn start(&self) {
        self.opened.store(true, Ordering::Release);
    }

    pub(crate) fn end(&self) {
        self.ended.store(true, Ordering::Release);
    }

    /// Ended, and the client was told.
    pub(crate) fn close(&self) {
        self.end();
        self.closed.store(true, Ordering::Release);
    }

    /// Closed, and everything below is told to stop.
    pub(crate) fn revoke(&self) {
        self.close();
        self.token.cancel();
    }

    pub(crate) fn is_closed(&self) -> bool {
        self.closed.load(Ordering::Acquire)
    }

    fn is_ended(&self) -> bool {
        self.ended.load(Ordering::Acquire)
    }

    /// Stops the work because of a limit. The first reason stands.
    pub(crate) fn limit(&self, limit: crate::Limit) {
        lock(&self.limit).get_or_insert(limit);
        self.token.cancel();
    }

    pub(crate) fn limited(&self) -> Option<crate::Limit> {
        lock(&self.limit).clone()
    }

    pub(crate) fn check(&self, obey: bool) -> Result<(), Unsent> {
        if self.is_ended() {
            return Err(Unsent::Ended);
        }
        if !self.opened.load(Ordering::Acquire) {
            return Err(Unsent::NotOpen);
        }
        if obey && self.token.is_cancelled() {
            return Err(self.why(Unsent::Cancelled));
        }
        Ok(())
    }

    /// A limit cancels too, and says so.
    pub(crate) fn why(&self, unsent: Unsent) -> Unsent {
        match (unsent, self.limited()) {
            (Unsent::Cancelled, Some(limit)) => Unsent::Limit(limit),
            (unsent, _) => unsent,
        }
    }
}

/// A lock whose holder panicked is still a lock: nothing is held over a point that can panic.
pub(crate) fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// 64 random bits, from the operating system by way of the hasher's keys.
pub(crate) fn random() -> u64 {
    RandomState::new().build_hasher().finish()
}

/// An id that was never used before.
pub(crate) fn fresh(kind: &str) -> String {
    format!("{kind}-{:016x}{:016x}", random(), random())
}
