//! Processes that carry a mark in their environment: what a test has started, wherever it went.

use std::{fs, process::Command};

/// The variable that holds the mark.
pub(super) const MARK: &str = "ACP_CHECK_MARK";

/// The ids of the processes with this mark. Found on Linux only; elsewhere there are none to see.
pub(super) fn marked(mark: &str) -> Vec<u32> {
    let needle = format!("{MARK}={mark}\0");
    let Ok(processes) = fs::read_dir("/proc") else {
        return Vec::new();
    };
    processes
        .filter_map(|entry| {
            let path = entry.ok()?.path();
            let id = path.file_name()?.to_str()?.parse().ok()?;
            let status = fs::read_to_string(path.join("stat")).ok()?;
            // A zombie is gone; it only waits to be counted.
            let state = status.rsplit(')').next()?.trim_start().chars().next()?;
            let environment = fs::read(path.join("environ")).ok()?;
            let is_marked = environment
                .windows(needle.len())
                .any(|window| window == needle.as_bytes());
            (state != 'Z' && is_marked).then_some(id)
        })
        .collect()
}

/// Kills the processes with this mark.
pub(super) fn kill(mark: &str) {
    for id in marked(mark) {
        // One that has just ended needs no kill.
        drop(
            Command::new("kill")
                .args(["-KILL", &id.to_string()])
                .status(),
        );
    }
}
