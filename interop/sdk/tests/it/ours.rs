//! Our client drives an agent on an official SDK: the same scenarios over every peer.

mod accounts;
mod prompts;
mod questions;
mod stored;
mod versions;

/// Runs each scenario of a module over every peer.
macro_rules! over_every_peer {
    ($($scenario:ident),* $(,)?) => {
        crate::ours::over_every_peer! {
            @ child_v1 Child V1; child_v2 Child V2; memory_v1 Memory V1; memory_v2 Memory V2; => [$($scenario),*]
        }
        #[cfg(feature = "node")]
        mod node {
            use super::*;
            crate::ours::over_every_peer! { @ node_v1 Node V1; node_v2 Node V2; => [$($scenario),*] }
        }
    };
    (@ $($peer:ident $kind:ident $version:ident;)* => $scenarios:tt) => {
        $(crate::ours::over_every_peer! { @@ $peer $kind $version $scenarios })*
    };
    (@@ $peer:ident $kind:ident $version:ident [$($scenario:ident),*]) => {
        mod $peer {
            const PEER: crate::peer::Peer = crate::peer::Peer::$kind(interop_sdk::Spoken::$version);
            $(
                #[tokio::test]
                async fn $scenario() {
                    super::$scenario(PEER).await;
                }
            )*
        }
    };
}
use over_every_peer;
