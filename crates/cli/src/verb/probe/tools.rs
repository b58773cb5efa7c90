//! The proof that an agent connects to the tool servers that it is given: one of our own is given to it, and notes what is asked.

use std::{
    env, fs,
    io::{self, Read as _},
    path::{Path, PathBuf},
    time::Duration,
};

use acp_harness::vocab::v1::{McpServer, McpServerStdio};
use serde::Serialize;
use serde_json::Value;
use tokio::time::{Instant, sleep};

use crate::{
    config::file,
    demo_tools::{EVENT, STARTED},
    exit::Exit,
    failure::Broken,
};

/// How long it is waited for, at most.
pub(crate) const PATIENCE: Duration = Duration::from_secs(15);
/// How often the notes are looked at.
const LOOK: Duration = Duration::from_millis(50);
/// How many names are tried for their place.
const NAMES: usize = 100;
/// How much of them is read.
const NOTES: u64 = 64 << 10;

/// What the server has noted.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
pub(crate) struct Proof {
    /// The agent greeted the server: it is connected.
    pub(crate) connected: bool,
    /// It started the program.
    pub(crate) started: bool,
    /// It asked which tools there are.
    pub(crate) listed: bool,
    /// Who greeted it, by its own words.
    pub(crate) client: Option<String>,
    /// The version of MCP that was asked for.
    pub(crate) version: Option<String>,
    /// How long that took from the session's opening on; absent where times are.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) took_ms: Option<u64>,
}

/// The server and its notes, in a directory of its own that goes away with it.
#[derive(Debug)]
pub(crate) struct Prover {
    directory: PathBuf,
}

impl Prover {
    /// Makes a place for the notes that nobody else can write to.
    pub(crate) fn new() -> Result<Self, Broken> {
        let process = std::process::id();
        // Whoever died before has left its own behind, or somebody is in our way on purpose.
        for index in 0..NAMES {
            let directory = env::temp_dir().join(format!("acp-probe-{process}-{index}"));
            match own_directory(&directory) {
                Ok(()) => return Ok(Self { directory }),
                Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {}
                Err(error) => return Err(no_place(&error)),
            }
        }
        Err(no_place(&io::ErrorKind::AlreadyExists.into()))
    }

    fn notes(&self) -> PathBuf {
        self.directory.join("notes")
    }

    /// What lies there. The agent knows the place, too, and may have put something else into it: that is not waited for, and not read to
    /// an end that it may not have.
    fn noted(&self) -> io::Result<Vec<u8>> {
        let mut noted = Vec::new();
        let notes = file::open(&self.notes())?;
        notes.take(NOTES).read_to_end(&mut noted)?;
        Ok(noted)
    }

    /// The declaration of the server: this program.
    pub(crate) fn server(&self) -> Result<McpServer, Broken> {
        let unnamed =
            || Broken::internal("this program, or its notes, have no name that can be sent");
        let program = env::current_exe().map_err(|error| {
            Broken::internal(format!("this program cannot find itself: {error}"))
        })?;
        let notes = self.notes();
        let (program, notes) = (
            program.to_str().ok_or_else(unnamed)?,
            notes.to_str().ok_or_else(unnamed)?,
        );
        let mut server = McpServerStdio::new("acp-probe", program);
        server.args = ["demo-tools", "--report", notes].map(Into::into).to_vec();
        Ok(McpServer::Stdio(server))
    }

    /// Waits until the agent has asked for the tools, or for so long.
    pub(crate) async fn wait(&self, patience: Duration) -> Proof {
        let began = Instant::now();
        loop {
            let mut proof = read(&self.noted().unwrap_or_default());
            if proof.listed || began.elapsed() >= patience {
                let took = began.elapsed().as_millis();
                proof.took_ms = proof
                    .connected
                    .then(|| u64::try_from(took).unwrap_or(u64::MAX));
                return proof;
            }
            sleep(LOOK).await;
        }
    }
}

impl Drop for Prover {
    fn drop(&mut self) {
        // What is left lies where temporary things lie.
        drop(fs::remove_dir_all(&self.directory));
    }
}

fn no_place(error: &io::Error) -> Broken {
    Broken::new(
        Exit::Failed,
        "no_place",
        format!("there is no place for the notes of a tool server: {error}"),
    )
}

#[cfg(unix)]
fn own_directory(path: &Path) -> io::Result<()> {
    use std::os::unix::fs::DirBuilderExt as _;
    fs::DirBuilder::new().mode(0o700).create(path)
}

#[cfg(not(unix))]
fn own_directory(path: &Path) -> io::Result<()> {
    fs::DirBuilder::new().create(path)
}

/// Reads the notes; a line that is being written counts when it is whole.
fn read(notes: &[u8]) -> Proof {
    let mut proof = Proof::default();
    for line in notes.split(|byte| *byte == b'\n') {
        let Ok(note) = serde_json::from_slice::<Value>(line) else {
            continue;
        };
        let text = |name: &str| Some(note.get(name)?.as_str()?.to_owned());
        match text(EVENT).as_deref() {
            Some(STARTED) => proof.started = true,
            Some("initialize") => {
                proof.connected = true;
                let version = text("client_version").map(|version| format!(" {version}"));
                proof.client =
                    text("client").map(|name| name + version.as_deref().unwrap_or_default());
                proof.version = text("version");
            }
            Some("tools/list") => proof.listed = true,
            _ => {}
        }
    }
    proof
}

#[cfg(test)]
mod tests {
    #[cfg(unix)]
    use super::{NOTES, Prover};
    use super::{Proof, read};

    #[cfg(unix)]
    #[test]
    fn what_an_agent_puts_in_the_place_of_the_notes_is_not_waited_for() {
        use std::{fs, os::unix::fs::symlink};

        let prover = || Prover::new().unwrap_or_else(|_| panic!("there is a place"));
        let endless = prover();
        symlink("/dev/zero", endless.notes()).expect("a link");
        assert!(endless.noted().is_err());
        let pipe = prover();
        let made = std::process::Command::new("mkfifo")
            .arg(pipe.notes())
            .status();
        assert!(made.expect("mkfifo").success());
        assert!(pipe.noted().is_err());
        let long = prover();
        fs::write(long.notes(), vec![b'x'; 1 << 20]).expect("it is written");
        let noted = long.noted().expect("it is read");
        assert_eq!(noted.len() as u64, NOTES);
    }

    #[track_caller]
    fn check(notes: &str, expected: &Proof) {
        assert_eq!(read(notes.as_bytes()), *expected, "{notes}");
    }

    #[test]
    fn only_a_greeting_is_a_connection() {
        check("", &Proof::default());
        let started = Proof {
            started: true,
            ..Proof::default()
        };
        check("{\"event\":\"started\"}\n", &started);
        check("{\"event\":\"started\"}\n{\"event\":\"initia", &started);
        let greeted = Proof {
            connected: true,
            client: Some(String::from("an agent 1.0")),
            version: Some(String::from("2025-06-18")),
            ..started
        };
        let greeting = "{\"event\":\"started\"}\n{\"event\":\"initialize\",\"client\":\"an agent\",\"client_version\":\"1.0\",\"version\":\"2025-06-18\"}\n";
        check(greeting, &greeted);
        let listed = Proof {
            listed: true,
            ..greeted
        };
        check(
            &format!("{greeting}{{\"event\":\"tools/list\"}}\n"),
            &listed,
        );
    }
}
