//! The table of what follows which answer, and that no agent can make it ask for ever.

use acp_handshake::{Ability, Answer, Declaration, Negotiation, Step};
use acp_vocab::{ErrorCode, ErrorObject};
use proptest::prelude::*;

use crate::{declaring, raw, recorded};

/// What an agent does with one `initialize`.
#[derive(Debug, Clone)]
enum Agent {
    Says(&'static str),
    Refuses(i32, Option<&'static str>),
    Ends,
    Mumbles,
}

const ONE: Agent = Agent::Says(r#"{"protocolVersion":1}"#);
const TWO: Agent = Agent::Says(r#"{"protocolVersion":2,"info":{"name":"a","version":"1"}}"#);

fn files() -> Declaration {
    Declaration::none().with(Ability::ReadTextFile)
}

/// Plays the agent's answers one by one; gives back the steps taken, each with the version that the next request asks for.
fn play(versions: &[u16], declaration: Declaration, agent: &[Agent]) -> Vec<String> {
    let mut negotiation = Negotiation::new(declaring(versions, declaration));
    let mut steps = Vec::new();
    for answer in agent {
        let step = match answer {
            Agent::Says(result) => negotiation.step(Answer::Result(&raw(result))),
            Agent::Refuses(code, data) => {
                let mut error = ErrorObject::new(ErrorCode(*code), "no");
                error.data = data.map(raw);
                negotiation.step(Answer::Error(&error))
            }
            Agent::Ends => negotiation.step(Answer::Ended),
            Agent::Mumbles => negotiation.step(Answer::Broken),
        };
        let offered = negotiation.offer().versions();
        steps.push(match step {
            Step::Speak(agreement) => format!("speak {}", agreement.version()),
            Step::Repeat => format!("repeat with {offered}"),
            Step::Restart => format!("restart with {offered}"),
            Step::Refuse(error) => format!("refuse: {error}"),
            other => format!("{other:?}"),
        });
    }
    steps
}

#[track_caller]
fn check(versions: &[u16], declaration: Declaration, agent: &[Agent], steps: &[&str]) {
    assert_eq!(play(versions, declaration, agent), steps);
}

#[test]
fn answered_two() {
    check(&[1, 2], files(), &[TWO], &["speak 2"]);
    check(&[2], files(), &[TWO], &["speak 2"]);
}

#[test]
fn answered_one() {
    check(&[1, 2], Declaration::none(), &[ONE], &["speak 1"]);
    check(&[1], files(), &[ONE], &["speak 1"]);
    check(
        &[1, 2],
        Declaration::none().with(Ability::ElicitationForm),
        &[ONE],
        &["speak 1"],
    );
}

#[test]
fn answered_one_with_something_only_v1_can_be_told() {
    check(&[1, 2], files(), &[ONE, ONE], &["repeat with 1", "speak 1"]);
    check(
        &[1, 2],
        files(),
        &[ONE, Agent::Refuses(-32600, None), ONE],
        &["repeat with 1", "restart with 1", "speak 1"],
    );
    check(
        &[1, 2],
        files(),
        &[ONE, TWO, ONE],
        &["repeat with 1", "restart with 1", "speak 1"],
    );
    check(
        &[1, 2],
        files(),
        &[ONE, Agent::Ends, ONE],
        &["repeat with 1", "restart with 1", "speak 1"],
    );
}

#[test]
fn another_version_is_refused() {
    let larger = "refuse: the agent answered protocol version 3, which is larger than any that was offered; supported: 1, 2";
    check(
        &[1, 2],
        files(),
        &[Agent::Says(r#"{"protocolVersion":3}"#)],
        &[larger],
    );
    let string = "refuse: the agent answered protocolVersion as a string, which is not an integer; supported: 1, 2";
    check(
        &[1, 2],
        files(),
        &[Agent::Says(r#"{"protocolVersion":"1"}"#)],
        &[string],
    );
    let two = "refuse: the agent answered protocol version 2, which is larger than any that was offered; supported: 1";
    check(&[1], files(), &[TWO], &[two]);
}

#[test]
fn an_error_that_lists_versions() {
    let lists = |data| Agent::Refuses(-32022, Some(data));
    check(
        &[1, 2],
        files(),
        &[lists(r#"{"requested":2,"supported":[1]}"#), ONE],
        &["repeat with 1", "speak 1"],
    );
    check(
        &[1, 2],
        files(),
        &[lists(r#"{"supported":[0,2,3]}"#), TWO],
        &["repeat with 2", "speak 2"],
    );
    let refused = "refuse: the agent refused initialize with error -32022 (it supports 3, 4)";
    check(
        &[1, 2],
        files(),
        &[lists(r#"{"supported":[3,4]}"#)],
        &[refused],
    );
    check(
        &[1, 2],
        files(),
        &[lists(r#"{"supported":"all"}"#), ONE],
        &["restart with 1", "speak 1"],
    );
    check(
        &[1, 2],
        files(),
        &[Agent::Refuses(-32022, None), ONE],
        &["restart with 1", "speak 1"],
    );
}

#[test]
fn any_other_error_or_end_starts_afresh_once() {
    check(
        &[1, 2],
        files(),
        &[Agent::Refuses(-32600, None), ONE],
        &["restart with 1", "speak 1"],
    );
    check(
        &[1, 2],
        files(),
        &[Agent::Ends, ONE],
        &["restart with 1", "speak 1"],
    );
    let ended = "refuse: the agent ended before it answered initialize";
    check(
        &[1, 2],
        files(),
        &[Agent::Ends, Agent::Ends],
        &["restart with 1", ended],
    );
    check(
        &[1, 2],
        files(),
        &[Agent::Mumbles, ONE],
        &["restart with 1", "speak 1"],
    );
    check(
        &[1, 2],
        files(),
        &[ONE, Agent::Mumbles, Agent::Mumbles],
        &[
            "repeat with 1",
            "restart with 1",
            "refuse: there is no initialize result",
        ],
    );
    let refused = "refuse: the agent refused initialize with error -32602";
    check(
        &[1, 2],
        files(),
        &[Agent::Ends, Agent::Refuses(-32602, None)],
        &["restart with 1", refused],
    );
}

#[test]
fn an_offer_of_one_version_has_nothing_to_fall_back_on() {
    check(
        &[1],
        files(),
        &[Agent::Refuses(-32602, None)],
        &["refuse: the agent refused initialize with error -32602"],
    );
    check(
        &[1],
        files(),
        &[Agent::Ends],
        &["refuse: the agent ended before it answered initialize"],
    );
    check(
        &[2],
        files(),
        &[Agent::Refuses(-32600, None)],
        &["refuse: the agent refused initialize with error -32600"],
    );
}

#[test]
fn recorded_agents_are_agreed_with_at_once() {
    for (name, version) in [
        ("claude-v2", "2"),
        ("codex-v2", "2"),
        ("gemini-v1", "1"),
        ("opencode-v1", "1"),
        ("copilot-v1", "1"),
    ] {
        let mut negotiation = Negotiation::new(declaring(&[1, 2], Declaration::none()));
        let step = negotiation.step(Answer::Result(&recorded(name)));
        let agreed = if let Step::Speak(agreement) = step {
            Some(agreement.version().to_string())
        } else {
            None
        };
        assert_eq!(agreed.as_deref(), Some(version), "{name}");
    }
}

fn agent() -> impl Strategy<Value = Agent> {
    prop_oneof![
        Just(ONE),
        Just(TWO),
        Just(Agent::Says(r#"{"protocolVersion":3}"#)),
        Just(Agent::Says("7")),
        Just(Agent::Ends),
        Just(Agent::Mumbles),
        Just(Agent::Refuses(-32600, None)),
        Just(Agent::Refuses(-32022, Some(r#"{"supported":[1]}"#))),
        Just(Agent::Refuses(-32022, Some(r#"{"supported":[2]}"#))),
        Just(Agent::Refuses(-32022, Some(r#"{"supported":[1,2]}"#))),
    ]
}

proptest! {
    /// Whatever an agent does, the third answer settles it, with at most one fresh process.
    #[test]
    fn three_answers_settle_it(
        agent in prop::collection::vec(agent(), 3),
        versions in prop::sample::select(vec![vec![1], vec![2], vec![1, 2]]),
        has_files in any::<bool>(),
    ) {
        let declaration = if has_files { files() } else { Declaration::none() };
        let steps = play(&versions, declaration, &agent);
        let settled = steps.iter().position(|step| step.starts_with("speak") || step.starts_with("refuse"));
        prop_assert!(settled.is_some(), "{:?}", steps);
        let restarts = steps.iter().take(settled.unwrap_or(0)).filter(|step| step.starts_with("restart")).count();
        prop_assert!(restarts <= 1, "{:?}", steps);
        for step in steps.iter().take(settled.unwrap_or(0) + 1).filter_map(|step| step.strip_prefix("speak ")) {
            prop_assert!(versions.iter().any(|version: &u16| version.to_string() == step), "{:?}", steps);
        }
    }
}
