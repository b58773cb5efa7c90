//! The transport from outside: links in memory, real processes, hosts that are killed.

#![expect(
    clippy::unwrap_used,
    clippy::indexing_slicing,
    reason = "a test may panic"
)]

mod link;
#[cfg(all(unix, feature = "child"))]
mod process;
#[cfg(all(unix, feature = "stdio"))]
mod stdio;

use std::time::Duration;

/// Awaits within a bound, so that a hang is a failure. Nothing here needs a hundredth of it.
async fn soon<T>(future: impl Future<Output = T>) -> T {
    tokio::time::timeout(Duration::from_secs(20), future)
        .await
        .expect("it took longer than 20 s")
}
