//! Which processes belong to a run: they inherit a variable from it. Where there is no `/proc`,
//! nothing is found.

use std::fs;
use std::process::{Command, Stdio};
use std::sync::mpsc::{RecvTimeoutError, sync_channel};
use std::time::{Duration, Instant};

/// A value that only the processes of one run have in their environment.
#[derive(Debug)]
pub(super) struct Mark(String);

impl Mark {
    pub(super) const NAME: &'static str = "ACP_AGENTS_RUN";

    pub(super) fn new(value: &str) -> Self {
        Self(value.to_owned())
    }

    pub(super) fn value(&self) -> &str {
        &self.0
    }

    /// The living processes of the run: number and command line, each word with a space behind it.
    pub(super) fn processes(&self) -> Vec<(u32, String)> {
        let entry = format!("{}={}", Self::NAME, self.0);
        let Ok(all) = fs::read_dir("/proc") else {
            return Vec::new();
        };
        let pids = all
            .flatten()
            .filter_map(|each| each.file_name().to_str()?.parse::<u32>().ok());
        pids.filter_map(|pid| {
            let environment = fs::read(format!("/proc/{pid}/environ")).ok()?;
            let ours = environment
                .split(|byte| *byte == 0)
                .any(|each| each == entry.as_bytes());
            // A process that has exited has no command line.
            let command = fs::read(format!("/proc/{pid}/cmdline"))
                .ok()
                .filter(|words| ours && !words.is_empty())?;
            Some((pid, String::from_utf8_lossy(&command).replace('\0', " ")))
        })
        .collect()
    }

    /// The command lines of those who are not gone until then.
    pub(super) fn survivors(&self, until: Instant) -> Vec<String> {
        let (_open, never) = sync_channel::<()>(0);
        loop {
            let left = self.processes();
            if left.is_empty() || super::play::now() >= until {
                signal(
                    "KILL",
                    &left.iter().map(|(pid, _)| *pid).collect::<Vec<_>>(),
                );
                return left
                    .into_iter()
                    .map(|(_, command)| command.trim_end().to_owned())
                    .collect();
            }
            if never.recv_timeout(Duration::from_millis(100)) == Err(RecvTimeoutError::Disconnected)
            {
                return Vec::new();
            }
        }
    }
}

/// Sends a signal; who has gone is no error.
pub(super) fn signal(name: &str, pids: &[u32]) {
    if pids.is_empty() {
        return;
    }
    let pids: Vec<String> = pids.iter().map(u32::to_string).collect();
    let script = format!("kill -s {name} {} 2>/dev/null", pids.join(" "));
    drop(
        Command::new("sh")
            .args(["-c", &script])
            .stdin(Stdio::null())
            .status(),
    );
}
