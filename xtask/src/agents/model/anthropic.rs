//! Anthropic's messages, streamed: blocks that start, grow and stop.

use serde_json::{Value, json};

use super::request::Request;
use super::{Piece, Say, event};

pub(super) fn pieces(request: &Request, says: &[Say]) -> Vec<Piece> {
    let usage = json!({"input_tokens": 100, "output_tokens": 20});
    let mut stream = Stream::default();
    stream.send(json!({"type": "message_start", "message": {
        "id": "msg_1", "type": "message", "role": "assistant", "model": request.model, "content": [],
        "stop_reason": null, "stop_sequence": null, "usage": usage,
    }}));
    let mut stop_reason = "end_turn";
    for say in says {
        match say {
            Say::Thought(text) => {
                stream.open(
                    "thinking",
                    json!({"type": "thinking", "thinking": "", "signature": ""}),
                );
                stream.grow(json!({"type": "thinking_delta", "thinking": text}));
            }
            Say::Text(text) => {
                stream.open("text", json!({"type": "text", "text": ""}));
                stream.grow(json!({"type": "text_delta", "text": text}));
            }
            Say::Shell(command) => {
                let Some(tool) = request.shell() else {
                    continue;
                };
                stream.close();
                stream.open("tool_use", json!({
                    "type": "tool_use", "id": format!("toolu_{}", request.turns.len()), "name": tool.name, "input": {},
                }));
                let input = tool.arguments(command).to_string();
                stream.grow(json!({"type": "input_json_delta", "partial_json": input}));
                stop_reason = "tool_use";
            }
            Say::Pause => stream.pieces.push(Piece::Pause),
            Say::Silence => stream.pieces.push(Piece::Silence),
        }
    }
    stream.close();
    stream.send(json!({
        "type": "message_delta",
        "delta": {"stop_reason": stop_reason, "stop_sequence": null},
        "usage": {"output_tokens": 20},
    }));
    stream.send(json!({"type": "message_stop"}));
    stream.pieces
}

/// Events, and the block that is open.
#[derive(Default)]
struct Stream {
    pieces: Vec<Piece>,
    open: Option<&'static str>,
    next: usize,
}

impl Stream {
    fn send(&mut self, data: Value) {
        self.pieces.push(event(&data));
    }

    fn open(&mut self, kind: &'static str, block: Value) {
        if self.open != Some(kind) {
            self.close();
            self.open = Some(kind);
            self.send(
                json!({"type": "content_block_start", "index": self.next, "content_block": block}),
            );
        }
    }

    fn grow(&mut self, delta: Value) {
        self.send(json!({"type": "content_block_delta", "index": self.next, "delta": delta}));
    }

    fn close(&mut self) {
        let Some(kind) = self.open.take() else { return };
        if kind == "thinking" {
            self.grow(json!({"type": "signature_delta", "signature": "bm9uZQ=="}));
        }
        self.send(json!({"type": "content_block_stop", "index": self.next}));
        self.next += 1;
    }
}
