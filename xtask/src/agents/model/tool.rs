//! The tools that an agent offers, and a call of the one that runs commands.

use serde_json::{Map, Value, json};

use super::request::Dialect;

/// What agents call the tool that runs a command.
const SHELLS: &[&str] = &[
    "Bash",
    "bash",
    "exec_command",
    "local_shell",
    "run_shell_command",
    "shell",
    "shell_command",
];

/// A tool, as it was offered.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Tool {
    pub(super) name: String,
    /// The group that it was offered in.
    pub(super) namespace: Option<String>,
    schema: Value,
}

/// One entry of `tools` may hold several.
pub(super) fn read(dialect: Dialect, offered: &Value) -> Vec<Tool> {
    let inner = |name: &str| {
        offered
            .get(name)
            .and_then(Value::as_array)
            .map_or(&[][..], Vec::as_slice)
    };
    match dialect {
        Dialect::Anthropic => tool(offered, &["input_schema"]).into_iter().collect(),
        Dialect::Chat => tool(offered.get("function").unwrap_or(offered), &["parameters"])
            .into_iter()
            .collect(),
        Dialect::Responses => {
            let namespace = offered.get("name").and_then(Value::as_str);
            let within = inner("tools").iter().filter_map(|each| {
                let mut tool = tool(each, &["parameters"])?;
                tool.namespace = namespace.map(str::to_owned);
                Some(tool)
            });
            if inner("tools").is_empty() {
                tool(offered, &["parameters"]).into_iter().collect()
            } else {
                within.collect()
            }
        }
        Dialect::Gemini => {
            let schemas = &["parametersJsonSchema", "parameters"];
            inner("functionDeclarations")
                .iter()
                .filter_map(|each| tool(each, schemas))
                .collect()
        }
    }
}

fn tool(offered: &Value, schemas: &[&str]) -> Option<Tool> {
    Some(Tool {
        name: offered.get("name")?.as_str()?.to_owned(),
        namespace: None,
        schema: schemas
            .iter()
            .find_map(|name| offered.get(name))
            .cloned()
            .unwrap_or_default(),
    })
}

impl Tool {
    pub(super) fn is_shell(&self) -> bool {
        SHELLS.contains(&self.name.as_str())
    }

    /// Arguments that run this command: what is required, and what asks for a permission.
    pub(super) fn arguments(&self, command: &str) -> Value {
        let known = |name: &str, kind: &str| match (name, kind) {
            ("command" | "cmd", "array") => Some(json!(["bash", "-lc", command])),
            ("command" | "cmd", _) => Some(json!(command)),
            ("sandbox_permissions", _) => Some(json!("require_escalated")),
            ("with_escalated_permissions", _) => Some(json!(true)),
            ("justification", _) => Some(json!("It is what the test is about.")),
            _ => None,
        };
        filled(&self.schema, known)
    }
}

/// An object of a schema: what is known by its name and kind, and something for what else is required.
pub(super) fn filled(schema: &Value, known: impl Fn(&str, &str) -> Option<Value>) -> Value {
    let properties = schema.get("properties").and_then(Value::as_object);
    let required = schema.get("required").and_then(Value::as_array);
    let is_required =
        |name: &str| required.is_some_and(|names| names.iter().any(|each| each == name));
    let mut object = Map::new();
    for (name, schema) in properties.into_iter().flatten() {
        let kind = schema.get("type").and_then(Value::as_str);
        let kind = kind.unwrap_or("string").to_ascii_lowercase();
        let first = schema.pointer("/enum/0").cloned();
        let value = match (known(name, &kind), kind.as_str()) {
            (Some(value), _) => value,
            (None, _) if !is_required(name) => continue,
            (None, "boolean") => json!(false),
            (None, "number" | "integer") => json!(1),
            (None, "array") => json!([]),
            (None, _) => first.unwrap_or_else(|| json!("a test")),
        };
        object.insert(name.clone(), value);
    }
    Value::Object(object)
}
