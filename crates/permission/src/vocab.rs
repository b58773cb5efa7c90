//! Stand-ins until the vocabulary crate has these types.
#![expect(
    missing_docs,
    clippy::exhaustive_structs,
    clippy::exhaustive_enums,
    reason = "goes away"
)]
use serde::{Deserialize, Serialize, Serializer};
macro_rules! id { ($($n:ident)*) => {$(
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(transparent)]
pub struct $n(Box<str>);
impl $n { #[must_use] pub fn as_str(&self)->&str{&self.0} }
impl From<&str> for $n { fn from(s:&str)->Self{Self(s.into())} }
impl From<String> for $n { fn from(s:String)->Self{Self(s.into())} }
)*}}
id!(SessionId ToolCallId PermissionOptionId);
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(untagged)]
pub enum RequestId {
    Number(i64),
    String(Box<str>),
    Null,
}
impl From<i64> for RequestId {
    fn from(n: i64) -> Self {
        Self::Number(n)
    }
}
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum PermissionOptionKind {
    AllowOnce,
    AllowAlways,
    RejectOnce,
    RejectAlways,
    Other(Box<str>),
}
impl PermissionOptionKind {
    #[must_use]
    pub fn as_str(&self) -> &str {
        match self {
            Self::AllowOnce => "allow_once",
            Self::AllowAlways => "allow_always",
            Self::RejectOnce => "reject_once",
            Self::RejectAlways => "reject_always",
            Self::Other(o) => o,
        }
    }
}
impl Serialize for PermissionOptionKind {
    fn serialize<S: Serializer>(&self, s: S) -> Result<S::Ok, S::Error> {
        s.serialize_str(self.as_str())
    }
}
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PermissionOption {
    pub option_id: PermissionOptionId,
    pub name: Box<str>,
    pub kind: PermissionOptionKind,
}
impl PermissionOption {
    #[must_use]
    pub fn new(id: impl Into<PermissionOptionId>, name: &str, kind: PermissionOptionKind) -> Self {
        Self {
            option_id: id.into(),
            name: name.into(),
            kind,
        }
    }
}
