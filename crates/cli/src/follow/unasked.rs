//! Permission requests that this program never had in its hands, and that have their record all the same.

use acp_harness::{
    client::{Diagnostic, Event, Settled},
    permission::{Answer, Decision, Record, Request, Verdict},
    vocab::Method,
};

use super::closing::who;
use crate::talk::NOBODY;

/// What became of the request that an event is about: nobody read it in time, it was taken back, or too many were open.
/// `None` for every other event.
pub(super) fn record(event: &Event, session: &str) -> Option<Record> {
    let asks = Method::SESSION_REQUEST_PERMISSION.name();
    // What it was about is not known any more.
    let request = Request::new(session, Vec::new());
    let cancelled = |by: &'static str, why: String| {
        let verdict = Verdict::new(Decision::Cancel, by, why);
        Record::answered(&request, &verdict, &Answer::cancelled())
    };
    match event {
        Event::Settled(settled) if &*settled.method == asks && !settled.was_handed_over => {
            let why = settled.how.to_string();
            let record = match settled.how {
                Settled::Unread => cancelled(NOBODY, why),
                how => Record::withdrawn(&request, who(how), why),
            };
            Some(record.of_request(settled.id.clone()))
        }
        Event::Diagnostic(diagnostic) => match &**diagnostic {
            Diagnostic::TooManyRequests { method, id } if &**method == asks => {
                let record = cancelled("session", String::from("too many were open"));
                Some(record.of_request(id.clone()))
            }
            _ => None,
        },
        _ => None,
    }
}
