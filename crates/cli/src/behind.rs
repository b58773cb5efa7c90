//! What an agent of version 1 says right behind its answer to `session/load`.
//!
//! History comes before that answer, so that nobody takes it for something new; some agents write it behind. Whoever prompted at once
//! would print old answers as the new one. Version 2 says where history ends.

use std::time::Duration;

use acp_harness::client::{Received, Session};
use tokio::time::{Instant, timeout_at};

/// After so long a silence, what comes is new.
const QUIET: Duration = Duration::from_millis(150);

/// An agent that does not fall silent is listened to no longer than this.
const LONGEST: Duration = Duration::from_secs(3);

/// Hands out what comes until the agent falls silent, or its stream has an end, which the next request tells.
pub(crate) async fn the_answer<E>(
    session: &Session,
    mut each: impl FnMut(Received) -> Result<(), E>,
) -> Result<(), E> {
    let mut events = session.events();
    let end = Instant::now() + LONGEST;
    while let Ok(Ok(Some(received))) =
        timeout_at(end.min(Instant::now() + QUIET), events.next()).await
    {
        each(received)?;
    }
    Ok(())
}
