//! Google's `generateContent`: candidates made of parts, streamed or whole.

use serde_json::{Value, json};

use super::request::Request;
use super::{Piece, Say, event, tool};

pub(super) fn pieces(request: &Request, says: &[Say]) -> Vec<Piece> {
    let mut pieces: Vec<Piece> = says
        .iter()
        .filter_map(|say| match say {
            Say::Pause => Some(Piece::Pause),
            Say::Silence => Some(Piece::Silence),
            Say::Thought(_) | Say::Text(_) | Say::Shell(_) => {
                Some(event(&candidate(request, vec![part(request, say)?], None)))
            }
        })
        .collect();
    pieces.push(event(&candidate(
        request,
        vec![json!({"text": ""})],
        Some("STOP"),
    )));
    pieces
}

/// The answer to a question beside the turn, in the form that it shall have: agents ask again, and
/// again, for one that has another.
pub(super) fn whole(request: &Request, says: &[Say]) -> Vec<Piece> {
    let parts = match &request.form {
        Some(schema) => vec![json!({"text": tool::filled(schema, |_, _| None).to_string()})],
        None => says.iter().filter_map(|say| part(request, say)).collect(),
    };
    vec![Piece::Bytes(
        candidate(request, parts, Some("STOP")).to_string(),
    )]
}

fn part(request: &Request, say: &Say) -> Option<Value> {
    match say {
        Say::Thought(text) => Some(json!({"text": text, "thought": true})),
        Say::Text(text) => Some(json!({"text": text})),
        Say::Shell(command) => {
            let tool = request.shell()?;
            Some(json!({"functionCall": {"name": tool.name, "args": tool.arguments(command)}}))
        }
        Say::Pause | Say::Silence => None,
    }
}

fn candidate(request: &Request, parts: Vec<Value>, finish: Option<&str>) -> Value {
    let mut candidate = json!({"index": 0, "content": {"role": "model", "parts": parts}});
    if let (Some(finish), Some(candidate)) = (finish, candidate.as_object_mut()) {
        candidate.insert("finishReason".to_owned(), json!(finish));
    }
    json!({
        "candidates": [candidate],
        "usageMetadata": {"promptTokenCount": 100, "candidatesTokenCount": 20, "totalTokenCount": 120},
        "modelVersion": request.model,
        "responseId": "response-1",
    })
}
