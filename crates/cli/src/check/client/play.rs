//! Running a client against an agent of ours that writes down what it hears.

use std::{
    env,
    ffi::{OsStr, OsString},
    fs,
    path::{Path, PathBuf},
    process,
    sync::atomic::{AtomicU64, Ordering},
    time::Duration,
};

use acp_harness::transport::{Command, Exit, Link};
use tokio::{
    io::AsyncReadExt as _,
    time::{Instant, interval, sleep, timeout},
};

use super::{ClientSetting, seen::Seen};
use crate::check::{survivors, verdict::Stop, version::Version};

/// How often it is looked whether the agent has heard a prompt.
const LOOK: Duration = Duration::from_millis(20);
/// How long agents may stay after their client: the time that a good one gives them to leave by themselves, and then by force.
const STAY: Duration = Duration::from_secs(7);
/// How long a client may take to leave when it is told to, before it is killed.
const LEAVE: Duration = Duration::from_secs(1);

static RUNS: AtomicU64 = AtomicU64::new(0);

/// What is done with a client while it runs.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum How {
    /// Nothing.
    Run,
    /// It is interrupted when its prompt has reached the agent.
    Interrupt,
    /// Nothing, and what it leaves behind is counted.
    Leave,
}

/// Runs the client with an agent in these modes.
pub(super) async fn play(
    setting: &ClientSetting,
    version: Version,
    modes: &str,
    how: How,
) -> Result<Seen, Stop> {
    let run = RUNS.fetch_add(1, Ordering::Relaxed);
    let mark = format!("{}-{run}", process::id());
    let report = env::temp_dir().join(format!("acp-check-{mark}.jsonl"));
    let played = run_client(setting, version, modes, how, &report, &mark).await;
    let text = fs::read_to_string(&report).unwrap_or_default();
    // It may never have been written.
    drop(fs::remove_file(&report));
    let (exit, left) = played?;
    Ok(Seen::read(&text, exit, left))
}

async fn run_client(
    setting: &ClientSetting,
    version: Version,
    modes: &str,
    how: How,
    report: &Path,
    mark: &str,
) -> Result<(Option<Exit>, usize), Stop> {
    let agent = agent(version, modes, report)?;
    let child = Command::from_argv(filled(&setting.argv, &agent))
        .cwd(&setting.cwd)
        .env(survivors::MARK, mark)
        .spawn()
        .map_err(|error| Stop::Skip(format!("the client cannot be started: {error}")))?;
    let handle = child.handle().clone();
    let (mut reader, writer, peer) = Link::from(child).into_parts();
    // Nobody types.
    drop(writer);
    let ended = handle.ending().clone();
    let watch = async {
        let mut look = interval(LOOK);
        let mut interrupted = how != How::Interrupt;
        let mut buffer = vec![0; 64 << 10];
        let mut open = true;
        loop {
            tokio::select! {
                biased;
                ended = ended.wait() => return ended.exit(),
                read = reader.read(&mut buffer), if open => open = read.is_ok_and(|count| count > 0),
                _ = look.tick(), if !interrupted => {
                    if fs::read_to_string(report).is_ok_and(|text| text.contains("said\":\"turn")) {
                        interrupted = true;
                        interrupt(handle.pid());
                    }
                }
            }
        }
    };
    let exit = timeout(setting.bound, watch).await.ok().flatten();
    let mut left = 0;
    if exit.is_some() && how == How::Leave {
        let deadline = Instant::now() + STAY;
        loop {
            left = survivors::marked(mark).len();
            if left == 0 || Instant::now() >= deadline {
                break;
            }
            sleep(LOOK * 5).await;
        }
    }
    handle.shut_down();
    if timeout(LEAVE, handle.gone()).await.is_err() {
        handle.kill();
        handle.gone().await;
    }
    drop(peer);
    survivors::kill(mark);
    Ok((exit, left))
}

fn interrupt(pid: u32) {
    // One that has ended meanwhile needs no interrupt.
    drop(
        process::Command::new("kill")
            .args(["-INT", &pid.to_string()])
            .status(),
    );
}

/// The words of the agent's command.
fn agent(version: Version, modes: &str, report: &Path) -> Result<Vec<OsString>, Stop> {
    let program: PathBuf = env::current_exe()
        .map_err(|error| Stop::Skip(format!("this program cannot find itself: {error}")))?;
    let number = version.number().to_string();
    let mut words: Vec<OsString> = vec![
        program.into(),
        "mock".into(),
        "--protocol".into(),
        number.into(),
    ];
    if !modes.is_empty() {
        words.extend(["--mode".into(), modes.into()]);
    }
    words.extend(["--report".into(), report.into()]);
    Ok(words)
}

/// A word that is `{agent}` becomes the words of the agent's command; inside of a longer word, and as `{agent:line}`, it becomes them as
/// a line for a shell.
fn filled(argv: &[OsString], agent: &[OsString]) -> Vec<OsString> {
    let line = agent
        .iter()
        .map(|word| quoted(word))
        .collect::<Vec<_>>()
        .join(" ");
    let mut words = Vec::new();
    for word in argv {
        match word.to_str() {
            Some("{agent}") => words.extend(agent.iter().cloned()),
            Some(text) => words.push(
                text.replace("{agent:line}", &line)
                    .replace("{agent}", &line)
                    .into(),
            ),
            None => words.push(word.clone()),
        }
    }
    words
}

fn quoted(word: &OsStr) -> String {
    let word = word.to_string_lossy();
    let plain = |c: char| c.is_ascii_alphanumeric() || "-_./,:=+@%".contains(c);
    if !word.is_empty() && word.chars().all(plain) {
        word.into_owned()
    } else {
        format!("'{}'", word.replace('\'', r"'\''"))
    }
}

#[cfg(test)]
mod tests {
    use super::{OsString, filled};

    #[test]
    fn where_the_agent_goes() {
        let words = |words: &[&str]| words.iter().map(OsString::from).collect::<Vec<_>>();
        let agent = words(&["/a b/acp", "mock"]);
        for (argv, right) in [
            (
                &["run", "--", "{agent}"][..],
                &["run", "--", "/a b/acp", "mock"][..],
            ),
            (&["--agent={agent}"], &["--agent='/a b/acp' mock"]),
            (
                &["--agent", "{agent:line}"],
                &["--agent", "'/a b/acp' mock"],
            ),
            (&["plain"], &["plain"]),
        ] {
            assert_eq!(filled(&words(argv), &agent), words(right));
        }
    }
}
