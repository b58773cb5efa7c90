//! What the agent asks in a turn: permission, forms, pages, files.

use acp_harness::Outcome;

use crate::host::{Person, watch};
use crate::peer::{Peer, budget};

super::over_every_peer!(
    permission_is_allowed_rejected_or_left,
    permission_in_a_cancelled_turn,
    a_form_is_filled_in_declined_or_left,
    a_form_in_a_cancelled_turn,
    a_page_is_opened_or_not,
    files_of_the_host,
);

/// What the agent says after a prompt, to a person who does this.
async fn said(peer: Peer, prompt: &str, person: Person) -> (Vec<String>, Outcome) {
    let (client, session) = peer.session().await;
    let turn = session.prompt(prompt).start_within(&budget()).unwrap();
    let seen = watch(turn, person).await;
    client.close().await;
    (
        seen.texts().into_iter().map(str::to_owned).collect(),
        seen.outcome.outcome(),
    )
}

#[track_caller]
fn told(expected: &str) -> (Vec<String>, Outcome) {
    (vec![expected.to_owned()], Outcome::Completed)
}

async fn permission_is_allowed_rejected_or_left(peer: Peer) {
    assert_eq!(
        said(peer, "ask", Person::Agrees).await,
        told("selected:yes")
    );
    assert_eq!(
        said(peer, "ask", Person::Refuses).await,
        told("selected:no")
    );
    assert_eq!(said(peer, "ask", Person::Leaves).await, told("undecided"));
    let (client, session) = peer.session().await;
    let turn = session.prompt("ask").start_within(&budget()).unwrap();
    let seen = watch(turn, Person::Agrees).await;
    let title = if peer.is_v2() {
        "Delete notes?"
    } else {
        "Delete notes"
    };
    assert!(
        seen.lines.contains(&format!("permission {title} of 3")),
        "{:?}",
        seen.lines
    );
    assert_eq!(seen.outcome.decisions.len(), 1);
    if peer.is_v2() {
        assert_eq!(
            seen.states,
            ["running", "requires action", "running", "idle"]
        );
    }
    client.close().await;
}

async fn permission_in_a_cancelled_turn(peer: Peer) {
    let (texts, outcome) = said(peer, "ask never", Person::Cancels("")).await;
    assert_eq!((texts.len(), outcome), (0, Outcome::Cancelled), "{texts:?}");
}

async fn a_form_is_filled_in_declined_or_left(peer: Peer) {
    let filled = told(r#"accepted:{"age":41,"name":"Ada","sure":true}"#);
    assert_eq!(said(peer, "form", Person::Agrees).await, filled);
    assert_eq!(said(peer, "form", Person::Refuses).await, told("declined"));
    assert_eq!(said(peer, "form", Person::Leaves).await, told("cancelled"));
}

async fn a_form_in_a_cancelled_turn(peer: Peer) {
    let (texts, outcome) = said(peer, "form wait", Person::Cancels("")).await;
    assert_eq!(outcome, Outcome::Cancelled, "{texts:?}");
    assert!(
        !texts.iter().any(|text| text.starts_with("accepted")),
        "{texts:?}"
    );
}

async fn a_page_is_opened_or_not(peer: Peer) {
    let (texts, outcome) = said(peer, "page", Person::Agrees).await;
    assert_eq!(outcome, Outcome::Completed);
    assert!(texts.concat().starts_with("accepted:"), "{texts:?}");
    assert_eq!(said(peer, "page", Person::Refuses).await, told("declined"));
}

async fn files_of_the_host(peer: Peer) {
    if peer.is_v2() {
        // There are none in version 2.
        return;
    }
    let (texts, _) = said(
        peer,
        "read=/notes write=/new read=/new read=/none",
        Person::Leaves,
    )
    .await;
    assert_eq!(texts, ["two\n", "written", "two\n", "refused:-32002"]);
}
