//! The capabilities that the specification names, out of the vocabulary's table.

use acp_vocab::{CAPABILITY_METHODS, CapabilityMethods, Form, ProtocolVersion, Side};

/// The agent capabilities of a version that say something by themselves, as dotted paths below the capabilities object.
pub fn agent_capabilities(version: ProtocolVersion) -> impl Iterator<Item = &'static str> {
    rows(Side::Agent, version)
        .filter(|row| row.form != Form::Group)
        .map(|row| below(row.path))
}

/// The group at this path of an agent's capabilities, when it is one that says nothing by itself.
pub(crate) fn agent_group(version: ProtocolVersion, path: &str) -> Option<&'static str> {
    rows(Side::Agent, version)
        .filter(|row| row.form == Form::Group)
        .map(|row| below(row.path))
        .find(|group| *group == path)
}

/// The row of a client capability, by its path below the capabilities object.
pub(crate) fn client_row(
    version: ProtocolVersion,
    path: &str,
) -> Option<&'static CapabilityMethods> {
    rows(Side::Client, version).find(|row| below(row.path) == path)
}

fn rows(side: Side, version: ProtocolVersion) -> impl Iterator<Item = &'static CapabilityMethods> {
    CAPABILITY_METHODS
        .iter()
        .filter(move |row| row.side == side && row.version == version)
}

/// A path without its first member, which holds the capabilities and differs from version to version.
pub(crate) fn below(path: &'static str) -> &'static str {
    path.split_once('.').map_or(path, |(_, rest)| rest)
}
