//! In which versions a word is, and how settled it is there.

use acp_harness::vocab::{Presence, ProtocolVersion, Stability};
use serde::Serialize;

/// How settled a word is: a short label, and what it means.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
pub(super) struct Settled {
    pub(super) label: &'static str,
    pub(super) meaning: &'static str,
}

/// That a version has a word.
#[derive(Debug, PartialEq, Eq, Serialize)]
pub(super) struct InVersion {
    pub(super) protocol_version: u16,
    pub(super) stability: Settled,
}

impl InVersion {
    pub(super) fn new(version: ProtocolVersion, stability: Stability) -> Self {
        Self {
            protocol_version: version.0,
            stability: Settled::of(stability),
        }
    }
}

/// The versions that have it: all, or this one.
pub(super) fn versions(presence: Presence, version: Option<ProtocolVersion>) -> Vec<InVersion> {
    [ProtocolVersion::V1, ProtocolVersion::V2]
        .into_iter()
        .filter(|other| version.is_none_or(|version| version == *other))
        .filter_map(|other| Some(InVersion::new(other, presence.within(other)?)))
        .collect()
}

impl Settled {
    pub(super) fn of(stability: Stability) -> Self {
        let meaning = match stability {
            Stability::Stable => "stable",
            Stability::Unstable => "a draft",
            Stability::Stabilized => "stable in the newer schema, a draft in the older",
            Stability::StableInCrate => "stable, in the newer schema only",
            Stability::UnstableInCrate => "a draft, in the newer schema only",
            Stability::StableDropped => "was stable, dropped by the newer schema",
            Stability::UnstableDropped => "was a draft, dropped by the newer schema",
            Stability::Legacy => "in no schema, and still spoken",
            _ => "of unknown standing",
        };
        Self {
            label: stability.label(),
            meaning,
        }
    }

    /// Whether there is nothing to say about it.
    pub(super) fn is_plain(self) -> bool {
        self.label == Stability::Stable.label()
    }
}
