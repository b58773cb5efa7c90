//! Opening sessions: new ones, and those that the agent has stored.

use std::sync::Arc;

use acp_session::{CallKey, Opening, Reply, SessionKey, UsageError};
use acp_vocab::{Meta, Method, SessionId, v1};
use serde::Serialize;

use crate::{
    budget::Budget, client::Client, error::RequestError, request::PendingRequest, session::Session,
    stream::SessionEvents,
};

/// What every request that opens a session says: the same members in both versions.
#[derive(Debug, Clone, Serialize)]
#[serde(rename_all = "camelCase")]
struct Setup {
    #[serde(skip_serializing_if = "Option::is_none")]
    session_id: Option<SessionId>,
    cwd: Box<str>,
    mcp_servers: Vec<v1::McpServer>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    additional_directories: Vec<Box<str>>,
    #[serde(rename = "_meta", skip_serializing_if = "Option::is_none")]
    meta: Option<Meta>,
}

impl Setup {
    const fn new(session_id: Option<SessionId>, cwd: Box<str>) -> Self {
        Self {
            session_id,
            cwd,
            mcp_servers: Vec::new(),
            additional_directories: Vec::new(),
            meta: None,
        }
    }

    /// What these params need of the agent beyond the method itself (v1 section 5.3).
    fn require(&self, client: &Client) -> Result<(), RequestError> {
        let Some(agreement) = client.agreement() else {
            return Ok(());
        };
        let v1 = agreement.version().0 < 2;
        let need = |what, capability| {
            if agreement.advertises(capability) {
                Ok(())
            } else {
                Err(RequestError::Unsupported { what, capability })
            }
        };
        if !self.additional_directories.is_empty() {
            let at_v1 = "sessionCapabilities.additionalDirectories";
            let capability = if v1 {
                at_v1
            } else {
                "session.additionalDirectories"
            };
            need("an additional directory", capability)?;
        }
        for server in &self.mcp_servers {
            match server {
                v1::McpServer::Http(_) if v1 => need("an HTTP server", "mcpCapabilities.http")?,
                v1::McpServer::Http(_) => need("an HTTP server", "session.mcp.http")?,
                v1::McpServer::Sse(_) => need("an SSE server", "mcpCapabilities.sse")?,
                v1::McpServer::Acp(_) if v1 => need("a hosted server", "mcpCapabilities.acp")?,
                v1::McpServer::Acp(_) => need("a hosted server", "session.mcp.acp")?,
                v1::McpServer::Stdio(_) | v1::McpServer::Unknown { .. } | _ => {}
            }
        }
        Ok(())
    }
}

/// A new session, about to be opened. Made by [`Client::new_session`].
#[derive(Debug)]
#[must_use = "a builder does nothing until it opens"]
pub struct NewSession {
    client: Client,
    setup: Setup,
}

impl NewSession {
    pub(crate) const fn new(client: Client, cwd: Box<str>) -> Self {
        Self {
            client,
            setup: Setup::new(None, cwd),
        }
    }

    /// MCP servers that the agent shall connect to.
    pub fn tools(mut self, servers: impl IntoIterator<Item = v1::McpServer>) -> Self {
        self.setup.mcp_servers.extend(servers);
        self
    }

    /// One more root beside the working directory, absolute.
    pub fn directory(mut self, path: impl Into<Box<str>>) -> Self {
        self.setup.additional_directories.push(path.into());
        self
    }

    /// Metadata of the request.
    pub fn meta(mut self, meta: Meta) -> Self {
        self.setup.meta = Some(meta);
        self
    }

    /// Opens it, within the default bounds (idle 120 s, absolute 10 min).
    ///
    /// Dropping the future gives it up: `$/cancel_request` goes out, and a session that the agent
    /// opens all the same is closed, if it can, and drained.
    ///
    /// # Errors
    /// [`RequestError`]: refused locally, or no session.
    pub async fn open(self) -> Result<Session, RequestError> {
        self.open_within(&Budget::defaults()).await
    }

    /// The same within a budget.
    ///
    /// # Errors
    /// [`RequestError`]: refused locally, or no session.
    pub async fn open_within(self, budget: &Budget) -> Result<Session, RequestError> {
        self.setup.require(&self.client)?;
        let (key, _) = send(&self.client, Method::SESSION_NEW, &self.setup, budget)?;
        let mut pending = PendingRequest::new(Arc::clone(self.client.shared()), key);
        let reply = pending.reply().await??;
        session_of(&self.client, Method::SESSION_NEW, self.setup.cwd, reply)
    }
}

/// A stored session, about to be opened. Made by [`Client::load`] and [`Client::resume`].
#[derive(Debug)]
#[must_use = "a builder does nothing until it opens"]
pub struct LoadSession {
    client: Client,
    method: Method,
    setup: Setup,
}

impl LoadSession {
    pub(crate) const fn load(client: Client, session: SessionId, cwd: Box<str>) -> Self {
        let setup = Setup::new(Some(session), cwd);
        Self {
            client,
            method: Method::SESSION_LOAD,
            setup,
        }
    }

    pub(crate) const fn resume(client: Client, session: SessionId, cwd: Box<str>) -> Self {
        let setup = Setup::new(Some(session), cwd);
        Self {
            client,
            method: Method::SESSION_RESUME,
            setup,
        }
    }

    /// MCP servers that the agent shall connect to: the full list, nothing is restored.
    pub fn tools(mut self, servers: impl IntoIterator<Item = v1::McpServer>) -> Self {
        self.setup.mcp_servers.extend(servers);
        self
    }

    /// One more root beside the working directory, absolute: the full list, nothing is restored.
    pub fn directory(mut self, path: impl Into<Box<str>>) -> Self {
        self.setup.additional_directories.push(path.into());
        self
    }

    /// Metadata of the request.
    pub fn meta(mut self, meta: Meta) -> Self {
        self.setup.meta = Some(meta);
        self
    }

    /// Opens it and drains the replay of its history, within the default bounds.
    ///
    /// # Errors
    /// [`RequestError`]: refused locally, or no session.
    pub async fn open(self) -> Result<Session, RequestError> {
        self.open_within(&Budget::defaults()).await
    }

    /// The same within a budget.
    ///
    /// # Errors
    /// [`RequestError`]: refused locally, or no session.
    pub async fn open_within(self, budget: &Budget) -> Result<Session, RequestError> {
        let replay = self.replay_within(budget)?;
        replay.finish().await
    }

    /// Opens it and hands its stream out at once: the replay can be read before the agent has
    /// answered. Within the default bounds.
    ///
    /// # Errors
    /// [`RequestError`]: refused locally.
    pub fn replay(self) -> Result<Replay, RequestError> {
        self.replay_within(&Budget::defaults())
    }

    /// The same within a budget.
    ///
    /// # Errors
    /// [`RequestError`]: refused locally.
    pub fn replay_within(self, budget: &Budget) -> Result<Replay, RequestError> {
        self.setup.require(&self.client)?;
        let (key, session) = send(&self.client, self.method, &self.setup, budget)?;
        let shared = Arc::clone(self.client.shared());
        let (Some(session), Some(id)) = (session, self.setup.session_id.clone()) else {
            return Err(UsageError::Gone {
                what: "the session",
            }
            .into());
        };
        Ok(Replay {
            events: SessionEvents::new(Arc::clone(&shared), session, id),
            pending: PendingRequest::new(shared, key),
            client: self.client,
            method: self.method,
            cwd: self.setup.cwd,
        })
    }
}

/// A stored session that is being opened: its history comes before the agent's answer.
#[derive(Debug)]
#[must_use = "dropping it gives the session up"]
pub struct Replay {
    events: SessionEvents,
    pending: PendingRequest,
    client: Client,
    method: Method,
    cwd: Box<str>,
}

impl Replay {
    /// The stream of the session: history first, marked as replay.
    pub const fn events(&mut self) -> &mut SessionEvents {
        &mut self.events
    }

    /// Waits for the agent's answer. History that was not read by then is drained.
    ///
    /// # Errors
    /// [`RequestError`]: no session.
    pub async fn finish(mut self) -> Result<Session, RequestError> {
        let reply = loop {
            tokio::select! {
                biased;
                reply = self.pending.reply() => break reply??,
                () = self.events.discard_replay() => {}
            }
        };
        self.events.discard_replay_now();
        session_of(&self.client, self.method, self.cwd, reply)
    }
}

fn send(
    client: &Client,
    method: Method,
    setup: &Setup,
    budget: &Budget,
) -> Result<(CallKey, Option<SessionKey>), RequestError> {
    client.requester().require(method.name())?;
    tracing::debug!(method = method.name(), "request");
    let opening = setup
        .session_id
        .as_ref()
        .map_or(Opening::New, Opening::Known);
    let clock = budget.for_call();
    let sent = client.shared().with(|inner, now| {
        inner
            .machine
            .open_session(now, method.name(), setup, opening, clock)
    })?;
    Ok(sent)
}

/// The session that a reply opened.
fn session_of(
    client: &Client,
    method: Method,
    cwd: Box<str>,
    reply: Reply,
) -> Result<Session, RequestError> {
    let unusable = || RequestError::Result {
        method: method.name().into(),
        fault: "expected a string as sessionId".into(),
    };
    let key = reply.session.ok_or_else(unusable)?;
    let shared = Arc::clone(client.shared());
    let id = shared
        .read(|inner| inner.machine.session_id(key).cloned())
        .ok_or_else(unusable)?;
    Ok(Session::new(shared, key, id, cwd, reply.result.into()))
}
