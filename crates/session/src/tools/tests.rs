//! What is remembered of tool calls is bounded, whatever an agent says in them.

use acp_vocab::{Patch, ToolCallStatus, ToolKind};
use proptest::prelude::*;

use super::*;

fn update(id: &str, change: ToolChange) -> ToolUpdate {
    let id = id.into();
    ToolUpdate { id, change }
}

fn limits(tool_calls: usize, tool_bytes: usize) -> Limits {
    let mut limits = Limits::default();
    (limits.tool_calls, limits.tool_bytes) = (tool_calls, tool_bytes);
    limits
}

/// The texts of a call that an agent may make as long as it likes.
fn long(member: usize, text: &str) -> ToolChange {
    let mut change = ToolChange::default();
    match member {
        0 => change.title = Patch::Value(text.into()),
        1 => change.name = Patch::Value(text.into()),
        2 => change.kind = Patch::Value(ToolKind::Other(text.into())),
        _ => change.status = Patch::Value(ToolCallStatus::Other(text.into())),
    }
    change
}

#[test]
fn many_long_calls_are_forgotten_oldest_first() {
    let limits = limits(4096, 10_000);
    let mut tools = Tools::default();
    for n in 0..100 {
        let tool = tools.apply(
            None,
            update(&n.to_string(), long(n % 4, &"x".repeat(3000))),
            &limits,
        );
        assert!(tool.created);
        assert!(tools.bytes <= 10_000, "{}", tools.bytes);
    }
    let kept: Vec<_> = tools.order.iter().map(|(_, id)| id.as_str()).collect();
    assert_eq!(kept, ["97", "98", "99"]);
    // A long id weighs, too.
    let id = "y".repeat(9000);
    tools.apply(None, update(&id, ToolChange::default()), &limits);
    assert_eq!(tools.order.len(), 1);
}

#[test]
fn one_call_beyond_the_bound_is_kept_alone() {
    let limits = limits(4096, 1000);
    let mut tools = Tools::default();
    tools.apply(None, update("a", ToolChange::default()), &limits);
    tools.apply(None, update("b", ToolChange::default()), &limits);
    let text = "x".repeat(5000);
    assert_eq!(
        &*tools
            .apply(None, update("a", long(0, &text)), &limits)
            .title,
        text
    );
    let again = tools.apply(None, update("a", ToolChange::default()), &limits);
    assert_eq!((again.created, &*again.title), (false, &*text));
    assert_eq!(tools.order.len(), 1);
}

proptest! {
    #[test]
    fn the_count_is_what_it_weighs(
        steps in prop::collection::vec((0_u8..8, 0_usize..5, 0_usize..2000), 1..100),
        calls in 0_usize..6,
        bytes in 0_usize..8000,
    ) {
        let limits = limits(calls, bytes);
        let mut tools = Tools::default();
        for (id, member, len) in steps {
            if member == 4 {
                tools.close_open(&Beside::default());
            } else {
                tools.apply(None, update(&id.to_string(), long(member, &"x".repeat(len))), &limits);
            }
            let weighed: usize = tools.known.iter().map(|(id, known)| known.weight(id)).sum();
            prop_assert_eq!(tools.bytes, weighed);
            prop_assert_eq!(tools.order.len(), tools.known.len());
            prop_assert!(tools.order.len() <= calls.max(1));
            prop_assert!(tools.bytes <= bytes || tools.order.len() <= 1);
        }
    }
}

// The call at hand is never forgotten, so what it gathers piece by piece has a bound of its own.
#[test]
fn terminals_of_one_call_are_bounded() {
    let limits = limits(4096, 10_000);
    let mut tools = Tools::default();
    for n in 0..1000 {
        let id = format!("{n}{}", "x".repeat(if n % 2 == 0 { 10 } else { 5000 }));
        let piece = ContentChange::Append(Box::new(ToolContent::Terminal(id.into())));
        let change = ToolChange {
            content: piece,
            ..ToolChange::default()
        };
        tools.apply(None, update("t", change), &limits);
    }
    let kept: Vec<_> = tools.terminals(&"t".into()).collect();
    assert_eq!(kept.len(), TERMINALS);
    assert!(
        tools.bytes < TERMINALS * (LONGEST + OVERHEAD),
        "{}",
        tools.bytes
    );
}
