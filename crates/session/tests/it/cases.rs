//! Small inputs that broke a client, each with what is right: those that concern the machine.

use std::collections::{BTreeMap, BTreeSet};

use acp_session::{Diagnostic, Event, Outcome, Received, SessionKey, Stream, TurnKey};
use serde::Deserialize;
use serde_json::{Value, json};

use crate::pair::{Pair, cancelled, text};

#[derive(Deserialize)]
struct Case {
    id: String,
    kind: String,
    agent_sends: Vec<String>,
}

fn cases() -> BTreeMap<String, Case> {
    let path = concat!(
        env!("CARGO_MANIFEST_DIR"),
        "/../../fixtures/cases/cases.json"
    );
    let cases: Vec<Case> = serde_json::from_str(&std::fs::read_to_string(path).unwrap()).unwrap();
    cases
        .into_iter()
        .map(|case| (case.id.clone(), case))
        .collect()
}

/// A session `s1` whose prompt has the id 2, as in the cases.
struct Scene {
    pair: Pair,
    session: SessionKey,
    turn: TurnKey,
}

fn scene() -> Scene {
    let mut pair = Pair::ready_with(|_| ());
    pair.make("session/new");
    let session = pair.session("s1");
    let turn = pair.prompt(session);
    assert_eq!(pair.sent().last().unwrap()["id"], json!(2));
    Scene {
        pair,
        session,
        turn,
    }
}

impl Scene {
    /// The agent sends what the case says, as it stands there.
    fn send(&mut self, lines: &[String]) {
        for line in lines.iter().filter(|line| line.starts_with("{\"")) {
            self.pair.agent_text(&format!("{line}\n"));
        }
    }

    fn events(&mut self) -> Vec<Received> {
        let mut events = Vec::new();
        while let acp_session::Next::Event(event) = self
            .pair
            .machine
            .next_event(self.pair.now, Stream::Turn(self.turn))
        {
            events.push(event);
        }
        events
    }

    fn diagnostics(&self) -> Vec<String> {
        self.pair
            .machine
            .diagnostics()
            .iter()
            .map(ToString::to_string)
            .collect()
    }
}

fn noise_lines(id: &str, case: &Case) {
    let mut scene = scene();
    let mut skipped = 0;
    for line in &case.agent_sends {
        if line.starts_with('<') {
            scene.pair.says("s1", "next");
        } else {
            scene.pair.agent_text(&format!("{line}\n"));
            skipped += 1;
        }
    }
    if !case
        .agent_sends
        .iter()
        .any(|line| line == "<next valid frame>")
    {
        scene.pair.says("s1", "next");
        scene.events();
        scene.pair.says("s1", "next");
    }
    assert_eq!(text(&scene.events()), "next", "{id}");
    assert_eq!(scene.pair.machine.skipped().total(), skipped, "{id}");
    assert!(scene.pair.sent().is_empty(), "{id}: nothing is echoed");
}

#[test]
fn each_case_comes_out_right() {
    let cases = cases();
    let mut done = BTreeSet::new();
    let mut case = |id: &'static str| {
        done.insert(id);
        let case = cases.get(id).unwrap_or_else(|| panic!("{id} is gone"));
        (scene(), case)
    };

    for id in ["noise-banner", "pretty-printed", "scalars-and-arrays"] {
        let (_, case) = case(id);
        noise_lines(id, case);
    }

    let (mut scene, found) = case("lone-surrogate");
    scene.send(&found.agent_sends);
    let events = scene.events();
    assert_eq!(text(&events), "ok \u{FFFD}\u{FFFD} end");
    assert_eq!(scene.pair.machine.counters().repaired, 2);

    let (mut scene, found) = case("crlf-bom");
    assert!(found.agent_sends[0].ends_with('\r'));
    scene.pair.agent_text(
        "\u{FEFF}{\"jsonrpc\":\"2.0\",\"id\":2,\"result\":{\"stopReason\":\"end_turn\"}}\r\n",
    );
    assert_eq!(scene.pair.end(scene.turn).outcome(), Outcome::Completed);
    assert_eq!(scene.pair.machine.skipped().total(), 0);

    let (mut scene, found) = case("half-line-eof");
    let half = found.agent_sends[0].strip_suffix("<EOF>").unwrap();
    scene.pair.agent_text(half);
    scene.pair.machine.handle_eof(scene.pair.now);
    let error = scene.pair.end(scene.turn).result.unwrap_err().to_string();
    assert!(
        error.contains(&format!("a partial line of {} bytes was left", half.len())),
        "{error}"
    );

    let (mut scene, _) = case("request-id-zero");
    scene.pair.asks(0, "s1");
    let ask = scene.pair.ask(Stream::Turn(scene.turn));
    scene.pair.machine.drop_ask(scene.pair.now, ask);
    assert_eq!(scene.pair.sent(), [cancelled(0)]);

    let (mut scene, found) = case("response-id-as-string");
    let mut reply: Value =
        serde_json::from_str(&found.agent_sends[0].replace("{...}", "{}")).unwrap();
    reply["id"] = json!("2");
    reply["result"] = json!({"stopReason": "end_turn"});
    scene.pair.agent(&reply);
    scene.events();
    assert_eq!(
        scene.diagnostics(),
        ["reply with the id as a string: \"2\""]
    );
    assert!(
        !scene
            .pair
            .machine
            .diagnostics()
            .iter()
            .any(|d| matches!(d, Diagnostic::UnknownReply { .. }))
    );

    let (mut scene, found) = case("error-id-null");
    scene.send(&found.agent_sends);
    assert_eq!(scene.diagnostics(), ["reply without an id (error -32700)"]);
    assert!(scene.pair.machine.closed().is_none());

    let (mut scene, found) = case("duplicate-response");
    let call = scene.pair.call(scene.session, "session/set_mode");
    let id = scene.pair.sent()[0]["id"].clone();
    let lines: Vec<String> = found
        .agent_sends
        .iter()
        .map(|line| line.replace("\"id\":1", &format!("\"id\":{id}")))
        .collect();
    scene.send(&lines);
    assert_eq!(scene.pair.reply(call).unwrap().result.get(), "{\"a\":1}");
    assert_eq!(
        scene.diagnostics(),
        [format!(
            "reply to a request that is not open any more (id {id})"
        )]
    );

    let (mut scene, found) = case("error-data-any");
    let line = found.agent_sends[0].replace("\"id\":1", "\"id\":2");
    scene.send(&[line]);
    let error = scene.pair.end(scene.turn).result.unwrap_err();
    assert!(!error.to_string().contains('{'), "{error}");
    let acp_session::CallError::Refused { error, .. } = error else {
        panic!()
    };
    assert_eq!(
        (error.code.0, &*error.message),
        (400, r#"{"error":{"code":400}}"#)
    );
    assert_eq!(error.data.unwrap().get(), r#"["x",{"y":1}]"#);

    let (_, found) = case("update-before-new");
    let mut pair = Pair::ready_with(|_| ());
    let call = pair.make("session/new");
    pair.agent_text(&format!("{}\n", found.agent_sends[0]));
    pair.answers(0, &json!({"sessionId": "s1"}));
    let session = pair.reply(call).unwrap().session.unwrap();
    assert!(matches!(
        pair.event(Stream::Session(session)).event,
        Event::Commands(_)
    ));

    let (mut scene, found) = case("late-chunk");
    scene.send(&found.agent_sends);
    let chunk = scene.pair.event(Stream::Turn(scene.turn));
    assert_eq!(
        (text(std::slice::from_ref(&chunk)).as_str(), chunk.late),
        ("the answer", false)
    );
    assert_eq!(scene.pair.end(scene.turn).outcome(), Outcome::Completed);
    let late = scene.pair.event(Stream::Session(scene.session));
    assert!(late.late && matches!(late.event, Event::Info(_)));

    let (mut scene, found) = case("unknown-update-v1");
    scene.send(&found.agent_sends);
    let received = scene.pair.event(Stream::Turn(scene.turn));
    assert!(matches!(&received.event, Event::Unknown { tag } if &**tag == "brand_new_thing"));
    let raw = received.raw.unwrap();
    assert!(found.agent_sends[0].contains(raw.get()), "byte for byte");
    scene.pair.says("s1", "goes on");
    assert_eq!(text(&scene.events()), "goes on");

    let (mut scene, found) = case("broken-known-update");
    scene.send(&found.agent_sends);
    let Event::Diagnostic(diagnostic) = scene.pair.event(Stream::Turn(scene.turn)).event else {
        panic!("not an unknown")
    };
    assert_eq!(
        diagnostic.to_string(),
        "broken tool_call update at update.toolCallId: expected a string, found nothing"
    );
    scene.pair.says("s1", "goes on");
    assert_eq!(text(&scene.events()), "goes on");

    let (mut scene, found) = case("stop-reason-error");
    scene.send(&found.agent_sends);
    let end = scene.pair.end(scene.turn);
    assert_eq!(end.outcome(), Outcome::Failed);
    assert_eq!(&*end.result.unwrap().stop_reason, "error");

    let (mut scene, _) = case("permission-unannounced");
    scene.pair.agent(
        &json!({"jsonrpc": "2.0", "id": 0, "method": "session/request_permission",
        "params": {"sessionId": "s1", "options": [], "toolCall": {"toolCallId": "t9",
            "title": "rm", "kind": "execute", "rawInput": {"command": "rm"}}}}),
    );
    let Event::Permission(asked) = scene.pair.event(Stream::Turn(scene.turn)).event else {
        panic!()
    };
    let tool = asked.tool.unwrap();
    assert!(tool.created);
    assert_eq!((&*asked.title, tool.kind.as_str()), ("rm", "execute"));
    scene.pair.machine.drop_ask(scene.pair.now, asked.ask.key);
    scene.pair.answers(2, &json!({"stopReason": "end_turn"}));
    assert_eq!(scene.pair.end(scene.turn).open_tools, ["t9"]);

    let (mut scene, found) = case("permission-withdrawn");
    scene.pair.asks(4, "s1");
    let ask = scene.pair.ask(Stream::Turn(scene.turn));
    scene.send(&found.agent_sends);
    assert_eq!(scene.pair.sent(), [cancelled(4)]);
    scene
        .pair
        .machine
        .answer(scene.pair.now, ask, &json!({}))
        .unwrap_err();
    assert!(scene.pair.sent().is_empty());

    let (mut scene, _) = case("cancel-needs-answer");
    scene.pair.asks(4, "s1");
    scene
        .pair
        .machine
        .cancel(scene.pair.now, scene.turn)
        .unwrap();
    let sent = scene.pair.sent();
    assert_eq!(
        (&sent[0]["method"], &sent[1]),
        (&json!("session/cancel"), &cancelled(4))
    );

    let (mut scene, found) = case("cancel-as-error");
    scene
        .pair
        .machine
        .cancel(scene.pair.now, scene.turn)
        .unwrap();
    scene.send(&found.agent_sends);
    let end = scene.pair.end(scene.turn);
    assert_eq!(end.outcome(), Outcome::Cancelled);
    let acp_session::CallError::Refused { error, .. } = end.result.unwrap_err() else {
        panic!()
    };
    assert_eq!(error.code.0, -32603, "what was reported is kept");

    let (mut scene, found) = case("tool-call-twice");
    scene.send(&found.agent_sends);
    let tools: Vec<_> = scene
        .events()
        .iter()
        .map(|e| e.event.tool().unwrap().clone())
        .collect();
    assert_eq!(
        (tools[0].created, tools[1].created, &*tools[1].title),
        (true, false, "echo hi")
    );

    let (mut scene, found) = case("title-not-cleared");
    scene.send(&found.agent_sends);
    let mut conversation = acp_session::Conversation::default();
    let titles: Vec<_> = scene
        .events()
        .iter()
        .map(|event| {
            conversation.apply(event);
            conversation.title().map(str::to_owned)
        })
        .collect();
    assert_eq!(titles, [Some("A".to_owned()), Some("A".to_owned()), None]);

    // What is left is decided by other crates.
    let elsewhere = ["negotiation", "capabilities", "options", "permission"];
    for (id, case) in &cases {
        let right = done.contains(id.as_str()) || elsewhere.contains(&case.kind.as_str());
        assert!(right, "{id} ({}) has no test", case.kind);
    }
}
