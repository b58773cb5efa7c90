//! What was said of each message, so that one that comes whole (v2) is not said twice.
//!
//! An agent may stream a message, send it whole, or do both. What is streamed is shown at once; a whole message then adds what was not
//! shown yet, or is a message of its own when it says something else.

use std::collections::{BTreeMap, VecDeque};

use acp_harness::{
    client::{Chunk, Message, Speaker},
    vocab::{ContentBlock, MessageId, Patch},
};

/// How many messages are remembered, and how much of all of them.
const MOST: usize = 256;
const BYTES: usize = 4 << 20;

/// The texts of the latest messages.
#[derive(Debug, Default)]
pub(crate) struct Spoken {
    texts: BTreeMap<(Speaker, MessageId), String>,
    order: VecDeque<(Speaker, MessageId)>,
    bytes: usize,
}

impl Spoken {
    /// A piece was shown.
    pub(crate) fn piece(&mut self, speaker: Speaker, chunk: &Chunk) {
        if let Some(id) = &chunk.message {
            self.add(speaker, id, &chunk.to_string());
        }
    }

    /// What a whole message says that was not shown; `None` when there is nothing of that.
    pub(crate) fn rest(&mut self, message: &Message) -> Option<String> {
        let Patch::Value(blocks) = &message.content else {
            return None;
        };
        let whole: String = blocks.iter().map(words).collect();
        let known = self
            .texts
            .get(&(message.speaker, message.id.clone()))
            .map_or("", String::as_str);
        let rest = whole.strip_prefix(known).unwrap_or(&whole).to_owned();
        // What was shown is the end of what it now is, or nothing of it.
        self.forget(&(message.speaker, message.id.clone()));
        self.add(message.speaker, &message.id, &whole);
        (!rest.is_empty()).then_some(rest)
    }

    fn add(&mut self, speaker: Speaker, id: &MessageId, text: &str) {
        let key = (speaker, id.clone());
        if !self.texts.contains_key(&key) {
            self.order.push_back(key.clone());
        }
        self.bytes += text.len();
        self.texts.entry(key).or_default().push_str(text);
        while self.order.len() > 1 && (self.order.len() > MOST || self.bytes > BYTES) {
            if let Some(oldest) = self.order.front().cloned() {
                self.forget(&oldest);
            }
        }
    }

    fn forget(&mut self, key: &(Speaker, MessageId)) {
        if let Some(text) = self.texts.remove(key) {
            self.bytes -= text.len();
            self.order.retain(|known| known != key);
        }
    }
}

/// The text of a block, or what stands in its place.
fn words(block: &ContentBlock) -> String {
    match block {
        ContentBlock::Text(text) => text.text.to_string(),
        ContentBlock::Image(image) => format!("[image {}]", image.mime_type),
        ContentBlock::Audio(audio) => format!("[audio {}]", audio.mime_type),
        ContentBlock::ResourceLink(link) => format!("[{}]", link.uri),
        other => format!("[{}]", other.tag()),
    }
}
