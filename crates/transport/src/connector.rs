//! Making a link afresh: for negotiation that starts over in a new process, and for reconnecting.

use std::{fmt, future::Future, pin::Pin};

use crate::{Link, TransportError};

/// The future of [`Connector::connect`].
pub type Connecting<'a> = Pin<Box<dyn Future<Output = Result<Link, TransportError>> + Send + 'a>>;

/// Makes fresh links to the same kind of peer.
///
/// [`Command`](crate::Command) is one (a new process each time), and so is any closure that returns
/// a future of a [`Link`].
pub trait Connector: Send {
    /// Makes a new link. Nothing is shared with those made before.
    ///
    /// # Errors
    /// What stood in the way: see [`TransportError`].
    fn connect(&mut self) -> Connecting<'_>;
}

impl<F, Made> Connector for F
where
    F: FnMut() -> Made + Send,
    Made: Future<Output = Result<Link, TransportError>> + Send + 'static,
{
    fn connect(&mut self) -> Connecting<'_> {
        Box::pin(self())
    }
}

impl fmt::Debug for dyn Connector {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Connector")
    }
}

const _: fn(&mut dyn Connector) = |_| ();
