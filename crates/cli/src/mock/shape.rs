//! What the mock says, in the shapes of both versions. Written by hand: what checks it must not be what made it.

use serde_json::Value;

/// A protocol version as far as shapes go.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Version {
    One,
    Two,
}

impl Version {
    /// The number.
    pub(crate) fn number(self) -> u8 {
        match self {
            Self::One => 1,
            Self::Two => 2,
        }
    }

    /// What the proper mock can do.
    pub(crate) fn capabilities(self) -> &'static str {
        match self {
            Self::One => {
                r#"{"loadSession":true,"promptCapabilities":{"image":true,"audio":false,"embeddedContext":true},"mcpCapabilities":{"http":false,"sse":false},"sessionCapabilities":{"list":{},"delete":{},"resume":{},"close":{},"additionalDirectories":{}},"auth":{"logout":{}}}"#
            }
            Self::Two => {
                r#"{"session":{"prompt":{"image":{},"embeddedContext":{}},"mcp":{"stdio":{}},"delete":{},"additionalDirectories":{}}}"#
            }
        }
    }

    /// How one logs in.
    pub(crate) fn auth_methods(self) -> &'static str {
        match self {
            Self::One => r#"[{"id":"key","name":"API key"}]"#,
            Self::Two => r#"[{"methodId":"key","name":"API key","type":"agent"}]"#,
        }
    }

    /// The result of `initialize`.
    pub(crate) fn initialized(self, version: &str, capabilities: &str, auth: &str) -> String {
        let info = concat!(
            r#"{"name":"acp-mock","title":"Mock","version":""#,
            env!("CARGO_PKG_VERSION"),
            "\"}"
        );
        match self {
            Self::One => format!(
                r#"{{"protocolVersion":{version},"agentInfo":{info},"agentCapabilities":{capabilities},"authMethods":{auth}}}"#
            ),
            Self::Two => format!(
                r#"{{"protocolVersion":{version},"info":{info},"capabilities":{capabilities},"authMethods":{auth}}}"#
            ),
        }
    }

    /// A piece of text of the agent or of the user.
    pub(crate) fn chunk(self, kind: &str, message: &str, text: &str) -> String {
        let text = Value::from(text);
        let id = match self {
            Self::One => String::new(),
            Self::Two => format!(r#""messageId":"{message}","#),
        };
        format!(
            r#"{{"sessionUpdate":"{kind}_chunk",{id}"content":{{"type":"text","text":{text}}}}}"#
        )
    }

    /// A whole message; version 1 knows only pieces.
    pub(crate) fn whole(self, kind: &str, message: &str, text: &str) -> String {
        match self {
            Self::One => self.chunk(kind, message, text),
            Self::Two => {
                let text = Value::from(text);
                format!(
                    r#"{{"sessionUpdate":"{kind}","messageId":"{message}","content":[{{"type":"text","text":{text}}}]}}"#
                )
            }
        }
    }

    /// The params of a permission request.
    pub(crate) fn permission(self, session: &str, options: &str) -> String {
        let tool = r#"{"toolCallId":"t1","title":"Write notes.txt","kind":"edit","status":"pending","rawInput":{"path":"notes.txt"}}"#;
        match self {
            Self::One => {
                format!(r#"{{"sessionId":"{session}","toolCall":{tool},"options":{options}}}"#)
            }
            Self::Two => format!(
                r#"{{"sessionId":"{session}","title":"Write notes.txt","subject":{{"type":"tool_call","toolCall":{tool}}},"options":{options}}}"#
            ),
        }
    }

    /// The options of a session.
    pub(crate) fn options(self, mode: &str, model: &str, effort: &str) -> String {
        let id = match self {
            Self::One => "id",
            Self::Two => "configId",
        };
        let select = |name: &str, category: &str, current: &str, values: [&str; 2]| {
            let values = values
                .map(|value| format!(r#"{{"value":"{value}","name":"{value}"}}"#))
                .join(",");
            format!(
                r#"{{"{id}":"{name}","name":"{name}","category":"{category}","type":"select","currentValue":"{current}","options":[{values}]}}"#
            )
        };
        format!(
            "[{},{},{}]",
            select("mode", "mode", mode, ["code", "ask"]),
            select("model", "model", model, ["small", "large"]),
            select("effort", "thought_level", effort, ["low", "high"]),
        )
    }

    /// The kinds of option in the order in which the proper mock offers them.
    pub(crate) const OFFERED: &'static str = r#"[{"optionId":"always","name":"Always","kind":"allow_always"},{"optionId":"once","name":"Once","kind":"allow_once"},{"optionId":"no","name":"No","kind":"reject_once"}]"#;
}

/// An error object.
pub(crate) fn error(code: i32, message: &str, data: &str) -> String {
    let data = if data.is_empty() {
        String::new()
    } else {
        format!(r#","data":{data}"#)
    };
    format!(r#"{{"code":{code},"message":"{message}"{data}}}"#)
}
