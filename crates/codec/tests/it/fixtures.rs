//! Conversations of real agents: each line that an agent wrote is a message, and says the same
//! after it was read and written.

use std::{fs, path::Path};

use acp_codec::{FrameDecoder, Item, Message, SkipKind};
use serde::Deserialize;

use crate::checks;

#[derive(Deserialize)]
struct Record {
    dir: String,
    frame: String,
}

/// Every recorded line in this direction: `in` is what agents wrote, `out` what a host wrote.
fn recorded(dir: &str) -> Vec<String> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../fixtures/transcripts");
    let mut lines = Vec::new();
    for entry in fs::read_dir(folder).expect("recorded conversations") {
        let path = entry.expect("an entry").path();
        if path
            .extension()
            .is_none_or(|extension| extension != "ndjson")
        {
            continue;
        }
        for line in fs::read_to_string(&path).expect("a conversation").lines() {
            let record: Record = serde_json::from_str(line).expect("a record");
            if record.dir == dir {
                lines.push(record.frame);
            }
        }
    }
    lines
}

#[test]
fn agents() {
    let lines = recorded("in");
    assert!(lines.len() > 5000, "{} lines", lines.len());
    let mut decoder = FrameDecoder::default();
    let mut frames = 0;
    for line in &lines {
        checks::envelope(line.as_bytes());
        decoder.feed(line.as_bytes());
        decoder.feed(b"\n");
        while let Some(item) = decoder.poll() {
            if let Item::Frame(frame) = item {
                assert!(
                    !matches!(frame.message, Message::Malformed { .. }),
                    "{line}"
                );
                frames += 1;
            }
        }
    }
    // Two agents answered the id 1.5, which a host had sent to see what becomes of it.
    let counts: Vec<_> = decoder.skip_counts().iter().collect();
    assert_eq!(counts, [(SkipKind::ResponseId, 2)]);
    assert_eq!(frames + 2, lines.len());
}

#[test]
fn hosts() {
    let mut decoder = FrameDecoder::default();
    for line in recorded("out") {
        checks::envelope(line.as_bytes());
        decoder.feed(line.as_bytes());
        decoder.feed(b"\n");
        while decoder.poll().is_some() {}
    }
    // What was sent on purpose to see what agents make of it.
    let counts: Vec<_> = decoder.skip_counts().iter().collect();
    assert_eq!(
        counts,
        [
            (SkipKind::NotJson, 3),
            (SkipKind::Array, 6),
            (SkipKind::RequestId, 2)
        ]
    );
}
