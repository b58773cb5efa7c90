//! The process table: who is in a group, and who descends from it. Linux's `/proc`.
//!
//! Agents start tools in a session of their own, so that a terminal does not reach them; a signal to
//! the agent's group does not reach them either. While their parents live they are found by descent.

use std::{fs, io, os::fd::OwnedFd, path::Path, process};

use rustix::process::{Pid, PidfdFlags, Signal, pidfd_open, pidfd_send_signal};

/// A living process.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Entry {
    id: i32,
    parent: i32,
    group: i32,
}

/// Whether no process of the group is left, apart from those that have exited and wait to be
/// reaped. Where the table cannot be read nothing is known.
pub(super) fn is_empty(group: Pid) -> io::Result<bool> {
    let group = group.as_raw_nonzero().get();
    Ok(!living()?.iter().any(|entry| entry.group == group))
}

/// Processes outside a group that descend from a member of it, each by a descriptor that cannot
/// come to mean another one.
#[derive(Debug, Default)]
pub(super) struct Kin(Vec<OwnedFd>);

impl Kin {
    /// Looks for them while their parents live: who has lost them belongs to `init`, and is not found.
    pub(super) fn of(group: Pid) -> Self {
        let entries = living().unwrap_or_default();
        let held = descendants(&entries, group.as_raw_nonzero().get()).filter_map(|entry| {
            let held = pidfd_open(Pid::from_raw(entry.id)?, PidfdFlags::empty()).ok()?;
            // The number might have become another process's before it was opened.
            (read(entry.id) == Some(entry)).then_some(held)
        });
        Self(held.collect())
    }

    /// Ends them. An error is no news: it has ended, or belongs to another user by now.
    pub(super) fn kill(&self) {
        for process in &self.0 {
            pidfd_send_signal(process, Signal::KILL).ok();
        }
    }
}

/// Every process outside `group` that has an ancestor in it, in no order.
fn descendants(entries: &[Entry], group: i32) -> impl Iterator<Item = Entry> {
    let (mut found, mut others): (Vec<Entry>, Vec<Entry>) =
        entries.iter().partition(|entry| entry.group == group);
    let members = found.len();
    let mut next = 0;
    while let Some(ancestor) = found.get(next).copied() {
        let (children, rest) = others
            .into_iter()
            .partition(|entry| entry.parent == ancestor.id);
        found.extend::<Vec<Entry>>(children);
        others = rest;
        next += 1;
    }
    found.into_iter().skip(members)
}

/// Every process that lives, by the numbers that we know them by.
///
/// # Errors
/// There is no `/proc`, or it tells other numbers than ours: whoever is in a PID namespace without
/// having mounted it anew sees that of another one, where a number of ours is somebody else's.
fn living() -> io::Result<Vec<Entry>> {
    if !knows_us(&fs::read_link("/proc/self")?, process::id()) {
        return Err(io::Error::other("/proc is of another PID namespace"));
    }
    let ids = fs::read_dir("/proc")?
        .flatten()
        .filter_map(|entry| entry.file_name().to_str()?.parse().ok());
    Ok(ids.filter_map(read).collect())
}

/// Whether a table in which we are `itself` numbers processes as we do, who are `id`.
fn knows_us(itself: &Path, id: u32) -> bool {
    itself.to_str().and_then(|number| number.parse().ok()) == Some(id)
}

fn read(id: i32) -> Option<Entry> {
    let stat = fs::read(Path::new("/proc").join(id.to_string()).join("stat")).ok()?;
    parse(id, &stat)
}

/// A line of `/proc/N/stat`, if that process lives. The command name stands in parentheses and may
/// hold any byte, so the fields are counted after the last one: state, parent, group.
fn parse(id: i32, stat: &[u8]) -> Option<Entry> {
    let end = stat.iter().rposition(|byte| *byte == b')')?;
    let mut fields = stat.get(end + 1..)?.split(|byte| *byte == b' ').skip(1);
    let state = fields.next()?;
    let mut number = || std::str::from_utf8(fields.next()?).ok()?.parse().ok();
    let (parent, group) = (number()?, number()?);
    (!matches!(state, b"Z" | b"X")).then_some(Entry { id, parent, group })
}

#[cfg(test)]
mod tests;
