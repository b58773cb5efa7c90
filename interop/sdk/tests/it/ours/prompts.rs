//! Turns: what is said and done in one, and how it ends.

use acp_harness::vocab::{ContentBlock, ToolCallId, v2::TerminalUpdate};
use acp_harness::{ContentChange, Event, Outcome, Prompt, RequestError, ToolContent};

use crate::host::{Person, watch};
use crate::peer::{CWD, Peer, budget};

super::over_every_peer!(
    everything_that_is_said_arrives_in_order,
    a_diff_arrives,
    every_kind_of_content_is_sent,
    an_empty_prompt_is_refused,
    refused_and_failed_are_told_apart,
    usage_is_reported,
    several_turns_one_after_the_other,
    two_sessions_at_once,
    a_cancelled_turn_ends_as_cancelled,
    cancelling_twice_or_late_does_no_harm,
    a_turn_that_is_dropped_is_cancelled,
    a_prompt_to_a_closed_session_is_refused,
    commands_of_the_agent,
    cancelling_one_tool_call,
);

async fn everything_that_is_said_arrives_in_order(peer: Peer) {
    let (client, session) = peer.session().await;
    let turn = session
        .prompt("hello think plan tool usage title commands options bye")
        .start_within(&budget())
        .unwrap();
    let seen = watch(turn, Person::Leaves).await;
    let mut lines = seen.lines.clone();
    if peer.is_v2() {
        assert!(
            lines.remove(0).starts_with("user hello think"),
            "{:?}",
            seen.lines
        );
        assert_eq!(seen.states, ["running", "idle"]);
        lines.insert(10, "mode auto".to_owned());
    } else {
        lines.insert(6, "tool Edit notes completed".to_owned());
    }
    assert_eq!(
        lines,
        [
            "text hello",
            "thought hm",
            "plan 2",
            "tool Edit notes pending",
            "tool Edit notes in_progress",
            "tool Edit notes completed",
            "tool Edit notes completed",
            "usage 10/100",
            "title Value(\"A title\")",
            "commands 1",
            "mode auto",
            "options 2",
            "text bye",
        ],
        "{:?}",
        seen.lines
    );
    assert_eq!(seen.outcome.outcome(), Outcome::Completed);
    assert_eq!(seen.outcome.stop_reason(), Some("end_turn"));
    assert!(seen.outcome.open_tools().is_empty());
    client.close().await;
}

async fn a_diff_arrives(peer: Peer) {
    let (client, session) = peer.session().await;
    let mut turn = session.prompt("tool").start_within(&budget()).unwrap();
    let mut diffs = 0;
    while let Some(event) = turn.next().await.unwrap() {
        let Event::Tool(tool) = event else { continue };
        let ContentChange::Replace(content) = &tool.change.content else {
            continue;
        };
        for item in content {
            match item {
                ToolContent::Diff(diff) => {
                    assert_eq!(diff.old_text.as_deref(), Some("old\n"));
                    assert_eq!(&*diff.new_text, "new\n");
                    diffs += 1;
                }
                ToolContent::Changes(diff) => {
                    assert_eq!(diff.changes.len(), 1);
                    assert!(diff.patch.as_ref().unwrap().text.contains("+new"));
                    diffs += 1;
                }
                _ => {}
            }
        }
    }
    assert_eq!(diffs, 1);
    client.close().await;
}

async fn every_kind_of_content_is_sent(peer: Peer) {
    let (client, session) = peer.session().await;
    let blocks = [
        r#"{"type":"image","data":"aGk=","mimeType":"image/png"}"#,
        r#"{"type":"audio","data":"aGk=","mimeType":"audio/wav"}"#,
        r#"{"type":"resource_link","name":"notes","uri":"file:///notes"}"#,
        r#"{"type":"resource","resource":{"uri":"file:///notes","text":"hi"}}"#,
        r#"{"type":"text","text":"done"}"#,
    ];
    let blocks: Vec<ContentBlock> = blocks
        .iter()
        .map(|block| serde_json::from_str(block).unwrap())
        .collect();
    let turn = session
        .prompt(Prompt::new(blocks))
        .start_within(&budget())
        .unwrap();
    let seen = watch(turn, Person::Leaves).await;
    assert_eq!(
        seen.texts(),
        [
            "image:image/png",
            "audio:audio/wav",
            "link:file:///notes",
            "resource",
            "done"
        ]
    );
    client.close().await;
}

async fn an_empty_prompt_is_refused(peer: Peer) {
    let (client, session) = peer.session().await;
    let refused = session
        .prompt(Prompt::new([]))
        .start_within(&budget())
        .unwrap_err();
    assert!(matches!(refused, RequestError::EmptyPrompt), "{refused}");
    client.close().await;
}

async fn refused_and_failed_are_told_apart(peer: Peer) {
    let (client, session) = peer.session().await;
    let turn = session
        .prompt("no refuse never")
        .start_within(&budget())
        .unwrap();
    let seen = watch(turn, Person::Leaves).await;
    assert_eq!(
        (seen.outcome.outcome(), seen.texts()),
        (Outcome::Refusal, vec!["no"])
    );
    let turn = session
        .prompt("oh fail never")
        .start_within(&budget())
        .unwrap();
    let seen = watch(turn, Person::Leaves).await;
    assert_eq!(seen.texts(), ["oh"]);
    // Version 1 answers the prompt with an error; version 2 reports that the work failed.
    let expected = if peer.is_v2() {
        Outcome::Failed
    } else {
        Outcome::Lost
    };
    assert_eq!(seen.outcome.outcome(), expected);
    // The connection and the session live.
    let turn = session.prompt("still").start_within(&budget()).unwrap();
    assert_eq!(watch(turn, Person::Leaves).await.texts(), ["still"]);
    client.close().await;
}

async fn usage_is_reported(peer: Peer) {
    let (client, session) = peer.session().await;
    let turn = session.prompt("hi").start_within(&budget()).unwrap();
    let usage = watch(turn, Person::Leaves).await.outcome.usage().unwrap();
    assert_eq!(
        (usage.total_tokens, usage.input_tokens, usage.output_tokens),
        (3, 1, 2)
    );
    client.close().await;
}

async fn several_turns_one_after_the_other(peer: Peer) {
    let (client, session) = peer.session().await;
    for word in ["one", "two", "three"] {
        let turn = session.prompt(word).start_within(&budget()).unwrap();
        assert_eq!(watch(turn, Person::Leaves).await.texts(), [word]);
    }
    client.close().await;
}

async fn two_sessions_at_once(peer: Peer) {
    let (client, one) = peer.session().await;
    let two = client
        .new_session(CWD)
        .open_within(&budget())
        .await
        .unwrap();
    assert_ne!(one.id(), two.id());
    let waiting = one.prompt("wait").start_within(&budget()).unwrap();
    let turn = two.prompt("beside").start_within(&budget()).unwrap();
    assert_eq!(watch(turn, Person::Leaves).await.texts(), ["beside"]);
    let seen = watch(waiting, Person::Cancels("waiting")).await;
    assert_eq!(seen.outcome.outcome(), Outcome::Cancelled);
    client.close().await;
}

async fn a_cancelled_turn_ends_as_cancelled(peer: Peer) {
    let (client, session) = peer.session().await;
    let turn = session
        .prompt("hi wait never")
        .start_within(&budget())
        .unwrap();
    let seen = watch(turn, Person::Cancels("waiting")).await;
    assert_eq!(seen.outcome.outcome(), Outcome::Cancelled);
    assert_eq!(seen.outcome.stop_reason(), Some("cancelled"));
    assert!(seen.outcome.cancel_requested());
    // What the agent still says is delivered.
    assert_eq!(seen.texts(), ["hi", "waiting", "stopped"]);
    client.close().await;
}

async fn cancelling_twice_or_late_does_no_harm(peer: Peer) {
    let (client, session) = peer.session().await;
    let mut turn = session.prompt("wait").start_within(&budget()).unwrap();
    while let Some(event) = turn.next().await.unwrap() {
        if let Event::Text(_) = event {
            turn.cancel();
            turn.cancel();
        }
    }
    turn.cancel();
    assert_eq!(turn.outcome().unwrap().outcome(), Outcome::Cancelled);
    let turn = session.prompt("next").start_within(&budget()).unwrap();
    let seen = watch(turn, Person::Leaves).await;
    assert_eq!(
        (seen.texts(), seen.outcome.outcome()),
        (vec!["next"], Outcome::Completed)
    );
    client.close().await;
}

async fn a_turn_that_is_dropped_is_cancelled(peer: Peer) {
    let (client, session) = peer.session().await;
    let mut turn = session.prompt("wait").start_within(&budget()).unwrap();
    while !matches!(turn.next().await.unwrap(), Some(Event::Text(_))) {}
    drop(turn);
    // It goes out once the agent is done with the other, so the cancel cannot meet it, whatever the
    // agent looks at first.
    let turn = session.prompt("after").start_within(&budget()).unwrap();
    let seen = watch(turn, Person::Leaves).await;
    assert_eq!(seen.texts().last(), Some(&"after"));
    assert_eq!(seen.outcome.outcome(), Outcome::Completed);
    client.close().await;
}

async fn a_prompt_to_a_closed_session_is_refused(peer: Peer) {
    let (client, session) = peer.session().await;
    let id = session.id().clone();
    session.close().await.unwrap();
    // Refused here: nothing is sent to a session that we have closed.
    assert!(session.prompt("hello").start_within(&budget()).is_err());
    // Refused there: a session that the agent never had.
    let unknown = client
        .resume("nobody", CWD)
        .open_within(&budget())
        .await
        .unwrap_err();
    assert!(
        unknown.is_session_unavailable(&"nobody".into()),
        "{unknown}"
    );
    // It is still stored.
    let again = client.resume(id, CWD).open_within(&budget()).await.unwrap();
    let turn = again.prompt("again").start_within(&budget()).unwrap();
    assert_eq!(watch(turn, Person::Leaves).await.texts(), ["again"]);
    client.close().await;
}

async fn commands_of_the_agent(peer: Peer) {
    let (client, session) = peer.session().await;
    let turn = session.prompt("run").start_within(&budget()).unwrap();
    let seen = watch(turn, Person::Agrees).await;
    let lines: Vec<_> = seen
        .lines
        .iter()
        .filter(|line| !line.starts_with("user "))
        .collect();
    if peer.is_v2() {
        let shown = [
            "tool echo hello pending",
            "terminal terminal",
            "output aGVs",
            "output bG8K",
            "terminal terminal",
        ];
        assert_eq!(lines[..5], shown);
        assert_eq!(lines[5], "tool echo hello completed");
    } else {
        let ran = [
            "tool echo hello pending",
            "tool echo hello completed",
            "text exit:Some(0) hello",
        ];
        assert_eq!(lines, ran);
    }
    client.close().await;
}

async fn cancelling_one_tool_call(peer: Peer) {
    let (client, session) = peer.session().await;
    let call = ToolCallId::from("detached");
    if !peer.is_v2() {
        let refused = session.cancel_tool_call(&call).await.unwrap_err();
        assert!(
            matches!(refused, RequestError::NotAdvertised(_)),
            "{refused}"
        );
        client.close().await;
        return;
    }
    let mut turn = session
        .prompt("detached server over")
        .start_within(&budget())
        .unwrap();
    let mut lines = Vec::new();
    while let Some(event) = turn.next().await.unwrap() {
        let line = crate::host::line(&event);
        match &event {
            Event::Tool(tool) if &*tool.status.to_string() == "in_progress" => {
                session.cancel_tool_call(&call).await.unwrap();
            }
            Event::Terminal(terminal) if is_running(terminal) => {
                session
                    .cancel_terminal(&terminal.terminal_id)
                    .await
                    .unwrap();
            }
            Event::State(_) => continue,
            _ => {}
        }
        lines.push(line);
    }
    let told = [
        "tool Index in_progress",
        "tool Index cancelled",
        "terminal server",
        "terminal server",
        "text over",
    ];
    assert_eq!(lines[1..], told);
    assert_eq!(turn.outcome().unwrap().outcome(), Outcome::Completed);
    // It is over, and can be cancelled no more.
    let refused = session.cancel_tool_call(&call).await.unwrap_err();
    assert!(
        matches!(refused, RequestError::Unsupported { .. }),
        "{refused}"
    );
    client.close().await;
}

fn is_running(terminal: &TerminalUpdate) -> bool {
    matches!(terminal.exit_status, acp_harness::vocab::Patch::Absent)
}
