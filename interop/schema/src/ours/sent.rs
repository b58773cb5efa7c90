//! What we read and must not send: the official type of that version does not take it.

use acp_vocab::TypeRef;
use serde_json::{Value, json};

/// Possibilities that we read and the official type does not, so that we must not send them.
pub(super) const NOT_SENT: &[(u16, &str, TypeRef)] = &[
    (1, "ElicitationContentValue", TypeRef::Scalar("any")),
    (2, "RequestId", TypeRef::Scalar("null")),
];

/// Values of members that version 2 has and version 1 does not. One type of ours serves both, so
/// that it is up to the sender not to use them in version 1.
pub const WIDER: &[(&str, &str, Wider)] = &[
    ("ResourceLink", "size", Wider::BeyondI64),
    ("SessionInfoUpdate", "_meta", Wider::Null),
    ("TerminalExitStatus", "exitCode", Wider::BeyondU32),
    ("UsageUpdate", "_meta", Wider::Null),
    ("UsageUpdate", "cost", Wider::Null),
    ("WaitForTerminalExitResponse", "exitCode", Wider::BeyondU32),
];

/// What version 2 has more.
#[derive(Clone, Copy, Debug)]
pub enum Wider {
    /// `null` apart from nothing.
    Null,
    /// Numbers below zero, or beyond 32 bits.
    BeyondU32,
    /// Numbers that need the 64th bit.
    BeyondI64,
}

impl Wider {
    /// Whether a value is only for version 2.
    #[must_use]
    pub fn takes(self, value: &Value) -> bool {
        match self {
            Self::Null => value.is_null(),
            Self::BeyondU32 => value.as_u64().is_none_or(|number| number > u32::MAX.into()),
            Self::BeyondI64 => value.as_i64().is_none(),
        }
    }

    /// A value that is only for version 2.
    #[must_use]
    pub fn sample(self) -> Value {
        match self {
            Self::Null => Value::Null,
            Self::BeyondU32 => json!(-1),
            Self::BeyondI64 => json!(u64::MAX),
        }
    }
}

/// Lists that must have an item, which is the duty of whoever fills them.
pub(super) const NEVER_EMPTY: &[(u16, &str, &str)] = &[(2, "RequestPermissionRequest", "options")];

/// Parts of objects that may be missing as a whole.
pub(super) const OPTIONAL_PARTS: &[&str] = &["IdleStop"];
