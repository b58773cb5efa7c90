//! Pending decisions in time: each ends once, whatever comes first.

use std::time::{Duration, Instant};

use acp_permission::{
    AnswerError, Broker, BrokerLimits, Command, Decision, Ended, Memory, Note, Opened, PendingId,
    Request, Verdict,
};
use acp_vocab::RequestId;

use crate::picking::{offer, shown};

const SECOND: Duration = Duration::from_secs(1);

fn epoch() -> Instant {
    #[expect(
        clippy::disallowed_methods,
        reason = "any instant will do; time is counted from it"
    )]
    Instant::now()
}

fn request(session: &str) -> Request {
    Request::new(
        session,
        offer("once:allow_once always:allow_always no:reject_once never:reject_always"),
    )
    .with_command(Command::line("make"))
}

#[track_caller]
fn open(
    broker: &mut Broker,
    now: Instant,
    id: i64,
    session: &str,
    patience: Option<Duration>,
) -> PendingId {
    match broker.open(now, RequestId::from(id), request(session), patience) {
        Opened::Pending(id) => id,
        other @ (Opened::Resolved(_) | _) => panic!("{other:?}"),
    }
}

#[test]
fn pending_decisions_are_listed_in_order_and_answered_by_number() {
    let (mut broker, now) = (Broker::new(), epoch());
    let first = open(&mut broker, now, 7, "a", None);
    let second = open(&mut broker, now + SECOND, 8, "b", None);
    let listed: Vec<_> = broker
        .pending()
        .map(|pending| (pending.id, pending.request_id.to_string(), pending.since))
        .collect();
    assert_eq!(
        listed,
        [(first, "7".into(), now), (second, "8".into(), now + SECOND)]
    );

    let resolved = broker
        .answer(second, Verdict::person(Decision::Select("once".into())))
        .unwrap();
    assert_eq!(
        (
            resolved.request_id.to_string().as_str(),
            shown(&resolved.answer).as_str(),
            resolved.ended
        ),
        ("8", "once", Ended::Answered)
    );
    assert_eq!(
        (&*resolved.record.by, resolved.record.approved),
        ("person", true)
    );
    let again = broker
        .answer(second, Verdict::person(Decision::Deny))
        .unwrap_err();
    assert_eq!(
        again,
        AnswerError::TooLate {
            ended: Some(Ended::Answered)
        }
    );
    let unknown = broker
        .answer(PendingId::of(99), Verdict::person(Decision::Deny))
        .unwrap_err();
    assert_eq!(unknown, AnswerError::Unknown { id: 99 });
    assert!(broker.find(first).is_some() && broker.find(second).is_none());
}

#[test]
fn nobody_decided_in_time() {
    let (mut broker, now) = (Broker::new(), epoch());
    let late = open(&mut broker, now, 1, "a", Some(3 * SECOND));
    let early = open(&mut broker, now, 2, "a", Some(SECOND));
    open(&mut broker, now, 3, "a", None);
    assert_eq!(broker.poll_timeout(), Some(now + SECOND));
    assert!(broker.handle_timeout(now).is_empty());
    let ended = broker.handle_timeout(now + SECOND);
    assert_eq!(
        ended
            .iter()
            .map(|end| (end.id, end.ended, shown(&end.answer)))
            .collect::<Vec<_>>(),
        [(Some(early), Ended::TimedOut, "cancelled".to_owned())]
    );
    assert_eq!(broker.poll_timeout(), Some(now + 3 * SECOND));
    assert_eq!(
        broker
            .answer(early, Verdict::person(Decision::AllowOnce))
            .unwrap_err(),
        AnswerError::TooLate {
            ended: Some(Ended::TimedOut)
        }
    );
    assert!(
        broker
            .answer(late, Verdict::person(Decision::AllowOnce))
            .unwrap()
            .answer
            .approves()
    );
    assert_eq!((broker.poll_timeout(), broker.pending().count()), (None, 1));
}

#[test]
fn a_decision_that_cannot_be_carried_out_leaves_it_pending() {
    let (mut broker, now) = (Broker::new(), epoch());
    let request = Request::new("a", offer("x:allow_always y:allow_always o:allow_once"));
    let Opened::Pending(id) = broker.open(now, RequestId::from(0_i64), request, None) else {
        panic!("pending")
    };
    for (decision, error) in [
        (
            Decision::AllowAlways,
            AnswerError::NotHonoured(Note::SeveralAlways),
        ),
        (
            Decision::Select("z".into()),
            AnswerError::NotHonoured(Note::NotOffered),
        ),
        (Decision::Ask, AnswerError::NoDecision),
        (Decision::Defer, AnswerError::NoDecision),
    ] {
        assert_eq!(
            broker.answer(id, Verdict::person(decision)).unwrap_err(),
            error
        );
    }
    // Nothing refuses here, and still a refusal is carried out: as cancelled, with a note.
    let resolved = broker.answer(id, Verdict::person(Decision::Deny)).unwrap();
    assert_eq!(shown(&resolved.answer), "cancelled (nothing_refuses)");
}

#[test]
fn turns_and_sessions_end_only_their_own() {
    let (mut broker, now) = (Broker::new(), epoch());
    open(&mut broker, now, 1, "a", None);
    open(&mut broker, now, 2, "b", None);
    open(&mut broker, now, 3, "a", None);
    let ended: Vec<_> = broker
        .end_turn(&"a".into())
        .into_iter()
        .map(|end| end.request_id.to_string())
        .collect();
    assert_eq!(ended, ["1", "3"]);
    assert!(broker.end_turn(&"a".into()).is_empty());
    let closed: Vec<_> = broker
        .close()
        .into_iter()
        .map(|end| (end.request_id.to_string(), end.ended))
        .collect();
    assert_eq!(closed, [("2".to_owned(), Ended::Closed)]);
}

#[test]
fn too_many_are_answered_at_once() {
    let limits = {
        let mut limits = BrokerLimits::default();
        (limits.per_session, limits.total) = (2, 3);
        limits
    };
    let (mut broker, now) = (Broker::new().with_limits(limits), epoch());
    open(&mut broker, now, 1, "a", None);
    open(&mut broker, now, 2, "a", None);
    let refused = |broker: &mut Broker, id: i64, session: &str| match broker.open(
        now,
        RequestId::from(id),
        request(session),
        None,
    ) {
        Opened::Resolved(resolved) => (resolved.id, shown(&resolved.answer), resolved.record.why),
        other @ (Opened::Pending(_) | _) => panic!("{other:?}"),
    };
    assert_eq!(
        refused(&mut broker, 3, "a"),
        (
            None,
            "cancelled".to_owned(),
            "too many requests are pending".into()
        )
    );
    open(&mut broker, now, 4, "b", None);
    assert_eq!(refused(&mut broker, 5, "c").1, "cancelled");
}

#[test]
fn long_ended_requests_are_still_too_late() {
    let limits = {
        let mut limits = BrokerLimits::default();
        limits.ended = 1;
        limits
    };
    let (mut broker, now) = (Broker::new().with_limits(limits), epoch());
    let first = open(&mut broker, now, 1, "a", None);
    open(&mut broker, now, 2, "a", None);
    assert_eq!(broker.close().len(), 2);
    let late = broker
        .answer(first, Verdict::person(Decision::Deny))
        .unwrap_err();
    assert_eq!(late, AnswerError::TooLate { ended: None });
    assert_eq!(late.to_string(), "too late: the request was ended long ago");
}

#[test]
fn what_was_offered_nothing_for_never_waits() {
    let mut broker = Broker::new();
    let Opened::Resolved(resolved) = broker.open(
        epoch(),
        RequestId::from(0_i64),
        Request::new("a", vec![]),
        None,
    ) else {
        panic!("answered")
    };
    assert_eq!(shown(&resolved.answer), "cancelled (no_options)");
}

#[test]
fn with_a_memory_the_same_is_not_asked_twice() {
    let (mut broker, now) = (Broker::new().remembering(Memory::new()), epoch());
    let id = open(&mut broker, now, 1, "a", None);
    let _answer = broker
        .answer(id, Verdict::person(Decision::AllowAlways))
        .unwrap();
    let Opened::Resolved(resolved) = broker.open(now, RequestId::from(2_i64), request("a"), None)
    else {
        panic!("remembered")
    };
    assert_eq!(
        (shown(&resolved.answer).as_str(), &*resolved.record.by),
        ("once", "memory")
    );
    // Another session, and an offer in which it cannot be allowed once: both are asked.
    open(&mut broker, now, 3, "b", None);
    let narrow = Request::new("a", offer("always:allow_always no:reject_once"))
        .with_command(Command::line("make"));
    assert!(matches!(
        broker.open(now, RequestId::from(4_i64), narrow, None),
        Opened::Pending(_)
    ));
    // The session ends: forgotten.
    assert_eq!(broker.end_session(&"a".into()).len(), 1);
    open(&mut broker, now, 5, "a", None);
}

#[test]
fn without_a_memory_it_is_asked_again() {
    let (mut broker, now) = (Broker::new(), epoch());
    let id = open(&mut broker, now, 1, "a", None);
    let _answer = broker
        .answer(id, Verdict::person(Decision::AllowAlways))
        .unwrap();
    open(&mut broker, now, 2, "a", None);
}

#[test]
fn only_what_a_person_decided_for_always_is_remembered() {
    #[track_caller]
    fn check(offered: &str, verdict: Verdict, remembered: Option<&str>) {
        let (mut broker, now) = (Broker::new().remembering(Memory::new()), epoch());
        let ask = || Request::new("a", offer(offered)).with_command(Command::line("make"));
        let Opened::Pending(id) = broker.open(now, RequestId::from(1_i64), ask(), None) else {
            panic!("pending")
        };
        let _answer = broker.answer(id, verdict).unwrap();
        let again = match broker.open(now, RequestId::from(2_i64), ask(), None) {
            Opened::Resolved(resolved) => Some(shown(&resolved.answer)),
            Opened::Pending(_) | _ => None,
        };
        assert_eq!(again.as_deref(), remembered);
    }
    let all = "once:allow_once always:allow_always no:reject_once never:reject_always";
    check(all, Verdict::person(Decision::AllowOnce), None);
    check(all, Verdict::person(Decision::Select("once".into())), None);
    check(
        all,
        Verdict::person(Decision::Select("always".into())),
        Some("once"),
    );
    check(all, Verdict::person(Decision::DenyAlways), Some("no"));
    check(
        "once:allow_once no:reject_once",
        Verdict::person(Decision::DenyAlways),
        Some("no"),
    );
    check(
        all,
        Verdict::new(Decision::AllowAlways, "rules", "rule 1"),
        None,
    );
}
