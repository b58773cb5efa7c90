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
        let none = Map::new();
        let properties = self
            .schema
            .get("properties")
            .and_then(Value::as_object)
            .unwrap_or(&none);
        let required = self.schema.get("required").and_then(Value::as_array);
        let is_required =
            |name: &str| required.is_some_and(|names| names.iter().any(|each| each == name));
        let mut arguments = Map::new();
        for (name, schema) in properties {
            let kind = schema
                .get("type")
                .and_then(Value::as_str)
                .unwrap_or("string")
                .to_ascii_lowercase();
            let value = match (name.as_str(), kind.as_str()) {
                ("command" | "cmd", "array") => json!(["bash", "-lc", command]),
                ("command" | "cmd", _) => json!(command),
                ("sandbox_permissions", _) => json!("require_escalated"),
                ("with_escalated_permissions", _) => json!(true),
                ("justification", _) => json!("It is what the test is about."),
                _ if !is_required(name) => continue,
                (_, "boolean") => json!(false),
                (_, "number" | "integer") => json!(1),
                (_, "array") => json!([]),
                _ => json!("a test"),
            };
            arguments.insert(name.clone(), value);
        }
        Value::Object(arguments)
    }
}
