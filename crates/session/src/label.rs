//! What a line is, for messages that must not quote it: a method name and an id.

use std::borrow::Cow;
use std::fmt;

use acp_vocab::{Method, RequestId};

/// The longest method name of an agent that is kept, in bytes: it may write any.
const LONGEST: usize = 128;

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

    /// The label of an answer to a request of the agent, whose method may be one that nobody knows.
    pub(crate) fn of_agent(method: &str, id: RequestId) -> Self {
        let method = match Method::find(method) {
            Some(method) => Cow::Borrowed(method.name()),
            None => {
                let mut end = method.len().min(LONGEST);
                while !method.is_char_boundary(end) {
                    end -= 1;
                }
                Cow::Owned(method.get(..end).unwrap_or_default().to_owned())
            }
        };
        Self::new(method, Some(id))
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

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(method: &str, kept: &str) {
        let label = Label::of_agent(method, RequestId::Number(1));
        assert_eq!(label.method(), kept);
    }

    // An answer is short whatever was asked, so its label must not hold what the bound on answers
    // does not count.
    #[test]
    fn an_unknown_method_is_kept_in_part() {
        check("fs/read_text_file", "fs/read_text_file");
        check("_mine/do", "_mine/do");
        check(&"x".repeat(1000), &"x".repeat(LONGEST));
        check(&"\u{20ac}".repeat(1000), &"\u{20ac}".repeat(LONGEST / 3));
    }
}
