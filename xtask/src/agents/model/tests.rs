//! Every dialect, from a request to what an agent reads.

use serde_json::json;

use super::*;

/// The bytes of an answer, events apart by empty lines.
fn answered(path: &str, body: &Value) -> String {
    let (_, pieces) = answer(path, body, &Mutex::default());
    let texts = pieces.into_iter().map(|piece| match piece {
        Piece::Bytes(text) => text,
        Piece::Pause => "PAUSE\n".to_owned(),
        Piece::Silence => "SILENCE\n".to_owned(),
    });
    texts.collect()
}

fn schema() -> Value {
    json!({"type": "object", "required": ["command", "why"], "properties": {
        "command": {"type": "string"}, "why": {"type": "string"}, "timeout": {"type": "number"},
    }})
}

/// A request in each dialect: what a person says, and whether a tool has run since.
fn requests(said: &str, ran: bool) -> Vec<(&'static str, Value)> {
    let mut anthropic = vec![json!({"role": "user", "content": [{"type": "text", "text": said}]})];
    let mut chat = vec![json!({"role": "user", "content": said})];
    let mut responses = vec![
        json!({"type": "message", "role": "user", "content": [{"type": "input_text", "text": said}]}),
    ];
    let mut gemini = vec![json!({"role": "user", "parts": [{"text": said}]})];
    if ran {
        anthropic
            .push(json!({"role": "user", "content": [{"type": "tool_result", "content": "ok"}]}));
        chat.push(json!({"role": "tool", "content": "ok"}));
        responses.push(json!({"type": "function_call_output", "output": "ok"}));
        gemini.push(json!({"role": "user", "parts": [{"functionResponse": {"name": "shell"}}]}));
    }
    let shell = json!({"type": "function", "name": "shell", "parameters": schema()});
    vec![
        (
            "/v1/messages?beta=true",
            json!({
                "model": "m", "messages": anthropic, "tools": [{"name": "Bash", "input_schema": schema()}],
                "output_config": {"effort": "high"},
            }),
        ),
        (
            "/v1/chat/completions",
            json!({
                "model": "m", "messages": chat, "tools": [{"type": "function", "function": shell}], "reasoning_effort": "high",
            }),
        ),
        (
            "/v1/responses",
            json!({
                "model": "m", "input": responses, "tools": [{"type": "namespace", "name": "n", "tools": [shell]}],
                "reasoning": {"effort": "high"},
            }),
        ),
        (
            "/v1beta/models/m:streamGenerateContent?alt=sse",
            json!({
                "contents": gemini, "tools": [{"functionDeclarations": [{"name": "run_shell_command", "parametersJsonSchema": schema()}]}],
            }),
        ),
    ]
}

#[track_caller]
fn check(said: &str, ran: bool, holds: &[&str], lacks: &str) {
    for (path, body) in requests(said, ran) {
        let text = answered(path, &body);
        for each in holds {
            assert!(text.contains(each), "{path} lacks {each}: {text}");
        }
        assert!(!text.contains(lacks), "{path} has {lacks}: {text}");
    }
}

#[test]
fn the_mark_decides_what_is_said() {
    check("hello", false, &[script::HELLO], "echo");
    check("[model:text]", false, &[script::HELLO], "echo");
    check(
        "[model:think] [model:text]",
        false,
        &[script::HELLO],
        script::ANSWER,
    );
    check(
        "[model:think]",
        false,
        &[script::WEIGHED, script::ANSWER],
        script::HELLO,
    );
    check("[model:slow]", false, &[script::SLOWLY, "PAUSE"], "SILENCE");
    check("[model:hang]", false, &[script::SLOWLY, "SILENCE"], "PAUSE");
}

#[test]
fn a_tool_is_asked_for_once() {
    check(
        "[model:shell echo one]",
        false,
        &["echo one", "a test"],
        "timeout",
    );
    check("[model:shell echo one]", true, &[script::DONE], "echo one");
}

#[test]
fn a_question_beside_the_turn_gets_an_ordinary_answer_and_does_not_count() {
    let efforts = Mutex::default();
    for (path, mut body) in requests("[model:hang]", false) {
        answer(path, &body, &efforts);
        body.as_object_mut().unwrap().remove("tools");
        answer(path, &body, &efforts);
        assert!(answered(path, &body).contains(script::HELLO), "{path}");
    }
    assert_eq!(efforts.into_inner().unwrap(), ["high", "high", "high"]);
}

#[test]
fn a_question_in_a_form_is_answered_in_that_form() {
    let schema = json!({"required": ["choice", "sure", "score"], "properties": {
        "choice": {"type": "STRING", "enum": ["flash", "pro"]}, "sure": {"type": "boolean"},
        "score": {"type": "integer"}, "remark": {"type": "string"},
    }});
    let body = json!({
        "contents": [{"role": "user", "parts": [{"text": "what next?"}]}],
        "generationConfig": {"responseMimeType": "application/json", "responseJsonSchema": schema},
    });
    let text = answered("/v1beta/models/m:generateContent", &body);
    let answer: Value = serde_json::from_str(&text).unwrap();
    let said = answer
        .pointer("/candidates/0/content/parts/0/text")
        .unwrap();
    let said: Value = serde_json::from_str(said.as_str().unwrap()).unwrap();
    assert_eq!(said, json!({"choice": "flash", "sure": false, "score": 1}));
}

#[test]
fn other_questions_get_a_small_answer() {
    assert!(answered("/v1/models", &Value::Null).contains("data"));
    assert!(answered("/v1/messages/count_tokens", &Value::Null).contains("100"));
}

#[test]
fn a_running_server_answers() {
    use std::io::{Read as _, Write as _};
    let model = Model::start().unwrap();
    let mut stream = std::net::TcpStream::connect(model.address).unwrap();
    let (path, body) = requests("[model:text]", false).remove(0);
    let body = body.to_string();
    write!(
        stream,
        "POST {path} HTTP/1.1\r\ncontent-length: {}\r\n\r\n{body}",
        body.len()
    )
    .unwrap();
    let mut answer = String::new();
    stream.read_to_string(&mut answer).unwrap();
    assert!(
        answer.starts_with("HTTP/1.1 200 OK\r\n") && answer.contains(script::HELLO),
        "{answer}"
    );
    assert_eq!(model.take_efforts(), ["high"]);
    assert_eq!(model.take_efforts(), [""; 0]);
}
