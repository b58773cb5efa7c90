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

    fn event(&mut self, update: &Value) -> Event {
        let raw = Raw::encode(update).unwrap();
        match read_update(self.version, &raw).unwrap() {
            Update::Event(event) => event,
            Update::Tool(update) => Event::Tool(Box::new(self.tools.apply(
                None,
                *update,
                &Limits::default(),
            ))),
            Update::Unknown { tag, .. } => Event::Unknown { tag },
        }
    }

    fn apply(&mut self, update: &Value) -> &mut Self {
        let event = self.event(update);
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

// However an agent spends its bytes, a conversation holds no more than it says.
#[test]
fn nothing_that_an_agent_writes_is_free() {
    let long = |n: usize| format!("{n}{}", "x".repeat(2_000));
    type Write = fn(usize, &str) -> Value;
    let writes: [(&str, Write); 17] = [
        (
            "title of a tool",
            |_, s| json!({"sessionUpdate": "tool_call_update", "toolCallId": "t", "title": s}),
        ),
        (
            "id of a tool",
            |_, s| json!({"sessionUpdate": "tool_call_update", "toolCallId": s}),
        ),
        (
            "name",
            |n, s| json!({"sessionUpdate": "tool_call_update", "toolCallId": n.to_string(), "name": s}),
        ),
        ("locations", |n, s| {
            json!({"sessionUpdate": "tool_call_update", "toolCallId": n.to_string(),
            "locations": [{"path": s}]})
        }),
        (
            "meta",
            |n, s| json!({"sessionUpdate": "tool_call_update", "toolCallId": n.to_string(), "_meta": {"a": s}}),
        ),
        ("diff", |n, s| {
            json!({"sessionUpdate": "tool_call_update", "toolCallId": n.to_string(),
            "content": [{"type": "diff", "changes": [{"operation": "add", "path": s}]}]})
        }),
        ("link", |n, s| {
            json!({"sessionUpdate": "agent_message_chunk", "messageId": n.to_string(),
            "content": {"type": "resource_link", "name": "n", "uri": s}})
        }),
        ("message", |_, s| {
            json!({"sessionUpdate": "agent_message_chunk", "messageId": s,
            "content": {"type": "text", "text": ""}})
        }),
        ("plan", |n, s| {
            json!({"sessionUpdate": "plan_update", "plan": {"type": "items", "planId": n.to_string(),
            "entries": [{"content": s, "priority": "high", "status": "pending"}]}})
        }),
        ("commands", |_, s| {
            json!({"sessionUpdate": "available_commands_update", "availableCommands":
            vec![json!({"type": "command", "name": s, "description": s}); 10]})
        }),
        (
            "info",
            |_, s| json!({"sessionUpdate": "session_info_update", "title": s.repeat(10)}),
        ),
        ("state", |_, s| {
            json!({"sessionUpdate": "state_update", "state": "running", "background":
            vec![json!({"type": "terminal", "terminalId": s}); 10]})
        }),
        (
            "terminal",
            |n, s| json!({"sessionUpdate": "terminal_update", "terminalId": n.to_string(), "command": s}),
        ),
        ("output", |n, s| {
            json!({"sessionUpdate": "terminal_output_chunk", "terminalId": n.to_string(),
            "data": "A".repeat(s.len() / 4 * 4)})
        }),
        (
            "child",
            |n, s| json!({"sessionUpdate": "subagent_update", "sessionId": n.to_string(), "title": s}),
        ),
        (
            "error",
            |n, s| json!({"sessionUpdate": "compaction_update", "compactionId": n.to_string(), "error": s}),
        ),
        ("between sessions", |n, s| {
            json!({"sessionUpdate": "session_message", "messageId": n.to_string(),
            "senderSessionId": s})
        }),
    ];
    let limits = ConversationLimits {
        bytes: 40_000,
        ..ConversationLimits::default()
    };
    for (name, write) in writes {
        for child in [None, Some("c"), Some("d")] {
            let mut fold = Fold::new(2);
            fold.conversation = Conversation::new(limits.clone());
            for n in 0..100 {
                let mut received = Received::new(fold.event(&write(n, &long(n))));
                received.child = child.map(Into::into);
                fold.conversation.apply(&received);
            }
            // Debug output shows every text once; ids stand in the order of things as well.
            let shown = format!("{:?}", fold.conversation).len();
            assert!(shown < 3 * limits.bytes, "{name} {child:?}: {shown}");
        }
    }
}

// An agent may add to one message, or to one tool call, without end.
#[test]
fn of_one_entry_that_never_ends_the_end_is_kept() {
    let limits = ConversationLimits {
        bytes: 4_000,
        ..ConversationLimits::default()
    };
    let mut fold = Fold::new(2);
    fold.conversation = Conversation::new(limits.clone());
    for n in 0..5_000 {
        fold.apply(&chunk("agent_message_chunk", Some("m"), &format!("{n}€")));
    }
    let (_, said) = fold.texts().pop().unwrap();
    assert!(
        said.ends_with("4998€4999€") && said.len() < 4_000,
        "{}",
        said.len()
    );
    let Some(Entry::Message(message)) = fold.conversation.timeline().next() else {
        panic!("a message")
    };
    assert!(message.content.is_cut());
    // Nor with pieces that are no text, or one that alone is too much.
    for piece in [
        json!({"type": "resource_link", "name": "n", "uri": "u"}),
        json!({"type": "image", "mimeType": "image/png", "data": "A".repeat(10_000)}),
        json!({"type": "text", "text": "x".repeat(10_000)}),
    ] {
        let mut fold = Fold::new(2);
        fold.conversation = Conversation::new(limits.clone());
        for _ in 0..50 {
            fold.apply(&json!({"sessionUpdate": "agent_message_chunk", "messageId": "m", "content": piece}));
            fold.apply(
                &json!({"sessionUpdate": "tool_call_content_chunk", "toolCallId": "t",
                "content": {"type": "content", "content": piece}}),
            );
        }
        let shown = format!("{:?}", fold.conversation).len();
        assert!(shown < 16_000, "{piece:.60}: {shown}");
    }
}

#[test]
fn a_lost_track_is_no_state() {
    let mut fold = Fold::new(2);
    fold.apply(&json!({"sessionUpdate": "state_update", "state": "running"}));
    fold.apply(&json!({"sessionUpdate": "state_update", "state": "unknown"}));
    fold.apply(
        &json!({"sessionUpdate": "subagent_update", "sessionId": "c",
        "state": {"state": "idle"}}),
    );
    fold.apply(&json!({"sessionUpdate": "subagent_update", "sessionId": "c", "state": null}));
    let running = |state: Option<&StateUpdate>| matches!(state, Some(StateUpdate::Running(_)));
    let conversation = &fold.conversation;
    assert!(running(conversation.state()) && conversation.is_unconfirmed());
    let (_, child) = conversation.children().next().unwrap();
    assert!(matches!(child.state, Some(StateUpdate::Idle(_))) && child.is_unconfirmed);
    fold.apply(&json!({"sessionUpdate": "state_update", "state": "running"}));
    assert!(!fold.conversation.is_unconfirmed());
}

#[test]
fn what_happens_in_a_childs_child_is_kept_beside_it() {
    let mut fold = Fold::new(2);
    for (of, id) in [(None, "c"), (Some("c"), "g")] {
        let event =
            fold.event(&json!({"sessionUpdate": "subagent_update", "sessionId": id, "title": id}));
        let mut received = Received::new(event);
        received.child = of.map(Into::into);
        fold.conversation.apply(&received);
    }
    let mut received = Received::new(fold.event(&chunk("agent_message_chunk", Some("m"), "hi")));
    received.child = Some("g".into());
    fold.conversation.apply(&received);
    let children: Vec<_> = fold
        .conversation
        .children()
        .map(|(id, child)| {
            (
                id.as_str(),
                child.title.as_deref(),
                child.conversation.timeline().count(),
            )
        })
        .collect();
    assert_eq!(children, [("c", Some("c"), 0), ("g", Some("g"), 1)]);
}

/// What there is in the end: a message of a speaker, a tool call with a status, a plan that was
/// rewritten or removed, a terminal that printed.
#[derive(Debug, Clone)]
enum Made {
    Message(&'static str, Vec<String>),
    Tool(Vec<(&'static str, Option<String>)>),
    Plan(Vec<Option<String>>),
    Terminal(Vec<&'static str>),
}

fn plan(id: usize, step: Option<&String>) -> Value {
    match step {
        Some(step) => json!({"sessionUpdate": "plan_update", "plan": {"type": "items",
            "planId": id.to_string(),
            "entries": [{"content": step, "priority": "low", "status": "pending"}]}}),
        None => json!({"sessionUpdate": "plan_removed", "planId": id.to_string()}),
    }
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
        proptest::collection::vec(proptest::option::of("[a-z]{1,5}"), 1..4).prop_map(Made::Plan),
        // Whole groups of base64, so that the pieces are the text of the whole.
        proptest::collection::vec(prop_oneof![Just("QUJD"), Just("4oKs")], 1..5)
            .prop_map(Made::Terminal),
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
            Made::Plan(steps) => steps.iter().map(|step| plan(n, step.as_ref())).collect(),
            Made::Terminal(data) => data.iter().map(|data| {
                json!({"sessionUpdate": "terminal_output_chunk", "terminalId": n.to_string(),
                    "data": data})
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
                Made::Plan(steps) => plan(n, steps.last().unwrap().as_ref()),
                Made::Terminal(data) => json!({"sessionUpdate": "terminal_update",
                    "terminalId": n.to_string(), "output": {"data": data.concat()}}),
            });
        }
        // What was kept for bounding differs with the cut; what is shown does not.
        let shown = |fold: &Fold| -> Vec<String> {
            let conversation = &fold.conversation;
            let timeline = conversation.timeline().map(|entry| if let Entry::Message(m) = entry {
                format!("{:?} {:?} {:?}", m.speaker, m.id, m.content.parts())
            } else {
                format!("{entry:?}")
            });
            let plans = conversation.plans().map(|plan| format!("{plan:?}"));
            let terminals = conversation.terminals.iter().map(|one| format!("{one:?}"));
            timeline.chain(plans).chain(terminals).collect()
        };
        prop_assert_eq!(shown(&live), shown(&replay));
    }
}
