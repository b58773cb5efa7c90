//! Asking a person on the terminal what an agent may do.
//!
//! The question goes to stderr and the answer is read from the terminal itself, since stdin may be the prompt. It is read on a
//! thread of its own, so that the turn goes on around it: an agent that withdraws its request, a bound, an interrupt.

use std::{
    fs::File,
    io::{self, BufRead as _, BufReader},
    thread,
};

use acp_harness::permission::{Decision, Note, Request, pick};
use tokio::sync::mpsc;

use crate::{render::diff::Diff, safe};

/// The person at the terminal.
#[derive(Debug)]
pub(crate) struct Person {
    lines: mpsc::Receiver<String>,
    is_terminal: bool,
}

impl Person {
    /// Opens the terminal. `None` when there is none.
    pub(crate) fn new() -> Option<Self> {
        let terminal = open().ok()?;
        let (sender, lines) = mpsc::channel(1);
        // The thread ends with the terminal, or with the process: a read from a terminal cannot be taken back.
        let reader = thread::Builder::new().name(String::from("acp-person"));
        reader
            .spawn(move || {
                for line in BufReader::new(terminal).lines().map_while(Result::ok) {
                    if sender.blocking_send(line).is_err() {
                        return;
                    }
                }
            })
            .ok()?;
        Some(Self {
            lines,
            is_terminal: true,
        })
    }

    /// Whoever writes to stdin, where that is no terminal.
    pub(crate) fn at_stdin() -> Option<Self> {
        let (sender, lines) = mpsc::channel(1);
        let reader = thread::Builder::new().name(String::from("acp-person"));
        reader
            .spawn(move || {
                for line in io::stdin().lines().map_while(Result::ok) {
                    if sender.blocking_send(line).is_err() {
                        return;
                    }
                }
            })
            .ok()?;
        Some(Self {
            lines,
            is_terminal: false,
        })
    }

    /// The next line that was typed; `None` when the terminal is gone. Cancel-safe.
    pub(crate) async fn line(&mut self) -> Option<String> {
        self.lines.recv().await
    }

    /// Whether it is a person at a terminal, and not a script.
    pub(crate) fn is_terminal(&self) -> bool {
        self.is_terminal
    }

    /// Forgets what was typed before a question was shown: it was no answer to it.
    pub(crate) fn forget(&mut self) {
        // What a script wrote beforehand was meant.
        while self.is_terminal && self.lines.try_recv().is_ok() {}
    }
}

#[cfg(unix)]
fn open() -> io::Result<File> {
    File::open("/dev/tty")
}

#[cfg(windows)]
fn open() -> io::Result<File> {
    File::open("CONIN$")
}

/// How much of a command is shown, in characters, and how many paths.
const MAX_COMMAND: usize = 2000;
const MAX_PATHS: usize = 16;

/// The question, as lines for stderr.
pub(crate) fn question(request: &Request, changes: &[Diff]) -> String {
    let mut out = format!(
        "? {}  {}\n",
        request.kind(),
        safe::line(request.title(), 160)
    );
    if let Some(command) = request.command() {
        let text = command.text();
        out.push_str(&format!("    runs   {}\n", safe::line(text, MAX_COMMAND)));
        // Nobody approves an end that was not shown without knowing that there is one.
        let more = text.chars().count().saturating_sub(MAX_COMMAND);
        if more > 0 {
            out.push_str(&format!("    !      and {more} more characters\n"));
        }
    }
    if let Some(directory) = request.command_directory() {
        out.push_str(&format!("    in     {}\n", safe::line(directory, 300)));
    }
    for path in request.paths().take(MAX_PATHS) {
        out.push_str(&format!("    path   {}\n", safe::line(path, 300)));
    }
    let more = request.paths().count().saturating_sub(MAX_PATHS);
    if more > 0 {
        out.push_str(&format!("    !      and {more} more paths\n"));
    }
    for change in changes {
        // A patch writes its path without the slash in front, and that one stands above.
        let bare = |path: &str| path.trim_start_matches('/').to_owned();
        let is_shown = request
            .paths()
            .take(MAX_PATHS)
            .any(|path| bare(path) == bare(&change.path));
        let path = match is_shown && changes.len() == 1 {
            true => String::new(),
            false => format!("  {}", safe::line(&change.path, 300)),
        };
        out.push_str(&format!(
            "    change +{} −{}{path}\n",
            change.added, change.removed
        ));
        for line in &change.lines {
            out.push_str(&format!("    {}\n", safe::line(line, 160)));
        }
        let more = (change.added + change.removed).saturating_sub(change.lines.len());
        if more > 0 {
            out.push_str(&format!("    !      and {more} more lines\n"));
        }
    }
    if let Some(tool) = request.mcp() {
        out.push_str(&format!(
            "    tool   {}/{}\n",
            safe::line(&tool.server, 80),
            safe::line(&tool.tool, 80)
        ));
    }
    for (index, option) in request.options().iter().enumerate() {
        out.push_str(&format!(
            "  {}) {}  ({})\n",
            index + 1,
            safe::line(&option.name, 120),
            safe::line(option.kind.as_str(), 40)
        ));
    }
    out.push_str("  a number, y (allow once), n (reject) or c (cancel the request): ");
    out
}

/// What a typed line decides; `None` when it is no answer.
pub(crate) fn decision(request: &Request, line: &str) -> Option<Decision> {
    match line.trim() {
        // Which of them is meant, only a number says.
        "y" | "yes" if several_allow_once(request) => None,
        "y" | "yes" => Some(Decision::AllowOnce),
        "n" | "no" => Some(Decision::Deny),
        "c" | "cancel" => Some(Decision::Cancel),
        number => {
            let index = number.parse::<usize>().ok()?.checked_sub(1)?;
            request
                .options()
                .get(index)
                .map(|option| Decision::Select(option.option_id.clone()))
        }
    }
}

fn several_allow_once(request: &Request) -> bool {
    pick(request.options(), &Decision::AllowOnce).note == Some(Note::SeveralOnce)
}

#[cfg(test)]
mod tests;
