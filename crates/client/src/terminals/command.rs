//! What an agent ordered, as a command: exact, or by a shell.

use std::path::{Path, PathBuf};

use acp_transport::{Command, Grace};
use acp_vocab::{ErrorCode, ErrorObject, v1};

/// A command that may be started.
#[derive(Debug)]
pub(super) struct Ordered {
    command: Command,
    by_shell: bool,
    /// It looks like a shell line, and is none of ours to run.
    like_shell: bool,
}

impl Ordered {
    /// The command of a request, in `cwd` unless it says where.
    pub(super) fn new(
        asked: &v1::CreateTerminalRequest,
        cwd: &str,
        shell: bool,
    ) -> Result<Self, ErrorObject> {
        let cwd = Path::new(asked.cwd.as_deref().unwrap_or(cwd));
        if !cwd.is_absolute() {
            return Err(invalid("cwd must be absolute"));
        }
        let texts = asked.args.iter().chain([&asked.command]);
        if asked.command.is_empty() || texts.into_iter().any(|text| text.contains('\0')) {
            return Err(invalid("no program has such a name or argument"));
        }
        let program = place_of(&asked.command, cwd);
        let like_shell =
            asked.args.is_empty() && is_shell_line(&asked.command) && !program.is_file();
        let by_shell = shell && like_shell;
        let mut command = if by_shell {
            let (program, flag) = SHELL;
            Command::new(program).arg(flag).arg(&*asked.command)
        } else {
            Command::new(program).args(asked.args.iter().map(AsRef::<str>::as_ref))
        };
        for variable in &asked.env {
            let name = &*variable.name;
            if name.is_empty() || name.contains(['=', '\0']) || variable.value.contains('\0') {
                return Err(invalid("no environment variable can be like that"));
            }
            command = command.env(name, &*variable.value);
        }
        Ok(Self {
            command: command.cwd(cwd).grace(GRACE).stderr_tail(0).merge_stderr(),
            by_shell,
            like_shell,
        })
    }

    /// The command.
    pub(super) const fn command(&self) -> &Command {
        &self.command
    }

    /// Whether a shell runs it.
    pub(super) const fn by_shell(&self) -> bool {
        self.by_shell
    }

    /// What the agent is told when it cannot be started; no name and no path.
    pub(super) fn refused(&self, error: &acp_transport::TransportError) -> ErrorObject {
        use acp_transport::{SpawnError, TransportError};
        let TransportError::Spawn(error) = error else {
            return ErrorObject::of(ErrorCode::INTERNAL_ERROR);
        };
        match error {
            SpawnError::NotFound { .. } if self.like_shell => invalid(
                "no such program; it looks like a shell line, and this client runs programs only",
            ),
            SpawnError::NotFound { .. } => invalid("no such program"),
            SpawnError::NotExecutable { .. } => invalid("the program cannot be run"),
            SpawnError::Directory { .. } => invalid("the working directory cannot be entered"),
            SpawnError::Empty
            | SpawnError::Guard { .. }
            | SpawnError::NoRuntime { .. }
            | SpawnError::Io { .. }
            | _ => ErrorObject::new(ErrorCode::INTERNAL_ERROR, "the program was not started"),
        }
    }
}

/// No input is closed that could be waited for; asked once, and then killed.
const GRACE: Grace = Grace::new(std::time::Duration::ZERO, std::time::Duration::from_secs(1));

#[cfg(not(windows))]
const SHELL: (&str, &str) = ("/bin/sh", "-c");
#[cfg(windows)]
const SHELL: (&str, &str) = ("cmd", "/C");

fn invalid(message: &str) -> ErrorObject {
    ErrorObject::new(ErrorCode::INVALID_PARAMS, message)
}

/// A program given as a relative path is meant from the working directory; a bare name is searched.
fn place_of(program: &str, cwd: &Path) -> PathBuf {
    let path = Path::new(program);
    if path.components().nth(1).is_some() {
        cwd.join(path)
    } else {
        path.to_path_buf()
    }
}

/// Whether a command without arguments can only be meant for a shell.
fn is_shell_line(command: &str) -> bool {
    let syntax: &[char] = if cfg!(windows) {
        &['|', '&', '<', '>', '^', '%', '"']
    } else {
        &[
            '|', '&', ';', '<', '>', '(', ')', '$', '`', '\\', '"', '\'', '*', '?', '[', ']', '{',
            '}', '#', '~', '=', '!',
        ]
    };
    command.contains(|c: char| c.is_whitespace() || syntax.contains(&c))
}

#[cfg(test)]
mod tests;
