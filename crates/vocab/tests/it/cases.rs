//! Small inputs that broke a client somewhere.

use acp_vocab::{Patch, StopReason, v1};

#[test]
fn unknown_update() {
    let text =
        r#"{"sessionId":"s1","update":{"sessionUpdate":"brand_new_thing","payload":{"n":1}}}"#;
    let notification: v1::SessionNotification = serde_json::from_str(text).unwrap();
    let v1::SessionUpdate::Unknown { tag, raw } = &notification.update else {
        panic!("a known update");
    };
    assert_eq!(&**tag, "brand_new_thing");
    assert_eq!(
        raw.get(),
        r#"{"sessionUpdate":"brand_new_thing","payload":{"n":1}}"#
    );
    assert_eq!(serde_json::to_string(&notification).unwrap(), text);
}

#[test]
fn stop_reason_error() {
    let response: v1::PromptResponse = serde_json::from_str(r#"{"stopReason":"error"}"#).unwrap();
    assert_eq!(response.stop_reason, StopReason::Error);
    assert_eq!(response.stop_reason.as_str(), "error");
    let response: v1::PromptResponse = serde_json::from_str(r#"{"stopReason":"_tired"}"#).unwrap();
    assert_eq!(response.stop_reason, StopReason::Other("_tired".into()));
}

#[test]
fn title_not_cleared() {
    let mut title = None;
    let mut told = Vec::new();
    for update in [
        r#"{"sessionUpdate":"session_info_update","title":"A"}"#,
        r#"{"sessionUpdate":"session_info_update","_meta":{"x":1}}"#,
        r#"{"sessionUpdate":"session_info_update","title":null}"#,
    ] {
        let update: v1::SessionUpdate = serde_json::from_str(update).unwrap();
        let v1::SessionUpdate::SessionInfoUpdate(info) = update else {
            panic!("another update");
        };
        info.title.apply_to(&mut title);
        told.push(title.as_deref().map(str::to_owned));
    }
    assert_eq!(told, [Some("A".to_owned()), Some("A".to_owned()), None]);
}

#[test]
fn option_ids_of_both_spellings() {
    let update: v1::ConfigOptionUpdate = serde_json::from_str(
        r#"{"configOptions":[
            {"id":"model","category":"model","type":"select","currentValue":"m1",
             "options":[{"value":"m1","name":"M1"}]},
            {"configId":"reasoning_effort","category":"thought_level","type":"select",
             "currentValue":"low","options":[{"value":"low","name":"Low"},{"value":"ultra","name":"Ultra"}]}]}"#,
    )
    .unwrap();
    let ids: Vec<_> = update
        .config_options
        .iter()
        .map(|option| option.id.as_str())
        .collect();
    assert_eq!(ids, ["model", "reasoning_effort"]);
    let set = v1::SetSessionConfigOptionRequest::new("s", "reasoning_effort", "ultra");
    assert_eq!(
        serde_json::to_string(&set).unwrap(),
        r#"{"sessionId":"s","configId":"reasoning_effort","value":"ultra"}"#
    );
}

/// What a newer peer can do is passed on, though nobody here knows what it means.
#[test]
fn unknown_capabilities_are_kept() {
    let text = r#"{"loadSession":true,"promptCapabilities":{"image":false,"audio":false,"embeddedContext":false,"video":{"fps":[25]}},"mcpCapabilities":{"http":false,"sse":false,"acp":false},"sessionCapabilities":{"list":{"search":true},"teleport":{}},"auth":{},"_dream":{"deep": 1.0}}"#;
    let read: v1::AgentCapabilities = serde_json::from_str(text).unwrap();
    assert_eq!(read.more["_dream"].get(), r#"{"deep": 1.0}"#);
    assert!(read.session_capabilities.more.contains_key("teleport"));
    assert_eq!(serde_json::to_string(&read).unwrap(), text);
}

#[test]
fn three_states_are_written_as_three() {
    let mut info = acp_vocab::SessionInfoUpdate::new();
    assert_eq!(serde_json::to_string(&info).unwrap(), "{}");
    info.title = Patch::Null;
    info.updated_at = Patch::Value("2026-01-01T00:00:00Z".into());
    assert_eq!(
        serde_json::to_string(&info).unwrap(),
        r#"{"title":null,"updatedAt":"2026-01-01T00:00:00Z"}"#
    );
}

/// What the strictest reader wants is always there.
#[test]
fn canonical_output() {
    assert_eq!(
        serde_json::to_string(&v1::NewSessionRequest::new("/work")).unwrap(),
        r#"{"cwd":"/work","mcpServers":[]}"#
    );
    let server = v1::McpServer::from(v1::McpServerStdio::new("tools", "/bin/tools"));
    assert_eq!(
        serde_json::to_string(&server).unwrap(),
        r#"{"name":"tools","command":"/bin/tools","args":[],"env":[]}"#
    );
    let server = acp_vocab::v2::McpServer::Stdio(acp_vocab::v2::McpServerStdio::new("t", "/t"));
    assert_eq!(
        serde_json::to_string(&server).unwrap(),
        r#"{"type":"stdio","name":"t","command":"/t"}"#
    );
}

#[test]
fn legacy_models() {
    let response: v1::NewSessionResponse = serde_json::from_str(
        r#"{"sessionId":"s","models":{"currentModelId":"a","availableModels":[
            {"modelId":"a","name":"A","description":null},{"modelId":5},{"modelId":"b","name":"B"}]}}"#,
    )
    .unwrap();
    let models = response.models.unwrap();
    let ids: Vec<_> = models
        .available_models
        .iter()
        .map(|model| model.model_id.as_str())
        .collect();
    assert_eq!(
        (models.current_model_id.as_str(), ids),
        ("a", vec!["a", "b"])
    );
}
