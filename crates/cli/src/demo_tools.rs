//! The demo tool server: MCP on stdin and stdout, with one tool that echoes. A peer for agents, for people who try `--tools`, and
//! the proof of `acp probe --mcp`: it notes what is asked of it.

use std::{
    fs::OpenOptions,
    io::{self, BufRead as _, Read as _, Write},
};

use serde_json::{Value, json};

use crate::{exit::Exit, lowargs::DemoTools, offer};

/// How long a line may be; a longer one ends the server.
const LINE: u64 = 1 << 20;
/// How much is noted; what comes after that is answered all the same.
const NOTES: usize = 4096;
/// How many characters of a word of the client's are noted.
const WORD: usize = 200;
/// The version of MCP that is spoken to whoever names none.
const VERSION: &str = "2025-06-18";
/// The one tool.
pub(crate) const TOOL: &str = "acp_demo_echo";

/// What a file of notes holds, a JSON line each: under this name, what was asked.
pub(crate) const EVENT: &str = "event";
/// The server was started.
pub(crate) const STARTED: &str = "started";

/// Serves one client on stdin and stdout.
pub(crate) fn demo_tools(args: &DemoTools) -> io::Result<Exit> {
    let notes = args
        .report
        .as_ref()
        .map(|path| OpenOptions::new().append(true).create(true).open(path))
        .transpose()?;
    let mut notes = Notes {
        file: notes,
        left: NOTES,
    };
    notes.write(&json!({ EVENT: STARTED }))?;
    let mut stdin = io::stdin().lock();
    let mut stdout = io::stdout().lock();
    let mut line = Vec::new();
    loop {
        line.clear();
        (&mut stdin).take(LINE).read_until(b'\n', &mut line)?;
        if line.last() != Some(&b'\n') {
            return Ok(Exit::Ok);
        }
        let Ok(message) = serde_json::from_slice::<Value>(&line) else {
            continue;
        };
        if let Some(note) = note(&message) {
            notes.write(&note)?;
        }
        if let Some(answer) = answer(&message) {
            writeln!(stdout, "{answer}")?;
            stdout.flush()?;
        }
    }
}

#[derive(Debug)]
struct Notes<W> {
    file: Option<W>,
    /// How many more are written.
    left: usize,
}

impl<W: Write> Notes<W> {
    fn write(&mut self, note: &Value) -> io::Result<()> {
        let Some(left) = self.left.checked_sub(1) else {
            return Ok(());
        };
        self.left = left;
        match &mut self.file {
            Some(file) => file.write_all(format!("{note}\n").as_bytes()),
            None => Ok(()),
        }
    }
}

/// What is worth noting: what was asked, and of an `initialize` by whom and in which version.
fn note(message: &Value) -> Option<Value> {
    let method = message.get("method")?.as_str()?;
    let word = |path: &str| {
        let said = message.pointer(path).and_then(Value::as_str)?;
        Some(said.chars().take(WORD).collect::<String>())
    };
    Some(match method {
        "initialize" => json!({
            EVENT: method,
            "client": word("/params/clientInfo/name"),
            "client_version": word("/params/clientInfo/version"),
            "version": word("/params/protocolVersion"),
        }),
        "tools/list" | "tools/call" => json!({ EVENT: method }),
        _ => return None,
    })
}

/// The answer to a request; nothing to anything else.
fn answer(message: &Value) -> Option<Value> {
    let id = message.get("id").filter(|id| !id.is_null())?;
    let said = |path: &str| message.pointer(path).and_then(Value::as_str);
    let result = match said("/method")? {
        "initialize" => json!({
            "protocolVersion": said("/params/protocolVersion").unwrap_or(VERSION),
            "capabilities": { "tools": {} },
            "serverInfo": { "name": "acp-demo-tools", "version": offer::VERSION },
        }),
        "ping" => json!({}),
        "tools/list" => json!({ "tools": [{
            "name": TOOL,
            "description": "Gives back the text that it is given.",
            "inputSchema": {
                "type": "object",
                "properties": { "text": { "type": "string" } },
                "required": ["text"],
            },
        }] }),
        "tools/call" if said("/params/name") == Some(TOOL) => {
            let text = said("/params/arguments/text");
            let echo = text.unwrap_or("there was no text");
            json!({ "content": [{ "type": "text", "text": echo }], "isError": text.is_none() })
        }
        "tools/call" => return Some(failed(id, -32602, "no such tool")),
        _ => return Some(failed(id, -32601, "no such method")),
    };
    Some(json!({ "jsonrpc": "2.0", "id": id, "result": result }))
}

fn failed(id: &Value, code: i32, message: &str) -> Value {
    json!({ "jsonrpc": "2.0", "id": id, "error": { "code": code, "message": message } })
}

#[cfg(test)]
mod tests {
    use super::{NOTES, Notes, answer, note};
    use serde_json::{Value, json};

    #[track_caller]
    fn check(method: &str, params: &Value, path: &str, expected: &Value) {
        let message = json!({"jsonrpc": "2.0", "id": 0, "method": method, "params": params});
        let answer = answer(&message).expect("an answer");
        assert_eq!(answer["id"], 0);
        assert_eq!(answer.pointer(path), Some(expected), "{answer}");
    }

    #[test]
    fn every_request_has_its_answer() {
        let version = "/result/protocolVersion";
        check(
            "initialize",
            &json!({"protocolVersion": "2024-11-05"}),
            version,
            &json!("2024-11-05"),
        );
        check("initialize", &json!({}), version, &json!("2025-06-18"));
        check(
            "tools/list",
            &Value::Null,
            "/result/tools/0/name",
            &json!("acp_demo_echo"),
        );
        let call = json!({"name": "acp_demo_echo", "arguments": {"text": "hi"}});
        check("tools/call", &call, "/result/content/0/text", &json!("hi"));
        let call = json!({"name": "acp_demo_echo"});
        check("tools/call", &call, "/result/isError", &json!(true));
        check(
            "tools/call",
            &json!({"name": "x"}),
            "/error/code",
            &json!(-32602),
        );
        check("ping", &Value::Null, "/result", &json!({}));
        check(
            "resources/list",
            &Value::Null,
            "/error/code",
            &json!(-32601),
        );
    }

    #[test]
    fn what_is_noted_has_an_end() {
        let long = "x".repeat(1 << 20);
        let greeting = json!({"method": "initialize", "params": {
            "protocolVersion": long, "clientInfo": {"name": long, "version": [long]}}});
        let mut notes = Notes {
            file: Some(Vec::new()),
            left: NOTES,
        };
        let greeted = note(&greeting).expect("it is noted");
        notes.write(&greeted).expect("it is written");
        assert!(notes.file.as_ref().is_some_and(|file| file.len() < 1000));
        let listed = note(&json!({"method": "tools/list"})).expect("it is noted");
        for _ in 0..2 * NOTES {
            notes.write(&listed).expect("it is written");
        }
        let lines = notes.file.unwrap_or_default();
        let lines = lines.iter().filter(|byte| **byte == b'\n').count();
        assert_eq!(lines, NOTES);
    }

    #[test]
    fn what_is_no_request_has_none() {
        for message in [
            json!({"jsonrpc": "2.0", "method": "notifications/initialized"}),
            json!({"jsonrpc": "2.0", "id": null, "method": "ping"}),
            json!({"jsonrpc": "2.0", "id": 1, "result": {}}),
            json!([1, 2]),
            json!(7),
        ] {
            assert_eq!(answer(&message), None, "{message}");
            assert_eq!(note(&message), None, "{message}");
        }
    }
}
