//! The shapes that are told apart by what they look like, one probe at a time.

use acp_vocab::ProtocolVersion;
use serde_json::{Value, json};

use crate::sample;

const V1: ProtocolVersion = ProtocolVersion::V1;
const V2: ProtocolVersion = ProtocolVersion::V2;

/// The value comes back as it was.
#[track_caller]
fn kept(name: &str, version: ProtocolVersion, value: Value) {
    assert_eq!(sample::recode(name, version, &value), Ok(value));
}

/// The value comes back as another.
#[track_caller]
fn read_as(name: &str, version: ProtocolVersion, value: &Value, expected: Value) {
    assert_eq!(sample::recode(name, version, value), Ok(expected));
}

#[track_caller]
fn refused(name: &str, version: ProtocolVersion, value: &Value) {
    let read = sample::recode(name, version, value);
    assert!(read.is_err(), "{value} was read as {read:?}");
}

#[test]
fn mcp_servers() {
    let stdio = json!({"name": "n", "command": "c", "args": [], "env": []});
    kept("McpServer", V1, stdio);
    refused("McpServer", V2, &json!({"name": "n", "command": "c"}));
    refused("McpServer", V1, &json!({"name": "n", "command": "c"}));
    kept(
        "McpServer",
        V2,
        json!({"type": "stdio", "name": "n", "command": "c"}),
    );
    refused(
        "McpServer",
        V1,
        &json!({"type": "http", "name": "n", "url": "u"}),
    );
    kept(
        "McpServer",
        V2,
        json!({"type": "http", "name": "n", "url": "u"}),
    );
    for version in [V1, V2] {
        let env =
            json!({"type": "stdio", "name": "n", "command": "c", "args": [], "env": {"A": "b"}});
        if version == V2 {
            refused("McpServer", version, &env);
        }
        // A type that is not known is never started as a program, whatever stands beside it.
        kept(
            "McpServer",
            version,
            json!({"type": "socket", "name": "n", "command": "rm", "args": [], "env": []}),
        );
    }
}

#[test]
fn auth_methods() {
    kept("AuthMethod", V1, json!({"id": "a", "name": "A"}));
    refused("AuthMethod", V2, &json!({"methodId": "a", "name": "A"}));
    kept(
        "AuthMethod",
        V1,
        json!({"type": "env_var", "id": "a", "name": "A", "vars": ["X"]}),
    );
    kept("AuthMethod", V2, json!({"type": "sso", "methodId": "a"}));
    kept(
        "AuthMethod",
        V1,
        json!({"type": "terminal", "id": "a", "name": "A", "env": {"K": "v"}}),
    );
    refused(
        "AuthMethod",
        V1,
        &json!({"type": "terminal", "id": "a", "name": "A", "env": [{"name": "K", "value": "v"}]}),
    );
    kept(
        "AuthMethod",
        V2,
        json!({"type": "terminal", "methodId": "a", "name": "A", "env": [{"name": "K", "value": "v"}]}),
    );
    refused(
        "AuthMethod",
        V2,
        &json!({"type": "terminal", "methodId": "a", "name": "A", "env": {"K": "v"}}),
    );
    let unknown: acp_vocab::v1::AuthMethod =
        serde_json::from_str(r#"{"type":"env_var","id":"a","name":"A"}"#).unwrap();
    assert_eq!(unknown.as_agent().unwrap().id, "a");
    let terminal: acp_vocab::v1::AuthMethod =
        serde_json::from_str(r#"{"type":"terminal","id":"a","name":"A"}"#).unwrap();
    assert_eq!(terminal.as_agent(), None);
}

#[test]
fn option_values() {
    let request = |rest: Value| {
        let mut request = json!({"sessionId": "s", "configId": "c"});
        request
            .as_object_mut()
            .unwrap()
            .extend(rest.as_object().unwrap().clone());
        request
    };
    let name = "SetSessionConfigOptionRequest";
    kept(name, V1, request(json!({"value": "x"})));
    refused(name, V2, &request(json!({"value": "x"})));
    refused(name, V1, &request(json!({"value": true})));
    refused(name, V2, &request(json!({"value": true})));
    refused(name, V1, &request(json!({})));
    kept(name, V1, request(json!({"type": "boolean", "value": true})));
    kept(name, V2, request(json!({"type": "boolean", "value": true})));
    kept(name, V2, request(json!({"type": "id", "value": "x"})));
    read_as(
        name,
        V1,
        &request(json!({"type": "boolean", "value": "x"})),
        request(json!({"value": "x"})),
    );
    refused(name, V2, &request(json!({"type": "boolean", "value": "x"})));
    refused(name, V1, &request(json!({"type": "boolean", "value": 5})));
    read_as(
        name,
        V1,
        &request(json!({"type": "_t", "value": "x"})),
        request(json!({"value": "x"})),
    );
    kept(
        name,
        V2,
        request(json!({"type": "_t", "value": "x", "more": 1})),
    );
    kept(
        name,
        V1,
        request(json!({"type": "_t", "value": {"x": 1}, "more": 1})),
    );
    kept(name, V2, request(json!({"type": "_t", "value": {"x": 1}})));
    kept(
        "InitialSessionConfigOption",
        V1,
        json!({"configId": "c", "value": "x"}),
    );
    kept(
        "InitialSessionConfigOption",
        V2,
        json!({"configId": "c", "type": "_t", "value": 7, "_meta": {"a": 1}}),
    );
}

#[test]
fn select_options() {
    for (version, id, group) in [(V1, "id", "group"), (V2, "configId", "groupId")] {
        let option = |options: Value| json!({id: "o", "name": "O", "type": "select", "currentValue": "a", "options": options});
        kept("SessionConfigOption", version, option(json!([])));
        kept(
            "SessionConfigOption",
            version,
            option(json!([{"value": "a", "name": "A"}])),
        );
        kept(
            "SessionConfigOption",
            version,
            option(json!([{group: "g", "name": "G", "options": [{"value": "a", "name": "A"}]}])),
        );
        refused(
            "SessionConfigOption",
            version,
            &option(json!([{"value": "a", "name": "A"}, {group: "g", "name": "G", "options": []}])),
        );
        refused(
            "SessionConfigOption",
            version,
            &option(json!([{"value": "a"}])),
        );
        refused("SessionConfigOption", version, &option(json!({"a": "A"})));
        kept(
            "SessionConfigOption",
            version,
            json!({id: "o", "name": "O", "type": "slider", "min": 0, "_meta": {"a": 1}}),
        );
        refused(
            "SessionConfigOption",
            version,
            &json!({id: "o", "name": "O"}),
        );
        refused(
            "SessionConfigOption",
            version,
            &json!({id: "o", "name": "O", "type": "boolean", "currentValue": "on"}),
        );
    }
}

#[test]
fn elicitation() {
    let name = "CreateElicitationRequest";
    let form = json!({"type": "object", "properties": {}});
    for version in [V1, V2] {
        kept(
            name,
            version,
            json!({"message": "m", "mode": "form", "sessionId": "s", "toolCallId": "t", "requestedSchema": form}),
        );
        kept(
            name,
            version,
            json!({"message": "m", "mode": "url", "requestId": 7, "elicitationId": "e", "url": "u"}),
        );
        read_as(
            name,
            version,
            &json!({"message": "m", "mode": "form", "sessionId": "s", "requestId": 1, "requestedSchema": form}),
            json!({"message": "m", "mode": "form", "sessionId": "s", "requestedSchema": form}),
        );
        refused(
            name,
            version,
            &json!({"message": "m", "mode": "form", "requestedSchema": form}),
        );
        refused(
            name,
            version,
            &json!({"message": "m", "sessionId": "s", "requestedSchema": form}),
        );
        refused(
            name,
            version,
            &json!({"message": "m", "mode": "form", "sessionId": "s"}),
        );
        kept(
            name,
            version,
            json!({"message": "m", "mode": "_voice", "sessionId": "s", "language": "de", "_meta": {"a": 1}}),
        );
    }
    read_as(
        "ElicitationSchema",
        V1,
        &json!({}),
        json!({"type": "object", "properties": {}}),
    );
    kept(
        "ElicitationPropertySchema",
        V1,
        json!({"type": "colour", "x": 1}),
    );
    refused("ElicitationPropertySchema", V1, &json!({"title": "t"}));
    kept(
        "MultiSelectItems",
        V1,
        json!({"type": "string", "enum": ["a"]}),
    );
    kept(
        "MultiSelectItems",
        V1,
        json!({"anyOf": [{"const": "a", "title": "A"}]}),
    );
    refused("MultiSelectItems", V1, &json!({"enum": ["a"]}));
    let response = "CreateElicitationResponse";
    kept(
        response,
        V1,
        json!({"action": "accept", "content": {"a": "x", "b": 1, "c": 1.5, "d": true, "e": ["x"]}}),
    );
    kept(
        response,
        V2,
        json!({"action": "accept", "content": {"a": {"b": null}, "c": null, "d": [1]}}),
    );
    kept(
        response,
        V1,
        json!({"action": "decline", "_meta": {"a": 1}}),
    );
    kept(response, V2, json!({"action": "_later", "when": "soon"}));
    refused(response, V1, &json!({"action": "accept", "content": 5}));
    refused(response, V1, &json!({"content": {}}));
}

#[test]
fn resources() {
    let resource = |rest: Value| json!({"type": "resource", "resource": rest});
    kept(
        "ContentBlock",
        V1,
        resource(json!({"uri": "u", "text": "t"})),
    );
    kept(
        "ContentBlock",
        V1,
        resource(json!({"uri": "u", "blob": "b"})),
    );
    read_as(
        "ContentBlock",
        V1,
        &resource(json!({"uri": "u", "text": "t", "blob": "b"})),
        resource(json!({"uri": "u", "text": "t"})),
    );
    refused("ContentBlock", V1, &resource(json!({"uri": "u"})));
    refused("ContentBlock", V1, &resource(json!({"text": "t"})));
    kept("ContentBlock", V1, json!({"type": "_x", "data": 1}));
    refused("ContentBlock", V1, &json!({"text": "t"}));
}

#[test]
fn states() {
    let idle = |rest: Value| {
        let mut state = json!({"state": "idle"});
        state
            .as_object_mut()
            .unwrap()
            .extend(rest.as_object().unwrap().clone());
        state
    };
    kept("StateUpdate", V2, idle(json!({})));
    kept(
        "StateUpdate",
        V2,
        idle(json!({"stopReason": "end_turn", "background": []})),
    );
    kept(
        "StateUpdate",
        V2,
        idle(json!({"stopReason": "error", "error": {"code": -1, "message": "m"}})),
    );
    kept(
        "StateUpdate",
        V2,
        idle(json!({"stopReason": "_tired", "hours": 9, "_meta": {"a": 1}})),
    );
    read_as(
        "StateUpdate",
        V2,
        &idle(json!({"stopReason": null})),
        idle(json!({})),
    );
    read_as(
        "StateUpdate",
        V2,
        &idle(json!({"stopReason": 5})),
        idle(json!({})),
    );
    read_as(
        "StateUpdate",
        V2,
        &idle(json!({"stopReason": "error", "error": "bad"})),
        idle(json!({"stopReason": "error"})),
    );
    read_as(
        "StateUpdate",
        V2,
        &idle(json!({"background": [{"type": "terminal"}]})),
        idle(json!({})),
    );
    kept(
        "StateUpdate",
        V2,
        idle(json!({"background": [{"type": "_daemon", "pid": 4}]})),
    );
    kept(
        "StateUpdate",
        V2,
        json!({"state": "_dreaming", "of": ["sheep"]}),
    );
    let update = |rest: Value| {
        let mut update = json!({"sessionUpdate": "state_update"});
        update
            .as_object_mut()
            .unwrap()
            .extend(rest.as_object().unwrap().clone());
        update
    };
    kept(
        "SessionUpdate",
        V2,
        update(json!({"state": "running", "background": []})),
    );
    kept(
        "SessionUpdate",
        V2,
        update(json!({"state": "_dreaming", "of": ["sheep"]})),
    );
    kept(
        "SessionUpdate",
        V2,
        update(json!({"state": "idle", "stopReason": "_tired", "hours": 9})),
    );
    refused("SessionUpdate", V2, &update(json!({})));
}

#[test]
fn messages_and_diffs() {
    kept(
        "SessionUpdate",
        V2,
        json!({"sessionUpdate": "tool_call", "toolCallId": "t", "title": "v1 only"}),
    );
    kept(
        "SessionUpdate",
        V2,
        json!({"sessionUpdate": "plan", "entries": []}),
    );
    refused(
        "SessionUpdate",
        V1,
        &json!({"sessionUpdate": "current_mode_update", "modeId": "m"}),
    );
    let chunk =
        json!({"sessionUpdate": "agent_message_chunk", "content": {"type": "text", "text": "t"}});
    kept("SessionUpdate", V1, chunk.clone());
    refused("SessionUpdate", V2, &chunk);
    let v1 = json!({"type": "diff", "path": "p", "newText": "n"});
    let v2 = json!({"type": "diff", "changes": [{"operation": "move", "oldPath": "a", "path": "b", "fileType": "text"}]});
    kept("ToolCallContent", V1, v1.clone());
    kept("ToolCallContent", V2, v2.clone());
    refused("ToolCallContent", V2, &v1);
    refused("ToolCallContent", V1, &v2);
    kept(
        "DiffChange",
        V2,
        json!({"operation": "_merge", "paths": ["a"], "mimeType": "text/plain"}),
    );
    refused("DiffChange", V2, &json!({"operation": "copy", "path": "b"}));
}

#[test]
fn permissions() {
    for version in [V1, V2] {
        kept(
            "RequestPermissionResponse",
            version,
            json!({"outcome": {"outcome": "cancelled"}}),
        );
        kept(
            "RequestPermissionResponse",
            version,
            json!({"outcome": {"outcome": "selected", "optionId": "o"}}),
        );
        kept(
            "RequestPermissionResponse",
            version,
            json!({"outcome": {"outcome": "_maybe", "optionId": "o"}}),
        );
        refused(
            "RequestPermissionResponse",
            version,
            &json!({"outcome": {"outcome": "selected"}}),
        );
        refused(
            "RequestPermissionResponse",
            version,
            &json!({"outcome": "cancelled"}),
        );
        kept(
            "PermissionOption",
            version,
            json!({"optionId": "o", "name": "n", "kind": "allow_if_raining"}),
        );
        refused(
            "PermissionOption",
            version,
            &json!({"optionId": "o", "name": "n"}),
        );
    }
    kept(
        "RequestPermissionSubject",
        V2,
        json!({"type": "_thing", "what": 1}),
    );
}

#[test]
fn inner_mcp() {
    kept("MessageMcpResponse", V1, json!({"result": null}));
    kept(
        "MessageMcpResponse",
        V2,
        json!({"result": 1, "_meta": {"trace": "t"}}),
    );
    kept(
        "MessageMcpResponse",
        V1,
        json!({"error": {"code": -1, "message": "m", "data": null, "hint": [1]}}),
    );
    read_as(
        "MessageMcpResponse",
        V1,
        &json!({"error": {"code": 1, "message": "m"}, "result": 2}),
        json!({"result": 2}),
    );
    refused("MessageMcpResponse", V1, &json!({}));
    refused("MessageMcpResponse", V1, &json!({"error": {"code": 1}}));
}

#[test]
fn request_ids() {
    for id in [
        json!(0),
        json!(-1),
        json!(i64::MAX),
        json!(u64::MAX),
        json!(""),
        json!("1"),
        json!(null),
    ] {
        kept("RequestId", V1, id);
    }
    for bad in [json!(1.5), json!(true), json!([1]), json!({})] {
        refused("RequestId", V1, &bad);
    }
    let quoted = |id: acp_vocab::RequestId| id.to_string();
    assert_eq!(
        (quoted(92.into()), quoted("92".into())),
        ("92".to_owned(), "\"92\"".to_owned())
    );
}

#[test]
fn idempotency_keys() {
    let prompt = |key: Value| json!({"sessionId": "s", "prompt": [], "idempotencyKey": key});
    kept("PromptRequest", V2, prompt(json!("k")));
    kept("PromptRequest", V2, prompt(json!("ä".repeat(255))));
    refused("PromptRequest", V2, &prompt(json!("")));
    refused("PromptRequest", V2, &prompt(json!("k".repeat(256))));
    refused("PromptRequest", V2, &prompt(json!(7)));
    read_as(
        "PromptRequest",
        V1,
        &prompt(json!(7)),
        json!({"sessionId": "s", "prompt": []}),
    );
}

#[test]
fn trap_39_a_default_that_is_no_integer_is_dropped_and_the_field_stays() {
    for (default, kept) in [
        ("3", Some(3)),
        ("1.5", None),
        ("3e300", None),
        ("\"3\"", None),
        ("null", None),
    ] {
        let text = format!(r#"{{"title":"Age","minimum":1,"default":{default}}}"#);
        let field: acp_vocab::IntegerPropertySchema = serde_json::from_str(&text).expect("a field");
        assert_eq!((field.default, field.minimum), (kept, Some(1)), "{default}");
    }
}
