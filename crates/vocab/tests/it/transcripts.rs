//! What real agents and their clients wrote, decoded and written back.
//!
//! Every path where the echo of a message differs is counted and listed in
//! `transcripts.baseline`, and so is every message that does not decode. The list is strict both
//! ways: a path that is new fails, and so does one that has gone.

use std::{
    collections::BTreeMap,
    fs,
    path::{Path, PathBuf},
};

use acp_vocab::{Method, MethodSpec, ProtocolVersion, Receiver, TypeInfo};
use serde::Deserialize;
use serde_json::value::RawValue;

use crate::sample;

#[derive(Deserialize)]
struct Line {
    dir: String,
    frame: String,
}

#[derive(Deserialize)]
struct Envelope<'a> {
    #[serde(borrow)]
    id: Option<&'a RawValue>,
    method: Option<String>,
    #[serde(borrow)]
    params: Option<&'a RawValue>,
    #[serde(borrow)]
    result: Option<&'a RawValue>,
}

/// What was counted, by what it is about.
#[derive(Default)]
struct Tally {
    decoded: usize,
    untyped: BTreeMap<String, usize>,
    differences: BTreeMap<String, usize>,
}

impl Tally {
    fn difference(&mut self, what: String) {
        *self.differences.entry(what).or_default() += 1;
    }

    /// Decodes params or a result under the name that the method table gives.
    fn read(&mut self, name: &str, version: ProtocolVersion, value: Option<&RawValue>) {
        let info: &TypeInfo = sample::find(name, version);
        let value = value.unwrap_or(RawValue::NULL);
        match info.losses(value, version) {
            Ok(losses) => {
                self.decoded += 1;
                for loss in losses {
                    let path = without_indices(&loss.path);
                    self.difference(format!("v{version} {name} {:?} {path}", loss.reason));
                }
            }
            Err(error) => {
                let path = without_indices(&error.to_string());
                self.difference(format!("v{version} {name} Rejected {path}"));
            }
        }
    }
}

/// Ids and positions out of a path, so that the same kind of difference has one line.
fn without_indices(path: &str) -> String {
    let mut out = String::new();
    let mut inside = false;
    for character in path.chars() {
        match character {
            '[' => {
                inside = true;
                out.push('[');
            }
            ']' => {
                inside = false;
                out.push(']');
            }
            _ if inside => {}
            other => out.push(other),
        }
    }
    out
}

/// One conversation: the requests that wait for an answer, in both directions.
struct Conversation<'t> {
    version: ProtocolVersion,
    waiting: BTreeMap<(String, String), &'static MethodSpec>,
    tally: &'t mut Tally,
}

impl Conversation<'_> {
    fn frame(&mut self, sender: &str, frame: &str) {
        let Ok(message) = serde_json::from_str::<Envelope<'_>>(frame) else {
            *self
                .tally
                .untyped
                .entry("no message".to_owned())
                .or_default() += 1;
            return;
        };
        let other = if sender == "in" { "out" } else { "in" };
        let Some(method) = message.method else {
            let Some(id) = message.id else {
                return;
            };
            let asked = self
                .waiting
                .remove(&(other.to_owned(), id.get().to_owned()));
            if let (Some(spec), Some(result)) = (asked, message.result) {
                if spec.method == Method::INITIALIZE {
                    self.agree(result);
                }
                let version = if spec.method == Method::INITIALIZE {
                    self.version
                } else {
                    spec.version
                };
                let name = Method::find(spec.method.name())
                    .and_then(|method| method.spec(version, spec.receiver))
                    .and_then(|spec| spec.result)
                    .expect("a request has a result");
                self.tally.read(name, version, Some(result));
            }
            return;
        };
        let receiver = if sender == "in" {
            Receiver::Client
        } else {
            Receiver::Agent
        };
        let spec = Method::find(&method).and_then(|method| {
            let version = if method == Method::INITIALIZE {
                ProtocolVersion(message.params.and_then(version_of).unwrap_or(1))
            } else {
                self.version
            };
            method
                .spec(version, receiver)
                .or_else(|| method.spec(version, Receiver::Either))
                .or_else(|| method.spec(ProtocolVersion::V1, receiver))
        });
        let Some(spec) = spec else {
            let what = format!("v{} {method}", self.version);
            *self.tally.untyped.entry(what).or_default() += 1;
            return;
        };
        if let Some(id) = message.id {
            self.waiting
                .insert((sender.to_owned(), id.get().to_owned()), spec);
        }
        self.tally.read(spec.params, spec.version, message.params);
    }

    fn agree(&mut self, result: &RawValue) {
        if let Some(version) = version_of(result) {
            self.version = ProtocolVersion(version);
        }
    }
}

fn version_of(value: &RawValue) -> Option<u16> {
    #[derive(Deserialize)]
    #[serde(rename_all = "camelCase")]
    struct Version {
        protocol_version: u16,
    }
    serde_json::from_str::<Version>(value.get())
        .ok()
        .map(|version| version.protocol_version)
}

fn fixtures() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../fixtures")
}

fn conversations() -> Vec<PathBuf> {
    let mut files: Vec<_> = fs::read_dir(fixtures().join("transcripts"))
        .expect("the transcripts are part of the repository")
        .map(|entry| entry.unwrap().path())
        .filter(|path| path.extension().is_some_and(|ext| ext == "ndjson"))
        .collect();
    files.sort();
    files
}

#[test]
fn all_transcripts() {
    let mut tally = Tally::default();
    let files = conversations();
    assert!(files.len() >= 233, "only {} transcripts", files.len());
    for file in &files {
        let mut conversation = Conversation {
            version: ProtocolVersion::V1,
            waiting: BTreeMap::new(),
            tally: &mut tally,
        };
        for line in fs::read_to_string(file).unwrap().lines() {
            let line: Line = serde_json::from_str(line).unwrap();
            if line.dir != "note" {
                conversation.frame(&line.dir, &line.frame);
            }
        }
    }
    println!(
        "{} conversations, {} bodies decoded",
        files.len(),
        tally.decoded
    );
    let mut report = String::new();
    for (what, count) in &tally.untyped {
        report.push_str(&format!("{count} untyped {what}\n"));
    }
    for (what, count) in &tally.differences {
        report.push_str(&format!("{count} {what}\n"));
    }
    baseline("transcripts.baseline", &report);
}

/// Compares a report with the committed one. `ACP_BLESS=1` writes it.
fn baseline(name: &str, report: &str) {
    let path = Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("tests/it")
        .join(name);
    if std::env::var_os("ACP_BLESS").is_some() {
        fs::write(&path, report).unwrap();
        return;
    }
    let known = fs::read_to_string(&path).unwrap_or_default();
    let new: Vec<_> = report
        .lines()
        .filter(|line| !known.lines().any(|old| old == *line))
        .collect();
    let gone: Vec<_> = known
        .lines()
        .filter(|line| !report.lines().any(|now| now == *line))
        .collect();
    assert!(
        new.is_empty() && gone.is_empty(),
        "new:\n{}\ngone:\n{}",
        new.join("\n"),
        gone.join("\n")
    );
}
