//! Choosing a model, an effort or a mode: on agents made of what real ones offer.

use std::{collections::BTreeMap, fs, path::Path};

use acp_client::{Axis, ChooseError, Effort, RequestError, Session, Wishes};
use acp_testkit::Script;
use acp_vocab::ProtocolVersion;
use serde_json::{Value, json};

use crate::stage::{Agent, World};

/// What an agent answered to `session/new` in the first recorded conversation in which it offers
/// something.
fn recorded(agent: &str, version: u16) -> Value {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../fixtures/transcripts");
    let mut files: Vec<_> = fs::read_dir(folder)
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .filter(|path| {
            let name = path.file_name().unwrap().to_str().unwrap();
            name.starts_with(agent) && name.contains(&format!("-v{version}-"))
        })
        .collect();
    files.sort();
    let frames = |path: &std::path::PathBuf| -> Vec<Value> {
        let text = fs::read_to_string(path).unwrap();
        let lines = text
            .lines()
            .filter_map(|line| serde_json::from_str::<Value>(line).ok());
        lines
            .filter(|line| line["dir"] == "in")
            .filter_map(|line| serde_json::from_str(line["frame"].as_str()?).ok())
            .collect()
    };
    files
        .iter()
        .flat_map(frames)
        .map(|frame: Value| frame["result"].clone())
        .find(|result| {
            result["sessionId"].is_string()
                && (result["configOptions"].is_array() || result["models"].is_object())
        })
        .unwrap_or_else(|| panic!("nothing of {agent} v{version}"))
}

/// Sets this option to this value in a recorded result.
fn set(result: &mut Value, id: &str, value: &Value) {
    for option in result["configOptions"].as_array_mut().unwrap() {
        if option["id"] == id || option["configId"] == id {
            option["currentValue"] = value.clone();
        }
    }
}

const V1: &str = r#"{"protocolVersion":1}"#;
const V2: &str =
    r#"{"protocolVersion":2,"info":{"name":"a","version":"1"},"capabilities":{"session":{}}}"#;

/// A session of an agent that answers `session/new` with this; the script follows.
async fn open(
    version: u16,
    result: &Value,
    script: Script,
) -> (acp_client::Client, Session, Agent) {
    let script = Script::new()
        .expect("initialize")
        .reply(if version == 1 { V1 } else { V2 })
        .expect("session/new")
        .reply(&result.to_string())
        .then(script)
        .drain();
    let builder = World::Memory
        .builder()
        .versions([ProtocolVersion::V1, ProtocolVersion::V2]);
    let (client, agent) = World::Memory.start_with(builder, script);
    client.initialize().await.unwrap();
    let session = client.new_session("/w").open().await.unwrap();
    (client, session, agent)
}

/// `session.choose(effort)` on an agent that sets `option` to `value`, in this version.
async fn high(agent: &str, version: u16, option: &str, value: &str) {
    let result = recorded(agent, version);
    let mut after = result.clone();
    set(&mut after, option, &json!(value));
    let answer = json!({ "configOptions": after["configOptions"] }).to_string();
    let script = Script::new()
        .expect("session/set_config_option")
        .reply(&answer);
    let (client, session, peer) = open(version, &result, script).await;
    let made = session.choose(Effort::High).await.unwrap();
    assert!(made.iter().all(|chosen| chosen.confirmed), "{made:?}");
    assert_eq!(session.in_force(Axis::Effort).as_deref(), Some(value));
    // What is in force is not sent again.
    assert_eq!(session.choose(Effort::High).await.unwrap(), []);
    let heard = peer.heard_after_close(&client).await;
    let mut expected =
        json!({"sessionId": session.id().as_str(), "configId": option, "value": value});
    if version == 2 {
        expected["type"] = json!("id");
    }
    assert_eq!(heard.0[2]["params"], expected, "{agent} v{version}");
}

#[tokio::test(start_paused = true)]
async fn an_effort_goes_out_as_the_agent_spells_it() {
    high("claude", 1, "effort", "high").await;
    high("claude", 2, "effort", "high").await;
    high("codex", 1, "reasoning_effort", "high").await;
    high("codex", 2, "reasoning_effort", "high").await;
    high("opencode", 1, "effort", "high").await;
}

#[tokio::test(start_paused = true)]
async fn an_agent_without_efforts_says_so_and_is_sent_nothing() {
    let (client, session, peer) = open(1, &recorded("gemini", 1), Script::new()).await;
    let error = session.choose(Effort::High).await.unwrap_err();
    assert!(
        matches!(
            error.choice(),
            Some(ChooseError::NotOffered {
                axis: Axis::Effort,
                ..
            })
        ),
        "{error:?}"
    );
    let heard = peer.heard_after_close(&client).await;
    assert_eq!(heard.methods(), ["initialize", "session/new"]);
}

/// pi calls its efforts modes.
#[tokio::test(start_paused = true)]
async fn levels_among_the_modes_are_efforts() {
    let script = Script::new().expect("session/set_mode").reply("{}");
    let (client, session, peer) = open(1, &recorded("piacp", 1), script).await;
    session.choose(Effort::High).await.unwrap();
    assert_eq!(session.in_force(Axis::Effort).as_deref(), Some("high"));
    let heard = peer.heard_after_close(&client).await;
    assert_eq!(heard.0[2]["params"]["modeId"], "high");
}

#[tokio::test(start_paused = true)]
async fn a_near_miss_lists_the_nearest_and_nothing_is_sent() {
    let (client, session, peer) = open(1, &recorded("codex", 1), Script::new()).await;
    let error = session
        .choose(Wishes::new().model("gpt-5"))
        .await
        .unwrap_err();
    let nearest = error.choice().unwrap().nearest();
    assert!(
        nearest.iter().any(|model| model.starts_with("gpt-5.5")),
        "{nearest:?}"
    );
    // The error's own words hold nothing of the agent's.
    assert_eq!(
        error.to_string(),
        "the session does not offer what was chosen"
    );
    let heard = peer.heard_after_close(&client).await;
    assert_eq!(heard.methods(), ["initialize", "session/new"]);
}

/// Modes and models from the time before options: the agent answers with nothing.
#[tokio::test(start_paused = true)]
async fn legacy_lists_are_set_by_their_own_methods() {
    let result = recorded("gemini", 1);
    let script = Script::new()
        .expect("session/set_model")
        .reply("{}")
        .expect("session/set_mode")
        .reply("null");
    let (client, session, peer) = open(1, &result, script).await;
    let wishes = Wishes::new().model("gemini-2.5-pro").mode("plan");
    let made = session.choose(wishes).await.unwrap();
    assert_eq!(made.len(), 2);
    assert!(made.iter().all(|chosen| !chosen.confirmed), "{made:?}");
    assert_eq!(
        session.in_force(Axis::Model).as_deref(),
        Some("gemini-2.5-pro")
    );
    assert_eq!(session.in_force(Axis::Mode).as_deref(), Some("plan"));
    let heard = peer.heard_after_close(&client).await;
    assert_eq!(heard.0[2]["params"]["modelId"], "gemini-2.5-pro");
    assert_eq!(heard.0[3]["params"]["modeId"], "plan");
}

#[tokio::test(start_paused = true)]
async fn an_agent_that_accepts_and_does_otherwise_is_found_out() {
    let result = recorded("claude", 1);
    let unchanged = json!({ "configOptions": result["configOptions"] }).to_string();
    let script = Script::new()
        .expect("session/set_config_option")
        .reply(&unchanged);
    let (_client, session, _peer) = open(1, &result, script).await;
    let error = session.choose(Effort::High).await.unwrap_err();
    let RequestError::NotHonoured {
        chosen, in_force, ..
    } = error
    else {
        panic!("{error:?}")
    };
    assert_eq!((&*chosen, in_force.as_deref()), ("high", Some("default")));
    assert!(session.chosen().is_empty());
}

#[tokio::test(start_paused = true)]
async fn what_the_agent_changes_by_itself_is_known_once_it_was_read() {
    let result = recorded("claude", 1);
    let mut after = result.clone();
    set(&mut after, "effort", &json!("max"));
    let update =
        json!({"sessionUpdate":"config_option_update","configOptions":after["configOptions"]});
    let id = result["sessionId"].as_str().unwrap();
    let script = Script::new().update(id, &update.to_string());
    let (_client, session, _peer) = open(1, &result, script).await;
    session.events().next().await.unwrap().unwrap();
    assert_eq!(session.in_force(Axis::Effort).as_deref(), Some("max"));
}

/// An event may be read long after it came; what an answer said since is newer. On a host that
/// keeps the state of its sessions that holds for the state as well.
#[tokio::test(start_paused = true)]
async fn field_14_an_answer_is_not_undone_by_an_older_event() {
    let result = recorded("claude", 1);
    let options = |effort: &str| {
        let mut after = result.clone();
        set(&mut after, "effort", &json!(effort));
        after["configOptions"].clone()
    };
    let id = result["sessionId"].as_str().unwrap();
    let update = |effort: &str| {
        let options = options(effort);
        json!({"sessionUpdate": "config_option_update", "configOptions": options}).to_string()
    };
    let script = Script::new()
        .expect("initialize")
        .reply(V1)
        .expect("session/new")
        .reply(&result.to_string())
        .update(id, &update("low"))
        .expect("session/set_config_option")
        .reply(&json!({ "configOptions": options("high") }).to_string())
        .expect("session/set_mode")
        .update(id, &update("max"))
        .reply("{}")
        .drain();
    let builder = World::Memory.builder().keep_state(true);
    let (client, _agent) = World::Memory.start_with(builder, script);
    client.initialize().await.unwrap();
    let session = client.new_session("/w").open().await.unwrap();
    let kept = |session: &Session| {
        session.read_state(|state| {
            let mut options = state.options().iter();
            let effort = options.find(|option| option.config_id.as_str() == "effort");
            effort.map(|option| serde_json::to_value(option).unwrap()["currentValue"].clone())
        })
    };
    assert_eq!(
        kept(&session),
        Some(Some(json!("default"))),
        "of the opening"
    );
    session.choose(Effort::High).await.unwrap();
    // The update to `low` came before the answer, and is read only now.
    session.events().next().await.unwrap().unwrap();
    assert_eq!(session.in_force(Axis::Effort).as_deref(), Some("high"));
    assert_eq!(kept(&session), Some(Some(json!("high"))));
    // What came after it counts, although an answer stands behind it: that settles the mode only.
    session.set_mode("plan").await.unwrap();
    session.events().next().await.unwrap().unwrap();
    assert_eq!(session.in_force(Axis::Effort).as_deref(), Some("max"));
    assert_eq!(kept(&session), Some(Some(json!("max"))));
    assert_eq!(
        session.read_state(|state| state.mode().cloned()),
        Some(Some("plan".into()))
    );
}

/// Agents forget what was chosen; a loaded session gets it again before it is handed out.
#[tokio::test(start_paused = true)]
async fn choices_are_made_again_after_a_load() {
    let result = recorded("codex", 1);
    let mut after = result.clone();
    set(&mut after, "reasoning_effort", &json!("xhigh"));
    let initialized = r#"{"protocolVersion":1,"agentCapabilities":{"loadSession":true}}"#;
    let script = Script::new()
        .expect("initialize")
        .reply(initialized)
        .expect("session/load")
        .reply(&json!({ "configOptions": result["configOptions"] }).to_string())
        .expect("session/set_config_option")
        .reply(&json!({ "configOptions": after["configOptions"] }).to_string())
        .drain();
    let (client, agent) = World::Memory.start(script);
    client.initialize().await.unwrap();
    let wishes = Wishes::new().effort("x-high");
    let session = client
        .load("old", "/w")
        .choosing(wishes.clone())
        .open()
        .await
        .unwrap();
    assert_eq!(session.in_force(Axis::Effort).as_deref(), Some("xhigh"));
    assert_eq!(session.chosen(), wishes);
    let heard = agent.heard_after_close(&client).await;
    assert_eq!(
        heard.methods(),
        ["initialize", "session/load", "session/set_config_option"]
    );
}

/// Cursor cannot be recorded here; this is written by hand after its known shape: options with
/// `id` in v1, model ids with attributes in brackets, no list in the answer.
#[tokio::test(start_paused = true)]
async fn an_effort_inside_a_model_id_is_chosen_by_the_whole_id() {
    let values: Vec<Value> = ["low", "high"]
        .iter()
        .map(|effort| json!({"value": format!("m-1[thinking=true,effort={effort}]"), "name": "M"}))
        .collect();
    let option = |current: &str| json!([{"id":"model","name":"Model","category":"model","type":"select","currentValue":current,"options":values}]);
    let result = json!({"sessionId":"s","configOptions":option("m-1[thinking=true,effort=low]")});
    let script = Script::new()
        .expect("session/set_config_option")
        .reply("{}");
    let (client, session, peer) = open(1, &result, script).await;
    session.choose(Effort::High).await.unwrap();
    assert_eq!(session.in_force(Axis::Effort).as_deref(), Some("high"));
    let heard = peer.heard_after_close(&client).await;
    let sent: BTreeMap<String, String> =
        serde_json::from_value(heard.0[2]["params"].clone()).unwrap();
    assert_eq!(sent["value"], "m-1[thinking=true,effort=high]");
}
