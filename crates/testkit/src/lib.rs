//! Test peers: in-memory pipes of any width, scripted agents and clients, virtual time.
#![doc = include_str!("../README.md")]

mod blast;
mod child;
mod peer;
mod pipe;
mod play;
mod script;
mod transcript;

pub use crate::{
    blast::{Blast, TagPlace},
    child::{child_main, child_path},
    peer::{Call, Peer, PeerError},
    pipe::{End, PipeMeter, PipeReader, PipeWriter, pipe},
    play::Played,
    script::{Script, Step},
};
