//! `OpenAI`'s responses, streamed: output items that are added, grow and are done.

use serde_json::{Value, json};

use super::request::Request;
use super::{Piece, Say, event};

pub(super) fn pieces(request: &Request, says: &[Say]) -> Vec<Piece> {
    let mut stream = Stream {
        response: json!({"id": "resp_1", "object": "response", "created_at": 1, "model": request.model, "output": []}),
        pieces: Vec::new(),
        done: Vec::new(),
        open: None,
    };
    stream.state("response.created", "in_progress");
    for say in says {
        match say {
            Say::Thought(text) => stream.grow(Kind::Reasoning, text),
            Say::Text(text) => stream.grow(Kind::Message, text),
            Say::Shell(command) => {
                let Some(tool) = request.shell() else {
                    continue;
                };
                stream.close();
                let id = format!("call_{}", request.turns.len());
                let mut item = json!({
                    "id": format!("fc_{}", request.turns.len()), "type": "function_call", "status": "completed",
                    "call_id": id, "name": tool.name, "arguments": tool.arguments(command).to_string(),
                });
                if let (Some(namespace), Some(item)) = (&tool.namespace, item.as_object_mut()) {
                    item.insert("namespace".to_owned(), json!(namespace));
                }
                stream.send(json!({"type": "response.output_item.added", "output_index": stream.done.len(), "item": item}));
                stream.finish(item);
            }
            Say::Pause => stream.pieces.push(Piece::Pause),
            Say::Silence => stream.pieces.push(Piece::Silence),
        }
    }
    stream.close();
    stream.state("response.completed", "completed");
    stream.pieces
}

/// What grows.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Kind {
    Message,
    Reasoning,
}

impl Kind {
    fn item(self, id: &str, text: &str) -> Value {
        match self {
            Self::Message => json!({
                "id": id, "type": "message", "role": "assistant", "status": "completed",
                "content": [{"type": "output_text", "text": text, "annotations": []}],
            }),
            Self::Reasoning => json!({
                "id": id, "type": "reasoning", "summary": [{"type": "summary_text", "text": text}], "encrypted_content": null,
            }),
        }
    }

    fn delta(self) -> &'static str {
        match self {
            Self::Message => "response.output_text.delta",
            Self::Reasoning => "response.reasoning_summary_text.delta",
        }
    }
}

/// Events, the items that are done, and the one that is open.
struct Stream {
    response: Value,
    pieces: Vec<Piece>,
    done: Vec<Value>,
    open: Option<(Kind, String)>,
}

impl Stream {
    fn send(&mut self, mut data: Value) {
        if let Some(data) = data.as_object_mut() {
            data.insert("sequence_number".to_owned(), json!(self.pieces.len()));
        }
        self.pieces.push(event(&data));
    }

    fn state(&mut self, kind: &str, status: &str) {
        let mut response = self.response.clone();
        if let Some(response) = response.as_object_mut() {
            response.insert("status".to_owned(), json!(status));
            response.insert("output".to_owned(), json!(self.done));
            let usage = json!({
                "input_tokens": 100, "input_tokens_details": {"cached_tokens": 0},
                "output_tokens": 20, "output_tokens_details": {"reasoning_tokens": 0}, "total_tokens": 120,
            });
            response.insert("usage".to_owned(), usage);
        }
        self.send(json!({"type": kind, "response": response}));
    }

    fn id(&self) -> String {
        format!("item_{}", self.done.len())
    }

    fn grow(&mut self, kind: Kind, text: &str) {
        if self.open.as_ref().is_none_or(|(open, _)| *open != kind) {
            self.close();
            self.open = Some((kind, String::new()));
            let item = kind.item(&self.id(), "");
            self.send(json!({"type": "response.output_item.added", "output_index": self.done.len(), "item": item}));
            if kind == Kind::Reasoning {
                self.send(json!({
                    "type": "response.reasoning_summary_part.added", "item_id": self.id(), "output_index": self.done.len(),
                    "summary_index": 0, "part": {"type": "summary_text", "text": ""},
                }));
            }
        }
        if let Some((_, whole)) = &mut self.open {
            whole.push_str(text);
        }
        self.send(json!({
            "type": kind.delta(), "item_id": self.id(), "output_index": self.done.len(),
            "content_index": 0, "summary_index": 0, "delta": text,
        }));
    }

    fn close(&mut self) {
        if let Some((kind, text)) = self.open.take() {
            self.finish(kind.item(&self.id(), &text));
        }
    }

    fn finish(&mut self, item: Value) {
        self.send(json!({"type": "response.output_item.done", "output_index": self.done.len(), "item": item}));
        self.done.push(item);
    }
}
