//! One run of `acp` with one agent: what it printed, how it ended, and who is left.

use std::fs;
use std::io::{BufRead, BufReader};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::mpsc::{Receiver, RecvTimeoutError, sync_channel};
use std::thread;
use std::time::{Duration, Instant};

use anyhow::{Context, Result};
use serde_json::Value;

use super::processes::{self, Mark};
use super::scenes::{Event, FOREVER_WORDS, MADE, SESSION, Scene, Verdict, has_begun};
use crate::agents::Agent;
use crate::agents::model::Model;
use crate::fixtures::Normaliser;

/// The bound of one run.
const LONGEST: Duration = Duration::from_secs(240);
/// How often processes are looked at.
const LOOK: Duration = Duration::from_millis(100);
/// What was said in a scene, below the folder of the stage.
const RECORDING: &str = "recording.jsonl";
/// How long the last process may take to go.
const GOING: Duration = Duration::from_secs(10);

/// One agent at one version: its folders, gone afterwards, and what earlier scenes left.
#[derive(Debug)]
pub(super) struct Stage<'a> {
    pub(super) agent: &'static Agent,
    pub(super) protocol: u16,
    program: &'a Path,
    acp: &'a Path,
    pub(super) model: &'a Model,
    folder: PathBuf,
    pub(super) workspace: PathBuf,
    /// The session of the first scene.
    pub(super) session: Option<String>,
    played: usize,
}

/// What came of a run.
#[derive(Debug, Default)]
pub(super) struct Ran {
    pub(super) code: Option<i32>,
    records: Vec<Value>,
    stderr: String,
    pub(super) event_happened: bool,
    /// The command lines of processes that are still there.
    pub(super) survivors: Vec<String>,
}

impl<'a> Stage<'a> {
    pub(super) fn new(
        agent: &'static Agent,
        protocol: u16,
        program: &'a Path,
        acp: &'a Path,
        model: &'a Model,
    ) -> Result<Self> {
        let name = format!(
            "acp-agents-{}-{}-v{protocol}",
            std::process::id(),
            agent.name
        );
        let folder = std::env::temp_dir().join(name);
        let workspace = folder.join("workspace");
        fs::create_dir_all(&workspace)?;
        Ok(Self {
            agent,
            protocol,
            program,
            acp,
            model,
            folder,
            workspace,
            session: None,
            played: 0,
        })
    }

    pub(super) fn play(&mut self, scene: &Scene) -> Result<Verdict> {
        drop(fs::remove_file(self.workspace.join(MADE)));
        drop(fs::remove_file(self.folder.join(RECORDING)));
        drop(self.model.take_efforts());
        self.played += 1;
        let mark = Mark::new(&format!("{}-{}", self.folder.display(), self.played));
        let mut child = self.start(scene, &mark)?;
        let pid = child.id();
        let mut ran = Ran::default();
        let lines = lines(&mut child)?;
        let end = now() + LONGEST;
        while now() < end {
            match lines.recv_timeout(LOOK) {
                Ok(Line::Record(record)) => ran.records.push(record),
                Ok(Line::Stderr(line)) => ran.stderr = line,
                Err(RecvTimeoutError::Timeout) => {}
                Err(RecvTimeoutError::Disconnected) => break,
            }
            if !ran.event_happened && ran.is_time_for(scene.event, &mark) {
                ran.event_happened = true;
                match scene.event {
                    Event::Nothing => {}
                    Event::Interrupt => processes::signal("INT", &[pid]),
                    Event::KillUs => processes::signal("KILL", &[pid]),
                    Event::KillAgent => {
                        let pids: Vec<u32> =
                            mark.processes().into_iter().map(|(pid, _)| pid).collect();
                        let agents: Vec<u32> =
                            pids.into_iter().filter(|other| *other != pid).collect();
                        processes::signal("KILL", &agents);
                    }
                }
            }
        }
        if now() >= end {
            processes::signal("KILL", &[pid]);
        }
        ran.code = child.wait()?.code();
        ran.survivors = mark.survivors(now() + GOING);
        Ok((scene.judge)(self, &ran))
    }

    /// What was said in the last scene.
    pub(super) fn recording(&self) -> Result<String> {
        Ok(fs::read_to_string(self.folder.join(RECORDING))?)
    }

    /// What is of this machine in it.
    pub(super) fn normaliser(&self, prefix: &Path) -> Normaliser {
        let text = |path: &Path| path.display().to_string();
        Normaliser::new(vec![
            (text(&self.workspace), "/workspace".to_owned()),
            (text(&self.folder.join("home")), "/home/user".to_owned()),
            (text(&self.folder), "/home".to_owned()),
            (text(prefix), "/opt/agents".to_owned()),
            (self.model.address(), "http://127.0.0.1:9".to_owned()),
        ])
    }

    fn start(&self, scene: &Scene, mark: &Mark) -> Result<Child> {
        let home = self.folder.join("home");
        fs::create_dir_all(&home)?;
        let environment = self.agent.configure(&home, Some(&self.model.address()))?;
        let session = self.session.as_deref().unwrap_or("none");
        let options = scene
            .options
            .iter()
            .map(|option| if *option == SESSION { session } else { option });
        Command::new(self.acp)
            .args(["run", scene.prompt, "--json", "--protocol"])
            .arg(self.protocol.to_string())
            .args(self.agent.asks_with)
            .args(options)
            .arg("--cwd")
            .arg(&self.workspace)
            .arg("--record")
            .arg(self.folder.join(RECORDING))
            .arg("--")
            .arg(self.program)
            .args(self.agent.arguments)
            .env_clear()
            .envs(environment)
            .env(Mark::NAME, mark.value())
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .with_context(|| format!("starting {}", self.acp.display()))
    }
}

impl Drop for Stage<'_> {
    fn drop(&mut self) {
        drop(fs::remove_dir_all(&self.folder));
    }
}

impl Ran {
    fn is_time_for(&self, event: Event, mark: &Mark) -> bool {
        match event {
            Event::Nothing => false,
            Event::Interrupt | Event::KillAgent => has_begun(&self.texts("agent_text")),
            Event::KillUs => mark
                .processes()
                .iter()
                .any(|(_, command)| command == FOREVER_WORDS),
        }
    }

    /// The texts of all records of a kind, joined.
    pub(super) fn texts(&self, kind: &str) -> String {
        let of_kind = self
            .records
            .iter()
            .filter(|record| record.get("type").and_then(Value::as_str) == Some(kind));
        of_kind
            .filter_map(|record| record.get("text")?.as_str())
            .collect()
    }

    /// A member of the last record.
    pub(super) fn result(&self, pointer: &str) -> Option<Value> {
        let last = self.records.last()?;
        last.pointer(pointer).cloned()
    }

    pub(super) fn outcome(&self) -> &str {
        let last = self.records.last();
        last.and_then(|record| record.get("outcome")?.as_str())
            .unwrap_or("no result")
    }

    pub(super) fn session(&self) -> Option<String> {
        Some(self.result("/session_id")?.as_str()?.to_owned())
    }

    /// For people.
    pub(super) fn seen(&self) -> String {
        let said = self.result("/error/message");
        let said = said
            .as_ref()
            .and_then(Value::as_str)
            .unwrap_or(&self.stderr);
        match self.code {
            Some(code) => format!("{} (exit {code}) {said}", self.outcome()),
            None => format!("{} (killed) {said}", self.outcome()),
        }
    }
}

enum Line {
    Record(Value),
    Stderr(String),
}

/// The lines of both outputs; the end comes when both are closed.
fn lines(child: &mut Child) -> Result<Receiver<Line>> {
    let (records, lines) = sync_channel(1024);
    let rest = records.clone();
    let stdout = child.stdout.take().context("no stdout")?;
    let stderr = child.stderr.take().context("no stderr")?;
    thread::spawn(move || {
        for line in BufReader::new(stdout).lines().map_while(Result::ok) {
            if let Ok(record) = serde_json::from_str(&line)
                && records.send(Line::Record(record)).is_err()
            {
                break;
            }
        }
    });
    thread::spawn(move || {
        for line in BufReader::new(stderr).lines().map_while(Result::ok) {
            if rest.send(Line::Stderr(line)).is_err() {
                break;
            }
        }
    });
    Ok(lines)
}

#[expect(
    clippy::disallowed_methods,
    reason = "a real agent is waited for by the wall clock"
)]
pub(super) fn now() -> Instant {
    Instant::now()
}
