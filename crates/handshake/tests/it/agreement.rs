//! What was agreed, read from recorded answers of real agents and from the odd ones of field reports.

use acp_handshake::{Agreement, AuthError, AuthKind, GateError};
use acp_vocab::{Method, ProtocolVersion};

use crate::{offer, recorded};

fn agreed(versions: &[u16], result: &str) -> Agreement {
    offer(versions).accept_text(result).expect("an agreement")
}

fn yes(agreement: &Agreement) -> Vec<String> {
    agreement
        .known_capabilities()
        .filter(|capability| capability.advertised)
        .map(|capability| capability.path.into())
        .collect()
}

fn narrower(agreement: &Agreement) -> Vec<String> {
    agreement
        .narrower()
        .into_iter()
        .map(|capability| capability.path.into())
        .collect()
}

/// Everything that is read from the recorded answer of an agent, as one snapshot.
#[track_caller]
fn check_recorded(name: &str, versions: &[u16]) {
    let agreement = offer(versions)
        .accept(&recorded(name))
        .expect("an agreement");
    let auth: Vec<_> = agreement
        .auth_methods()
        .iter()
        .map(|method| (&method.id, &method.kind))
        .collect();
    insta::assert_debug_snapshot!(
        name,
        (
            ("version", agreement.version().0),
            (
                "agent",
                agreement.agent_name(),
                agreement.agent().map(|agent| &agent.version)
            ),
            ("yes", yes(&agreement)),
            ("narrower", narrower(&agreement)),
            ("auth", auth),
            ("diagnostics", agreement.diagnostics()),
        )
    );
}

#[test]
fn recorded_answers() {
    check_recorded("claude-v1", &[1]);
    check_recorded("claude-v2", &[1, 2]);
    check_recorded("codex-v1", &[1]);
    check_recorded("codex-v2", &[2]);
    check_recorded("copilot-v1", &[1]);
    check_recorded("gemini-v1", &[1, 2]);
    check_recorded("opencode-v1", &[1]);
    check_recorded("piacp-v1", &[1]);
}

/// Checks which capabilities are read as yes and which diagnostics are left.
#[track_caller]
fn check(result: &str, expected: &[&str], diagnostics: &[&str]) {
    let agreement = agreed(&[1, 2], result);
    assert_eq!(yes(&agreement), expected);
    let notes: Vec<String> = agreement
        .diagnostics()
        .iter()
        .map(ToString::to_string)
        .collect();
    assert_eq!(notes, diagnostics);
}

#[test]
fn explicit_false_and_null_mean_no() {
    check(
        r#"{"protocolVersion":1,"agentCapabilities":{"promptCapabilities":{"image":true,"audio":false,"embeddedContext":true},
        "mcpCapabilities":{"http":true,"sse":false,"acp":false},"loadSession":true,"sessionCapabilities":{"list":{},"fork":null}}}"#,
        &[
            "loadSession",
            "promptCapabilities.image",
            "promptCapabilities.embeddedContext",
            "mcpCapabilities.http",
            "sessionCapabilities.list",
        ],
        &[],
    );
}

#[test]
fn v1_takes_any_value_as_a_marker() {
    check(
        r#"{"protocolVersion":1,"agentCapabilities":{"sessionCapabilities":{"list":true,"resume":"yes","close":{},"delete":false,"fork":0}}}"#,
        &[
            "sessionCapabilities.list",
            "sessionCapabilities.fork",
            "sessionCapabilities.resume",
            "sessionCapabilities.close",
        ],
        &[
            "sessionCapabilities.resume is a string, read as yes",
            "sessionCapabilities.fork is an integer, read as yes",
        ],
    );
}

#[test]
fn v2_takes_objects_alone_as_markers() {
    check(
        r#"{"protocolVersion":2,"info":{"name":"a","version":"1"},"capabilities":{"session":{"prompt":{"image":true,"audio":{}},"delete":"yes","fork":{}}}}"#,
        &["session", "session.prompt.audio", "session.fork"],
        &[
            "session.prompt.image is true, read as no",
            "session.delete is a string, read as no",
        ],
    );
}

#[test]
fn capabilities_of_another_kind_are_none() {
    check(
        r#"{"protocolVersion":1,"agentCapabilities":true}"#,
        &[],
        &["agentCapabilities is a boolean, read as absent"],
    );
    check(
        r#"{"protocolVersion":1,"agentCapabilities":null}"#,
        &[],
        &[],
    );
    check(r#"{"protocolVersion":1}"#, &[], &[]);
    check(
        r#"{"protocolVersion":1,"agentCapabilities":{"sessionCapabilities":"all"}}"#,
        &[],
        &["sessionCapabilities is a string, read as absent"],
    );
}

#[test]
fn nothing_is_inferred_from_the_members_of_the_other_version() {
    check(
        r#"{"protocolVersion":1,"capabilities":{"session":{"delete":{}}},"info":{"name":"a","version":"1"}}"#,
        &[],
        &[],
    );
    check(
        r#"{"protocolVersion":2,"agentCapabilities":{"loadSession":true}}"#,
        &[],
        &["info is missing"],
    );
}

#[test]
fn a_deep_or_broken_card_costs_only_itself() {
    let deep = format!("{}{}", "[".repeat(5_000), "]".repeat(5_000));
    let result = format!(
        r#"{{"protocolVersion":1,"_meta":{{"x":{deep}}},"agentCapabilities":{{"_meta":{{"y":{deep}}},"loadSession":true}},"agentInfo":7}}"#
    );
    let agreement = agreed(&[1], &result);
    assert!(agreement.advertises("loadSession"));
    assert_eq!(agreement.agent_name(), "unknown");
    assert_eq!(agreement.diagnostics().len(), 1);
    assert_eq!(narrower(&agreement), [""; 0]);
}

#[test]
fn what_nobody_modelled_is_kept_and_reported() {
    let agreement = agreed(
        &[1],
        r#"{"protocolVersion":1,"agentCapabilities":{"loadSession":true,"sessionCapabilities":{"subagents":{},"_x":{"y":true}},"teleport":true,"off":false}}"#,
    );
    assert_eq!(
        narrower(&agreement),
        [
            "sessionCapabilities.subagents",
            "sessionCapabilities._x.y",
            "teleport"
        ]
    );
}

#[test]
fn a_broken_auth_method_costs_only_itself() {
    let agreement = agreed(
        &[1],
        r#"{"protocolVersion":1,"authMethods":[{"id":"a","name":"A"},{"name":"no id"},7,{"id":"t","name":"T","type":"terminal"},{"id":"o","type":"env_var"}]}"#,
    );
    let methods: Vec<_> = agreement
        .auth_methods()
        .iter()
        .map(|method| (&*method.id, &*method.name, &method.kind))
        .collect();
    assert_eq!(
        methods,
        [
            ("a", "A", &AuthKind::Agent),
            ("t", "T", &AuthKind::Terminal),
            ("o", "o", &AuthKind::Agent)
        ]
    );
    assert_eq!(agreement.diagnostics().len(), 2);
    assert!(agreement.auth_method("a").is_ok());
    assert_eq!(
        agreement.auth_method("t").expect_err("not a request"),
        AuthError::Terminal
    );
    let listed = ["a", "t", "o"].map(Into::into).to_vec();
    assert_eq!(
        agreement.auth_method("b").expect_err("not listed"),
        AuthError::Unknown { listed }
    );
}

#[test]
fn the_gate_names_method_and_capability() {
    let agreement = agreed(
        &[1],
        r#"{"protocolVersion":1,"agentCapabilities":{"sessionCapabilities":{"list":{}}}}"#,
    );
    assert_eq!(agreement.require(Method::SESSION_NEW), Ok(()));
    assert_eq!(agreement.require(Method::SESSION_PROMPT), Ok(()));
    assert_eq!(agreement.require(Method::SESSION_LIST), Ok(()));
    assert_eq!(agreement.require(Method::SESSION_SET_MODE), Ok(()));
    let error = agreement.require(Method::SESSION_LOAD).expect_err("gated");
    assert_eq!(
        error.to_string(),
        "session/load needs `loadSession`, which the peer did not advertise"
    );
    let error = agreement
        .require(Method::SESSION_DELETE)
        .expect_err("gated");
    assert_eq!(
        error.to_string(),
        "session/delete needs `sessionCapabilities.delete`, which the peer did not advertise"
    );
    let error = agreement.require(Method::AUTHENTICATE).expect_err("gated");
    assert_eq!(
        error.to_string(),
        "authenticate needs `authMethods`, which the peer did not advertise"
    );
    let version = ProtocolVersion::V1;
    assert_eq!(
        agreement.require(Method::AUTH_LOGIN),
        Err(GateError::NotInVersion {
            method: Method::AUTH_LOGIN,
            version
        })
    );
    let method = Method::FS_READ_TEXT_FILE;
    assert_eq!(
        agreement.require(method),
        Err(GateError::WrongDirection { method })
    );
}

#[test]
fn the_gate_of_v2_is_the_session_marker() {
    let agreement = agreed(
        &[2],
        r#"{"protocolVersion":2,"info":{"name":"a","version":"1"},"capabilities":{"session":{}},"authMethods":[]}"#,
    );
    assert_eq!(agreement.require(Method::SESSION_LIST), Ok(()));
    let error = agreement
        .require(Method::SESSION_DELETE)
        .expect_err("gated");
    assert_eq!(
        error.to_string(),
        "session/delete needs `session.delete`, which the peer did not advertise"
    );
    assert_eq!(
        agreement.require(Method::SESSION_LOAD),
        Err(GateError::NotInVersion {
            method: Method::SESSION_LOAD,
            version: ProtocolVersion::V2
        })
    );
    let none = agreed(
        &[2],
        r#"{"protocolVersion":2,"info":{"name":"a","version":"1"},"capabilities":{}}"#,
    );
    assert!(none.require(Method::SESSION_NEW).is_err());
}

/// What a method needs, as words: variables (`?` for optional ones), link, command, told command.
#[track_caller]
fn needs(version: u16, method: &str, expected: &str) {
    let result = if version == 1 {
        format!(r#"{{"protocolVersion":1,"authMethods":[{method}]}}"#)
    } else {
        format!(
            r#"{{"protocolVersion":2,"info":{{"name":"a","version":"1"}},"capabilities":{{}},"authMethods":[{method}]}}"#
        )
    };
    let agreement = agreed(&[1, 2], &result);
    let method = agreement.auth_methods().first().expect("a method");
    let mut words: Vec<String> = method
        .variables()
        .iter()
        .map(|variable| {
            let mark = if variable.optional { "?" } else { "" };
            format!("{}{mark}", variable.name)
        })
        .collect();
    words.extend(method.link().map(|link| format!("<{link}>")));
    for command in [method.command(), method.told_command()]
        .into_iter()
        .flatten()
    {
        let env = command
            .env
            .iter()
            .map(|(name, value)| format!("{name}={value}"));
        words.push(format!(
            "[{}]",
            env.chain([command.program.as_deref().unwrap_or("agent").to_owned()])
                .chain(command.args.iter().map(ToString::to_string))
                .collect::<Vec<_>>()
                .join(" ")
        ));
    }
    assert_eq!(words.join(" "), expected, "{}", method.raw);
}

#[test]
fn report_16_what_a_login_needs_is_read_out_of_its_method() {
    // The draft with a list, and the one before it.
    needs(
        1,
        r#"{"id":"k","type":"env_var","vars":[{"name":"A_KEY","label":"Key"},{"name":"A_URL","optional":true},{"label":"no name"}],"link":"https://x.example/keys"}"#,
        "A_KEY A_URL? <https://x.example/keys>",
    );
    needs(
        1,
        r#"{"id":"k","type":"env_var","varName":"B_KEY"}"#,
        "B_KEY",
    );
    needs(
        2,
        r#"{"methodId":"k","type":"env_var","name":"K","vars":[{"name":"A_KEY"}]}"#,
        "A_KEY",
    );
    needs(
        1,
        r#"{"id":"k","type":"agent","vars":[{"name":"A_KEY"}]}"#,
        "",
    );
    // A command of the agent's own: v1 writes an object, v2 a list.
    needs(
        1,
        r#"{"id":"t","type":"terminal","args":["--cli","log in"],"env":{"HOW":"x"}}"#,
        "[HOW=x agent --cli log in]",
    );
    needs(
        2,
        r#"{"methodId":"t","type":"terminal","name":"T","args":["--cli"],"env":[{"name":"HOW","value":"x"}]}"#,
        "[HOW=x agent --cli]",
    );
    needs(
        1,
        r#"{"id":"t","type":"terminal","args":null,"env":null}"#,
        "[agent]",
    );
    // A command with a hole in it is no command.
    needs(1, r#"{"id":"t","type":"terminal","args":["--cli",7]}"#, "");
    needs(1, r#"{"id":"t","type":"terminal","args":"--cli"}"#, "");
    needs(1, r#"{"id":"t","type":"terminal","env":{"HOW":7}}"#, "");
    // So is one that no system can run.
    for hole in [
        r#""args":["a\u0000b"]"#,
        r#""env":{"A=B":"x"}"#,
        r#""env":{"":"x"}"#,
        r#""env":{"A\u0000":"x"}"#,
        r#""env":[{"name":"A","value":"\u0000"}]"#,
    ] {
        needs(1, &format!(r#"{{"id":"t","type":"terminal",{hole}}}"#), "");
    }
    // One that is only told about.
    needs(
        1,
        r#"{"id":"l","_meta":{"terminal-auth":{"command":"/opt/a","args":["login"],"label":"L"}}}"#,
        "[/opt/a login]",
    );
}
