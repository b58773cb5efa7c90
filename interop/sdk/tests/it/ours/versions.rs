//! Agreeing on a version with an agent of which nothing is known.

use acp_harness::Client;
use acp_harness::handshake::Ability;
use acp_harness::vocab::ProtocolVersion;
use interop_sdk::Spoken;

use crate::host::{Desk, Person, watch};
use crate::peer::{CWD, Peer, budget};

/// A client with these versions, on this agent; then a turn.
async fn check(peer: Peer, versions: &[ProtocolVersion], expected: ProtocolVersion) {
    let client = Client::builder("interop", "1")
        .handler(Desk::default())
        .pull(Ability::ElicitationForm)
        .versions(versions.iter().copied())
        .connect(peer.link())
        .unwrap();
    let agreed = client.initialize_within(&budget()).await.unwrap();
    assert_eq!(agreed.version(), expected);
    assert_eq!(agreed.agent_name(), "sdk-agent");
    let session = client
        .new_session(CWD)
        .open_within(&budget())
        .await
        .unwrap();
    let turn = session
        .prompt("hello form")
        .start_within(&budget())
        .unwrap();
    let seen = watch(turn, Person::Refuses).await;
    assert_eq!(seen.texts(), ["hello", "declined"]);
    if expected == ProtocolVersion::V1 {
        // What version 1 alone has was declared all the same.
        let turn = session
            .prompt("read=/notes")
            .start_within(&budget())
            .unwrap();
        assert_eq!(watch(turn, Person::Leaves).await.texts(), ["two\n"]);
    }
    client.close().await;
}

const ONE: ProtocolVersion = ProtocolVersion::V1;
const TWO: ProtocolVersion = ProtocolVersion::V2;

#[tokio::test]
async fn the_newest_that_both_speak() {
    check(Peer::Child(Spoken::Both), &[ONE, TWO], TWO).await;
    check(Peer::Memory(Spoken::Both), &[ONE, TWO], TWO).await;
    check(Peer::Memory(Spoken::V2), &[ONE, TWO], TWO).await;
}

#[tokio::test]
async fn an_old_agent_is_spoken_to_in_its_words() {
    check(Peer::Child(Spoken::V1), &[ONE, TWO], ONE).await;
    check(Peer::Memory(Spoken::V1), &[ONE, TWO], ONE).await;
}

#[tokio::test]
async fn an_old_client_on_an_agent_of_both() {
    check(Peer::Child(Spoken::Both), &[ONE], ONE).await;
    check(Peer::Memory(Spoken::Both), &[ONE], ONE).await;
}

#[tokio::test]
async fn nothing_in_common_is_refused() {
    for (spoken, version) in [(Spoken::V2, ONE), (Spoken::V1, TWO)] {
        let client = Client::builder("interop", "1")
            .versions([version])
            .connect(Peer::Memory(spoken).link())
            .unwrap();
        client.initialize_within(&budget()).await.unwrap_err();
        client.close().await;
    }
}
