//! What a command has printed: the last bytes of it, cut at a character.

use std::collections::VecDeque;

/// So many bytes of a character that is cut off may stand at the front, and as many at the end of
/// one that has not come whole.
const CUT: usize = 3;

/// Keeps enough of the last bytes for `limit` bytes of text.
///
/// A byte that is no UTF-8 becomes three of text, never fewer, so `limit` bytes are enough, and
/// [`CUT`] more at either end.
#[derive(Debug)]
pub(super) struct Output {
    kept: VecDeque<u8>,
    limit: usize,
    dropped: bool,
}

impl Output {
    pub(super) const fn new(limit: usize) -> Self {
        Self {
            kept: VecDeque::new(),
            limit,
            dropped: false,
        }
    }

    /// Takes in what was printed.
    pub(super) fn push(&mut self, bytes: &[u8]) {
        let room = self.limit.saturating_add(2 * CUT);
        let newest = bytes
            .get(bytes.len().saturating_sub(room)..)
            .unwrap_or_default();
        let excess = (self.kept.len() + newest.len()).saturating_sub(room);
        self.dropped |= excess > 0 || newest.len() < bytes.len();
        self.kept.drain(..excess.min(self.kept.len()));
        self.kept.extend(newest);
    }

    /// The end of the text, of at most `limit` bytes, and whether there was more before it. While
    /// `running` a character of which only a part was printed is held back.
    pub(super) fn text(&self, running: bool) -> (Box<str>, bool) {
        let bytes: Vec<u8> = self.kept.iter().copied().collect();
        let whole = if running { whole(&bytes) } else { &bytes };
        let text = String::from_utf8_lossy(whole);
        let least = text.len().saturating_sub(self.limit);
        let start = (least..=text.len())
            .find(|at| text.is_char_boundary(*at))
            .unwrap_or(text.len());
        let tail = text.get(start..).unwrap_or_default();
        (tail.into(), self.dropped || start > 0)
    }
}

/// The bytes without the start of a character whose rest may come.
fn whole(bytes: &[u8]) -> &[u8] {
    let end = match bytes.utf8_chunks().last() {
        Some(chunk) if !chunk.invalid().is_empty() => {
            let start = bytes.len() - chunk.invalid().len();
            match std::str::from_utf8(bytes.get(start..).unwrap_or_default()) {
                // No length: it ends in the middle of a character.
                Err(error) if error.error_len().is_none() => start,
                _ => bytes.len(),
            }
        }
        _ => bytes.len(),
    };
    bytes.get(..end).unwrap_or_default()
}

#[cfg(test)]
mod tests;
