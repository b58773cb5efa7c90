//! Reading a text file, or some lines of it, within a bound.

use std::{
    io::{self, BufRead, BufReader, Read},
    path::Path,
};

use cap_std::fs::{Dir, File, OpenOptions};

use super::fault::Fault;

/// How many times the bound is read to find a line.
const SEARCH: u64 = 16;

/// Which lines.
#[derive(Clone, Copy, Debug)]
pub(super) struct Lines {
    skip: u32,
    limit: Option<u32>,
}

impl Lines {
    /// From `line`, counted from 1 (0 counts as 1), at most `limit`.
    pub(super) fn new(line: Option<u32>, limit: Option<u32>) -> Self {
        Self {
            skip: line.unwrap_or(1).saturating_sub(1),
            limit,
        }
    }
}

/// The lines of a file, with their ends, of at most `most` bytes.
pub(super) fn read(dir: &Dir, path: &Path, lines: Lines, most: u64) -> Result<String, Fault> {
    let file = open(dir, path)?;
    let mut source = BufReader::new(file.take(most.saturating_mul(SEARCH)));
    for _ in 0..lines.skip {
        if source.skip_until(b'\n')? == 0 {
            break;
        }
    }
    let (text, all) = match lines.limit {
        None => (rest(&mut source, most)?, false),
        Some(limit) => some_lines(&mut source, limit, most)?,
    };
    // Where the search was cut off there may have been more.
    if !all && source.get_ref().limit() == 0 && source.fill_buf()?.is_empty() && !is_at_end(source)?
    {
        return Err(Fault::TooLong { limit: most });
    }
    String::from_utf8(text).map_err(|_| Fault::NotText)
}

fn rest(source: &mut impl Read, most: u64) -> Result<Vec<u8>, Fault> {
    let mut text = Vec::new();
    source.take(most.saturating_add(1)).read_to_end(&mut text)?;
    within(text, most)
}

/// So many lines, and whether that many were there.
fn some_lines(source: &mut impl BufRead, limit: u32, most: u64) -> Result<(Vec<u8>, bool), Fault> {
    let mut text = Vec::new();
    for _ in 0..limit {
        let room = most.saturating_add(1).saturating_sub(text.len() as u64);
        if source.by_ref().take(room).read_until(b'\n', &mut text)? == 0 {
            return Ok((within(text, most)?, false));
        }
    }
    Ok((within(text, most)?, true))
}

fn within(text: Vec<u8>, most: u64) -> Result<Vec<u8>, Fault> {
    if text.len() as u64 > most {
        Err(Fault::TooLong { limit: most })
    } else {
        Ok(text)
    }
}

/// Whether the file itself has no more.
fn is_at_end(source: BufReader<io::Take<File>>) -> io::Result<bool> {
    Ok(source.into_inner().into_inner().read(&mut [0])? == 0)
}

/// Opens a regular file. A pipe or a device is not waited for.
fn open(dir: &Dir, path: &Path) -> Result<File, Fault> {
    if path.as_os_str().is_empty() {
        return Err(Fault::NotAFile);
    }
    let file = dir.open_with(path, no_wait(OpenOptions::new().read(true)))?;
    if file.metadata()?.is_file() {
        Ok(file)
    } else {
        Err(Fault::NotAFile)
    }
}

/// Opening must not wait for the other end of a pipe.
pub(super) fn no_wait(options: &mut OpenOptions) -> &OpenOptions {
    #[cfg(unix)]
    {
        use cap_std::fs::OpenOptionsExt;
        // And a terminal that is opened must not become ours.
        let flags = rustix::fs::OFlags::NONBLOCK | rustix::fs::OFlags::NOCTTY;
        options.custom_flags(flags.bits().cast_signed());
    }
    options
}
