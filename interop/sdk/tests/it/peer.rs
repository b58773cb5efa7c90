//! The agents that our client is tried on: how each is started, and what it speaks.

use std::time::Duration;

use acp_harness::handshake::Ability;
use acp_harness::transport::{Child, Link};
use acp_harness::vocab::ProtocolVersion;
use acp_harness::{Budget, Client, Session};
use agent_client_protocol::ByteStreams;
use interop_sdk::Spoken;
use tokio_util::compat::{TokioAsyncReadCompatExt, TokioAsyncWriteCompatExt};

use crate::host::Desk;

/// The directory of every session here. No agent here looks at it.
pub const CWD: &str = "/somewhere";

/// An agent that was not made by us.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Peer {
    /// On the Rust SDK, as a process.
    Child(Spoken),
    /// On the Rust SDK, in this process.
    Memory(Spoken),
    /// On the TypeScript SDK, as a process of node.
    #[cfg(feature = "node")]
    Node(Spoken),
}

impl Peer {
    /// The version that it is spoken to in.
    pub fn version(self) -> ProtocolVersion {
        match self.spoken() {
            Spoken::V1 => ProtocolVersion::V1,
            Spoken::V2 | Spoken::Both => ProtocolVersion::V2,
        }
    }

    pub fn is_v2(self) -> bool {
        self.version() == ProtocolVersion::V2
    }

    /// Whether it is the one on the TypeScript SDK.
    pub fn is_node(self) -> bool {
        !matches!(self, Self::Child(_) | Self::Memory(_))
    }

    fn spoken(self) -> Spoken {
        match self {
            Self::Child(spoken) | Self::Memory(spoken) => spoken,
            #[cfg(feature = "node")]
            Self::Node(spoken) => spoken,
        }
    }

    pub fn link(self) -> Link {
        let version = match self.spoken() {
            Spoken::V1 => "1",
            Spoken::V2 => "2",
            Spoken::Both => "both",
        };
        match self {
            Self::Child(_) => Child::spawn([env!("CARGO_BIN_EXE_sdk-agent"), version])
                .unwrap()
                .into_link(),
            #[cfg(feature = "node")]
            Self::Node(_) => Child::spawn(crate::node::command("agent.js", &[version]))
                .unwrap()
                .into_link(),
            Self::Memory(spoken) => {
                let (ours, theirs) = tokio::io::duplex(64 * 1024);
                let (read, write) = tokio::io::split(theirs);
                let transport = ByteStreams::new(write.compat_write(), read.compat());
                drop(tokio::spawn(interop_sdk::serve(spoken, transport)));
                Link::from_stream(ours)
            }
        }
    }

    /// A client that declares everything there is, and has agreed.
    pub async fn client(self) -> Client {
        let client = Client::builder("interop", "1")
            .handler(Desk::default())
            .pull(Ability::ElicitationForm)
            .pull(Ability::ElicitationUrl)
            .pull(Ability::BooleanConfigOptions)
            .connect(self.link())
            .unwrap();
        let agreed = client.initialize_within(&budget()).await.unwrap();
        assert_eq!(agreed.version(), self.version());
        client
    }

    /// The same with a session.
    pub async fn session(self) -> (Client, Session) {
        let client = self.client().await;
        let session = client
            .new_session(CWD)
            .open_within(&budget())
            .await
            .unwrap();
        (client, session)
    }
}

/// Long for a machine that is busy, short for one that hangs.
pub fn budget() -> Budget {
    Budget::start(Duration::from_secs(60), Duration::from_secs(120))
}
