//! Running the program.

use std::{
    io::Write as _,
    path::{Path, PathBuf},
    process::{Command, Stdio},
};

/// How one run ended and what it printed.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Ran {
    pub(crate) code: Option<i32>,
    pub(crate) stdout: String,
    pub(crate) stderr: String,
}

impl Ran {
    /// All of it, for a snapshot.
    pub(crate) fn all(&self) -> String {
        let code = self
            .code
            .map_or_else(|| String::from("signal"), |code| code.to_string());
        format!(
            "exit {code}\n--- stdout\n{}--- stderr\n{}",
            self.stdout, self.stderr
        )
    }
}

/// The program, without the environment's opinion on colours and without anybody's configuration.
pub(crate) fn command() -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_acp"));
    command
        .env_remove("NO_COLOR")
        .env_remove("CLICOLOR_FORCE")
        .env("XDG_CONFIG_HOME", "/nowhere/config")
        .env("XDG_STATE_HOME", "/nowhere/state")
        .env("COLUMNS", "100")
        .env("ACP_TEST_CLOCK", "1");
    command
}

/// Runs it with these words and this stdin, in this directory.
pub(crate) fn acp_in(dir: &Path, args: &[&str], stdin: &str) -> Ran {
    let mut child = command()
        .args(args)
        .current_dir(dir)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("the program starts");
    // It may end without reading.
    drop(
        child
            .stdin
            .take()
            .expect("a pipe")
            .write_all(stdin.as_bytes()),
    );
    let output = child.wait_with_output().expect("it ends");
    Ran {
        code: output.status.code(),
        stdout: String::from_utf8(output.stdout).expect("UTF-8 on stdout"),
        stderr: String::from_utf8(output.stderr).expect("UTF-8 on stderr"),
    }
}

/// The directory of the scripted agents.
pub(crate) fn agents() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/it/agents")
}

/// Runs a verb with these flags against the scripted agent in this mode.
pub(crate) fn with_agent(flags: &[&str], mode: &str) -> Ran {
    let words: Vec<&str> = flags
        .iter()
        .copied()
        .chain(["--", "sh", "agent.sh", mode])
        .collect();
    acp_in(&agents(), &words, "")
}

/// Runs it with these words and an empty stdin.
pub(crate) fn acp(args: &[&str]) -> Ran {
    acp_in(Path::new("."), args, "")
}
