//! One line to one message.

use std::str;

use serde::de::IgnoredAny;

use crate::{
    envelope::Envelope, error::DecodeError, fault::Fault, message::Message, salvage::salvage,
    skip::SkipKind,
};

/// Reads one line, without its newline, as a message.
///
/// # Errors
/// [`DecodeError::NotAMessage`] with the reason. Never for an object that carries a readable id
/// and no method: that is [`Message::Malformed`] at worst.
pub fn decode(line: &[u8]) -> Result<Message<'_>, DecodeError> {
    read(trim(line)).map_err(|(kind, offset)| DecodeError::NotAMessage { kind, offset })
}

/// What stands between a byte order mark and white space at the beginning and white space at the
/// end. Windows shells put the mark before every write, so it is taken off any line.
pub(crate) fn trim(line: &[u8]) -> &[u8] {
    line.strip_prefix(b"\xEF\xBB\xBF")
        .unwrap_or(line)
        .trim_ascii()
}

/// A message, or why it is none and the byte that told.
pub(crate) fn read(line: &[u8]) -> Result<Message<'_>, (SkipKind, usize)> {
    let text = match str::from_utf8(line) {
        Ok(text) => text,
        Err(error) => {
            let skip = (SkipKind::NotUtf8, error.valid_up_to());
            return salvaged(line, Fault::NotUtf8).ok_or(skip);
        }
    };
    if !text.starts_with('{') {
        return Err(no_object(text));
    }
    match Envelope::read(text) {
        Ok(envelope) => Message::classify(&envelope).map_err(|kind| (kind, 0)),
        Err(error) => {
            let skip = (SkipKind::NotJson, offset_of(&error));
            salvaged(line, Fault::NotJson).ok_or(skip)
        }
    }
}

fn salvaged(line: &[u8], fault: Fault) -> Option<Message<'_>> {
    salvage(line).map(|id| Message::Malformed { id, fault })
}

fn no_object(text: &str) -> (SkipKind, usize) {
    match serde_json::from_str::<IgnoredAny>(text) {
        Ok(_) if text.starts_with('[') => (SkipKind::Array, 0),
        Ok(_) => (SkipKind::Scalar, 0),
        Err(error) => (SkipKind::NotJson, offset_of(&error)),
    }
}

fn offset_of(error: &serde_json::Error) -> usize {
    error.column().saturating_sub(1)
}
