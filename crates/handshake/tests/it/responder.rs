//! The agent's side: which version answers, and when a repeat is legal.

use acp_handshake::{Responder, VersionSet};
use acp_vocab::{Method, ProtocolVersion};

use crate::raw;

fn responder(versions: &[u16]) -> Responder {
    Responder::new(
        VersionSet::new(versions.iter().map(|number| ProtocolVersion(*number))).expect("known"),
    )
}

/// Checks the version that answers, or the error code and its data.
#[track_caller]
fn check(versions: &[u16], params: &str, expected: Result<u16, (i32, Option<&str>)>) {
    let answer = responder(versions).initialize(Some(&raw(params)));
    let answer = answer
        .map(|offer| offer.version().0)
        .map_err(|error| (error.code.0, error.data.map(|data| data.get().to_owned())));
    assert_eq!(
        answer,
        expected.map_err(|(code, data)| (code, data.map(ToOwned::to_owned))),
        "{params}"
    );
}

const INFO: &str = r#""info":{"name":"c","version":"1"},"capabilities":{}"#;

#[test]
fn the_largest_version_not_above_the_requested_one() {
    check(&[1, 2], r#"{"protocolVersion":1}"#, Ok(1));
    check(
        &[1, 2],
        &format!(r#"{{"protocolVersion":2,{INFO}}}"#),
        Ok(2),
    );
    check(&[1, 2], r#"{"protocolVersion":3}"#, Ok(2));
    check(&[1, 2], r#"{"protocolVersion":99,"info":7}"#, Ok(2));
    check(&[1, 2], r#"{"protocolVersion":65535}"#, Ok(2));
    check(&[1], r#"{"protocolVersion":2}"#, Ok(1));
    check(&[1], r#"{"protocolVersion":99}"#, Ok(1));
}

#[test]
fn no_version_below_ours() {
    check(
        &[1, 2],
        r#"{"protocolVersion":0}"#,
        Err((-32022, Some(r#"{"requested":0,"supported":[1,2]}"#))),
    );
    check(
        &[2],
        r#"{"protocolVersion":1}"#,
        Err((-32022, Some(r#"{"requested":1,"supported":[2]}"#))),
    );
}

#[test]
fn params_that_cannot_be_read() {
    check(&[1, 2], r"{}", Err((-32602, None)));
    check(&[1, 2], r#"{"protocolVersion":"1"}"#, Err((-32602, None)));
    check(&[1, 2], r#"{"protocolVersion":1.0}"#, Err((-32602, None)));
    check(&[1, 2], r#"{"protocolVersion":null}"#, Err((-32602, None)));
    check(&[1, 2], r#"{"protocolVersion":70000}"#, Err((-32602, None)));
    check(&[1, 2], r#"{"protocolVersion":-1}"#, Err((-32602, None)));
    check(
        &[1, 2],
        r#"{"protocolVersion":2,"clientInfo":{"name":"c","version":"1"}}"#,
        Err((-32602, None)),
    );
    assert_eq!(
        responder(&[1])
            .initialize(None)
            .expect_err("no params")
            .code
            .0,
        -32602
    );
}

#[test]
fn a_repeat_is_legal_until_another_request_came() {
    let mut agent = responder(&[1, 2]);
    let one = raw(r#"{"protocolVersion":1}"#);
    assert_eq!(agent.other_request().expect_err("too early").code.0, -32600);
    assert_eq!(agent.version(), None);
    assert!(agent.initialize(Some(&one)).is_ok());
    assert!(agent.initialize(Some(&one)).is_ok());
    assert!(agent.initialize(Some(&raw("{}"))).is_err());
    assert_eq!(agent.version(), Some(ProtocolVersion::V1));
    assert_eq!(agent.other_request().ok(), Some(ProtocolVersion::V1));
    assert_eq!(
        agent.initialize(Some(&one)).expect_err("too late").code.0,
        -32600
    );
    assert_eq!(agent.version(), Some(ProtocolVersion::V1));
}

#[test]
fn a_connection_that_speaks_two_does_not_go_back() {
    let mut agent = responder(&[1, 2]);
    assert!(
        agent
            .initialize(Some(&raw(&format!(r#"{{"protocolVersion":2,{INFO}}}"#))))
            .is_ok()
    );
    let error = agent
        .initialize(Some(&raw(r#"{"protocolVersion":1}"#)))
        .expect_err("refused");
    assert_eq!(error.code.0, -32022);
    assert_eq!(agent.version(), Some(ProtocolVersion::V2));
    let mut other = responder(&[1, 2]);
    assert!(
        other
            .initialize(Some(&raw(r#"{"protocolVersion":1}"#)))
            .is_ok()
    );
    let offer = other
        .initialize(Some(&raw(r#"{"protocolVersion":9}"#)))
        .expect("a newer client");
    assert_eq!(offer.version(), ProtocolVersion::V2);
}

#[test]
fn a_v1_agent_reads_v1_members_of_a_merged_request() {
    let merged = raw(&format!(
        r#"{{"protocolVersion":2,{INFO},"clientInfo":{{"name":"d","version":"1"}},"clientCapabilities":{{"fs":{{"readTextFile":true}}}}}}"#
    ));
    let offer = responder(&[1]).initialize(Some(&merged)).expect("an offer");
    assert_eq!(offer.info().map(|info| &*info.name), Some("d"));
    assert_eq!(
        (offer.requested(), offer.version()),
        (2, ProtocolVersion::V1)
    );
    assert!(offer.advertises("fs.readTextFile"));
    assert_eq!(offer.require(Method::FS_READ_TEXT_FILE), Ok(()));
    let error = offer.require(Method::TERMINAL_CREATE).expect_err("gated");
    assert_eq!(
        error.to_string(),
        "terminal/create needs `terminal`, which the peer did not advertise"
    );
}

#[test]
fn a_v1_agent_rebuilds_v1_members_and_never_files() {
    let pure = raw(
        r#"{"protocolVersion":2,"info":{"name":"c","version":"1"},"capabilities":{"auth":{"terminal":{}},"elicitation":{"url":{}},"fs":{"readTextFile":true}}}"#,
    );
    let offer = responder(&[1]).initialize(Some(&pure)).expect("an offer");
    assert_eq!(offer.info().map(|info| &*info.name), Some("c"));
    for (path, yes) in [
        ("fs.readTextFile", false),
        ("terminal", false),
        ("auth.terminal", true),
        ("elicitation.url", true),
        ("elicitation.form", false),
        ("session.configOptions.boolean", true),
    ] {
        assert_eq!(offer.advertises(path), yes, "{path}");
    }
    assert_eq!(offer.require(Method::ELICITATION_CREATE), Ok(()));
    assert_eq!(offer.require(Method::SESSION_UPDATE), Ok(()));
}
