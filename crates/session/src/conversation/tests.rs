//! The reducer by itself.

use acp_vocab::{ContentBlock, ProtocolVersion, Raw, ToolCallId, ToolCallStatus};
use proptest::prelude::*;
use serde_json::{Value, json};

use super::*;
use crate::config::Limits;
use crate::event::{Event, Received, Speaker};
use crate::tools::Tools;
use crate::turn::TurnEnd;
use crate::update::{Update, read_update};

/// Updates as they stand on the wire, folded.
struct Fold {
    version: ProtocolVersion,
    tools: Tools,
    conversation: Conversation,
}

impl Fold {
    fn new(version: u16) -> Self {
        let version = ProtocolVersion(version);
        Self {
            version,
            tools: Tools::default(),
            conversation: Conversation::default(),
        }
    }

    fn apply(&mut self, update: &Value) -> &mut Self {
        let raw = Raw::encode(update).unwrap();
        let event = match read_update(self.version, &raw).unwrap() {
            Update::Event(event) => event,
            Update::Tool(update) => {
                Event::Tool(Box::new(self.tools.apply(*update, &Limits::default())))
            }
            Update::Unknown { tag, .. } => Event::Unknown { tag },
        };
        self.conversation.apply(&Received::new(event));
        self
    }

    fn texts(&self) -> Vec<(Speaker, String)> {
        let text = |entry: &Entry| {
            let Entry::Message(message) = entry else {
                return None;
            };
            Some((message.speaker, message.content.text()))
        };
        self.conversation.timeline().filter_map(text).collect()
    }
}

fn chunk(tag: &str, id: Option<&str>, text: &str) -> Value {
    let mut chunk = json!({"sessionUpdate": tag, "content": {"type": "text", "text": text}});
    if let Some(id) = id {
        chunk["messageId"] = json!(id);
    }
    chunk
}

#[test]
fn without_ids_a_run_of_one_kind_is_one_message() {
    let mut fold = Fold::new(1);
    for (tag, text) in [
        ("agent_thought_chunk", "hm"),
        ("agent_thought_chunk", "m"),
        ("agent_message_chunk", "a"),
        ("agent_message_chunk", ""),
        ("agent_message_chunk", "b"),
    ] {
        fold.apply(&chunk(tag, None, text));
    }
    fold.apply(&json!({"sessionUpdate": "tool_call", "toolCallId": "t", "title": "x"}));
    fold.apply(&chunk("agent_message_chunk", None, "c"));
    let (agent, thought) = (Speaker::Agent, Speaker::Thought);
    assert_eq!(
        fold.texts(),
        [
            (thought, "hmm".into()),
            (agent, "ab".into()),
            (agent, "c".into())
        ]
    );
}

#[test]
fn with_ids_blocks_find_their_message_and_each_speaker_has_his_own() {
    let mut fold = Fold::new(2);
    fold.apply(&chunk("agent_message_chunk", Some("1"), "a"));
    fold.apply(&chunk("agent_thought_chunk", Some("1"), "t"));
    fold.apply(&chunk("agent_message_chunk", Some("2"), "x"));
    fold.apply(&chunk("agent_message_chunk", Some("1"), "b"));
    fold.apply(&json!({"sessionUpdate": "agent_message", "messageId": "2", "content": null}));
    fold.apply(&json!({"sessionUpdate": "agent_message", "messageId": "1"}));
    let texts: Vec<_> = fold.texts().into_iter().map(|(_, text)| text).collect();
    assert_eq!(texts, ["ab", "t", ""]);
}

#[test]
fn case_tool_call_twice() {
    let mut fold = Fold::new(1);
    fold.apply(
        &json!({"sessionUpdate": "tool_call", "toolCallId": "t1", "title": "Terminal",
        "rawInput": {}}),
    );
    fold.apply(
        &json!({"sessionUpdate": "tool_call", "toolCallId": "t1", "title": "echo hi",
        "kind": "execute"}),
    );
    assert_eq!(fold.conversation.timeline().count(), 1);
    let tool = fold.conversation.tool(&ToolCallId::from("t1")).unwrap();
    assert_eq!(
        (&*tool.title, tool.kind.as_str(), &tool.raw_input),
        ("echo hi", "execute", &None)
    );
}

#[test]
fn case_title_not_cleared() {
    let mut fold = Fold::new(1);
    let mut titles = Vec::new();
    for update in [
        json!({"sessionUpdate": "session_info_update", "title": "A"}),
        json!({"sessionUpdate": "session_info_update", "_meta": {"x": 1}}),
        json!({"sessionUpdate": "session_info_update", "title": null}),
    ] {
        fold.apply(&update);
        titles.push(fold.conversation.title().map(str::to_owned));
    }
    assert_eq!(titles, [Some("A".to_owned()), Some("A".to_owned()), None]);
}

#[test]
fn tool_calls_follow_the_patch_rules_of_their_version() {
    let mut fold = Fold::new(1);
    let content = json!([{"type": "content", "content": {"type": "text", "text": "out"}}]);
    fold.apply(
        &json!({"sessionUpdate": "tool_call_update", "toolCallId": "t", "name": "sh",
        "status": "in_progress", "content": content}),
    );
    fold.apply(
        &json!({"sessionUpdate": "tool_call_update", "toolCallId": "t", "status": null,
        "content": null}),
    );
    let tool = fold
        .conversation
        .tool(&ToolCallId::from("t"))
        .unwrap()
        .clone();
    assert_eq!(
        (&*tool.title, tool.status.as_str(), tool.content.len()),
        ("sh", "in_progress", 1)
    );
    fold.apply(&json!({"sessionUpdate": "tool_call_update", "toolCallId": "t", "content": []}));
    assert!(fold.conversation.tool(&tool.id).unwrap().content.is_empty());

    let mut fold = Fold::new(2);
    fold.apply(
        &json!({"sessionUpdate": "tool_call_update", "toolCallId": "t", "title": "x",
        "kind": "read", "status": "completed"}),
    );
    for text in ["a", "b"] {
        fold.apply(
            &json!({"sessionUpdate": "tool_call_content_chunk", "toolCallId": "t",
            "content": {"type": "content", "content": {"type": "text", "text": text}}}),
        );
    }
    assert_eq!(fold.conversation.tool(&tool.id).unwrap().content.len(), 2);
    fold.apply(
        &json!({"sessionUpdate": "tool_call_update", "toolCallId": "t", "title": null,
        "kind": null, "status": null, "content": null}),
    );
    let tool = fold.conversation.tool(&tool.id).unwrap();
    assert_eq!(
        (&*tool.title, tool.kind.as_str(), tool.status.as_str()),
        ("t", "other", "pending")
    );
    assert!(tool.content.is_empty());
}

#[test]
fn an_echo_of_the_prompt_is_not_shown_twice() {
    let mut fold = Fold::new(1);
    let prompt = [ContentBlock::text("go"), ContentBlock::text("on")];
    fold.conversation.prompted(&prompt);
    fold.apply(&chunk("user_message_chunk", None, "go"));
    fold.apply(&chunk("user_message_chunk", None, "on"));
    fold.apply(&chunk("user_message_chunk", None, "and more"));
    fold.apply(&chunk("agent_message_chunk", None, "yes"));
    let texts: Vec<_> = fold.texts().into_iter().map(|(_, text)| text).collect();
    assert_eq!(texts, ["goon", "and more", "yes"]);
}

#[test]
fn the_end_of_a_turn_closes_what_is_open() {
    let mut fold = Fold::new(1);
    fold.apply(&json!({"sessionUpdate": "tool_call", "toolCallId": "t", "title": "x"}));
    fold.conversation.apply_end(&TurnEnd {
        result: Err(crate::CallError::GivenUp {
            label: crate::Label::new("x".into(), None),
        }),
        cancel_requested: true,
        message: None,
        open_tools: vec!["t".into()],
    });
    let tool = fold.conversation.tool(&ToolCallId::from("t")).unwrap();
    assert_eq!(tool.status, ToolCallStatus::Cancelled);
}

#[test]
fn plans_terminals_usage_and_children_have_their_places() {
    let mut fold = Fold::new(2);
    let step = json!({"content": "do", "priority": "high", "status": "pending"});
    fold.apply(&json!({"sessionUpdate": "plan_update",
        "plan": {"type": "items", "planId": "p", "entries": [step]}}));
    fold.apply(
        &json!({"sessionUpdate": "usage_update", "used": 5, "size": 10,
        "cost": {"amount": 1.5, "currency": "USD"}}),
    );
    fold.apply(&json!({"sessionUpdate": "usage_update", "used": 6, "size": 10}));
    fold.apply(
        &json!({"sessionUpdate": "terminal_output_chunk", "terminalId": "t",
        "data": "Zm9v"}),
    );
    fold.apply(
        &json!({"sessionUpdate": "terminal_update", "terminalId": "t",
        "command": "ls", "exitStatus": {}}),
    );
    fold.apply(
        &json!({"sessionUpdate": "subagent_update", "sessionId": "c", "title": "helper",
        "capabilities": {"cancel": {}}}),
    );
    let conversation = &fold.conversation;
    assert_eq!(conversation.plans().count(), 1);
    assert_eq!(conversation.usage().unwrap().used, 6);
    assert_eq!(&*conversation.cost().unwrap().currency, "USD");
    let terminal = conversation.terminal(&"t".into()).unwrap();
    assert_eq!(
        (terminal.output.as_slice(), terminal.exit.is_some()),
        (&b"foo"[..], true)
    );
    let (_, child) = conversation.children().next().unwrap();
    assert_eq!(
        (child.title.as_deref(), child.can_cancel),
        (Some("helper"), true)
    );
    fold.apply(&json!({"sessionUpdate": "plan_removed", "planId": "p"}));
    assert_eq!(fold.conversation.plans().count(), 0);
}

#[test]
fn everything_is_bounded() {
    let limits = ConversationLimits {
        bytes: 5_000,
        entries: 10,
        terminal_bytes: 8,
        ..ConversationLimits::default()
    };
    let mut fold = Fold::new(2);
    fold.conversation = Conversation::new(limits);
    for n in 0..50 {
        fold.apply(&chunk("agent_message_chunk", Some(&n.to_string()), "x"));
    }
    assert_eq!(
        (
            fold.conversation.timeline().count(),
            fold.conversation.forgotten()
        ),
        (10, 40)
    );
    fold.apply(&chunk("agent_message_chunk", Some("49"), "!"));
    assert_eq!(
        fold.texts().last().unwrap().1,
        "x!",
        "later updates find their entry"
    );
    fold.apply(&chunk("agent_message_chunk", Some("0"), &"y".repeat(6_000)));
    assert_eq!(fold.conversation.timeline().count(), 1);
    for _ in 0..3 {
        // Nine bytes; the third character of three bytes straddles the cut.
        fold.apply(
            &json!({"sessionUpdate": "terminal_output_chunk", "terminalId": "t",
            "data": "4oKs"}),
        );
    }
    let terminal = fold.conversation.terminal(&"t".into()).unwrap();
    assert_eq!(
        (std::str::from_utf8(&terminal.output), terminal.truncated),
        (Ok("€€"), true)
    );
}

/// What there is in the end: a message of a speaker, or a tool call with a status.
#[derive(Debug, Clone)]
enum Made {
    Message(&'static str, Vec<String>),
    Tool(Vec<(&'static str, Option<String>)>),
}

fn made() -> impl Strategy<Value = Made> {
    let speaker = prop_oneof![
        Just("agent_message"),
        Just("agent_thought"),
        Just("user_message")
    ];
    let pieces = proptest::collection::vec("[a-z ]{0,6}", 1..6);
    let status = prop_oneof![Just("pending"), Just("in_progress"), Just("completed")];
    let steps = proptest::collection::vec((status, proptest::option::of("[a-z]{1,5}")), 1..5);
    prop_oneof![
        (speaker, pieces).prop_map(|(speaker, pieces)| Made::Message(speaker, pieces)),
        steps.prop_map(Made::Tool),
    ]
}

fn block(text: &str) -> Value {
    json!({"type": "text", "text": text})
}

proptest! {
    #[test]
    fn folding_a_replay_gives_what_was_seen_live(
        all in proptest::collection::vec(made(), 0..8),
        picks in proptest::collection::vec(any::<u16>(), 0..60),
    ) {
        // Live: pieces of all entities, interleaved at random but each in its order.
        let mut live = Fold::new(2);
        let mut pieces: Vec<Vec<Value>> = all.iter().enumerate().map(|(n, made)| match made {
            Made::Message(speaker, texts) => texts.iter().map(|text| {
                chunk(&format!("{speaker}_chunk"), Some(&n.to_string()), text)
            }).collect(),
            Made::Tool(steps) => steps.iter().map(|(status, output)| {
                let mut update = json!({"sessionUpdate": "tool_call_update",
                    "toolCallId": n.to_string(), "title": "t", "status": status});
                if let Some(output) = output {
                    update["content"] = json!([{"type": "content", "content": block(output)}]);
                }
                update
            }).collect(),
        }).collect();
        for queue in &mut pieces {
            live.apply(&queue.remove(0));
        }
        for pick in picks {
            let open: Vec<usize> = (0..pieces.len()).filter(|&n| !pieces[n].is_empty()).collect();
            if let Some(&n) = open.get(usize::from(pick) % open.len().max(1)) {
                live.apply(&pieces[n].remove(0));
            }
        }
        for update in pieces.into_iter().flatten() {
            live.apply(&update);
        }
        // Replay: one whole upsert each.
        let mut replay = Fold::new(2);
        for (n, made) in all.iter().enumerate() {
            replay.apply(&match made {
                Made::Message(speaker, texts) => json!({"sessionUpdate": speaker,
                    "messageId": n.to_string(), "content": [block(&texts.concat())]}),
                Made::Tool(steps) => {
                    let output = steps.iter().rev().find_map(|(_, output)| output.clone());
                    let mut update = json!({"sessionUpdate": "tool_call_update",
                        "toolCallId": n.to_string(), "title": "t",
                        "status": steps.last().unwrap().0});
                    if let Some(output) = output {
                        update["content"] = json!([{"type": "content", "content": block(&output)}]);
                    }
                    update
                }
            });
        }
        // What was kept for bounding differs with the cut; what is shown does not.
        let shown = |fold: &Fold| -> Vec<String> {
            fold.conversation.timeline().map(|entry| if let Entry::Message(m) = entry {
                format!("{:?} {:?} {:?}", m.speaker, m.id, m.content.parts())
            } else {
                format!("{entry:?}")
            }).collect()
        };
        prop_assert_eq!(shown(&live), shown(&replay));
    }
}
