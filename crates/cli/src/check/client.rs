//! Rules for clients: each gives the client an agent that does one thing, and judges what the agent heard.

mod judge;
mod play;
mod seen;

use std::{ffi::OsString, path::PathBuf, time::Duration};

use self::{
    play::{How, play},
    seen::Seen,
};
use super::{
    card::{Card, Holds},
    verdict::{
        Stop,
        Tier::{Advisory, Mandatory},
        Verdict,
    },
    version::Version,
};

/// What a run of tests was told.
#[derive(Debug, Clone)]
pub(crate) struct ClientSetting {
    /// The command, with `{agent}` somewhere in it.
    pub(crate) argv: Vec<OsString>,
    pub(crate) cwd: PathBuf,
    /// How long the client may run.
    pub(crate) bound: Duration,
}

/// A rule, the agent that tests it, and the judge.
#[derive(Debug, Clone, Copy)]
pub(super) struct ClientRule {
    pub(super) card: Card,
    modes: &'static str,
    how: How,
    judge: fn(&Seen, Version) -> Verdict,
}

macro_rules! rules {
    ($($id:literal $tier:ident $what:literal $modes:literal $how:ident $judge:ident;)*) => {
        /// Every rule for clients.
        pub(super) const CLIENT_RULES: &[ClientRule] = &[$(ClientRule {
            card: Card { id: $id, tier: $tier, holds: Holds::Both, what: $what },
            modes: $modes,
            how: How::$how,
            judge: judge::$judge,
        },)*];
    };
}

rules! {
    "C-INIT-001" Mandatory "Its first message is initialize, in the shape of the version that it asks for." "" Run initializes_first;
    "C-INIT-002" Mandatory "It does not go on with a version that it did not ask for." "wrong-version" Run stops_at_version;
    "C-INIT-003" Mandatory "It does not go on with a version that is text." "string-version" Run stops_at_version;
    "C-INIT-004" Mandatory "It sends nothing before initialize is answered." "pauses" Run waits_for_agreement;
    "C-JSONRPC-001" Mandatory "Every line is one message, and its requests have different ids." "" Run lines_are_messages;
    "C-JSONRPC-002" Mandatory "Unknown requests are refused with -32601, once, by the ids that they had." "asks-unknown" Run refuses_unknown;
    "C-NUMBER-001" Advisory "An id that a double cannot hold comes back as it was." "asks-large-id" Run keeps_large_id;
    "C-JSONRPC-003" Mandatory "Notifications are not answered." "unknown-notifications" Run answers_nothing;
    "C-SCHEMA-001" Mandatory "What it sends has the types of the schema." "" Run requests_decode;
    "C-PERM-001" Mandatory "A permission request is answered once, with an option that was offered or none." "asks" Run answers_permission;
    "C-PERM-002" Mandatory "A permission request without options is answered with none." "permission-empty" Run answers_permission;
    "C-PERM-003" Mandatory "Each of many permission requests is answered once." "permission-flood" Run answers_all;
    "C-PERM-004" Mandatory "Permission requests that cannot be read are refused." "permission-broken" Run refuses_broken;
    "C-CAP-001" Mandatory "It answers requests for files as it declared." "asks-files" Run files_as_declared;
    "C-CAP-002" Mandatory "It answers requests for terminals as it declared." "asks-terminals" Run terminals_as_declared;
    "C-OPEN-001" Mandatory "Updates of unknown kinds do not end the turn." "unknown-updates" Run tolerates;
    "C-OPEN-002" Mandatory "Updates that cannot be read do not end the turn." "broken-updates" Run tolerates;
    "C-OPEN-003" Mandatory "Content of an unknown type does not end the turn." "unknown-content" Run tolerates;
    "C-OPEN-004" Mandatory "Answers that nobody waits for do not end the turn." "duplicate-answers,unknown-answers" Run tolerates;
    "C-NOISE-001" Advisory "Lines that are no messages do not end the turn." "noise-before,noise-json" Run tolerates;
    "C-ORDER-001" Mandatory "Updates of a session before it is answered do not end it." "early-updates" Run tolerates;
    "C-ORDER-002" Advisory "Updates after the end of a turn do no harm." "late-updates" Run tolerates;
    "C-FRAME-001" Mandatory "It reads lines that come a byte at a time, cut inside of characters." "bytewise,split-utf8" Run tolerates;
    "C-FRAME-002" Advisory "It reads lines that end as on Windows, with blank lines between." "spaces" Run tolerates;
    "C-SIZE-001" Advisory "It reads a line of twenty megabytes." "long-line" Run tolerates;
    "C-CANCEL-001" Mandatory "When it is interrupted, it cancels the turn." "waits" Interrupt cancels;
    "C-CANCEL-002" Mandatory "A permission that is asked after the cancel is answered with none." "cancel-asks" Interrupt answers_after_cancel;
    "C-AUTH-001" Mandatory "It sends no prompt when it has no session." "needs-login" Run no_prompt;
    "C-EXIT-001" Mandatory "It ends when its agent dies in a turn, and not as if all were well." "dies-in-prompt" Run notices_death;
    "C-EXIT-002" Mandatory "It leaves no agent behind." "" Leave leaves_nothing;
    "C-EXIT-003" Advisory "It ends an agent that takes no notice of the end of its input or of SIGTERM." "ignores-terminate" Leave leaves_nothing;
}

/// Tests one rule; the latest of what was heard is the evidence.
pub(super) async fn test(
    setting: &ClientSetting,
    version: Version,
    rule: &ClientRule,
    evidence: &mut Vec<String>,
) -> Verdict {
    let seen = play(setting, version, rule.modes, rule.how).await?;
    *evidence = seen.evidence();
    asked_for(&seen, version)?;
    (rule.judge)(&seen, version)
}

/// A client can be tested in the versions that it asks for.
fn asked_for(seen: &Seen, version: Version) -> Result<(), Stop> {
    if seen.agents == 0 {
        return Err(Stop::fail("the client started no agent"));
    }
    if !seen.has_heard() {
        return Err(Stop::fail("the client said nothing to its agent"));
    }
    let asked = seen
        .calls("initialize")
        .filter_map(|call| call.pointer("/params/protocolVersion")?.as_u64())
        .max();
    match (version, asked) {
        (Version::Two, Some(asked)) if asked < 2 => Err(Stop::NotTested(String::from(
            "the client asks for no version 2",
        ))),
        _ => Ok(()),
    }
}
