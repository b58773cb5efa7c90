//! What a line is, for messages that must not quote it: a method name and an id.

use std::borrow::Cow;
use std::fmt;

use acp_vocab::RequestId;

/// A method and, for requests and answers, an id. Safe to print: both are names, not payload.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Label {
    method: Cow<'static, str>,
    id: Option<RequestId>,
}

impl Label {
    pub(crate) const fn new(method: Cow<'static, str>, id: Option<RequestId>) -> Self {
        Self { method, id }
    }

    /// The method.
    #[must_use]
    pub fn method(&self) -> &str {
        &self.method
    }

    /// The id; none for a notification.
    #[must_use]
    pub const fn id(&self) -> Option<&RequestId> {
        self.id.as_ref()
    }
}

impl fmt::Display for Label {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.id {
            Some(id) => write!(f, "{} (id {id})", self.method),
            None => f.write_str(&self.method),
        }
    }
}
