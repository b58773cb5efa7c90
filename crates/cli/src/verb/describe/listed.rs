//! Everything that can be described.

use acp_harness::vocab::{ALIASES, Method, ProtocolVersion, TYPES};
use serde::Serialize;

use super::{
    document::{direction, kind, prose},
    settled::{InVersion, versions},
};

/// Everything that can be described.
#[derive(Debug, Serialize)]
pub(super) struct List {
    pub(super) methods: Vec<Row>,
    pub(super) types: Vec<TypeRow>,
}

/// A method, with the versions that have it.
#[derive(Debug, Serialize)]
pub(super) struct Row {
    pub(super) method: &'static str,
    pub(super) direction: &'static str,
    pub(super) kind: &'static str,
    pub(super) versions: Vec<InVersion>,
}

/// A type, with the versions that have it.
#[derive(Debug, Serialize)]
pub(super) struct TypeRow {
    pub(super) name: &'static str,
    pub(super) versions: Vec<InVersion>,
    pub(super) doc: String,
}

impl List {
    pub(super) fn new(version: Option<ProtocolVersion>) -> Self {
        let asked = |other: ProtocolVersion| version.is_none_or(|version| version == other);
        let mut methods: Vec<Row> = Vec::new();
        for spec in Method::ALL
            .iter()
            .flat_map(|method| method.specs())
            .filter(|spec| asked(spec.version))
        {
            let (method, direction, kind) = (
                spec.method.name(),
                direction(spec.receiver),
                kind(spec.kind),
            );
            let here = InVersion::new(spec.version, spec.stability);
            match methods
                .iter_mut()
                .find(|row| (row.method, row.direction, row.kind) == (method, direction, kind))
            {
                Some(row) => row.versions.push(here),
                None => methods.push(Row {
                    method,
                    direction,
                    kind,
                    versions: vec![here],
                }),
            }
        }
        // A name stands once for each shape that it has.
        let types = TYPES
            .iter()
            .chain(ALIASES)
            .map(|info| TypeRow {
                name: info.name,
                versions: versions(info.presence, version),
                doc: prose(info.doc),
            })
            .filter(|row| !row.versions.is_empty())
            .collect();
        Self { methods, types }
    }
}
