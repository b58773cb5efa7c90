//! The client of the official Rust SDK drives our demo agent, through every method that it has.

mod abilities;
mod v1;
mod v2;

use std::sync::Mutex;
use std::time::Duration;

use agent_client_protocol::{AcpAgent, AcpAgentConfig, Error};
use tokio::sync::Notify;

/// The directory of every session here; the agent wants one that exists.
const CWD: &str = "/tmp";

/// Our demo agent as a process of the SDK's.
fn demo(args: &[&str]) -> AcpAgent {
    let program = crate::program::acp();
    let args = ["demo-agent"]
        .iter()
        .chain(args)
        .map(|arg| (*arg).to_owned());
    AcpAgent::new(AcpAgentConfig::new(program).args(args.collect::<Vec<_>>()))
}

/// Ends a test that hangs.
async fn bounded<T>(work: impl Future<Output = Result<T, Error>>) -> T {
    let done = tokio::time::timeout(Duration::from_secs(120), work).await;
    done.expect("it hangs")
        .expect("the connection and everything on it works")
}

/// What a client keeps of what it was sent, and what it answers.
#[derive(Debug)]
struct Desk<Update> {
    updates: Mutex<Vec<Update>>,
    /// Elicitations that the agent called complete.
    completed: Mutex<Vec<String>>,
    arrived: Notify,
    person: Person,
}

/// What a person at the client would do.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Person {
    Agrees,
    Refuses,
    Leaves,
}

impl<Update> Desk<Update> {
    fn new(person: Person) -> std::sync::Arc<Self> {
        std::sync::Arc::new(Self {
            updates: Mutex::default(),
            completed: Mutex::default(),
            arrived: Notify::new(),
            person,
        })
    }

    fn keep(&self, update: Update) {
        self.updates.lock().unwrap().push(update);
        self.arrived.notify_one();
    }

    /// Waits until what was kept is like this.
    async fn until(&self, is_there: impl Fn(&[Update]) -> bool) {
        while !is_there(&self.updates.lock().unwrap()) {
            self.arrived.notified().await;
        }
    }

    /// Everything since it was last asked.
    fn take(&self) -> Vec<Update> {
        std::mem::take(&mut self.updates.lock().unwrap())
    }
}

/// The code of an error that was expected.
#[track_caller]
fn code<T: std::fmt::Debug>(result: Result<T, Error>) -> i32 {
    i32::from(result.expect_err("an error").code)
}
