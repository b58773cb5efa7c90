//! `kill -9` of a host leaves nobody behind: not the agent, not its children, not the guard.
//!
//! The host is `examples/host.rs`, a program that knows nothing but the library.

use std::{
    fs,
    os::fd::OwnedFd,
    path::{Path, PathBuf},
    process::Stdio,
};

use rustix::{
    event::{PollFd, PollFlags, Timespec, poll},
    process::{Pid, PidfdFlags, Signal, kill_process, pidfd_open},
};
use tokio::{
    io::{AsyncBufReadExt, BufReader, Lines},
    process::{Child, ChildStdout, Command},
};

use crate::soon;

/// The example, which cargo builds beside the tests.
fn host_program() -> PathBuf {
    let test = std::env::current_exe().unwrap();
    let path = test
        .parent()
        .and_then(Path::parent)
        .unwrap()
        .join("examples/host");
    if !path.exists() {
        let cargo = std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
        let built = std::process::Command::new(cargo)
            .args([
                "build",
                "--quiet",
                "--package",
                env!("CARGO_PKG_NAME"),
                "--example",
                "host",
            ])
            .status();
        assert!(built.unwrap().success());
    }
    path
}

struct Host {
    process: Child,
    output: Lines<BufReader<ChildStdout>>,
}

impl Host {
    fn start(script: &str, environment: &[(&str, &str)]) -> Self {
        let mut process = Command::new(host_program())
            .args(["sh", "-c", script])
            .envs(environment.iter().copied())
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .kill_on_drop(true)
            .spawn()
            .unwrap();
        let output = BufReader::new(process.stdout.take().unwrap()).lines();
        Self { process, output }
    }

    /// The process ids that the agent prints, one a line.
    async fn pids(&mut self, count: usize) -> Vec<i32> {
        let mut pids = Vec::new();
        while pids.len() < count {
            let line = soon(self.output.next_line())
                .await
                .unwrap()
                .expect("the agent printed less");
            pids.push(line.parse().unwrap());
        }
        pids
    }

    fn pid(&self) -> i32 {
        self.process.id().unwrap().try_into().unwrap()
    }

    async fn kill(&mut self) {
        kill_process(Pid::from_raw(self.pid()).unwrap(), Signal::KILL).unwrap();
        soon(self.process.wait()).await.unwrap();
    }
}

/// The guards that are children of this process.
pub(super) fn guards_of(parent: u32) -> Vec<i32> {
    let mut guards = Vec::new();
    for entry in fs::read_dir("/proc").unwrap().flatten() {
        let Ok(stat) = fs::read_to_string(entry.path().join("stat")) else {
            continue;
        };
        let Ok(command) = fs::read(entry.path().join("cmdline")) else {
            continue;
        };
        let fields: Vec<_> = stat
            .rsplit(')')
            .next()
            .unwrap()
            .split_whitespace()
            .collect();
        if fields[1] == parent.to_string() && command.ends_with(b"\0acp-guard\0") {
            guards.push(entry.file_name().to_str().unwrap().parse().unwrap());
        }
    }
    guards
}

/// A process by a descriptor that cannot mean another one; it becomes readable when the process
/// ends.
struct Witness(Option<OwnedFd>);

fn witness(pid: &i32) -> Witness {
    Witness(pidfd_open(Pid::from_raw(*pid).unwrap(), PidfdFlags::empty()).ok())
}

impl Witness {
    fn lives(&self) -> bool {
        self.0.is_some()
    }

    /// Waits for the end of the process.
    #[track_caller]
    fn assert_gone(&self) {
        let Some(process) = &self.0 else { return };
        let bound = Timespec {
            tv_sec: 20,
            tv_nsec: 0,
        };
        let ended = poll(&mut [PollFd::new(process, PollFlags::IN)], Some(&bound)).unwrap();
        assert_eq!(ended, 1, "somebody lives on after 20 s");
    }
}

#[track_caller]
fn assert_all_gone(witnesses: &[Witness]) {
    witnesses.iter().for_each(Witness::assert_gone);
}

/// Starts a host with this agent, which prints `count` process ids, kills it, and waits until
/// agent, children and guard are gone.
async fn check(script: &str, count: usize) {
    let mut host = Host::start(script, &[]);
    let pids = host.pids(count).await;
    let guards = guards_of(host.process.id().unwrap());
    assert_eq!(guards.len(), 1, "one guard for one agent");
    let witnesses: Vec<_> = pids.iter().chain(&guards).map(witness).collect();
    assert!(
        witnesses.iter().all(Witness::lives),
        "they live until the host dies"
    );
    host.kill().await;
    assert_all_gone(&witnesses);
}

#[tokio::test]
async fn an_agent_with_children() {
    check("echo $$; sleep 600 & echo $!; sleep 600 & echo $!; wait", 3).await;
}

#[tokio::test]
async fn an_agent_and_children_that_ignore_every_polite_signal() {
    let deaf = "trap '' TERM HUP INT QUIT PIPE USR1 USR2";
    let child =
        format!("sh -c \"{deaf}; echo \\$\\$; sleep 600 & echo \\$!; sleep 600; sleep 600\" &");
    check(
        &format!("{deaf}; echo $$; {child} while :; do sleep 600; done"),
        3,
    )
    .await;
}

#[tokio::test]
async fn children_that_have_lost_their_parents() {
    check(
        "echo $$; (sh -c 'trap \"\" TERM HUP; echo $$; exec sleep 600' &) ; exec sleep 600",
        2,
    )
    .await;
}

#[tokio::test]
async fn children_in_sessions_of_their_own() {
    // The one that ignores the end of its input, and what it starts; as tools of agents run.
    let tool = "sh -c 'echo $$; sleep 600 & echo $!; wait'";
    check(&format!("setsid {tool} & setsid {tool} & wait"), 4).await;
}

#[tokio::test]
async fn grandchildren_in_sessions_of_their_own() {
    check(
        "echo $$; setsid sh -c 'echo $$; setsid sh -c \"echo \\$\\$; exec sleep 600\" & wait' & exec sleep 600",
        3,
    )
    .await;
}

#[tokio::test]
async fn children_of_an_agent_that_has_exited_by_itself() {
    // The agent is gone before the host; its child lives within the grace period of 3 s.
    let mut host = Host::start("trap '' TERM HUP; sleep 600 & echo $!; exit 0", &[]);
    let pids = host.pids(1).await;
    let guards = guards_of(host.process.id().unwrap());
    let witnesses: Vec<_> = pids.iter().chain(&guards).map(witness).collect();
    host.kill().await;
    assert_all_gone(&witnesses);
}

#[tokio::test]
async fn without_a_guard_the_kernel_still_ends_the_agent_itself() {
    let mut host = Host::start(
        "trap '' TERM HUP; echo $$; while :; do sleep 600; done",
        &[("HOST_WITHOUT_GUARD", "1")],
    );
    let agent = host.pids(1).await;
    assert_eq!(guards_of(host.process.id().unwrap()), Vec::<i32>::new());
    let witness = witness(&agent[0]);
    let group = Pid::from_raw(agent[0]).unwrap();
    host.kill().await;
    witness.assert_gone();
    // Its child is what the guard would have ended.
    rustix::process::kill_process_group(group, Signal::KILL).unwrap();
}

#[tokio::test]
async fn a_host_that_ends_well_leaves_no_guard() {
    let mut host = Host::start("echo $$; echo done", &[]);
    let agent = host.pids(1).await;
    let guards = guards_of(host.process.id().unwrap());
    let witnesses: Vec<_> = agent.iter().chain(&guards).map(witness).collect();
    assert!(soon(host.process.wait()).await.unwrap().success());
    assert_all_gone(&witnesses);
}

#[tokio::test]
async fn a_host_that_ignores_the_deaths_of_children_is_served_as_well() {
    // The kernel reaps for such a host, and nobody learns the status. An ignored signal stays
    // ignored across `exec`.
    let host = host_program();
    let script = format!(
        "trap '' CHLD; exec '{}' sh -c 'sleep 600 & echo $$ $!; exit 3'",
        host.display()
    );
    let output = soon(Command::new("sh").args(["-c", &script]).output())
        .await
        .unwrap();
    let printed = String::from_utf8(output.stdout).unwrap();
    let pids: Vec<i32> = printed
        .split_whitespace()
        .map(|pid| pid.parse().unwrap())
        .collect();
    assert_eq!(pids.len(), 2, "{printed}");
    assert_all_gone(&pids.iter().map(witness).collect::<Vec<_>>());
}
