//! The stage of a test: a client, and a scripted agent either in memory or in a child.
//!
//! One script, one scenario, two worlds: [`twice!`] makes a test of each. In memory the pipe is one
//! byte wide and time is virtual; in the child there is one thread and real pipes, and every span
//! is fifty times shorter.

use std::{cell::RefCell, path::PathBuf, time::Duration};

use acp_client::{Budget, Client, ClientBuilder, Limits, Session};
use acp_testkit::{PeerError, Played, Script, child_path, pipe};
use acp_transport::{Child, Link};
use acp_vocab::ProtocolVersion;
use serde_json::Value;
use tokio::task::JoinHandle;

/// Where the agent lives.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum World {
    /// A pipe of one byte, virtual time.
    Memory,
    /// A child process, real time.
    Child,
}

/// Makes two tests of one scenario.
macro_rules! twice {
    ($(#[$doc:meta])* $name:ident, $scenario:expr) => {
        mod $name {
            use super::*;

            #[tokio::test(start_paused = true)]
            async fn in_memory() {
                ($scenario)(crate::stage::World::Memory).await;
            }

            #[tokio::test]
            async fn over_pipes() {
                ($scenario)(crate::stage::World::Child).await;
            }
        }
    };
}
pub(crate) use twice;

impl World {
    /// A span of the protocol's time: as it is in memory, fifty times shorter in a child.
    pub(crate) fn span(self, ms: u64) -> Duration {
        Duration::from_millis(self.ms(ms))
    }

    /// The same as a number for scripts.
    pub(crate) fn ms(self, ms: u64) -> u64 {
        match self {
            Self::Memory => ms,
            Self::Child => (ms / 50).max(1),
        }
    }

    /// An amount of frames or bytes: a twentieth in memory, where every byte is a step of its own.
    pub(crate) fn amount(self, full: u64) -> u64 {
        match self {
            Self::Memory => full / 20,
            Self::Child => full,
        }
    }

    /// The default bounds, with this bound on a session's queue, scaled as an amount.
    pub(crate) fn session_bytes(self, full: u64) -> Limits {
        let mut limits = self.limits();
        limits.session_bytes = usize::try_from(self.amount(full)).unwrap();
        limits
    }

    /// The default bounds, their times scaled.
    pub(crate) fn limits(self) -> Limits {
        let mut limits = Limits::default();
        if self == Self::Child {
            for span in [
                &mut limits.overdraft_patience,
                &mut limits.unread_ask,
                &mut limits.handler,
                &mut limits.stall,
                &mut limits.wind_down,
                &mut limits.exit_grace,
                &mut limits.flush,
            ] {
                *span /= 50;
            }
            // A loaded machine may take longer than 20 ms to schedule a child.
            limits.exit_grace = Duration::from_millis(500);
            limits.flush = Duration::from_millis(500);
        }
        limits
    }

    /// A client that offers v1 alone.
    pub(crate) fn builder(self) -> ClientBuilder {
        Client::builder("host", "1.0")
            .versions([ProtocolVersion::V1])
            .limits(self.limits())
    }

    /// A client and the agent that plays this script.
    pub(crate) fn start(self, script: Script) -> (Client, Agent) {
        self.start_with(self.builder(), script)
    }

    pub(crate) fn start_with(self, builder: ClientBuilder, script: Script) -> (Client, Agent) {
        match self {
            Self::Memory => {
                let (host, agent) = pipe(1);
                let client = builder
                    .connect(Link::new(host.reader, host.writer))
                    .unwrap();
                (client, Agent::Task(tokio::spawn(script.play(agent))))
            }
            Self::Child => {
                let folder = tempfile::tempdir().unwrap();
                let (play, heard) = (folder.path().join("script"), folder.path().join("heard"));
                std::fs::write(&play, serde_json::to_string(&script).unwrap()).unwrap();
                let argv = [
                    child_path("scripted_agent").unwrap().into_os_string(),
                    format!("@{}", play.display()).into(),
                    heard.clone().into_os_string(),
                ];
                let child = Child::spawn(argv).unwrap();
                let client = builder.connect(child).unwrap();
                (
                    client,
                    Agent::Child {
                        heard,
                        folder: RefCell::new(Some(folder)),
                    },
                )
            }
        }
    }

    /// A client whose session `s` is open; the script starts behind that.
    pub(crate) async fn open(self, script: Script) -> (Client, Session, Agent) {
        self.open_with(self.builder(), script).await
    }

    pub(crate) async fn open_with(
        self,
        builder: ClientBuilder,
        script: Script,
    ) -> (Client, Session, Agent) {
        let (client, agent) = self.start_with(builder, Script::new().open("s").then(script));
        client.initialize().await.unwrap();
        let session = client.new_session("/work").open().await.unwrap();
        (client, session, agent)
    }

    /// A budget whose idle bound is this long.
    pub(crate) fn idle(self, ms: u64) -> Budget {
        Budget::idle(self.span(ms))
    }
}

/// The scripted agent, for looking at what it heard.
pub(crate) enum Agent {
    Task(JoinHandle<Result<Played, PeerError>>),
    Child {
        heard: PathBuf,
        folder: RefCell<Option<tempfile::TempDir>>,
    },
}

impl Agent {
    /// Closes the client and gives what the agent heard until the end.
    pub(crate) async fn heard_after_close(self, client: &Client) -> Heard {
        client.close().await;
        self.heard(client).await
    }

    /// What the agent heard, once it has ended.
    pub(crate) async fn heard(self, client: &Client) -> Heard {
        match self {
            Self::Task(task) => Heard(task.await.unwrap().unwrap().heard),
            Self::Child { heard, folder } => {
                client.gone().await;
                let text = std::fs::read_to_string(heard).unwrap();
                drop(folder.take());
                Heard(
                    text.lines()
                        .map(|line| serde_json::from_str(line).unwrap())
                        .collect(),
                )
            }
        }
    }
}

/// The frames that an agent read, in wire order.
#[derive(Debug)]
pub(crate) struct Heard(pub(crate) Vec<Value>);

impl Heard {
    /// The methods, in order; answers are `"<answer>"`.
    pub(crate) fn methods(&self) -> Vec<&str> {
        self.0
            .iter()
            .map(|frame| frame["method"].as_str().unwrap_or("<answer>"))
            .collect()
    }

    pub(crate) fn count(&self, method: &str) -> usize {
        self.methods()
            .into_iter()
            .filter(|heard| *heard == method)
            .count()
    }

    /// The answer to the agent's request of this id.
    pub(crate) fn answer(&self, id: i64) -> &Value {
        let answers = || {
            self.0
                .iter()
                .filter(|frame| frame.get("method").is_none() && frame["id"] == id)
        };
        assert_eq!(answers().count(), 1, "answers to {id} in {:#?}", self.0);
        answers().next().unwrap()
    }
}

/// Lets everything that can happen without waiting happen, until `done`.
#[track_caller]
pub(crate) fn until(mut done: impl FnMut() -> bool) -> impl Future<Output = ()> {
    let at = std::panic::Location::caller();
    async move {
        let start = Duration::from_secs(20);
        let mut spins = 0_u64;
        let began = tokio::time::Instant::now();
        while !done() {
            tokio::task::yield_now().await;
            spins += 1;
            assert!(
                spins < 50_000_000 && began.elapsed() < start,
                "never happened: {at}"
            );
        }
    }
}
