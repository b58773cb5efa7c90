//! Prompts: as typed, from files, from stdin.

use std::{
    fs,
    io::{self, Read as _},
};

use super::Misuse;
use crate::safe;

/// How much of a prompt is read: a line of the wire holds no more.
const MAX_PROMPT: u64 = 32 << 20;

/// The prompt: as typed, from a file, or from stdin.
pub(crate) fn prompt(typed: &str) -> Result<String, Misuse> {
    let (what, bytes) = match typed.strip_prefix('@') {
        _ if typed == "-" => (String::from("stdin"), read(io::stdin().lock())),
        Some(path) => (safe::line(path, 200), fs::File::open(path).and_then(read)),
        None => return not_empty("the prompt", typed.to_owned()),
    };
    let bytes = bytes
        .map_err(|error| Misuse::new(format!("the prompt cannot be read from {what}: {error}")))?;
    let text = String::from_utf8(bytes).map_err(|_| Misuse::new(format!("{what} is not UTF-8")))?;
    not_empty(&what, text)
}

fn read(from: impl io::Read) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    from.take(MAX_PROMPT + 1).read_to_end(&mut bytes)?;
    if bytes.len() as u64 > MAX_PROMPT {
        return Err(io::Error::new(
            io::ErrorKind::FileTooLarge,
            format!("more than {} MiB", MAX_PROMPT >> 20),
        ));
    }
    Ok(bytes)
}

/// Some agents never answer again after an empty prompt.
fn not_empty(what: &str, text: String) -> Result<String, Misuse> {
    if text.trim().is_empty() {
        Err(Misuse::new(format!("{what} is empty")))
    } else {
        Ok(text)
    }
}
