//! The content of a message: blocks, with plain text joined.

use std::fmt;

use acp_vocab::{ContentBlock, TextContent};

/// One part of a message.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub enum Part {
    /// Plain text: adjacent text blocks without annotations, joined exactly as they came.
    Text(String),
    /// Anything else.
    Block(ContentBlock),
}

/// What a message says.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct MessageContent {
    parts: Vec<Part>,
    bytes: usize,
    is_cut: bool,
}

impl MessageContent {
    pub(super) fn of(blocks: &[ContentBlock]) -> Self {
        let mut content = Self::default();
        for block in blocks {
            content.push(block);
        }
        content
    }

    /// Appends one block. Text joins the text before it, so that it does not matter how a message
    /// was cut.
    pub(super) fn push(&mut self, block: &ContentBlock) {
        self.bytes += crate::weight::block(block);
        let is_plain = |text: &&TextContent| text.annotations.is_none() && text.meta.is_none();
        let Some(plain) = plain_text(block).filter(is_plain) else {
            self.parts.push(Part::Block(block.clone()));
            return;
        };
        if let Some(Part::Text(before)) = self.parts.last_mut() {
            before.push_str(&plain.text);
        } else if !plain.text.is_empty() {
            self.parts.push(Part::Text((*plain.text).to_owned()));
        }
    }

    /// The parts.
    #[must_use]
    pub fn parts(&self) -> &[Part] {
        &self.parts
    }

    /// All text in it, joined.
    #[must_use]
    pub fn text(&self) -> String {
        self.to_string()
    }

    /// Whether there is nothing.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.parts.is_empty()
    }

    /// Whether its beginning was let go of, because it alone was more than a conversation may hold.
    #[must_use]
    pub const fn is_cut(&self) -> bool {
        self.is_cut
    }

    /// Keeps the end, of so many bytes.
    pub(super) fn cut(&mut self, limit: usize) {
        let mut room = limit;
        let mut kept = Vec::new();
        while let Some(part) = self.parts.pop() {
            let bytes = match &part {
                Part::Text(text) => text.len(),
                Part::Block(block) => crate::weight::block(block),
            };
            if let Some(left) = room.checked_sub(bytes) {
                room = left;
                kept.push(part);
                continue;
            }
            if let Part::Text(mut text) = part {
                let mut from = text.len() - room;
                while !text.is_char_boundary(from) {
                    from += 1;
                }
                room -= text.len() - from;
                kept.push(Part::Text(text.split_off(from)));
            }
            break;
        }
        kept.reverse();
        self.parts = kept;
        self.bytes = limit - room;
        self.is_cut = true;
    }

    pub(super) const fn bytes(&self) -> usize {
        self.bytes
    }
}

/// Writes the text in it.
impl fmt::Display for MessageContent {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for part in &self.parts {
            match part {
                Part::Text(text) => f.write_str(text)?,
                Part::Block(block) => f.write_str(block.as_text().unwrap_or_default())?,
            }
        }
        Ok(())
    }
}

fn plain_text(block: &ContentBlock) -> Option<&TextContent> {
    if let ContentBlock::Text(text) = block {
        Some(text)
    } else {
        None
    }
}
