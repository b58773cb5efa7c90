//! The one clock that the tests of this crate read: once, for a beginning.

use std::time::Instant;

/// A moment to count from.
#[expect(
    clippy::disallowed_methods,
    reason = "a test needs a first instant, and no other"
)]
pub(crate) fn epoch() -> Instant {
    Instant::now()
}
