//! Adapters for [`tokio_util::codec`], for those who drive a connection by `Framed`.

use std::io;

use bytes::{Bytes, BytesMut};
use thiserror::Error;
use tokio_util::codec::{Decoder, Encoder};

use crate::{
    decode::decode,
    encode,
    error::{DecodeError, EncodeError},
    frame::{Frame, FrameDecoder, Item},
    limits::{Limits, Overflow},
    line::Position,
    message::Message,
    skip::SkipKind,
};

/// A [`FrameDecoder`] and the encoder as a codec for `Framed`, `FramedRead` and `FramedWrite`.
///
/// A line that is too long is an error, after which `Framed` ends, under [`Overflow::Stop`]; under
/// [`Overflow::Drain`] it is one more skipped item.
#[derive(Debug)]
pub struct FrameCodec {
    decoder: FrameDecoder,
    limits: Limits,
    scratch: Vec<u8>,
}

impl Default for FrameCodec {
    fn default() -> Self {
        Self::new(Limits::default())
    }
}

impl FrameCodec {
    /// A codec with these limits, of which `max_line` holds for outgoing lines too.
    #[must_use]
    pub fn new(limits: Limits) -> Self {
        Self {
            decoder: FrameDecoder::new(limits),
            limits,
            scratch: Vec::new(),
        }
    }

    /// The decoder inside: counts and samples of what was skipped.
    #[must_use]
    pub fn decoder(&self) -> &FrameDecoder {
        &self.decoder
    }
}

/// What a [`FrameCodec`] yields: an [`Item`] that owns its bytes.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum OwnedItem {
    /// A line that is a message.
    Frame(OwnedFrame),
    /// A line that is none.
    #[non_exhaustive]
    Skipped {
        /// Why.
        kind: SkipKind,
        /// Where the line began.
        at: Position,
        /// Bytes of the line; of one that is too long, those that had come when it was noticed.
        len: usize,
        /// Its first bytes; none of one that is too long.
        sample: Bytes,
    },
}

/// A line that is known to be a message.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct OwnedFrame {
    /// The line, without byte order mark, newline and white space around it.
    pub raw: Bytes,
    /// Where the line began.
    pub at: Position,
}

impl OwnedFrame {
    /// The message, borrowed from the line. It is read anew each time.
    ///
    /// # Errors
    /// Only if `raw` was changed to something that is no message.
    pub fn message(&self) -> Result<Message<'_>, DecodeError> {
        decode(&self.raw)
    }
}

/// Why a [`FrameCodec`] failed.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum FrameCodecError {
    /// Reading or writing failed.
    #[error("reading or writing failed: {}", .0.kind())]
    Io(#[from] io::Error),
    /// A line was too long.
    #[error(transparent)]
    Decode(#[from] DecodeError),
    /// A message could not be written.
    #[error(transparent)]
    Encode(#[from] EncodeError),
}

impl Decoder for FrameCodec {
    type Item = OwnedItem;
    type Error = FrameCodecError;

    fn decode(&mut self, src: &mut BytesMut) -> Result<Option<OwnedItem>, FrameCodecError> {
        self.decoder.feed(src);
        src.clear();
        self.decoder
            .poll()
            .map(|item| owned(item, self.limits.overflow))
            .transpose()
    }

    fn decode_eof(&mut self, src: &mut BytesMut) -> Result<Option<OwnedItem>, FrameCodecError> {
        match self.decode(src)? {
            Some(item) => Ok(Some(item)),
            None => self
                .decoder
                .finish()
                .map(|item| owned(item, self.limits.overflow))
                .transpose(),
        }
    }
}

fn owned(item: Item<'_>, overflow: Overflow) -> Result<OwnedItem, FrameCodecError> {
    match item {
        Item::Frame(Frame { raw, at, .. }) => Ok(OwnedItem::Frame(OwnedFrame {
            raw: Bytes::copy_from_slice(raw),
            at,
        })),
        Item::Skipped {
            kind,
            at,
            len,
            sample,
        } => Ok(OwnedItem::Skipped {
            kind,
            at,
            len,
            sample: Bytes::copy_from_slice(sample),
        }),
        Item::TooLong { at, seen, .. } if overflow == Overflow::Drain => Ok(OwnedItem::Skipped {
            kind: SkipKind::TooLong,
            at,
            len: seen,
            sample: Bytes::new(),
        }),
        Item::TooLong { at, limit, seen } => Err(DecodeError::TooLong {
            line: at.line,
            limit,
            seen,
        }
        .into()),
    }
}

impl Encoder<Message<'_>> for FrameCodec {
    type Error = FrameCodecError;

    fn encode(&mut self, message: Message<'_>, dst: &mut BytesMut) -> Result<(), FrameCodecError> {
        self.scratch.clear();
        encode::within(self.limits.max_line, &mut self.scratch, |out| {
            encode::message(out, &message)
        })?;
        dst.extend_from_slice(&self.scratch);
        self.scratch.shrink_to(self.limits.retain);
        Ok(())
    }
}
