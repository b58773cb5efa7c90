//! The entries in the order of their first appearance, found by what names them.

use std::collections::{BTreeMap, VecDeque};

use acp_vocab::{
    CompactionId, CompactionStatus, ContentBlock, MessageId, Patch, SessionMessage, ToolCallId, v2,
};

use super::content::MessageContent;
use super::entry::{CompactionEntry, Entry, MessageEntry, SessionMessageEntry, ToolEntry};
use super::{ConversationLimits, restarted};
use crate::event::{Chunk, Message, Speaker};
use crate::tool::Tool;

/// What names an entry. Each kind of speaker has an id space of its own.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Key {
    Message(Speaker, MessageId),
    Tool(ToolCallId),
    Compaction(CompactionId),
    SessionMessage(MessageId),
}

#[derive(Debug, Clone, Default)]
pub(super) struct Timeline {
    entries: VecDeque<(usize, Entry, Option<Key>)>,
    /// Where each named entry stands, counted from the first that ever was.
    places: BTreeMap<Key, u64>,
    forgotten: u64,
    bytes: usize,
    /// The last entry is a message without an id of this speaker, and nothing came between.
    run: Option<Speaker>,
    /// The last entry is a prompt of the host, of which an echo has repeated so many blocks.
    echoed: Option<(Vec<ContentBlock>, usize)>,
}

impl Timeline {
    pub(super) fn iter(&self) -> impl DoubleEndedIterator<Item = &Entry> {
        self.entries.iter().map(|(_, entry, _)| entry)
    }

    pub(super) const fn forgotten(&self) -> u64 {
        self.forgotten
    }

    pub(super) const fn bytes(&self) -> usize {
        self.bytes
    }

    fn index(&self, key: &Key) -> Option<usize> {
        let place = self.places.get(key)?.checked_sub(self.forgotten)?;
        usize::try_from(place).ok()
    }

    pub(super) fn find(&self, key: &Key) -> Option<&Entry> {
        self.entries
            .get(self.index(key)?)
            .map(|(_, entry, _)| entry)
    }

    pub(super) fn find_mut(&mut self, key: &Key) -> Option<&mut Entry> {
        let index = self.index(key)?;
        self.entries.get_mut(index).map(|(_, entry, _)| entry)
    }

    fn push(&mut self, key: Option<Key>, entry: Entry) {
        if let Some(key) = &key {
            let place = self.forgotten + self.entries.len() as u64;
            self.places.insert(key.clone(), place);
        }
        let bytes = entry.bytes();
        self.bytes += bytes;
        self.entries.push_back((bytes, entry, key));
    }

    /// Changes the entry of this name, making it first when it is new.
    fn upsert(&mut self, key: Key, new: impl FnOnce() -> Entry, change: impl FnOnce(&mut Entry)) {
        if self.index(&key).is_none() {
            self.push(Some(key.clone()), new());
        }
        if let Some(index) = self.index(&key) {
            self.change(index, change);
        }
    }

    fn change(&mut self, index: usize, change: impl FnOnce(&mut Entry)) {
        if let Some((bytes, entry, _)) = self.entries.get_mut(index) {
            change(entry);
            self.bytes -= *bytes;
            *bytes = entry.bytes();
            self.bytes += *bytes;
        }
    }

    /// Forgets the oldest entries beyond the bounds; one is always kept, of that the end.
    pub(super) fn bound(&mut self, limits: &ConversationLimits) {
        while (self.bytes > limits.bytes || self.entries.len() > limits.entries)
            && self.forget_oldest()
        {}
        if self.bytes > limits.bytes {
            // One entry alone, which an agent may add to without end.
            self.change(0, |entry| entry.cut(limits.bytes / 2));
        }
    }

    /// Forgets the oldest entry, unless it is the only one.
    pub(super) fn forget_oldest(&mut self) -> bool {
        if self.entries.len() < 2 {
            return false;
        }
        if let Some((bytes, _, key)) = self.entries.pop_front() {
            self.bytes -= bytes;
            self.forgotten += 1;
            key.iter().for_each(|key| {
                self.places.remove(key);
            });
        }
        true
    }

    /// What comes next begins a new message.
    pub(super) fn break_run(&mut self) {
        self.run = None;
        self.echoed = None;
    }

    pub(super) fn add_prompt(&mut self, prompt: &[ContentBlock]) {
        let content = MessageContent::of(prompt);
        self.push(
            None,
            Entry::Message(MessageEntry {
                speaker: Speaker::User,
                id: None,
                content,
            }),
        );
        self.run = None;
        self.echoed = Some((prompt.to_vec(), 0));
    }

    /// One more block. With an id it belongs to that message; without one a run of blocks of one
    /// speaker is one message.
    pub(super) fn add_chunk(&mut self, speaker: Speaker, chunk: &Chunk) {
        if speaker == Speaker::User && self.is_echo(&chunk.content) {
            return;
        }
        self.echoed = None;
        let message = |id: Option<MessageId>| {
            let content = MessageContent::default();
            Entry::Message(MessageEntry {
                speaker,
                id,
                content,
            })
        };
        let append = |entry: &mut Entry| {
            if let Entry::Message(message) = entry {
                message.content.push(&chunk.content);
            }
        };
        if let Some(id) = &chunk.message {
            self.run = None;
            let key = Key::Message(speaker, id.clone());
            self.upsert(key, || message(Some(id.clone())), append);
        } else {
            if self.run != Some(speaker) {
                self.push(None, message(None));
                self.run = Some(speaker);
            }
            self.change(self.entries.len() - 1, append);
        }
    }

    /// Whether a block repeats the next one of the prompt that was just sent.
    fn is_echo(&mut self, block: &ContentBlock) -> bool {
        let Some((prompt, next)) = &mut self.echoed else {
            return false;
        };
        let is_next = prompt.get(*next) == Some(block);
        *next += usize::from(is_next);
        is_next
    }

    pub(super) fn set_message(&mut self, message: &Message) {
        self.break_run();
        let key = Key::Message(message.speaker, message.id.clone());
        let entry = || {
            let (speaker, id) = (message.speaker, Some(message.id.clone()));
            Entry::Message(MessageEntry {
                speaker,
                id,
                content: MessageContent::default(),
            })
        };
        self.upsert(key, entry, |entry| {
            if let Entry::Message(entry) = entry {
                replace(&mut entry.content, &message.content);
            }
        });
    }

    pub(super) fn change_tool(&mut self, tool: &Tool) {
        self.break_run();
        let entry = || Entry::Tool(Box::new(ToolEntry::new(tool.id.clone())));
        self.upsert(Key::Tool(tool.id.clone()), entry, |entry| {
            if let Entry::Tool(entry) = entry {
                entry.apply(tool);
            }
        });
    }

    pub(super) fn change_compaction(&mut self, update: &v2::CompactionUpdate) {
        self.change_compaction_of(&update.compaction_id, |entry| {
            match &update.status {
                Patch::Absent => {}
                Patch::Null => entry.status = restarted(),
                Patch::Value(status) => entry.status = status.clone(),
            }
            replace(&mut entry.summary, &update.summary);
            update.error.clone().apply_to(&mut entry.error);
        });
    }

    pub(super) fn add_summary(&mut self, id: &CompactionId, block: &ContentBlock) {
        self.change_compaction_of(id, |entry| entry.summary.push(block));
    }

    fn change_compaction_of(
        &mut self,
        id: &CompactionId,
        change: impl FnOnce(&mut CompactionEntry),
    ) {
        self.break_run();
        let status = CompactionStatus::InProgress;
        let summary = MessageContent::default();
        let new = CompactionEntry {
            id: id.clone(),
            status,
            summary,
            error: None,
        };
        self.upsert(
            Key::Compaction(id.clone()),
            || Entry::Compaction(new),
            |entry| {
                if let Entry::Compaction(entry) = entry {
                    change(entry);
                }
            },
        );
    }

    pub(super) fn change_session_message(&mut self, message: &SessionMessage) {
        self.change_session_message_of(&message.message_id, |entry| {
            message
                .sender_session_id
                .clone()
                .apply_to(&mut entry.sender);
            message
                .recipient_session_id
                .clone()
                .apply_to(&mut entry.recipient);
            replace(&mut entry.content, &message.content);
        });
    }

    pub(super) fn add_session_chunk(&mut self, id: &MessageId, block: &ContentBlock) {
        self.change_session_message_of(id, |entry| entry.content.push(block));
    }

    fn change_session_message_of(
        &mut self,
        id: &MessageId,
        change: impl FnOnce(&mut SessionMessageEntry),
    ) {
        self.break_run();
        let content = MessageContent::default();
        let new = SessionMessageEntry {
            id: id.clone(),
            sender: None,
            recipient: None,
            content,
        };
        self.upsert(
            Key::SessionMessage(id.clone()),
            || Entry::SessionMessage(new),
            |entry| {
                if let Entry::SessionMessage(entry) = entry {
                    change(entry);
                }
            },
        );
    }
}

/// Absent keeps, null empties, a list replaces.
fn replace(content: &mut MessageContent, patch: &Patch<Vec<ContentBlock>>) {
    match patch {
        Patch::Absent => {}
        Patch::Null => *content = MessageContent::default(),
        Patch::Value(blocks) => *content = MessageContent::of(blocks),
    }
}
