//! Where a test stands: how agents are started, in which version it speaks, what it may ask.

use std::{
    cell::{Cell, RefCell},
    collections::VecDeque,
    ffi::OsString,
    path::PathBuf,
    rc::Rc,
    time::Duration,
};

use acp_harness::transport::{Command, KillHandle, Link};
use tokio::time::{Instant, timeout};

use super::{peer::Peer, verdict::Stop, version::Version};

/// How many lines of a conversation are kept for a report, and how much of each.
const KEPT: usize = 40;
/// How many lines of its stderr are kept beside them.
const STDERR: usize = 4;
/// How long an agent may take to leave after a test, before it is killed.
const LEAVE: Duration = Duration::from_millis(1_500);

/// What a run of tests was told.
#[derive(Debug, Clone)]
pub(crate) struct Setting {
    pub(crate) argv: Vec<OsString>,
    pub(crate) cwd: PathBuf,
    pub(crate) env: Vec<(OsString, OsString)>,
    pub(crate) prompt: String,
    /// A prompt that takes long enough to be cancelled; `None` when nobody named one.
    pub(crate) cancel_prompt: Option<String>,
    pub(crate) auth_method: Option<String>,
    pub(crate) allow_logout: bool,
    pub(crate) startup: Duration,
    pub(crate) bound: Duration,
}

/// The lines of a conversation, the latest of them.
pub(crate) type Evidence = Rc<RefCell<VecDeque<String>>>;

/// Agents that were started in one version and never answered `initialize`.
#[derive(Debug, Default)]
pub(crate) struct Starts {
    silent: Cell<usize>,
}

/// So often in a row is a silent agent waited for.
const PATIENCE: usize = 2;

/// Where one test stands.
#[derive(Debug)]
pub(crate) struct Stand<'a> {
    starts: &'a Starts,
    pub(crate) setting: &'a Setting,
    pub(crate) version: Version,
    pub(crate) evidence: Evidence,
    started: RefCell<Vec<KillHandle>>,
}

impl<'a> Stand<'a> {
    /// A place for one test.
    pub(crate) fn new(setting: &'a Setting, version: Version, starts: &'a Starts) -> Self {
        Self {
            starts,
            setting,
            version,
            evidence: Evidence::default(),
            started: RefCell::default(),
        }
    }

    /// Starts an agent.
    pub(crate) fn start(&self) -> Result<Peer<'_>, Stop> {
        self.start_with(&[])
    }

    /// Starts an agent with more in its environment.
    pub(crate) fn start_with(&self, env: &[(&str, &str)]) -> Result<Peer<'_>, Stop> {
        let command = Command::from_argv(&self.setting.argv).cwd(&self.setting.cwd);
        let command = self
            .setting
            .env
            .iter()
            .fold(command, |command, (name, value)| command.env(name, value));
        let command = env
            .iter()
            .fold(command, |command, (name, value)| command.env(name, value));
        let child = command
            .spawn()
            .map_err(|error| Stop::Skip(format!("the agent cannot be started: {error}")))?;
        let handle = child.handle().clone();
        self.started.borrow_mut().push(handle.clone());
        Ok(Peer::new(self, Link::from(child), handle))
    }

    /// An agent that has agreed on the version.
    pub(crate) async fn agreed(&self) -> Result<Peer<'_>, Stop> {
        // An agent that never answers would be waited for by every rule anew.
        let silent = self.starts.silent.get();
        if silent >= PATIENCE {
            return Err(Stop::Skip(format!(
                "the agent was started {silent} times and did not answer initialize (see INIT-001)"
            )));
        }
        let mut peer = self.start()?;
        let began = Instant::now();
        let agreed = peer.initialize().await;
        let waited = began.elapsed() >= self.setting.startup;
        self.starts.silent.set(match agreed {
            Err(_) if waited => silent + 1,
            _ => 0,
        });
        agreed.map_err(|stop| stop.elsewhere("INIT-001"))?;
        Ok(peer)
    }

    /// An agent with an open session, and its id.
    pub(crate) async fn opened(&self) -> Result<(Peer<'_>, String), Stop> {
        let mut peer = self.agreed().await?;
        let session = peer.open().await?;
        Ok((peer, session))
    }

    /// The cancel prompt, or why there is none.
    pub(crate) fn cancel_prompt(&self) -> Result<&str, Stop> {
        self.setting.cancel_prompt.as_deref().ok_or_else(|| {
            Stop::Skip(String::from(
                "no prompt is known that takes long: name one with --cancel-prompt",
            ))
        })
    }

    /// Notes a line for the report.
    pub(crate) fn note(&self, arrow: &str, line: &[u8]) {
        let mut evidence = self.evidence.borrow_mut();
        if evidence.len() >= KEPT {
            evidence.pop_front();
        }
        let text = String::from_utf8_lossy(line.get(..2_000).unwrap_or(line));
        evidence.push_back(format!("{arrow} {}", crate::safe::line(&text, 400)));
    }

    /// Ends every agent that was started.
    pub(crate) async fn clear(&self) {
        let started = self.started.take();
        for agent in &started {
            let tail = agent.stderr_tail();
            let lines: Vec<&[u8]> = tail.trim_ascii_end().split(|byte| *byte == b'\n').collect();
            for line in lines.iter().skip(lines.len().saturating_sub(STDERR)) {
                if !line.is_empty() {
                    self.note("!", line);
                }
            }
        }
        for agent in &started {
            agent.shut_down();
        }
        for agent in &started {
            if timeout(LEAVE, agent.gone()).await.is_err() {
                agent.kill();
                agent.gone().await;
            }
        }
    }
}
