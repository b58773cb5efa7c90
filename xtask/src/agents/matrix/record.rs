//! A played scene as a transcript among the fixtures: redacted, with how each request was answered.

use std::fs;
use std::path::Path;

use anyhow::{Context, Result};
use serde::Serialize as _;
use serde_json::ser::PrettyFormatter;
use serde_json::{Map, Serializer, Value, json};

use crate::fixtures::Normaliser;

const FOLDER: &str = "fixtures/transcripts";
const ANSWERS: &str = "scenarios.json";

/// Writes `FOLDER/NAME.ndjson` from a recording of `acp`, and its row in [`ANSWERS`].
pub(super) fn write(root: &Path, name: &str, recording: &str, machine: Normaliser) -> Result<()> {
    let transcript = transcript(name, recording, machine)?;
    let folder = root.join(FOLDER);
    let file = format!("{name}.ndjson");
    let text: String = transcript.iter().map(|line| format!("{line}\n")).collect();
    fs::write(folder.join(&file), text)?;
    let path = folder.join(ANSWERS);
    let all = fs::read(&path).with_context(|| format!("reading {ANSWERS}"))?;
    let mut all: Map<String, Value> = serde_json::from_slice(&all)?;
    all.insert(file, answers(&transcript));
    let mut text = Vec::new();
    let layout = PrettyFormatter::with_indent(b"");
    all.serialize(&mut Serializer::with_formatter(&mut text, layout))?;
    text.push(b'\n');
    Ok(fs::write(path, text)?)
}

/// The lines of a transcript: a note, then the frames in order.
fn transcript(name: &str, recording: &str, mut machine: Normaliser) -> Result<Vec<Value>> {
    let mut lines =
        vec![json!({"dir": "note", "t": 0, "frame": json!({"scenario": name}).to_string()})];
    for line in recording.lines() {
        let line: Value = serde_json::from_str(line)?;
        let direction = match line.get("dir").and_then(Value::as_str) {
            Some("c2a") => "out",
            Some("a2c") => "in",
            _ => continue,
        };
        let raw = line
            .get("raw")
            .and_then(Value::as_str)
            .context("a frame without its line")?;
        let milliseconds = line.get("t_us").and_then(Value::as_u64).unwrap_or_default() / 1000;
        let mut frame: Value = serde_json::from_str(raw)?;
        machine.apply(&mut frame);
        lines.push(json!({"dir": direction, "t": milliseconds, "frame": frame.to_string()}));
    }
    Ok(lines)
}

/// How each request of the client was answered, and, in version 2, how each turn ended.
fn answers(transcript: &[Value]) -> Value {
    let of = |direction: &str| -> Vec<Value> {
        let lines = transcript
            .iter()
            .filter(|line| line.get("dir").and_then(Value::as_str) == Some(direction));
        lines
            .filter_map(|line| serde_json::from_str(line.get("frame")?.as_str()?).ok())
            .collect()
    };
    let (ours, theirs) = (of("out"), of("in"));
    let requests = ours
        .iter()
        .filter_map(|frame| Some((frame.get("id")?, frame.get("method")?)));
    let answers: Vec<Value> = requests
        .map(|(id, method)| {
            let answer = theirs
                .iter()
                .find(|frame| frame.get("method").is_none() && frame.get("id") == Some(id));
            json!([method, end(answer)])
        })
        .collect();
    let idle: Vec<String> = theirs.iter().filter_map(idle).collect();
    if idle.is_empty() {
        json!({"answers": answers})
    } else {
        json!({"answers": answers, "idle": idle})
    }
}

fn end(answer: Option<&Value>) -> String {
    let Some(answer) = answer else {
        return "none".to_owned();
    };
    if let Some(code) = answer.pointer("/error/code") {
        return format!("error {code}");
    }
    let reason = answer.pointer("/result/stopReason").and_then(Value::as_str);
    reason.unwrap_or("ok").to_owned()
}

fn idle(frame: &Value) -> Option<String> {
    let update = frame.pointer("/params/update")?;
    let member = |name: &str| update.get(name).and_then(Value::as_str);
    (member("sessionUpdate") == Some("state_update") && member("state") == Some("idle"))
        .then(|| format!("idle {}", member("stopReason").unwrap_or_default()))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn line(direction: &str, raw: &Value) -> String {
        json!({"seq": 0, "t_us": 1500, "type": "frame", "dir": direction, "raw": raw.to_string()})
            .to_string()
    }

    #[test]
    fn a_recording_becomes_a_transcript_with_its_answers() {
        let recording = [
            json!({"type": "acp-trace", "v": 1}).to_string(),
            line(
                "c2a",
                &json!({"id": 0, "method": "initialize", "params": {"cwd": "/tmp/x/ws"}}),
            ),
            line("a2c", &json!({"id": 0, "result": {}})),
            line("c2a", &json!({"id": 1, "method": "session/prompt"})),
            line(
                "a2c",
                &json!({"id": 0, "method": "session/request_permission"}),
            ),
            line("c2a", &json!({"id": 0, "result": {}})),
            line(
                "a2c",
                &json!({"id": 1, "result": {"stopReason": "end_turn"}}),
            ),
            line("c2a", &json!({"id": 2, "method": "session/load"})),
            line("a2c", &json!({"id": 2, "error": {"code": -32603}})),
            line("c2a", &json!({"id": 3, "method": "session/close"})),
            line(
                "a2c",
                &json!({"method": "session/update", "params": {"update": {
                "sessionUpdate": "state_update", "state": "idle", "stopReason": "cancelled"}}}),
            ),
            json!({"type": "stderr", "raw": "words"}).to_string(),
        ];
        let machine = Normaliser::new(vec![("/tmp/x/ws".to_owned(), "/workspace".to_owned())]);
        let lines = transcript("a-1-v1-text", &recording.join("\n"), machine).unwrap();
        assert_eq!(lines.len(), 11);
        assert_eq!(lines[1]["t"], 1);
        assert!(lines[1]["frame"].as_str().unwrap().contains("/workspace"));
        let expected = json!({
            "answers": [
                ["initialize", "ok"],
                ["session/prompt", "end_turn"],
                ["session/load", "error -32603"],
                ["session/close", "none"],
            ],
            "idle": ["idle cancelled"],
        });
        assert_eq!(answers(&lines), expected);
    }
}
