//! The clock of the shell: tokio's, so that tests can pause it.

use std::time::Instant;

/// Now, as the machine takes it.
pub(crate) fn now() -> Instant {
    tokio::time::Instant::now().into_std()
}
