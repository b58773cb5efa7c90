//! How a permission request in our hands comes to its end, each with one record.

use acp_harness::{
    client::{Permission, Settled},
    permission::{Record, Verdict},
};

use crate::{
    failure::Broken,
    moment::{self, Moment},
    output::Verbosity,
    talk::Talk,
};

/// Carries a decision out; one that comes too late is a record of that.
pub(super) fn settle(
    permission: Permission,
    verdict: &Verdict,
    talk: &mut Talk,
) -> Result<(), Broken> {
    if let Some(how) = permission.settled() {
        talk.view.say(
            Verbosity::Normal,
            "  too late: the question was settled before",
        );
        return withdraw(&permission, how, talk);
    }
    match permission.settle(verdict) {
        Ok(record) => show(Box::new(record), talk),
        Err(_) => Err(Broken::internal("a decision could not be written")),
    }
}

/// The run ends without an answer to it.
pub(super) fn forgo(permission: Permission, talk: &mut Talk) -> Result<(), Broken> {
    let how = permission.settled();
    let record = match how {
        Some(how) => Record::withdrawn(permission.request(), who(how), how.to_string()),
        None => Record::withdrawn(permission.request(), "session", "the run ended"),
    };
    show(Box::new(record.of_request(permission.id().clone())), talk)
}

/// The record of a request that somebody else settled.
pub(super) fn withdraw(
    permission: &Permission,
    how: Settled,
    talk: &mut Talk,
) -> Result<(), Broken> {
    let record = Record::withdrawn(permission.request(), who(how), how.to_string());
    show(Box::new(record.of_request(permission.id().clone())), talk)
}

/// Who settled it, when the host did not.
pub(super) fn who(how: Settled) -> &'static str {
    match how {
        Settled::Withdrawn => "agent",
        _ => "session",
    }
}

pub(super) fn show(record: Box<Record>, talk: &mut Talk) -> Result<(), Broken> {
    talk.show(&Moment::Permission(moment::Decision(record)))
}
