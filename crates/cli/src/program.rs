//! Where a program is, what it runs on, and what it says of its version. It is looked for as a child of this program would be.

use std::{
    env,
    fs::{self, File},
    io::Read as _,
    path::{Path, PathBuf},
    process::Stdio,
    time::Duration,
};

use crate::safe;

/// How long a program may take to say its version.
const VERSION: Duration = Duration::from_secs(20);
/// How much of what it says is looked at.
const SAID: usize = 4096;
/// How much of a script is looked at: no system reads a longer first line.
const FIRST_LINE: u64 = 256;

/// Where it is.
pub(crate) fn find(program: &str) -> Option<PathBuf> {
    everywhere(program).into_iter().next()
}

/// All files of this name that are there, the one that is used first. Two ways to one file are one.
pub(crate) fn everywhere(program: &str) -> Vec<PathBuf> {
    let path = Path::new(program);
    if path.components().count() > 1 {
        return runnable(path).into_iter().collect();
    }
    let folders = env::var_os("PATH").unwrap_or_default();
    let mut found = Vec::new();
    let mut files = Vec::new();
    for folder in env::split_paths(&folders).filter(|folder| folder.is_absolute()) {
        let Some(path) = runnable(&folder.join(path)) else {
            continue;
        };
        let file = fs::canonicalize(&path).unwrap_or_else(|_| path.clone());
        if !files.contains(&file) {
            files.push(file);
            found.push(path);
        }
    }
    found
}

/// The file of this path if it can be run.
#[cfg(unix)]
fn runnable(path: &Path) -> Option<PathBuf> {
    use std::os::unix::fs::PermissionsExt as _;
    fs::metadata(path)
        .is_ok_and(|data| data.is_file() && data.permissions().mode() & 0o111 != 0)
        .then(|| path.to_owned())
}

/// The file of this path, or the one with an ending that Windows runs.
#[cfg(not(unix))]
fn runnable(path: &Path) -> Option<PathBuf> {
    ["", "exe", "cmd", "bat", "ps1"]
        .iter()
        .map(|ending| {
            if ending.is_empty() {
                path.to_owned()
            } else {
                path.with_extension(ending)
            }
        })
        .find(|path| fs::metadata(path).is_ok_and(|data| data.is_file()))
}

/// What a script runs on, as its first line says it: `node` behind `env`, else a path. None for what is no script.
pub(crate) fn interpreter(path: &Path) -> Option<String> {
    let mut head = Vec::new();
    let file = File::open(path).ok()?;
    file.take(FIRST_LINE).read_to_end(&mut head).ok()?;
    let line = head
        .strip_prefix(b"#!")?
        .split(|byte| *byte == b'\n')
        .next()?;
    let line = String::from_utf8_lossy(line);
    let mut words = line.split_whitespace();
    let first = words.next()?;
    if Path::new(first).file_name()? != "env" {
        return Some(first.to_owned());
    }
    words
        .find(|word| !word.starts_with('-') && !word.contains('='))
        .map(ToOwned::to_owned)
}

/// The first line that a program prints when it is asked for its version.
pub(crate) async fn version(path: &Path) -> Option<String> {
    let asked = tokio::process::Command::new(path)
        .arg("--version")
        .stdin(Stdio::null())
        .stderr(Stdio::null())
        .kill_on_drop(true)
        .output();
    let said = tokio::time::timeout(VERSION, asked).await.ok()?.ok()?;
    let head = said.stdout.get(..said.stdout.len().min(SAID))?;
    let text = String::from_utf8_lossy(head);
    let line = text.lines().find(|line| !line.trim().is_empty())?;
    said.status.success().then(|| safe::line(line, 80))
}

#[cfg(all(test, unix))]
mod tests {
    use std::fs;

    use super::interpreter;

    #[test]
    fn what_a_script_runs_on() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("script");
        let check = |text: &str, on: Option<&str>| {
            fs::write(&path, text).expect("it is written");
            assert_eq!(interpreter(&path).as_deref(), on, "{text}");
        };
        check("#!/usr/bin/env node\nlet x;\n", Some("node"));
        check("#!/usr/bin/env -S A=b node --no-warnings\n", Some("node"));
        check("#! /bin/sh -e\n", Some("/bin/sh"));
        check("#!/usr/bin/env\n", None);
        check("#!\n", None);
        check("\x7fELF", None);
        check("", None);
    }
}
