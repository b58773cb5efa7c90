//! What real agents said at their start, as the fixtures keep it.

use std::{fs, path::Path};

use acp_vocab::{Method, ProtocolVersion, Receiver, v1, v2};
use serde_json::Value;

use crate::sample;

fn read(path: &Path) -> Value {
    serde_json::from_str(&fs::read_to_string(path).unwrap()).unwrap()
}

fn folders(path: &Path) -> Vec<std::path::PathBuf> {
    let mut found: Vec<_> = fs::read_dir(path)
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .filter(|path| path.is_dir())
        .collect();
    found.sort();
    found
}

#[test]
fn every_answer_decodes() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../fixtures/adapters");
    let mut agents = 0;
    for agent in folders(&root) {
        for release in folders(&agent) {
            for asked in folders(&release) {
                check(&asked);
                agents += 1;
            }
        }
    }
    assert!(agents >= 8, "only {agents} starts");
}

fn check(folder: &Path) {
    let answer = read(&folder.join("initialize.response.json"));
    let result = &answer["result"];
    let text = result.to_string();
    let version = match result["protocolVersion"].as_u64() {
        Some(1) => {
            let read: v1::InitializeResponse = serde_json::from_str(&text).unwrap();
            assert!(read.agent_info.is_some(), "{folder:?}");
            read.protocol_version
        }
        _ => {
            serde_json::from_str::<v2::InitializeResponse>(&text)
                .unwrap()
                .protocol_version
        }
    };
    let opened = folder.join("session-new.response.json");
    if opened.exists() && read(&opened).get("result").is_some() {
        let result = read(&opened)["result"].clone();
        sample::recode("NewSessionResponse", version, &result)
            .unwrap_or_else(|error| panic!("{folder:?}: {error}"));
    }
    for message in read(&folder.join("unsolicited.json")).as_array().unwrap() {
        told(folder, message, version);
    }
}

fn told(folder: &Path, message: &Value, version: ProtocolVersion) {
    let Some(method) = message["method"].as_str().and_then(Method::find) else {
        return;
    };
    let spec = method
        .spec(version, Receiver::Client)
        .or_else(|| method.spec(ProtocolVersion::V1, Receiver::Client))
        .unwrap();
    sample::recode(spec.params, spec.version, &message["params"])
        .unwrap_or_else(|error| panic!("{folder:?} {method}: {error}"));
}
