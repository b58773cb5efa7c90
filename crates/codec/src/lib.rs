//! Bytes to messages and back. The README below is the introduction.
#![doc = include_str!("../README.md")]

mod body;
mod decode;
pub mod encode;
mod envelope;
mod error;
mod error_object;
mod fault;
mod frame;
#[cfg(feature = "tokio-util")]
mod framed;
mod id;
mod limits;
mod line;
mod members;
mod message;
mod salvage;
mod skip;
mod text;

pub use body::decode_body;
pub use decode::decode;
pub use envelope::Envelope;
pub use error::{BodyError, DecodeError, EncodeError};
pub use fault::{Fault, JsonKind};
pub use frame::{Frame, FrameDecoder, Item};
#[cfg(feature = "tokio-util")]
pub use framed::{FrameCodec, FrameCodecError, OwnedFrame, OwnedItem};
pub use limits::{Limits, Overflow};
pub use line::Position;
pub use message::Message;
pub use skip::{Sample, SkipCounts, SkipKind};
pub use text::{Repaired, repair_surrogates};
