//! x
use acp_vocab::*;
#[test]
fn sizes() {
    println!(
        "v1 update {} v2 {} toolcall {} toolupd {} v2 {} subagent {} chunk {} cb {} notif {} usage {} cursor {} term {} idle {}",
        size_of::<v1::SessionUpdate>(),
        size_of::<v2::SessionUpdate>(),
        size_of::<v1::ToolCall>(),
        size_of::<v1::ToolCallUpdate>(),
        size_of::<v2::ToolCallUpdate>(),
        size_of::<SubagentUpdate>(),
        size_of::<v1::ContentChunk>(),
        size_of::<ContentBlock>(),
        size_of::<v1::SessionNotification>(),
        size_of::<UsageUpdate>(),
        size_of::<CursorUpdate>(),
        size_of::<v2::TerminalUpdate>(),
        size_of::<StateUpdate>()
    );
    let n: v1::SessionNotification = serde_json::from_str(r#"{"sessionId":"s","update":{"content":{"type":"text","text":"hi \u00e4"},"sessionUpdate":"agent_message_chunk","messageId":"m"}}"#).unwrap();
    println!("{n:?} {}", serde_json::to_string(&n).unwrap());
    let e = serde_json::from_str::<v1::SessionNotification>(
        r#"{"sessionId":"s","update":{"sessionUpdate":"tool_call","title":"no id"}}"#,
    )
    .unwrap_err();
    println!("{e}");
}
