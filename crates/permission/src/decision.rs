//! What can be decided, and by whom.

use std::borrow::Cow;

use acp_vocab::PermissionOptionId;
use serde::{Serialize, Serializer};

/// What is to be done with a permission request. [`pick`](crate::pick()) turns it into one of the offered options, by their kind.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Decision {
    /// Allow this one call: the option of kind `allow_once`, never another, and only where exactly one is offered.
    AllowOnce,
    /// Allow it and let the agent remember that: only where exactly one option of kind `allow_always` is offered.
    AllowAlways,
    /// Allow this one call; where no option allows once, for always, under the conditions of [`AllowAlways`](Self::AllowAlways).
    AllowOnceOrAlways,
    /// Refuse: `reject_once`, else `reject_always`, else cancelled.
    Deny,
    /// Refuse and let the agent remember that: `reject_always` if exactly one is offered, else as [`Deny`](Self::Deny).
    DenyAlways,
    /// Answer `cancelled`: nothing was approved and nothing was refused.
    Cancel,
    /// A person must be asked. Where nobody can be, it is cancelled.
    Ask,
    /// No opinion: the next policy of a [`Chain`](crate::Chain) is asked. At the end of the chain it is cancelled.
    Defer,
    /// The option of this id, chosen by a person who saw what it says. Refused when it was not offered.
    Select(PermissionOptionId),
}

impl Decision {
    /// Whether this approves something by itself. A [`Select`](Self::Select) does not say; the option's kind will.
    #[must_use]
    pub fn allows(&self) -> bool {
        matches!(
            self,
            Self::AllowOnce | Self::AllowAlways | Self::AllowOnceOrAlways
        )
    }

    /// Whether somebody or something else has to decide.
    #[must_use]
    pub fn is_open(&self) -> bool {
        matches!(self, Self::Ask | Self::Defer)
    }

    /// The word used in records.
    #[must_use]
    pub fn as_str(&self) -> &'static str {
        match self {
            Self::AllowOnce => "allow_once",
            Self::AllowAlways => "allow_always",
            Self::AllowOnceOrAlways => "allow_once_or_always",
            Self::Deny => "deny",
            Self::DenyAlways => "deny_always",
            Self::Cancel => "cancel",
            Self::Ask => "ask",
            Self::Defer => "defer",
            Self::Select(_) => "select",
        }
    }
}

impl Serialize for Decision {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(self.as_str())
    }
}

/// The author's name of what a person decides.
const PERSON: &str = "person";

/// A decision with its author and its reason, as the record keeps them.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Verdict {
    /// What is decided.
    pub decision: Decision,
    /// Who decided: a policy's name, or `person`.
    pub by: Cow<'static, str>,
    /// Why, in a few words that quote the rule and never the peer.
    pub why: Cow<'static, str>,
}

impl Verdict {
    /// A decision of `by`, because of `why`.
    #[must_use]
    pub fn new(
        decision: Decision,
        by: impl Into<Cow<'static, str>>,
        why: impl Into<Cow<'static, str>>,
    ) -> Self {
        Self {
            decision,
            by: by.into(),
            why: why.into(),
        }
    }

    /// A person's decision.
    #[must_use]
    pub fn person(decision: Decision) -> Self {
        Self::new(decision, PERSON, "chosen when asked")
    }

    /// Whether a person decided. Only what a person decided for always is remembered.
    #[must_use]
    pub fn is_by_person(&self) -> bool {
        self.by == PERSON
    }
}
