//! Where a program is, what it runs on, and what it says of its version. It is looked for as a child of this program would be.

use std::{
    env,
    fs::{self, File},
    io::Read as _,
    path::{Path, PathBuf},
    pin::pin,
    time::Duration,
};

use acp_harness::transport::{Command, Grace};
use tokio::{io::AsyncReadExt as _, time::timeout};

use crate::safe;

/// How long a program may take to say its version.
const VERSION: Duration = Duration::from_secs(20);
/// How long the rest of what it says may take once it has ended.
const REST: Duration = Duration::from_millis(100);
/// How long what it leaves behind may take to go.
const GRACE: Grace = Grace::new(Duration::ZERO, Duration::from_millis(500));
/// How much of what it says is read.
const SAID: u64 = 4096;
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

/// The first line that a program prints when it is asked for its version. No more of it is read than that may be, and nothing that it
/// starts stays.
pub(crate) async fn version(path: &Path) -> Option<String> {
    let child = Command::new(path)
        .arg("--version")
        .grace(GRACE)
        .spawn()
        .ok()?;
    let (reader, writer, peer) = child.into_link().into_parts();
    drop(writer);
    let mut head = Vec::new();
    let asked = {
        let head = &mut head;
        let reading = async move {
            // What was read counts, however it ended.
            drop(reader.take(SAID).read_to_end(head).await);
        };
        timeout(VERSION, async {
            let (mut reading, mut ended) = (pin!(reading), pin!(peer.ended()));
            tokio::select! {
                () = &mut reading => ended.await,
                ended = &mut ended => {
                    // Whatever it has started may hold its output open.
                    drop(timeout(REST, reading).await);
                    ended
                }
            }
        })
        .await
    };
    if let Some(process) = peer.process() {
        // While it lives what it has started is found, also in a session of its own.
        process.kill();
    }
    peer.shutdown().await;
    let text = String::from_utf8_lossy(&head);
    let line = text.lines().find(|line| !line.trim().is_empty())?;
    let is_well = asked.ok()?.exit()?.code() == Some(0);
    is_well.then(|| safe::line(line, 80))
}

#[cfg(all(test, unix))]
mod tests {
    use std::{
        fs::{self, OpenOptions},
        io::Read as _,
        os::unix::fs::{OpenOptionsExt as _, PermissionsExt as _},
        process::Command,
    };

    use rustix::fs::OFlags;

    use super::{interpreter, version};

    #[tokio::test]
    async fn a_version_is_a_line_of_a_program_that_ends_well_whatever_else_it_does() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("program");
        let pipe = folder.path().join("program.left");
        let made = Command::new("mkfifo").arg(&pipe).status();
        assert!(made.expect("mkfifo").success());
        let mut left = OpenOptions::new()
            .read(true)
            .custom_flags(OFlags::NONBLOCK.bits().cast_signed())
            .open(&pipe)
            .expect("it is opened");
        for (script, said) in [
            ("echo; echo 1.0; echo more", Some("1.0")),
            ("printf '\\033[31m1.0'", Some("\\x1b[31m1.0")),
            ("echo 1.0; exit 3", None),
            ("exit 0", None),
            // It says no end of it.
            ("exec cat /dev/zero", None),
            // It leaves somebody behind who holds its output.
            ("sleep 600 > \"$0.left\" & echo 1.0", Some("1.0")),
        ] {
            fs::write(&path, format!("#!/bin/sh\n{script}\n")).expect("it is written");
            fs::set_permissions(&path, fs::Permissions::from_mode(0o755)).expect("it can be run");
            assert_eq!(version(&path).await.as_deref(), said, "{script}");
        }
        // The end of the pipe, and not that nothing is in it: nobody holds it.
        assert_eq!(left.read(&mut [0]).ok(), Some(0), "nothing stays");
    }

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
