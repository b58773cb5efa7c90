//! Recorded conversations in which a client set something: what we would have sent is what was sent, and each answer settles it.

use std::{collections::BTreeMap, fs, path::Path};

use acp_thinking::{Axis, Choice, How, Options, Settled};
use acp_vocab::ProtocolVersion;
use serde_json::Value;

/// How often each outcome was seen while the conversations were followed.
#[derive(Debug, Default)]
struct Seen {
    in_force: usize,
    accepted: usize,
    refused_here_and_there: usize,
}

fn follow(file: &Path, seen: &mut Seen) {
    let version = if file.to_str().unwrap().contains("-v2-") {
        ProtocolVersion::V2
    } else {
        ProtocolVersion::V1
    };
    let mut sessions: BTreeMap<String, Options> = BTreeMap::new();
    let mut open: BTreeMap<String, (String, Option<Choice>)> = BTreeMap::new();
    for line in fs::read_to_string(file).unwrap().lines() {
        let line: Value = serde_json::from_str(line).unwrap();
        let Ok(frame) = serde_json::from_str::<Value>(line["frame"].as_str().unwrap()) else {
            continue;
        };
        let params = &frame["params"];
        let session = params["sessionId"].as_str().unwrap_or_default().to_owned();
        match (line["dir"].as_str().unwrap(), frame["method"].as_str()) {
            (
                "out",
                Some(
                    method @ ("session/set_config_option"
                    | "session/set_mode"
                    | "session/set_model"),
                ),
            ) => {
                let Some(options) = sessions.get(&session) else {
                    continue;
                };
                let wish = |member: &str| {
                    params[member]
                        .as_str()
                        .map_or_else(|| params[member].to_string(), str::to_owned)
                };
                let choice = match method {
                    "session/set_config_option" => options.set(&wish("configId"), &wish("value")),
                    "session/set_model" => options.choose(Axis::Model, &wish("modelId")),
                    // These clients set modes the old way, also where options have them.
                    _ => Options::read(
                        &serde_json::json!({"modes": {"availableModes": legacy(options)}})
                            .to_string(),
                    )
                    .choose(Axis::Mode, &wish("modeId")),
                };
                if let Ok(choice) = &choice {
                    assert_eq!(choice.method().name(), method);
                    let sent: Value =
                        serde_json::from_str(choice.params(version, &session).get()).unwrap();
                    assert_eq!(sent, *params, "{file:?}");
                }
                open.insert(frame["id"].to_string(), (session, choice.ok()));
            }
            ("in", None) => {
                if let Some((session, choice)) = open.remove(&frame["id"].to_string()) {
                    let options = sessions.get_mut(&session).unwrap();
                    match (choice, frame.get("result")) {
                        (Some(choice), Some(result)) => {
                            match options.settle(&choice, &result.to_string()) {
                                Settled::InForce => seen.in_force += 1,
                                Settled::Accepted => {
                                    assert!(
                                        !matches!(choice.how(), How::SetConfigOption { .. }),
                                        "{file:?}"
                                    );
                                    seen.accepted += 1;
                                }
                                other @ (Settled::Differs { .. } | _) => {
                                    panic!("{file:?}: {choice:?} {other:?}")
                                }
                            }
                        }
                        // What we refuse locally the agent refused as well.
                        (None, None) => seen.refused_here_and_there += 1,
                        (choice, result) => {
                            panic!("{file:?}: we chose {choice:?}, the agent said {result:?}")
                        }
                    }
                } else if let Some(session) = frame["result"]["sessionId"].as_str() {
                    sessions.insert(
                        session.to_owned(),
                        Options::read(&frame["result"].to_string()),
                    );
                }
            }
            ("in", Some("session/update")) => {
                if let Some(options) = sessions.get_mut(&session) {
                    options.update(&params["update"].to_string());
                    assert_eq!(options.skipped(), 0, "{file:?}");
                }
            }
            _ => {}
        }
    }
}

fn legacy(options: &Options) -> Vec<Value> {
    let modes = options
        .modes()
        .map(|list| list.values.as_slice())
        .unwrap_or_default();
    modes
        .iter()
        .map(|mode| serde_json::json!({"id": &*mode.value, "name": &*mode.name}))
        .collect()
}

#[test]
fn recorded_settings_are_what_we_would_send_and_settle() {
    let folder = Path::new(concat!(
        env!("CARGO_MANIFEST_DIR"),
        "/../../fixtures/transcripts"
    ));
    let mut seen = Seen::default();
    for entry in fs::read_dir(folder).unwrap() {
        let file = entry.unwrap().path();
        if file.extension().is_some_and(|ending| ending == "ndjson") {
            follow(&file, &mut seen);
        }
    }
    assert!(
        seen.in_force > 100 && seen.accepted > 60 && seen.refused_here_and_there > 10,
        "{seen:?}"
    );
}

/// Another model of OpenCode has no effort: the option is gone with the answer, and a wish for it is refused from then on.
#[test]
fn an_option_may_go_with_the_model() {
    let file = concat!(
        env!("CARGO_MANIFEST_DIR"),
        "/../../fixtures/transcripts/opencode-1.18.33-v1-modes.ndjson"
    );
    let lists: Vec<String> = fs::read_to_string(file)
        .unwrap()
        .lines()
        .filter_map(|line| {
            let line: Value = serde_json::from_str(line).ok()?;
            let frame: Value = serde_json::from_str(line["frame"].as_str()?).ok()?;
            frame["result"]
                .get("configOptions")
                .map(|_| frame["result"].to_string())
        })
        .collect();
    let mut offered: Vec<bool> = Vec::new();
    let mut options = Options::default();
    for list in lists {
        options.update(&list);
        offered.push(options.source(Axis::Effort).is_some());
    }
    assert!(offered[0] && offered.contains(&false), "{offered:?}");
}
