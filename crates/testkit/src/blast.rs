//! Many updates as fast as a pipe takes them, verifiable by count and by hash.

use serde::{Deserialize, Serialize};

/// Where the `sessionUpdate` tag stands in its object. Most agents write it first, the
/// Python ones never do, and a decoder must not pay for the difference.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[non_exhaustive]
pub enum TagPlace {
    /// `{"sessionUpdate":..,"content":..}`
    #[default]
    First,
    /// `{"content":..,"sessionUpdate":..}`
    Last,
}

/// A run of `agent_message_chunk` updates of one session. The text of update `n` starts with
/// `n` in decimal and a space, so that a reader can check order and loss.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct Blast {
    /// The session that the updates belong to.
    pub session: String,
    /// How many updates.
    pub frames: u64,
    /// Length of each line in bytes, newline included; short ones are not cut.
    pub line_bytes: usize,
    /// Where the tag stands.
    pub tag: TagPlace,
}

impl Blast {
    /// `frames` updates of about 200 bytes for `session`.
    #[must_use]
    pub fn new(session: &str, frames: u64) -> Self {
        Self {
            session: session.to_owned(),
            frames,
            line_bytes: 200,
            tag: TagPlace::First,
        }
    }

    /// The same with lines of this many bytes.
    #[must_use]
    pub fn line_bytes(mut self, bytes: usize) -> Self {
        self.line_bytes = bytes;
        self
    }

    /// The same with the tag at this place.
    #[must_use]
    pub fn tag(mut self, place: TagPlace) -> Self {
        self.tag = place;
        self
    }

    /// The lines in chunks of about 64 KiB, whole lines each.
    pub fn chunks(&self) -> impl Iterator<Item = Vec<u8>> + '_ {
        let mut next = 0;
        std::iter::from_fn(move || {
            if next >= self.frames {
                return None;
            }
            let mut chunk = Vec::with_capacity(64 * 1024 + self.line_bytes);
            while next < self.frames && chunk.len() < 64 * 1024 {
                chunk.extend_from_slice(self.line(next).as_bytes());
                next += 1;
            }
            Some(chunk)
        })
    }

    /// Line number `n`, newline included.
    #[must_use]
    pub fn line(&self, n: u64) -> String {
        let session = &self.session;
        let head = format!(
            r#"{{"jsonrpc":"2.0","method":"session/update","params":{{"sessionId":"{session}","update":{{"#
        );
        let (before, after) = match self.tag {
            TagPlace::First => (
                r#""sessionUpdate":"agent_message_chunk","content":{"type":"text","text":""#,
                "\"}}}}\n",
            ),
            TagPlace::Last => (
                r#""content":{"type":"text","text":""#,
                "\"},\"sessionUpdate\":\"agent_message_chunk\"}}}\n",
            ),
        };
        let number = format!("{n} ");
        let used = head.len() + before.len() + number.len() + after.len();
        let padding = "x".repeat(self.line_bytes.saturating_sub(used));
        format!("{head}{before}{number}{padding}{after}")
    }
}
