//! Running other programs: one place that finds cargo, streams output and says what failed.

use std::ffi::OsString;
use std::io::{BufRead, BufReader, Read};
use std::process::{Command, Stdio};
use std::thread;

use anyhow::{Context, Result, bail};

/// The cargo that started us, or the one on the path.
pub(crate) fn cargo() -> OsString {
    std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into())
}

/// Whether `program` can be started at all (asked for its version).
pub(crate) fn is_there(program: &str, arguments: &[&str]) -> bool {
    Command::new(program)
        .args(arguments)
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .status()
        .is_ok_and(|status| status.success())
}

/// Runs to the end with our own output; an error when it fails.
pub(crate) fn run(command: &mut Command) -> Result<()> {
    let line = spell(command);
    println!("$ {line}");
    let status = command
        .stdin(Stdio::null())
        .status()
        .with_context(|| format!("starting `{line}`"))?;
    if !status.success() {
        bail!("`{line}` ended with {status}");
    }
    Ok(())
}

/// Runs to the end, passes every line on, and keeps those that `keep` picks.
pub(crate) fn run_keeping(
    command: &mut Command,
    keep: fn(&str) -> bool,
) -> Result<(bool, Vec<String>)> {
    let line = spell(command);
    println!("$ {line}");
    let mut child = command
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .with_context(|| format!("starting `{line}`"))?;
    let out = child
        .stdout
        .take()
        .map(|pipe| thread::spawn(move || pass_on(pipe, keep, false)));
    let err = child
        .stderr
        .take()
        .map(|pipe| thread::spawn(move || pass_on(pipe, keep, true)));
    let mut kept = Vec::new();
    for reader in [out, err].into_iter().flatten() {
        kept.extend(reader.join().unwrap_or_default());
    }
    let status = child
        .wait()
        .with_context(|| format!("waiting for `{line}`"))?;
    Ok((status.success(), kept))
}

fn pass_on(pipe: impl Read, keep: fn(&str) -> bool, to_stderr: bool) -> Vec<String> {
    let mut reader = BufReader::new(pipe);
    let mut kept = Vec::new();
    let mut line = Vec::new();
    while matches!(reader.read_until(b'\n', &mut line), Ok(read) if read > 0) {
        let text = String::from_utf8_lossy(&line);
        let text = text.trim_end();
        if to_stderr {
            eprintln!("{text}");
        } else {
            println!("{text}");
        }
        if keep(text) {
            kept.push(text.trim().to_owned());
        }
        line.clear();
    }
    kept
}

/// The command as somebody would type it.
fn spell(command: &Command) -> String {
    let program = command.get_program().to_string_lossy();
    let program = program.rsplit('/').next().unwrap_or(&program).to_owned();
    let words = command
        .get_args()
        .map(|word| word.to_string_lossy().into_owned());
    std::iter::once(program)
        .chain(words)
        .collect::<Vec<_>>()
        .join(" ")
}
