//! What real agents offer, and what `effort high` and its like do on each. One snapshot per agent, version and protocol.
//!
//! The results are those that the agents gave in the recorded conversations; Cursor, which cannot be recorded here, is written by hand.

use std::{
    collections::BTreeMap,
    fmt::Write as _,
    fs,
    path::{Path, PathBuf},
};

use acp_thinking::{Axis, Choice, ConfigOption, ModelIds, Options, Source};
use acp_vocab::ProtocolVersion;
use serde::Deserialize;
use serde_json::value::RawValue;

const FIXTURES: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../fixtures");

/// `agent-version-v1` to a session result of that agent, from its conversations or from its handshake.
fn recorded() -> BTreeMap<String, String> {
    let mut results = conversations();
    for (agent, result) in handshakes() {
        results.entry(agent).or_insert(result);
    }
    results
}

fn entries(folder: &Path) -> Vec<PathBuf> {
    let entries = fs::read_dir(folder).unwrap();
    let mut paths: Vec<_> = entries.map(|entry| entry.unwrap().path()).collect();
    paths.sort();
    paths
}

/// What agents answered to `session/new` behind the version that they agreed on.
fn handshakes() -> BTreeMap<String, String> {
    #[derive(Deserialize)]
    struct Response {
        result: Box<RawValue>,
    }
    #[derive(Deserialize)]
    #[serde(rename_all = "camelCase")]
    struct Agreed {
        protocol_version: u16,
    }
    let read = |path: PathBuf| -> Response {
        serde_json::from_str(&fs::read_to_string(path).unwrap()).unwrap()
    };
    let mut results = BTreeMap::new();
    for agent in entries(&Path::new(FIXTURES).join("adapters")) {
        for version in entries(&agent) {
            for asked in entries(&version) {
                let initialized = read(asked.join("initialize.response.json"));
                let agreed: Agreed = serde_json::from_str(initialized.result.get()).unwrap();
                let name = |path: &Path| path.file_name().unwrap().to_str().unwrap().to_owned();
                let key = format!(
                    "{}-{}-v{}",
                    name(&agent),
                    name(&version),
                    agreed.protocol_version
                );
                let session = read(asked.join("session-new.response.json"));
                results.insert(key, session.result.get().to_owned());
            }
        }
    }
    results
}

/// The first session result that offers anything, in the order of the file names.
fn conversations() -> BTreeMap<String, String> {
    let mut results = BTreeMap::new();
    for file in entries(&Path::new(FIXTURES).join("transcripts")) {
        let name = file.file_name().unwrap().to_str().unwrap();
        let Some((agent, version)) = ["-v1-", "-v2-"]
            .iter()
            .find_map(|mark| Some((name.split_once(mark)?.0, &mark[1..3])))
        else {
            continue;
        };
        let key = format!("{agent}-{version}");
        if results.contains_key(&key) {
            continue;
        }
        if let Some(result) = session_result(&fs::read_to_string(&file).unwrap()) {
            results.insert(key, result);
        }
    }
    results
}

fn session_result(transcript: &str) -> Option<String> {
    #[derive(Deserialize)]
    struct Line {
        dir: String,
        frame: String,
    }
    #[derive(Deserialize)]
    struct Response<'a> {
        #[serde(borrow)]
        result: Option<&'a RawValue>,
    }
    transcript.lines().find_map(|line| {
        let line: Line = serde_json::from_str(line).unwrap();
        let response: Response<'_> = serde_json::from_str(&line.frame)
            .ok()
            .filter(|_| line.dir == "in")?;
        let result = response.result?.get();
        (Options::read(result) != Options::default()).then(|| result.to_owned())
    })
}

fn describe(result: &str, version: ProtocolVersion) -> String {
    let options = Options::read(result);
    let mut text = String::new();
    for axis in Axis::ALL {
        let place = match options.source(axis) {
            None => "not offered".to_owned(),
            Some(source) => {
                let offered: Vec<&str> = options.offered(axis);
                format!(
                    "{}, now {:?}, one of {offered:?}",
                    place(source),
                    options.in_force(axis)
                )
            }
        };
        writeln!(text, "{axis}: {place}").unwrap();
    }
    let others: Vec<&str> = options.config().iter().map(|option| &*option.id).collect();
    writeln!(text, "options: {others:?}, skipped {}", options.skipped()).unwrap();
    let wishes = [
        (Axis::Effort, "off"),
        (Axis::Effort, "high"),
        (Axis::Effort, "x-high"),
        (Axis::Effort, "max"),
        (Axis::Effort, "hgih"),
        (Axis::Mode, "plan"),
        (Axis::Mode, "Accept Edits"),
        (Axis::Model, "opus"),
        (Axis::Model, "gpt-5"),
    ];
    for (axis, wish) in wishes {
        let outcome = options
            .choose(axis, wish)
            .map_or_else(|error| error.to_string(), |choice| shown(&choice, version));
        writeln!(text, "--{axis} {wish}: {outcome}").unwrap();
    }
    text
}

fn place(source: Source<'_>) -> String {
    let of = |option: &ConfigOption| {
        format!(
            "option {} of category {:?}",
            option.id,
            option.category.as_deref()
        )
    };
    match source {
        Source::Option(option) => of(option),
        Source::Modes(_) => "legacy modes".to_owned(),
        Source::Models(_) => "legacy models".to_owned(),
        Source::ModelIds(ModelIds::Option(option)) => format!("model ids of {}", of(option)),
        Source::ModelIds(_) => "legacy model ids".to_owned(),
        _ => "elsewhere".to_owned(),
    }
}

fn shown(choice: &Choice, version: ProtocolVersion) -> String {
    format!(
        "{} {}",
        choice.method().name(),
        choice.params(version, "s").get()
    )
}

#[test]
fn every_recorded_agent_is_served_as_its_snapshot_says() {
    let recorded = recorded();
    assert!(recorded.len() >= 12, "{:?}", recorded.keys());
    for (agent, result) in recorded {
        let version = if agent.ends_with("v2") {
            ProtocolVersion::V2
        } else {
            ProtocolVersion::V1
        };
        insta::assert_snapshot!(format!("agent-{agent}"), describe(&result, version));
    }
}

/// Written by hand, not recorded: bracketed model ids, options with `id` only although v2 wants `configId`, groups, no effort option.
const CURSOR: &str = r#"{"sessionId":"s","configOptions":[
    {"id":"mode","name":"Mode","category":"mode","type":"select","currentValue":"agent","options":[
        {"value":"agent","name":"Agent"},{"value":"plan","name":"Plan"},{"value":"ask","name":"Ask"}]},
    {"id":"model","name":"Model","category":"model","type":"select","currentValue":"gpt-5.2[thinking=true,effort=medium]","options":[
        {"group":"openai","name":"OpenAI","options":[
            {"value":"gpt-5.2[thinking=true,effort=low]","name":"GPT-5.2 Low"},
            {"value":"gpt-5.2[thinking=true,effort=medium]","name":"GPT-5.2"},
            {"value":"gpt-5.2[effort=high,thinking=true]","name":"GPT-5.2 High"},
            {"value":"gpt-5.2[thinking=true,effort=high,fast=true]","name":"GPT-5.2 High Fast"}]},
        {"group":"others","name":"Others","options":[
            {"value":"sonnet-5[thinking=true]","name":"Sonnet 5 Thinking"},{"value":"sonnet-5","name":"Sonnet 5"}]}]}]}"#;

#[test]
fn cursor_by_hand() {
    for (version, name) in [(ProtocolVersion::V1, "v1"), (ProtocolVersion::V2, "v2")] {
        insta::assert_snapshot!(
            format!("agent-cursor-by-hand-{name}"),
            describe(CURSOR, version)
        );
    }
}
