//! Trusted tool declarations, and context beside a prompt.

use acp_client::{Context, Prompt, ToolsRule, declared_tools};
use acp_testkit::Script;
use acp_vocab::{ContentBlock, v1};
use proptest::prelude::*;
use serde_json::json;

use crate::stage::World;

#[track_caller]
fn broken(text: &str, rule: ToolsRule, server: Option<usize>) {
    let error = declared_tools(text.as_bytes()).unwrap_err();
    assert_eq!((error.rule(), error.server()), (rule, server), "{text}");
    assert!(error.code().starts_with("acp-tools-"));
}

#[test]
fn both_forms_are_read_and_mean_the_same() {
    let map = r#"{"mcpServers":{
        "files":{"command":"/usr/bin/files","args":["-v"],"env":{"ROOT":"/w"}},
        "web":{"type":"http","url":"https://x.example/mcp","headers":{"Authorization":"Bearer t"}}}}"#;
    let list = r#"[
        {"name":"files","command":"/usr/bin/files","args":["-v"],"env":[{"name":"ROOT","value":"/w"}]},
        {"name":"web","type":"http","url":"https://x.example/mcp","headers":[{"name":"Authorization","value":"Bearer t"}]}]"#;
    let nested = format!(r#"{{"mcpServers":{list}}}"#);
    let servers = declared_tools(map.as_bytes()).unwrap();
    assert_eq!(servers, declared_tools(list.as_bytes()).unwrap());
    assert_eq!(servers, declared_tools(nested.as_bytes()).unwrap());
    assert!(matches!(
        &servers[..],
        [v1::McpServer::Stdio(_), v1::McpServer::Http(_)]
    ));
    assert_eq!(
        serde_json::to_value(&servers[0]).unwrap(),
        json!({"name":"files","command":"/usr/bin/files","args":["-v"],"env":[{"name":"ROOT","value":"/w"}]})
    );
    assert_eq!(declared_tools(br#"{"mcpServers":{}}"#).unwrap(), []);
}

#[test]
fn a_broken_rule_has_its_code_and_its_place() {
    use ToolsRule as Rule;
    let one = |body: &str| format!(r#"{{"mcpServers":{{"a":{body}}}}}"#);
    let named = |name: &str| format!(r#"{{"mcpServers":{{"{name}":{{"command":"/x"}}}}}}"#);
    for (text, rule) in [
        ("", Rule::NotJson),
        ("{", Rule::NotJson),
        (r#"{"mcpServers":{},"mcpServers":{}}"#, Rule::NotJson),
        (
            r#"{"mcpServers":{"a":{"command":"/x"},"a":{"command":"/y"}}}"#,
            Rule::NotJson,
        ),
        ("null", Rule::BadForm),
        ("3", Rule::BadForm),
        (r#"{"servers":{}}"#, Rule::BadForm),
        (r#"{"mcpServers":{},"x":1}"#, Rule::BadForm),
        (r#"{"mcpServers":"x"}"#, Rule::BadForm),
    ] {
        broken(text, rule, None);
    }
    for (body, rule) in [
        ("7", Rule::BadServer),
        (r#"{"command":7}"#, Rule::BadServer),
        (r#"{"command":"/x","url":"https://x"}"#, Rule::BadServer),
        (
            r#"{"type":"http","url":"https://x","args":[]}"#,
            Rule::BadServer,
        ),
        (r#"{"type":"http"}"#, Rule::BadServer),
        ("{}", Rule::BadServer),
        (r#"{"command":"/x","disabled":true}"#, Rule::UnknownMember),
        (
            r#"{"command":"/x","autoApprove":["all"]}"#,
            Rule::UnknownMember,
        ),
        (r#"{"type":"sse","url":"https://x"}"#, Rule::BadType),
        (r#"{"type":"acp","serverId":"x"}"#, Rule::UnknownMember),
        (r#"{"command":"npx"}"#, Rule::NotAbsolute),
        (r#"{"command":"./x"}"#, Rule::NotAbsolute),
        (r#"{"command":"/bin/../x"}"#, Rule::NotAbsolute),
        (r#"{"command":"/"}"#, Rule::NotAbsolute),
        (r#"{"command":"/x\n"}"#, Rule::NotAbsolute),
        (r#"{"command":""}"#, Rule::NotAbsolute),
        (
            r#"{"command":"/x","args":["a\u0000b"]}"#,
            Rule::BadArguments,
        ),
        (
            r#"{"command":"/x","env":{"A B":"1"}}"#,
            Rule::BadEnvironment,
        ),
        (r#"{"command":"/x","env":{"1A":"1"}}"#, Rule::BadEnvironment),
        (r#"{"command":"/x","env":{"A":1}}"#, Rule::BadEnvironment),
        (
            r#"{"command":"/x","env":{"A":"1","A":"2"}}"#,
            Rule::BadEnvironment,
        ),
        (
            r#"{"command":"/x","env":[{"name":"A","value":"1"},{"name":"A","value":"2"}]}"#,
            Rule::BadEnvironment,
        ),
        (
            r#"{"command":"/x","env":{"LD_PRELOAD":"/evil.so"}}"#,
            Rule::ReservedVariable,
        ),
        (
            r#"{"command":"/x","env":{"acp_tools":"x"}}"#,
            Rule::ReservedVariable,
        ),
        (r#"{"type":"http","url":"ftp://x"}"#, Rule::BadUrl),
        (r#"{"type":"http","url":"https://user:pw@x"}"#, Rule::BadUrl),
        (r#"{"type":"http","url":"https://"}"#, Rule::BadUrl),
        (r#"{"type":"http","url":"https://x/ y"}"#, Rule::BadUrl),
        (
            r#"{"type":"http","url":"https://x","headers":{"A":"1\r\nB: 2"}}"#,
            Rule::BadHeaders,
        ),
        (
            r#"{"type":"http","url":"https://x","headers":{"A B":"1"}}"#,
            Rule::BadHeaders,
        ),
    ] {
        broken(&one(body), rule, Some(1));
    }
    for name in ["", " a", "a/b", "a\\nb", &"x".repeat(65), "é"] {
        broken(&named(name), Rule::BadName, Some(1));
    }
    for name in ["acp", "ACP-tools", "acp_x", "_x"] {
        broken(&named(name), Rule::ReservedName, Some(1));
    }
    assert!(declared_tools(named("acpi").as_bytes()).is_ok());
    broken(r#"[{"command":"/x"}]"#, Rule::BadName, Some(1));
    broken(
        r#"{"mcpServers":{"a":{"name":"b","command":"/x"}}}"#,
        Rule::BadName,
        Some(1),
    );
    broken(
        r#"[{"name":"a","command":"/x"},{"name":"A","command":"/y"}]"#,
        Rule::SameName,
        Some(2),
    );
}

#[test]
fn bounds_hold_at_their_edges() {
    let servers = |count: usize| {
        let list: Vec<_> = (0..count)
            .map(|n| json!({"name": format!("s{n}"), "command": "/x"}))
            .collect();
        serde_json::to_string(&list).unwrap()
    };
    assert_eq!(declared_tools(servers(8).as_bytes()).unwrap().len(), 8);
    broken(&servers(9), ToolsRule::TooMany, None);
    let padded = |bytes: usize| format!("{}{}", servers(1), " ".repeat(bytes - servers(1).len()));
    assert!(declared_tools(padded(64 * 1024).as_bytes()).is_ok());
    broken(&padded(64 * 1024 + 1), ToolsRule::TooLarge, None);
    let args = |count: usize, length: usize| {
        json!([{"name":"a","command":"/x","args": vec!["a".repeat(length); count]}]).to_string()
    };
    assert!(declared_tools(args(64, 1).as_bytes()).is_ok());
    broken(&args(65, 1), ToolsRule::BadArguments, Some(1));
    assert!(declared_tools(args(1, 4096).as_bytes()).is_ok());
    broken(&args(1, 4097), ToolsRule::BadArguments, Some(1));
}

proptest! {
    /// Whatever is in the file, an error says nothing of it.
    #[test]
    fn errors_never_hold_contents(secret in "[a-zA-Z0-9]{12,40}", place in 0..6_usize) {
        let text = [
            format!(r#"{{"mcpServers":{{"{secret}":{{"command":"{secret}"}}}}}}"#),
            format!(r#"{{"mcpServers":{{"a":{{"command":"/x","{secret}":1}}}}}}"#),
            format!(r#"{{"mcpServers":{{"a":{{"command":"/x","env":{{"LD_PRELOAD":"{secret}"}}}}}}}}"#),
            format!(r#"{{"mcpServers":{{"a":{{"type":"{secret}","command":"/x"}}}}}}"#),
            format!(r#"{{"mcpServers":{{"a":{{"type":"http","url":"https://{secret}@x"}}}}}}"#),
            format!(r#"["{secret}""#),
        ][place].clone();
        let error = declared_tools(text.as_bytes()).unwrap_err();
        let said = format!("{error} {error:?} {}", error.code());
        prop_assert!(!said.contains(&secret), "{}", said);
    }

    /// Whatever is read can be sent, and nothing panics.
    #[test]
    fn any_text_is_taken_or_refused(text in ".{0,200}") {
        drop(declared_tools(text.as_bytes()));
    }
}

/// What servers are given is often a key.
#[tokio::test(start_paused = true)]
async fn debug_output_of_a_session_about_to_be_opened_holds_no_key() {
    let (client, _agent) = World::Memory.start(Script::new().drain());
    let servers = declared_tools(
        br#"[{"name":"a","command":"/x","args":["xyzzy"],"env":{"KEY":"xyzzy"}},
             {"name":"b","type":"http","url":"https://x","headers":{"Authorization":"xyzzy"}}]"#,
    )
    .unwrap();
    let new = client.new_session("/xyzzy").tools(servers.clone());
    let load = client.load("s", "/xyzzy").tools(servers);
    let shown = format!("{new:?} {load:?}");
    assert!(shown.contains("servers: 2"), "{shown}");
    assert!(!shown.contains("xyzzy"), "{shown}");
}

#[tokio::test(start_paused = true)]
async fn context_stands_before_the_words_and_leaves_them_alone() {
    for (embeds, kind) in [(true, "resource"), (false, "text")] {
        let capabilities = json!({"promptCapabilities":{"embeddedContext":embeds}});
        let initialized = json!({"protocolVersion":1,"agentCapabilities":capabilities}).to_string();
        let script = Script::new()
            .expect("initialize")
            .reply(&initialized)
            .expect("session/new")
            .reply(r#"{"sessionId":"s"}"#)
            .expect("session/prompt")
            .end_turn()
            .drain();
        let (client, agent) = World::Memory.start(script);
        let agreement = client.initialize().await.unwrap();
        let session = client.new_session("/w").open().await.unwrap();
        let context = [
            Context::new("file:///w/a.rs", "fn a() {}").media_type("text/x-rust"),
            Context::new("shell:make", "ok"),
        ];
        let prompt = Prompt::from("what does it do?").beside(&context, &agreement);
        let mut turn = session.prompt(prompt).start().unwrap();
        while turn.next().await.unwrap().is_some() {}
        let heard = agent.heard_after_close(&client).await;
        let sent = &heard.0[2]["params"]["prompt"];
        assert_eq!(sent.as_array().unwrap().len(), 3);
        assert_eq!(sent[0]["type"], kind);
        assert_eq!(sent[2], json!({"type":"text","text":"what does it do?"}));
        if embeds {
            assert_eq!(
                sent[0]["resource"],
                json!({"uri":"file:///w/a.rs","mimeType":"text/x-rust","text":"fn a() {}"})
            );
        } else {
            assert_eq!(sent[1]["text"], "ok");
        }
    }
}

/// Each kind of content needs what the specification says, in each version.
#[tokio::test(start_paused = true)]
async fn content_is_sent_only_where_it_was_advertised() {
    let block = |text: &str| serde_json::from_str::<ContentBlock>(text).unwrap();
    let blocks = [
        (
            r#"{"type":"image","data":"AA==","mimeType":"image/png"}"#,
            "image",
        ),
        (
            r#"{"type":"audio","data":"AA==","mimeType":"audio/wav"}"#,
            "audio",
        ),
        (
            r#"{"type":"resource","resource":{"uri":"a:b","text":"c"}}"#,
            "embeddedContext",
        ),
        (r#"{"type":"skill","name":"x"}"#, "skill"),
    ];
    for version in [1, 2] {
        let initialized = if version == 1 {
            json!({"protocolVersion":1})
        } else {
            json!({"protocolVersion":2,"info":{"name":"a","version":"1"},"capabilities":{"session":{}}})
        };
        let script = Script::new()
            .expect("initialize")
            .reply(&initialized.to_string())
            .expect("session/new")
            .reply(r#"{"sessionId":"s"}"#)
            .drain();
        let builder = World::Memory
            .builder()
            .versions([acp_vocab::ProtocolVersion(version)]);
        let (client, agent) = World::Memory.start_with(builder, script);
        client.initialize().await.unwrap();
        let session = client.new_session("/w").open().await.unwrap();
        for (text, capability) in blocks {
            let Ok(block) = serde_json::from_str::<ContentBlock>(text) else {
                panic!("{text}")
            };
            let error = session.prompt(block).start().unwrap_err().to_string();
            assert!(error.contains(capability), "v{version} {text}: {error}");
        }
        let link = block(r#"{"type":"resource_link","name":"a","uri":"a:b"}"#);
        assert!(session.prompt(link).start().is_ok());
        drop(agent);
    }
}
