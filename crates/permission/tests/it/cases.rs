//! The field cases about permissions and about cancelling, each by its id.

use std::time::Instant;

use acp_permission::{
    AllowOnce, AnswerError, Broker, Cancel, Decision, Deny, Ended, Note, Opened, Policy, Request,
    ToolReports, Verdict, pick,
};
use acp_vocab::{PermissionOption, RequestId, RequestPermissionResponse, SessionId, v1};

use crate::picking::{offer, shown};

/// The options that the agent of a case offers, from the fixture.
fn offered(id: &str) -> Vec<PermissionOption> {
    #[derive(serde::Deserialize)]
    struct Case {
        id: String,
        agent_sends: Vec<String>,
    }
    let text = std::fs::read_to_string(concat!(
        env!("CARGO_MANIFEST_DIR"),
        "/../../fixtures/cases/cases.json"
    ))
    .unwrap();
    let cases: Vec<Case> = serde_json::from_str(&text).unwrap();
    let case = cases
        .into_iter()
        .find(|case| case.id == id)
        .expect("the case is in the fixture");
    serde_json::from_str(case.agent_sends[0].strip_prefix("options: ").unwrap()).unwrap()
}

#[track_caller]
fn check(id: &str, policy: impl Policy, expected: &str) {
    let request = Request::new("s1", offered(id));
    let answer = pick(request.options(), &policy.decide(&request).decision);
    assert_eq!(shown(&answer), expected, "{id}");
}

#[test]
fn trap_09_case_permission_order() {
    check("permission-order", Cancel, "cancelled");
    check("permission-order", AllowOnce, "proceed_once");
    check("permission-order", Deny, "cancel");
    let options = offered("permission-order");
    let response = RequestPermissionResponse::from(&pick(&options, &Decision::Deny));
    assert_eq!(
        serde_json::to_string(&response).unwrap(),
        r#"{"outcome":{"outcome":"selected","optionId":"cancel"}}"#
    );
}

#[test]
fn quirk_21_case_permission_bypass() {
    check("permission-bypass", AllowOnce, "manual");
    // One single option for always, and always was asked for: then it is meant.
    let options = offered("permission-bypass");
    assert_eq!(shown(&pick(&options, &Decision::AllowAlways)), "bypass");
    let two = offer("bypass:allow_always edits:allow_always manual:allow_once");
    assert_eq!(
        shown(&pick(&two, &Decision::AllowAlways)),
        "cancelled (several_always)"
    );
}

#[test]
fn trap_52_case_permission_empty() {
    for policy in [&Cancel as &dyn Policy, &AllowOnce, &Deny] {
        let request = Request::new("s1", offered("permission-empty"));
        let answer = pick(request.options(), &policy.decide(&request).decision);
        assert_eq!(
            serde_json::to_string(&RequestPermissionResponse::from(&answer)).unwrap(),
            r#"{"outcome":{"outcome":"cancelled"}}"#
        );
        assert_eq!(answer.note, Some(Note::NoOptions));
    }
}

#[test]
fn trap_06_07_case_permission_unannounced() {
    let params: v1::RequestPermissionRequest = serde_json::from_str(
        r#"{"sessionId":"s1","toolCall":{"toolCallId":"t9","title":"Run","kind":"execute","rawInput":{"command":"ls"}},"options":[]}"#,
    )
    .unwrap();
    let mut reports = ToolReports::new();
    let request = reports.request_v1(&params);
    assert_eq!(request.command().unwrap().text(), "ls");
    assert!(
        reports.find(&"s1".into(), &"t9".into()).is_some(),
        "the call exists from the request on"
    );
}

fn pending(broker: &mut Broker, now: Instant, id: i64) -> acp_permission::PendingId {
    let request = Request::new("s1", offer("y:allow_once n:reject_once"));
    match broker.open(now, RequestId::from(id), request, None) {
        Opened::Pending(id) => id,
        other @ (Opened::Resolved(_) | _) => panic!("{other:?}"),
    }
}

fn now() -> Instant {
    #[expect(
        clippy::disallowed_methods,
        reason = "any instant will do; it is only a place to count from"
    )]
    Instant::now()
}

#[test]
fn trap_05_case_permission_withdrawn() {
    let mut broker = Broker::new();
    let id = pending(&mut broker, now(), 4);
    let answers = broker.withdraw(&RequestId::from(4_i64));
    let [answer] = answers.as_slice() else {
        panic!("exactly one answer goes out: {answers:?}")
    };
    assert_eq!(
        (shown(&answer.answer).as_str(), answer.ended),
        ("cancelled", Ended::Withdrawn)
    );
    let late = broker
        .answer(id, Verdict::person(Decision::AllowOnce))
        .unwrap_err();
    assert_eq!(
        late,
        AnswerError::TooLate {
            ended: Some(Ended::Withdrawn)
        }
    );
    assert_eq!(
        late.to_string(),
        "too late: the request was withdrawn by the agent already"
    );
    assert!(
        broker.withdraw(&RequestId::from(4_i64)).is_empty(),
        "and never a second one"
    );
}

#[test]
fn quirk_06_case_cancel_needs_answer() {
    let mut broker = Broker::new();
    pending(&mut broker, now(), 0);
    pending(&mut broker, now(), 1);
    let answered: Vec<_> = broker
        .end_turn(&SessionId::from("s1"))
        .into_iter()
        .map(|end| (end.request_id, end.answer))
        .collect();
    assert_eq!(
        answered
            .iter()
            .map(|(id, _)| id.to_string())
            .collect::<Vec<_>>(),
        ["0", "1"]
    );
    assert!(
        answered
            .iter()
            .all(|(_, answer)| shown(answer) == "cancelled")
    );
    assert_eq!(broker.pending().count(), 0);
}
