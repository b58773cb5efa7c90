//! Scripts against each other, and recorded conversations as agents.

use acp_testkit::{Blast, End, Peer, PeerError, Script, TagPlace, pipe};
use serde_json::Value;
use std::path::Path;

async fn check(width: usize, client: Script, agent: Script) -> (Vec<Value>, Vec<Value>) {
    let (left, right) = pipe(width);
    let (client, agent) = tokio::join!(client.play(left), agent.play(right));
    (client.unwrap().heard, agent.unwrap().heard)
}

#[tokio::test(start_paused = true)]
async fn a_turn_between_two_scripts() {
    let agent = Script::new()
        .open("s")
        .expect("session/prompt")
        .say("s", "working")
        .ask_permission("s", "t1")
        .expect_answer()
        .end_turn()
        .drain();
    let client = Script::new()
        .request("initialize", r#"{"protocolVersion":1}"#)
        .expect_answer()
        .request("session/new", "{}")
        .expect_answer()
        .request("session/prompt", "{}")
        .expect("session/request_permission")
        .reply(r#"{"outcome":{"outcome":"cancelled"}}"#)
        .expect_answer();
    let (client, agent) = check(1, client, agent).await;
    assert_eq!(client.len(), 5);
    assert_eq!(agent.len(), 4);
    assert_eq!(agent[3]["result"]["outcome"]["outcome"], "cancelled");
}

#[tokio::test(start_paused = true)]
async fn a_missing_frame_is_named() {
    let (left, right) = pipe(8);
    drop(left);
    let error = Script::new()
        .expect("initialize")
        .play(right)
        .await
        .unwrap_err();
    assert!(matches!(error, PeerError::Ended { .. }), "{error}");
}

#[tokio::test(start_paused = true)]
async fn a_blast_has_the_length_and_the_order_it_says() {
    for tag in [TagPlace::First, TagPlace::Last] {
        let blast = Blast::new("s", 1000).tag(tag);
        let (left, right) = pipe(100);
        let mut peer = Peer::from(left);
        let send = Script::new().blast(blast.clone()).play(right);
        let (sent, rest) = tokio::join!(send, peer.rest());
        sent.unwrap();
        let rest = rest.unwrap();
        assert_eq!(rest.len(), 1000);
        for (n, frame) in rest.iter().enumerate() {
            let text = frame["params"]["update"]["content"]["text"]
                .as_str()
                .unwrap();
            assert!(text.starts_with(&format!("{n} ")));
        }
        assert_eq!(blast.line(7).len(), 200);
    }
}

/// The client's side of a transcript, verbatim: what it wrote, in order, with its own ids.
async fn replay_client(text: &str, end: End) -> usize {
    let mut peer = Peer::from(end);
    for line in text.lines() {
        let line: Value = serde_json::from_str(line).unwrap();
        let frame = line["frame"].as_str().unwrap();
        if line["dir"] == "out" && serde_json::from_str::<Value>(frame).is_ok() {
            peer.line(frame).await.unwrap();
        }
    }
    let mut frames = 0;
    while let Ok(Some(_)) = peer.next().await {
        frames += 1;
    }
    frames
}

#[tokio::test(start_paused = true)]
async fn transcripts_play_as_agents() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../fixtures/transcripts");
    let mut played = 0;
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        let name = path.file_name().unwrap().to_string_lossy().into_owned();
        if !name.ends_with("-basic.ndjson") && !name.contains("perm-allow-sh") {
            continue;
        }
        let text = std::fs::read_to_string(&path).unwrap();
        let script = Script::from_transcript(&text).unwrap();
        let agent_frames = text
            .lines()
            .filter(|line| line.contains(r#""dir": "in""#))
            .count();
        let (left, right) = pipe(64 * 1024);
        let (agent, frames) = tokio::join!(script.play(right), replay_client(&text, left));
        agent.unwrap_or_else(|error| panic!("{name}: {error}"));
        assert_eq!(frames, agent_frames, "{name}");
        played += 1;
    }
    assert!(played > 10, "only {played} transcripts found");
}
