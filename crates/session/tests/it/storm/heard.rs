//! What the agent said, read a second time by a decoder of the test's own, and how often each of
//! its requests was answered.

use std::collections::{BTreeMap, VecDeque};

use acp_codec::{FrameDecoder, Item, Limits, Message, decode};

/// How often a request with this id was read by the machine, and answered by it.
#[derive(Debug, Default)]
struct Tally {
    asked: u64,
    answered: u64,
}

#[derive(Debug)]
pub(crate) struct Heard {
    frames: FrameDecoder,
    /// For each frame that the machine has not read yet, the id if it is a request.
    unread: VecDeque<Option<String>>,
    read: u64,
    tallies: BTreeMap<String, Tally>,
    longest: usize,
}

impl Heard {
    pub(crate) fn new(limits: Limits) -> Self {
        Self {
            frames: FrameDecoder::new(limits),
            unread: VecDeque::new(),
            read: 0,
            tallies: BTreeMap::new(),
            longest: 0,
        }
    }

    /// The agent says these bytes.
    pub(crate) fn say(&mut self, bytes: &[u8]) {
        self.frames.feed(bytes);
        let mut frames = std::mem::take(&mut self.frames);
        while let Some(item) = frames.poll() {
            self.take(&item);
        }
        self.frames = frames;
    }

    /// The agent says no more: a line without an end may be a frame all the same.
    pub(crate) fn finish(&mut self) {
        let mut frames = std::mem::take(&mut self.frames);
        if let Some(item) = frames.finish() {
            self.take(&item);
        }
        self.frames = frames;
    }

    fn take(&mut self, item: &Item<'_>) {
        if let Item::Frame(frame) = item {
            self.longest = self.longest.max(frame.raw.len());
            let id = match &frame.message {
                Message::Request { id, .. } => Some(id.to_string()),
                _ => None,
            };
            self.unread.push_back(id);
        }
    }

    /// The longest frame.
    pub(crate) const fn longest(&self) -> usize {
        self.longest
    }

    /// The machine has read so many frames since the beginning.
    pub(crate) fn read(&mut self, frames: u64) {
        while self.read < frames {
            let frame = self.unread.pop_front().expect("it was said before");
            self.read += 1;
            if let Some(id) = frame {
                self.tallies.entry(id).or_default().asked += 1;
            }
        }
    }

    /// The machine wrote this line. Returns the id when it is a request.
    pub(crate) fn written(&mut self, line: &[u8]) -> Option<serde_json::Value> {
        match decode(line).expect("the machine writes messages") {
            Message::Request { id, .. } => Some(serde_json::to_value(id).expect("an id")),
            Message::Response { id, .. } => {
                let tally = self.tallies.entry(id.to_string()).or_default();
                tally.answered += 1;
                let Tally { asked, answered } = *tally;
                assert!(
                    answered <= asked,
                    "request {id}: asked {asked} times, answered {answered} times"
                );
                None
            }
            Message::Notification { .. } => None,
            other => panic!("the machine wrote {other:?}"),
        }
    }

    /// Nothing is owed to the agent.
    pub(crate) fn all_are_answered(&self) {
        for (id, Tally { asked, answered }) in &self.tallies {
            assert_eq!(asked, answered, "request {id} has no answer");
        }
    }
}
