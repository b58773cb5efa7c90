//! Policies of one sentence each.

use crate::{Decision, Kind, Policy, Request, Scope, Verdict, reach::Ground};

/// Cancels every request: nothing is approved, nothing is refused. This is what happens where nobody decides.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[expect(
    clippy::exhaustive_structs,
    reason = "a unit struct that is its own value"
)]
pub struct Cancel;

impl Policy for Cancel {
    fn decide(&self, _: &Request) -> Verdict {
        Verdict::new(
            Decision::Cancel,
            "cancel",
            "nothing is approved unless somebody says so",
        )
    }
}

/// Allows every request once: unattended approval, for a place where the agent can do no harm.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[expect(
    clippy::exhaustive_structs,
    reason = "a unit struct that is its own value"
)]
pub struct AllowOnce;

impl Policy for AllowOnce {
    fn decide(&self, _: &Request) -> Verdict {
        Verdict::new(
            Decision::AllowOnce,
            "allow-once",
            "everything is allowed once",
        )
    }
}

/// Refuses every request: the agent is told no and may go on in another way.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[expect(
    clippy::exhaustive_structs,
    reason = "a unit struct that is its own value"
)]
pub struct Deny;

impl Policy for Deny {
    fn decide(&self, _: &Request) -> Verdict {
        Verdict::new(Decision::Deny, "deny", "everything is refused")
    }
}

/// Asks a person about everything.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[expect(
    clippy::exhaustive_structs,
    reason = "a unit struct that is its own value"
)]
pub struct Ask;

impl Policy for Ask {
    fn decide(&self, _: &Request) -> Verdict {
        Verdict::new(Decision::Ask, "ask", "everything is asked")
    }
}

/// Allows once what only looks (read, search, think) and refuses the rest.
///
/// Whether a call only looks is the agent's word, except that a call with a command or a diff never does.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[expect(
    clippy::exhaustive_structs,
    reason = "a unit struct that is its own value"
)]
pub struct ReadOnly;

impl Policy for ReadOnly {
    fn decide(&self, request: &Request) -> Verdict {
        let looks = Scope::kinds([Kind::Read, Kind::Search, Kind::Think]);
        if looks.covers(request, Ground::default(), false) {
            Verdict::new(Decision::AllowOnce, "read-only", "it only looks")
        } else {
            Verdict::new(Decision::Deny, "read-only", "it may change something")
        }
    }
}
