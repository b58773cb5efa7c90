//! What an agent asks the model, the same for every dialect.

use serde_json::Value;

use super::tool::{self, Tool};

/// A way to talk to models.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Dialect {
    /// Anthropic's messages.
    Anthropic,
    /// `OpenAI`'s chat completions.
    Chat,
    /// `OpenAI`'s responses.
    Responses,
    /// Google's `generateContent`.
    Gemini,
}

impl Dialect {
    /// The dialect that is spoken at a path.
    pub(super) fn of(path: &str) -> Option<Self> {
        let path = path.split('?').next().unwrap_or_default();
        [
            ("/messages", Self::Anthropic),
            ("/chat/completions", Self::Chat),
            ("/responses", Self::Responses),
            ("enerateContent", Self::Gemini),
        ]
        .into_iter()
        .find_map(|(end, dialect)| path.ends_with(end).then_some(dialect))
    }
}

/// Who said something.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Role {
    Person,
    Tool,
    Other,
}

/// One request.
#[derive(Debug)]
pub(super) struct Request {
    pub(super) model: String,
    pub(super) turns: Vec<(Role, String)>,
    pub(super) tools: Vec<Tool>,
    /// How hard the model shall think.
    pub(super) effort: Option<String>,
    /// The answer shall be JSON of this schema: a question beside the turn.
    pub(super) form: Option<Value>,
}

impl Request {
    pub(super) fn read(dialect: Dialect, body: &Value) -> Self {
        let list = |name: &str| {
            body.get(name)
                .and_then(Value::as_array)
                .map_or(&[][..], Vec::as_slice)
        };
        let turns = match dialect {
            Dialect::Anthropic | Dialect::Chat => list("messages").iter().map(message).collect(),
            Dialect::Responses => list("input").iter().map(item).collect(),
            Dialect::Gemini => list("contents").iter().map(content).collect(),
        };
        let effort = [
            "/output_config/effort",
            "/reasoning/effort",
            "/reasoning_effort",
        ]
        .iter()
        .find_map(|path| body.pointer(path)?.as_str());
        Self {
            model: body
                .get("model")
                .and_then(Value::as_str)
                .unwrap_or("local-model")
                .to_owned(),
            turns,
            tools: list("tools")
                .iter()
                .flat_map(|offered| tool::read(dialect, offered))
                .collect(),
            effort: effort.map(str::to_owned),
            form: ["responseJsonSchema", "responseSchema"]
                .iter()
                .find_map(|name| body.get("generationConfig")?.get(name))
                .cloned(),
        }
    }

    /// The tool that runs a command.
    pub(super) fn shell(&self) -> Option<&Tool> {
        self.tools.iter().find(|tool| tool.is_shell())
    }
}

/// The text of a content, which is a string or a list of blocks.
fn text(content: Option<&Value>) -> String {
    match content {
        Some(Value::String(text)) => text.clone(),
        Some(Value::Array(blocks)) => {
            let texts = blocks
                .iter()
                .filter_map(|block| block.get("text")?.as_str());
            texts.collect::<Vec<_>>().join("\n")
        }
        _ => String::new(),
    }
}

fn is(value: &Value, member: &str, expected: &str) -> bool {
    value.get(member).and_then(Value::as_str) == Some(expected)
}

fn message(message: &Value) -> (Role, String) {
    let content = message.get("content");
    let blocks = content
        .and_then(Value::as_array)
        .map_or(&[][..], Vec::as_slice);
    let role = if is(message, "role", "tool")
        || blocks.iter().any(|block| is(block, "type", "tool_result"))
    {
        Role::Tool
    } else if is(message, "role", "user") {
        Role::Person
    } else {
        Role::Other
    };
    (role, text(content))
}

fn item(item: &Value) -> (Role, String) {
    let kind = item
        .get("type")
        .and_then(Value::as_str)
        .unwrap_or("message");
    let role = if kind.ends_with("_output") {
        Role::Tool
    } else if kind == "message" && is(item, "role", "user") {
        Role::Person
    } else {
        Role::Other
    };
    (role, text(item.get("content")))
}

fn content(content: &Value) -> (Role, String) {
    let parts = content.get("parts");
    let list = parts
        .and_then(Value::as_array)
        .map_or(&[][..], Vec::as_slice);
    let role = if list
        .iter()
        .any(|part| part.get("functionResponse").is_some())
    {
        Role::Tool
    } else if is(content, "role", "model") {
        Role::Other
    } else {
        Role::Person
    };
    (role, text(parts))
}
