//! `upstream`: which official text each module answers to, and what moved since.
//!
//! `docs/upstream-lock.md` is the map, kept by people; `docs/upstream-lock.json` holds the pinned
//! versions and the hash of every definition. `verify` recomputes both from the packages, `accept`
//! writes them, `diff` fetches another version and says which module to look at again.

mod changes;
mod definition;
mod diff;
mod lock;
mod map;
mod modules;
mod packages;
mod pins;
mod table;
mod verify;

pub(crate) use diff::run as diff;
pub(crate) use verify::{accept, run as verify, verify as recompute};
