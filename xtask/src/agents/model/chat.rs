//! `OpenAI`'s chat completions, streamed: deltas of one message.

use serde_json::{Value, json};

use super::request::Request;
use super::{Piece, Say, event};

pub(super) fn pieces(request: &Request, says: &[Say]) -> Vec<Piece> {
    let chunk = |delta: Value, finish_reason: Option<&str>| {
        event(&json!({
            "id": "chatcmpl-1", "object": "chat.completion.chunk", "created": 1, "model": request.model,
            "choices": [{"index": 0, "delta": delta, "finish_reason": finish_reason}],
        }))
    };
    let mut pieces = vec![chunk(json!({"role": "assistant", "content": ""}), None)];
    let mut finish_reason = "stop";
    for say in says {
        pieces.push(match say {
            Say::Thought(text) => chunk(json!({"reasoning_content": text}), None),
            Say::Text(text) => chunk(json!({"content": text}), None),
            Say::Shell(command) => {
                let Some(tool) = request.shell() else { continue };
                finish_reason = "tool_calls";
                let function = json!({"name": tool.name, "arguments": tool.arguments(command).to_string()});
                let id = format!("call_{}", request.turns.len());
                chunk(
                    json!({"tool_calls": [{"index": 0, "id": id, "type": "function", "function": function}]}),
                    None,
                )
            }
            Say::Pause => Piece::Pause,
            Say::Silence => Piece::Silence,
        });
    }
    pieces.push(chunk(json!({}), Some(finish_reason)));
    pieces.push(event(&json!({
        "id": "chatcmpl-1", "object": "chat.completion.chunk", "created": 1, "model": request.model, "choices": [],
        "usage": {"prompt_tokens": 100, "completion_tokens": 20, "total_tokens": 120},
    })));
    pieces.push(Piece::Bytes("data: [DONE]\n\n".to_owned()));
    pieces
}
