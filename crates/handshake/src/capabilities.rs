//! Reading capabilities as they stand on the wire, by the rule of the version.
//!
//! Nothing is decoded into types: what an agent advertises and nobody modelled is read by the same rule as everything else,
//! and kept. v1 honours a boolean, takes an object as a marker and any other non-null value as one too; in v2 only an object
//! is a marker. Absent and null mean no, in both.

use std::fmt;

use acp_vocab::ProtocolVersion;
use serde::de::{Deserializer as _, IgnoredAny, MapAccess, Visitor};
use serde_json::value::RawValue;

use crate::kind::JsonKind;

/// How deep capability groups are followed. The specification nests three levels.
const MAX_DEPTH: usize = 8;
/// How many capabilities are listed of what a peer sent; the rest is counted.
const MAX_LISTED: usize = 256;

/// What stands at the place of a capability.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum Found {
    /// Nothing, or a group above it is missing.
    Absent,
    /// `null`
    Null,
    /// A boolean.
    Boolean(bool),
    /// An object, also an empty one.
    Object,
    /// Anything else.
    Other(JsonKind),
}

impl Found {
    fn of(value: &RawValue) -> Self {
        match JsonKind::of(value) {
            JsonKind::Null => Self::Null,
            JsonKind::Boolean => Self::Boolean(value.get().trim() == "true"),
            JsonKind::Object => Self::Object,
            other @ (JsonKind::Integer
            | JsonKind::Fraction
            | JsonKind::String
            | JsonKind::Array) => Self::Other(other),
        }
    }

    /// Whether it says yes, by the rule of the version.
    #[must_use]
    pub fn is_yes(self, version: ProtocolVersion) -> bool {
        match self {
            Self::Absent | Self::Null => false,
            Self::Object => true,
            Self::Boolean(yes) => yes && version == ProtocolVersion::V1,
            Self::Other(_) => version == ProtocolVersion::V1,
        }
    }

    /// Whether the version has no such spelling, so that reading it deserves a diagnostic.
    fn is_odd(self, version: ProtocolVersion) -> bool {
        match self {
            Self::Absent | Self::Null | Self::Object => false,
            Self::Boolean(_) => version != ProtocolVersion::V1,
            Self::Other(_) => true,
        }
    }
}

impl fmt::Display for Found {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Absent => f.write_str("absent"),
            Self::Null => f.write_str("null"),
            Self::Boolean(yes) => write!(f, "{yes}"),
            Self::Object => f.write_str("object"),
            Self::Other(kind) => write!(f, "{kind}"),
        }
    }
}

/// One capability and what was read there.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Capability {
    /// Its path below the capabilities object, dotted: `sessionCapabilities.list`.
    pub path: Box<str>,
    /// What stands there.
    pub found: Found,
    /// Whether the peer has it.
    pub advertised: bool,
}

/// The capabilities object of a peer, raw.
#[derive(Debug, Clone)]
pub struct Capabilities {
    version: ProtocolVersion,
    raw: Option<Box<RawValue>>,
}

impl Capabilities {
    /// Reads the object by the rule of a version. A value that is no object advertises nothing.
    pub(crate) fn new(version: ProtocolVersion, raw: Option<Box<RawValue>>) -> Self {
        Self { version, raw }
    }

    /// The object as it was sent; `None` when the member is missing.
    #[must_use]
    pub fn raw(&self) -> Option<&RawValue> {
        self.raw.as_deref()
    }

    /// Whether the peer has the capability at this dotted path.
    #[must_use]
    pub fn advertises(&self, path: &str) -> bool {
        self.find(path).is_yes(self.version)
    }

    /// What stands at this dotted path.
    #[must_use]
    pub fn find(&self, path: &str) -> Found {
        let Some(mut at) = self.raw.as_deref() else {
            return Found::Absent;
        };
        for name in path.split('.') {
            match member(at, name) {
                Some(value) => at = value,
                None => return Found::Absent,
            }
        }
        Found::of(at)
    }

    /// What was read at this dotted path, with the answer.
    #[must_use]
    pub fn read(&self, path: &str) -> Capability {
        let found = self.find(path);
        Capability {
            path: path.into(),
            found,
            advertised: found.is_yes(self.version),
        }
    }

    /// The deepest values that say yes, in the order of the wire: what the peer has, modelled or not.
    ///
    /// At most 256 are listed. `_meta` is not a capability.
    #[must_use]
    pub fn advertised(&self) -> Vec<Capability> {
        let mut leaves = self.leaves();
        leaves.retain(|leaf| leaf.advertised);
        leaves
    }

    /// The values whose spelling the version does not have (a string for a flag; in v2 a boolean for a marker).
    pub(crate) fn odd(&self) -> Vec<Capability> {
        let mut leaves = self.leaves();
        leaves.retain(|leaf| leaf.found.is_odd(self.version));
        leaves
    }

    fn leaves(&self) -> Vec<Capability> {
        let mut out = Vec::new();
        if let Some(raw) = self.raw.as_deref() {
            self.collect(raw, "", MAX_DEPTH, &mut out);
        }
        out
    }

    /// Collects what stands below an object; an object without any yes below it is a leaf itself.
    fn collect(&self, object: &RawValue, prefix: &str, depth: usize, out: &mut Vec<Capability>) {
        for (name, value) in members(object) {
            if out.len() >= MAX_LISTED {
                return;
            }
            if name == "_meta" {
                continue;
            }
            let path = if prefix.is_empty() {
                name
            } else {
                format!("{prefix}.{name}")
            };
            let found = Found::of(value);
            let before = out.len();
            if found == Found::Object && depth > 0 {
                self.collect(value, &path, depth - 1, out);
            }
            let has_yes_below = out.iter().skip(before).any(|leaf| leaf.advertised);
            if !has_yes_below {
                out.push(Capability {
                    path: path.into(),
                    found,
                    advertised: found.is_yes(self.version),
                });
            }
        }
    }
}

/// The value of a member of an object; the last one when it stands more than once, `None` when `object` is no object.
pub(crate) fn member<'a>(object: &'a RawValue, name: &str) -> Option<&'a RawValue> {
    members(object)
        .into_iter()
        .rev()
        .find(|(key, _)| key == name)
        .map(|(_, value)| value)
}

/// The members of an object in wire order; none when it is no object.
pub(crate) fn members(object: &RawValue) -> Vec<(String, &RawValue)> {
    struct Members;
    impl<'de> Visitor<'de> for Members {
        type Value = Vec<(String, &'de RawValue)>;

        fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
            f.write_str("an object")
        }

        fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Self::Value, A::Error> {
            let mut out = Vec::new();
            while let Some(name) = map.next_key::<String>()? {
                if out.len() < MAX_LISTED * 4 {
                    out.push((name, map.next_value::<&'de RawValue>()?));
                } else {
                    map.next_value::<IgnoredAny>()?;
                }
            }
            Ok(out)
        }
    }
    serde_json::Deserializer::from_str(object.get())
        .deserialize_map(Members)
        .unwrap_or_default()
}
