//! A ready-made handler for the five `terminal/*` requests.

mod command;
mod output;
mod running;
mod table;

use std::sync::Arc;

use acp_handshake::{Ability, Declaration};
use acp_vocab::{ErrorCode, ErrorObject, Method, Raw, TerminalExitStatus, v1};

use crate::{
    handler::{Handler, Handling, Question},
    served::{Served, ServedClass, Watcher},
    turns,
};

use self::{
    command::Ordered,
    running::{Ending, Running},
    table::Table,
};

/// Runs commands for the agent (v1 section 8.2).
///
/// - The argument vector is exact: no shell, no quoting. [`shell`](Self::shell) lets one run what
///   can only be a shell line.
/// - The working directory is the session's unless the agent names one. The agent's environment
///   variables are added to those of this process. The command has no input: it reads its end.
/// - Standard output and error are kept together, the last 1 MiB by default, or what the agent
///   asked for; the cut is at a character. Bytes that are no UTF-8 become U+FFFD.
/// - Each command is a process group of its own, owned whole. `terminal/kill`, `terminal/release`,
///   the end of the session, the end of the connection and the drop of the runtime end it:
///   `SIGTERM`, and `SIGKILL` a second later. So does the exit of the command itself for what it
///   leaves behind. When this process is killed, a guard ends it: see [`acp_transport`].
/// - At most 16 terminals a session. An agent that forgets to release them loses the oldest one
///   that has ended; when all run, the next one is refused.
///
/// It is no sandbox: a command may do whatever this process may.
///
/// ```
/// use acp_client::{Client, Terminals};
///
/// let builder = Client::builder("host", "1.0").handler(Terminals::new().shell());
/// assert_eq!(builder.declaration().iter().count(), 1);
/// ```
#[derive(Clone, Debug)]
#[must_use = "it runs nothing until it is registered"]
pub struct Terminals {
    table: Arc<Table>,
    shell: bool,
    most_bytes: usize,
    most: usize,
    watcher: Watcher,
}

impl Default for Terminals {
    fn default() -> Self {
        Self::new()
    }
}

impl Terminals {
    /// The defaults: no shell, 1 MiB of output each, 16 terminals a session.
    pub fn new() -> Self {
        Self {
            table: Arc::default(),
            shell: false,
            most_bytes: 1024 * 1024,
            most: 16,
            watcher: Watcher::default(),
        }
    }

    /// Runs a command by `/bin/sh -c` (`cmd /C` on Windows) when it has no arguments, is no program
    /// that is there, and has spaces or shell syntax. Several agents send whole shell lines.
    pub const fn shell(mut self) -> Self {
        self.shell = true;
        self
    }

    /// The most bytes of output that are kept of each terminal, also when the agent asks for more.
    /// Default 1 MiB.
    pub const fn output_limit(mut self, bytes: usize) -> Self {
        self.most_bytes = bytes;
        self
    }

    /// The most terminals of a session. Default 16.
    pub const fn terminals(mut self, most: usize) -> Self {
        self.most = most;
        self
    }

    /// Tells a function of every request that was answered, on a thread of the runtime.
    pub fn on_served(mut self, watch: impl Fn(&Served) + Send + Sync + 'static) -> Self {
        self.watcher = Watcher::new(watch);
        self
    }

    /// How many terminals there are, over all sessions: also those that have ended and were not
    /// released.
    #[must_use]
    pub fn open(&self) -> usize {
        self.table.len()
    }

    async fn answer(&self, question: &Question, served: &mut Served) -> Result<Raw, ErrorObject> {
        let method = question.method();
        if method == Method::TERMINAL_CREATE.name() {
            return self.create(question, served).await;
        }
        // All four are alike in their params.
        let asked: v1::TerminalOutputRequest = question.params()?;
        served.terminal = Some(asked.terminal_id.clone());
        let unknown = |served: &mut Served| {
            served.class = ServedClass::Missing;
            ErrorObject::new(ErrorCode::RESOURCE_NOT_FOUND, "no such terminal")
        };
        let running = question
            .scope()
            .and_then(|scope| self.table.find(scope, &asked.terminal_id))
            .ok_or_else(|| unknown(served))?;
        served.class = ServedClass::Done;
        if method == Method::TERMINAL_OUTPUT.name() {
            turns::take(question).await;
            let (text, truncated) = running.output();
            served.bytes = text.len() as u64;
            let mut response = v1::TerminalOutputResponse::new(text, truncated);
            response.exit_status = running.ended().map(exit_status);
            question.result(&response)
        } else if method == Method::TERMINAL_WAIT_FOR_EXIT.name() {
            let status = exit_status(running.wait().await);
            let mut response = v1::WaitForTerminalExitResponse::new();
            response.exit_code = status.exit_code;
            response.signal = status.signal;
            question.result(&response)
        } else if method == Method::TERMINAL_KILL.name() {
            running.kill().await;
            question.result(&v1::KillTerminalResponse::new())
        } else {
            self.table.remove(&asked.terminal_id);
            running.kill().await;
            question.result(&v1::ReleaseTerminalResponse::new())
        }
    }

    async fn create(&self, question: &Question, served: &mut Served) -> Result<Raw, ErrorObject> {
        let asked: v1::CreateTerminalRequest = question.params()?;
        let no_session = || ErrorObject::new(ErrorCode::RESOURCE_NOT_FOUND, "no such session");
        let scope = question.scope().ok_or_else(no_session)?;
        let place = scope.place().await.ok_or_else(no_session)?;
        let ordered = Ordered::new(&asked, place.cwd(), self.shell)?;
        let limit = asked.output_byte_limit.map_or(self.most_bytes, |bytes| {
            usize::try_from(bytes).map_or(self.most_bytes, |bytes| bytes.min(self.most_bytes))
        });
        let Some(slot) = Table::reserve(&self.table, scope, self.most) else {
            served.class = ServedClass::TooMuch;
            return Err(ErrorObject::new(
                ErrorCode::INTERNAL_ERROR,
                format!("{} terminals are running; release some", self.most),
            ));
        };
        let id = slot.id().clone();
        let running = Running::start(&ordered, limit).await?;
        Running::keep(running, slot, scope.ended());
        served.terminal = Some(id.clone());
        served.class = if ordered.by_shell() {
            ServedClass::Shell
        } else {
            ServedClass::Done
        };
        question.result(&v1::CreateTerminalResponse::new(id))
    }
}

/// The exit code, or the signal's name and no code.
fn exit_status(ending: Ending) -> TerminalExitStatus {
    let mut status = TerminalExitStatus::new();
    status.exit_code = ending.code.map(i64::from);
    status.signal = ending.signal;
    status
}

impl Handler for Terminals {
    fn declares(&self) -> Declaration {
        Declaration::none().with(Ability::Terminal)
    }

    fn handle(self: Arc<Self>, question: Question) -> Handling {
        Box::pin(async move {
            let (method, session) = (question.method(), question.session());
            let mut served = Served::new(method, session, ServedClass::Failed);
            let answer = self.answer(&question, &mut served).await;
            self.watcher.tell(&served);
            answer
        })
    }
}
