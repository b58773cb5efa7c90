//! The builder of an agent: what it can do, what it allows, and where it is served.

mod with;

use std::{fmt, path::PathBuf, sync::Arc};

use acp_handshake::{KNOWN, VersionSet};
use acp_transport::Link;
use acp_vocab::ProtocolVersion;
use tokio::io::{AsyncRead, AsyncWrite};
use tokio_util::sync::CancellationToken;

use crate::{
    ability::Abilities,
    agent::Agent,
    config::Config,
    error::ServeError,
    extension::Extension,
    host::Host,
    mcp::{McpPolicy, McpTransports},
    pump::Pump,
    report::Report,
    tracefile::TracePlace,
    workspace::Workspaces,
};

/// An agent about to be served. Registering an ability is what declares it.
///
/// ```no_run
/// # use acp_serve::{Agent, Outcome, Outcomes as _, Server, Turn};
/// # struct Echo;
/// # impl Agent for Echo {
/// #     async fn prompt(&self, turn: Turn) -> Outcome {
/// #         turn.say(turn.prompt().text()).await?;
/// #         Outcome::completed()
/// #     }
/// # }
/// # async fn f() -> Result<(), acp_serve::ServeError> {
/// Server::new(Echo).stdio().await?; // v1 and v2
/// # Ok(())
/// # }
/// ```
pub struct Server<A> {
    agent: Arc<A>,
    host: Host,
}

impl<A> fmt::Debug for Server<A> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Server")
            .field("versions", &self.host.versions)
            .finish_non_exhaustive()
    }
}

impl<A: Agent> Server<A> {
    /// Of this agent, with the baseline: new sessions and prompts, versions 1 and 2.
    #[expect(
        clippy::missing_panics_doc,
        reason = "both known versions are known to the handshake"
    )]
    pub fn new(agent: A) -> Self {
        let agent = Arc::new(agent);
        #[expect(
            clippy::expect_used,
            reason = "the list of known versions is not empty"
        )]
        let versions = VersionSet::new(KNOWN.iter().copied()).expect("known versions");
        Self {
            host: Host {
                agent: Arc::clone(&agent) as _,
                abilities: Abilities::default(),
                versions,
                config: Arc::new(Config::default()),
                workspaces: Workspaces::default(),
                mcp: McpPolicy::default(),
                transports: McpTransports {
                    stdio: true,
                    http: false,
                    hosted: false,
                },
                extension: None,
                traces: None,
            },
            agent,
        }
    }

    /// Which MCP servers a client may give a session.
    #[must_use]
    pub fn mcp_policy(mut self, policy: McpPolicy) -> Self {
        self.host.mcp = policy;
        self
    }

    /// Which directories sessions may work in.
    #[must_use]
    pub fn workspaces(mut self, workspaces: Workspaces) -> Self {
        self.host.workspaces = workspaces;
        self
    }

    /// Bounds and habits.
    #[must_use]
    pub fn config(mut self, config: Config) -> Self {
        self.host.config = Arc::new(config);
        self
    }

    pub(crate) fn config_in_force(&self) -> &Config {
        &self.host.config
    }

    /// Offers the outcome extension.
    #[must_use]
    pub fn extension(mut self, extension: Extension) -> Self {
        self.host.extension = Some(extension);
        self
    }

    /// Writes what crosses the wire for each session into a file of its own, in whose path
    /// `{session_id}` stands for the session's id. It is created, never overwritten, with mode 0600
    /// on Unix; a session whose file cannot be created is refused. It holds everything that was
    /// said.
    #[must_use]
    pub fn traces(mut self, pattern: impl Into<PathBuf>) -> Self {
        let pattern: PathBuf = pattern.into();
        self.host.traces = Some(TracePlace::new(&pattern.to_string_lossy()));
        self
    }

    /// Speaks this version alone.
    ///
    /// # Errors
    /// [`OfferError`](acp_handshake::OfferError) for a version that is not known.
    pub fn only(mut self, version: ProtocolVersion) -> Result<Self, acp_handshake::OfferError> {
        self.host.versions = VersionSet::only(version)?;
        Ok(self)
    }

    /// Serves one client over any reader and writer, until it is gone.
    ///
    /// # Errors
    /// [`ServeError`]. The end of the input is no error.
    pub async fn serve(
        self,
        reader: impl AsyncRead + Send + Unpin + 'static,
        writer: impl AsyncWrite + Send + Unpin + 'static,
    ) -> Result<Report, ServeError> {
        self.serve_link(Link::new(reader, writer), CancellationToken::new())
            .await
    }

    /// Serves one client over a link, until it is gone or `stop` is cancelled.
    ///
    /// # Errors
    /// [`ServeError`]. The end of the input, and the stop, are no errors.
    pub async fn serve_link(
        self,
        link: Link,
        stop: CancellationToken,
    ) -> Result<Report, ServeError> {
        let (reader, writer, peer) = link.into_parts();
        let result = Pump::new(self.host, reader, writer, stop).run().await;
        drop(peer);
        result
    }
}
