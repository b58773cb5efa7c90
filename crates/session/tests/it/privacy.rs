//! What is printed names methods, ids, numbers and kinds; what the agent said is behind accessors.

use acp_handshake::Offer;
use acp_session::{CallError, Config, Exit, Next, Protocol, Stream, UsageError};
use acp_vocab::{Implementation, ProtocolVersion};
use serde_json::json;

use crate::pair::{Pair, S};

const SECRET: &str = "hunter2";

/// Everything that a machine can be made to print.
fn printed() -> Vec<String> {
    let mut printed = Vec::new();
    let mut config = Config::default();
    config.expects_exit = true;
    config.limits.overdraft_bytes = 10_000;
    config.limits.session_bytes = 10_000;
    let mut pair = Pair::ready(config);
    let stream = pair.machine.take_connection_stream().unwrap();
    let a = pair.session("a");
    let b = pair.session("b");

    // Refusals, malformed replies, unusable results, strays.
    for reply in [
        json!({"error": {"code": -32000, "message": SECRET, "data": {"k": SECRET}}}),
        json!({"error": SECRET}),
        json!({"result": {"stopReason": {"k": SECRET}}}),
        json!({"result": {"stopReason": 7, "k": SECRET}}),
        json!({"k": SECRET}),
    ] {
        let turn = pair.prompt(a);
        let mut reply = reply;
        reply["id"] = pair.sent()[0]["id"].clone();
        pair.agent(&reply);
        pair.agent(&reply);
        printed.push(pair.end(turn).result.unwrap_err().to_string());
    }
    let call = pair.make("session/new");
    let id = pair.sent()[0]["id"].as_i64().unwrap();
    pair.answers(id, &json!({"sessionId": [SECRET]}));
    printed.push(pair.reply(call).unwrap_err().to_string());
    pair.agent(&json!({"id": null, "error": {"code": -32700, "message": SECRET}}));

    // Broken updates and requests, and questions that nobody registered for.
    for update in [
        json!({"sessionUpdate": "tool_call", "toolCallId": {"k": SECRET}, "title": SECRET}),
        json!({"sessionUpdate": "agent_message_chunk", "content": SECRET}),
        json!({"sessionUpdate": [SECRET]}),
        json!(SECRET),
    ] {
        pair.agent(&json!({"method": "session/update",
            "params": {"sessionId": "a", "update": update}}));
    }
    pair.agent(&json!({"id": 1, "method": "session/request_permission",
        "params": {"sessionId": "a", "options": SECRET}}));
    pair.agent(&json!({"id": 2, "method": "fs/read_text_file", "params": {"path": SECRET}}));
    pair.agent_text(&format!("{SECRET}\n[\"{SECRET}\"]\n"));

    // Too late, starved, a bound, the end.
    pair.asks(3, "b");
    let ask = pair.ask(Stream::Session(b));
    pair.agent(&json!({"method": "$/cancel_request", "params": {"requestId": 3}}));
    printed.push(
        pair.machine
            .answer(pair.now, ask, &json!({}))
            .unwrap_err()
            .to_string(),
    );
    pair.take_all(Stream::Session(b));
    pair.take_all(Stream::Session(a));
    pair.take_all(stream);
    let call = pair.call(b, "session/set_mode");
    pair.park(acp_session::WaitKey::Call(call));
    while pair.reads() {
        pair.says("a", &SECRET.repeat(50));
    }
    pair.pass(31 * S);
    printed.push(pair.reply(call).unwrap_err().to_string());
    let call = pair.call(b, "session/set_mode");
    pair.take_all(Stream::Session(a));
    pair.pass(700 * S);
    printed.push(pair.reply(call).unwrap_err().to_string());
    let call = pair.call(b, "session/set_mode");
    pair.machine.handle_exit(
        pair.now,
        Exit::new(Some(3), None, format!("token {SECRET}")),
    );
    pair.agent_text(SECRET);
    pair.machine.handle_eof(pair.now);
    let error = pair.reply(call).unwrap_err();
    let CallError::Connection { error: end, .. } = &error else {
        panic!("{error}")
    };
    assert_eq!(end.stderr(), "token hunter2", "there for who asks");
    printed.push(error.to_string());
    let Next::Closed(closed) = pair.machine.next_event(pair.now, Stream::Session(b)) else {
        panic!()
    };
    printed.push(closed.to_string());
    printed.extend(pair.machine.diagnostics().iter().map(ToString::to_string));
    printed
}

#[test]
fn nothing_that_the_agent_said_is_printed() {
    let printed = printed();
    assert!(printed.len() > 20, "{printed:#?}");
    for line in &printed {
        assert!(!line.contains(SECRET), "{line}");
        assert!(!line.contains('\n') && !line.is_empty(), "{line:?}");
    }
}

#[test]
fn what_was_negotiated_is_what_the_machine_speaks() {
    let versions = [ProtocolVersion::V1, ProtocolVersion::V2];
    let offer = Offer::new(versions, Implementation::new("host", "1.0")).unwrap();
    for (result, expected) in [
        (
            r#"{"protocolVersion":1}"#,
            Protocol::new(ProtocolVersion::V1),
        ),
        (
            r#"{"protocolVersion":1,"agentCapabilities":{"sessionCapabilities":{"close":{}}}}"#,
            Protocol::new(ProtocolVersion::V1).closes_sessions(true),
        ),
    ] {
        let agreement = offer.accept_text(result).unwrap();
        assert_eq!(Protocol::from(&agreement), expected, "{result}");
    }
    let mut pair = Pair::new(Config::default());
    pair.machine
        .agree(Protocol::new(ProtocolVersion::V1))
        .unwrap();
    let again = pair.machine.agree(Protocol::new(ProtocolVersion::V2));
    assert_eq!(again, Err(UsageError::AlreadyReady));
}

/// The machine may move between threads.
const _: fn() = || {
    fn send<T: Send + 'static>() {}
    fn both<T: Send + Sync + 'static>() {}
    send::<acp_session::Connection>();
    both::<acp_session::Event>();
    both::<CallError>();
    both::<acp_session::Conversation>();
};
