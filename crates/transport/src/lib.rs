//! Where the bytes come from: child processes owned whole, stdio, and links made of any reader and
//! writer.
#![doc = include_str!("../README.md")]

#[cfg(feature = "child")]
mod child;
mod connector;
mod ended;
mod error;
mod exit;
mod link;
mod observer;
mod peer;
#[cfg(feature = "stdio")]
mod stdio;

#[cfg(feature = "child")]
pub use child::{Child, Command, Grace, KillHandle, Ladder, Reaper, Stage, Step, Unfinished};
pub use connector::{Connecting, Connector};
pub use ended::{Ended, Ending};
pub use error::{SpawnError, TransportError};
pub use exit::Exit;
pub use link::{Link, Reader, Writer};
pub use observer::{Direction, Observer};
pub use peer::Peer;
#[cfg(feature = "stdio")]
pub use stdio::{stdio, stdio_with_output};
