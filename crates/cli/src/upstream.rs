//! Which published schemas this program was built on.

use serde::Serialize;

/// One package and the version that was read.
#[derive(Debug, PartialEq, Eq, Serialize)]
pub(crate) struct Pin {
    pub(crate) name: &'static str,
    pub(crate) version: &'static str,
}

/// The pins, out of the lock file beside the sources.
pub(crate) fn pins() -> Vec<Pin> {
    include_str!("../upstream.lock")
        .lines()
        .filter(|line| !line.starts_with('#'))
        .filter_map(|line| line.split_once(' '))
        .map(|(name, version)| Pin { name, version })
        .collect()
}
