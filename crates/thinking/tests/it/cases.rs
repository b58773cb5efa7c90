//! The field cases about options, each by its id.

use acp_thinking::{Axis, Options, advertised_effort, model_id_attrs, model_id_base};
use acp_vocab::ProtocolVersion;

/// What the agent of a case sends, from the fixture, one entry a line.
fn agent_sends(id: &str) -> Vec<String> {
    #[derive(serde::Deserialize)]
    struct Case {
        id: String,
        agent_sends: Vec<String>,
    }
    let text = std::fs::read_to_string(concat!(
        env!("CARGO_MANIFEST_DIR"),
        "/../../fixtures/cases/cases.json"
    ))
    .unwrap();
    let cases: Vec<Case> = serde_json::from_str(&text).unwrap();
    cases
        .into_iter()
        .find(|case| case.id == id)
        .expect("the case is in the fixture")
        .agent_sends
}

#[test]
fn case_option_id_both() {
    let sent = agent_sends("option-id-both").remove(0);
    let options = Options::read(&format!(
        "{{{}}}",
        sent.replacen("configOptions", "\"configOptions\"", 1)
    ));
    let ids: Vec<&str> = options.config().iter().map(|option| &*option.id).collect();
    assert_eq!(ids, ["model", "reasoning_effort"]);

    let choice = options.choose(Axis::Effort, "ultra").unwrap();
    for (version, expected) in [
        (
            ProtocolVersion::V1,
            r#"{"sessionId":"s","configId":"reasoning_effort","value":"ultra"}"#,
        ),
        (
            ProtocolVersion::V2,
            r#"{"sessionId":"s","configId":"reasoning_effort","type":"id","value":"ultra"}"#,
        ),
    ] {
        assert_eq!(choice.params(version, "s").get(), expected);
    }

    let refused = options.choose(Axis::Effort, "high").unwrap_err();
    assert_eq!(refused.offered(), [Box::from("low"), "ultra".into()]);
    assert!(refused.to_string().contains("`low`, `ultra`"), "{refused}");
}

#[test]
fn case_model_brackets() {
    let ids: Vec<String> = agent_sends("model-brackets")
        .iter()
        .map(|id| serde_json::from_str(id).unwrap())
        .collect();
    let [first, second, malformed @ ..] = ids.as_slice() else {
        panic!("{ids:?}")
    };
    for id in [first, second] {
        assert_eq!(
            (model_id_base(id), advertised_effort(id)),
            ("gpt-5.2", Some("high")),
            "{id}"
        );
    }
    assert_eq!(malformed.len(), 3);
    for id in malformed {
        assert!(
            model_id_attrs(id).is_empty() && advertised_effort(id).is_none(),
            "{id}"
        );
        assert_eq!(model_id_base(id), id);
    }
}
