//! A session that outlives its agent's process.

use std::{sync::Arc, time::Duration};

use acp_handshake::Agreement;
use acp_transport::Connector;
use acp_vocab::{Method, SessionId, v1};

use crate::{
    budget::Budget,
    builder::ClientBuilder,
    client::Client,
    error::{RequestError, ReviveError},
    session::Session,
};

/// How often a dead agent is started again, and how fast.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Respawn {
    /// How often in the life of a [`Keeper`]. Default 5.
    pub most: u32,
    /// How many tries one revival has; an agent may fail to start. Default 3.
    pub tries: u32,
    /// The pause before the second try; it doubles with each, up to 30 s. Default 1 s.
    pub pause: Duration,
}

impl Default for Respawn {
    fn default() -> Self {
        Self {
            most: 5,
            tries: 3,
            pause: Duration::from_secs(1),
        }
    }
}

/// How a session came back.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Restored {
    /// It goes on where it was stored, without a replay.
    Resumed,
    /// It was loaded, and its replay is folded away.
    Loaded,
    /// The agent cannot reopen sessions, or has this one no more: it is a new session, and the
    /// conversation so far is lost to the agent.
    Anew,
}

/// What came of a revival. A turn that ran when the agent died has ended with the connection's
/// error; it is never repeated.
#[derive(Debug)]
#[non_exhaustive]
pub struct Revived {
    /// How the session came back.
    pub restored: Restored,
    /// How many tries it took.
    pub tries: u32,
    /// Why what had been chosen (model, effort, mode, options) could not be put in force again.
    pub unchosen: Option<RequestError>,
}

/// Keeps one session alive over agents that die.
///
/// It never acts behind the host's back: a turn that is running when the agent dies ends with
/// [`RequestError::Call`], and the host calls [`revive`](Self::revive) when it wants to go on.
pub struct Keeper {
    builder: ClientBuilder,
    connector: Box<dyn Connector>,
    policy: Respawn,
    cwd: Box<str>,
    tools: Vec<v1::McpServer>,
    client: Client,
    agreement: Arc<Agreement>,
    session: Session,
    revivals: u32,
}

impl std::fmt::Debug for Keeper {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Keeper")
            .field("policy", &self.policy)
            .field("session", self.session.id())
            .field("revivals", &self.revivals)
            .finish_non_exhaustive()
    }
}

impl Keeper {
    /// Starts an agent and opens a session in `cwd`, an absolute path, with these servers.
    ///
    /// # Errors
    /// [`ReviveError::Launch`] and [`ReviveError::Session`].
    pub async fn open(
        builder: ClientBuilder,
        mut connector: Box<dyn Connector>,
        cwd: impl Into<Box<str>>,
        tools: impl IntoIterator<Item = v1::McpServer>,
        policy: Respawn,
        budget: &Budget,
    ) -> Result<Self, ReviveError> {
        let (cwd, tools) = (cwd.into(), tools.into_iter().collect::<Vec<_>>());
        let launched = builder
            .clone()
            .launch_within(&mut *connector, budget)
            .await?;
        let session = launched
            .client
            .new_session(cwd.clone())
            .tools(tools.clone())
            .open_within(budget)
            .await?;
        Ok(Self {
            builder,
            connector,
            policy,
            cwd,
            tools,
            client: launched.client,
            agreement: launched.agreement,
            session,
            revivals: 0,
        })
    }

    /// The session as it is now. After a revival it is another value, with the same id where the
    /// agent could reopen it.
    #[must_use]
    pub const fn session(&self) -> &Session {
        &self.session
    }

    /// The connection as it is now.
    #[must_use]
    pub const fn client(&self) -> &Client {
        &self.client
    }

    /// What was agreed with the agent as it is now.
    #[must_use]
    pub const fn agreement(&self) -> &Arc<Agreement> {
        &self.agreement
    }

    /// Whether the connection has not ended.
    #[must_use]
    pub fn is_alive(&self) -> bool {
        self.client.is_open()
    }

    /// How often the agent was started again.
    #[must_use]
    pub const fn revivals(&self) -> u32 {
        self.revivals
    }

    /// Starts the agent again and opens the session there: resumed where the agent can, else
    /// loaded, else a new one, which [`Revived::restored`] says. What was chosen for the session
    /// is chosen again. While the connection lives it does nothing and gives `None`.
    ///
    /// # Errors
    /// [`ReviveError`]: the policy allows no more, or the last try failed.
    pub async fn revive(&mut self, budget: &Budget) -> Result<Option<Revived>, ReviveError> {
        if self.is_alive() {
            return Ok(None);
        }
        if self.revivals >= self.policy.most {
            return Err(ReviveError::Exhausted {
                times: self.revivals,
            });
        }
        self.revivals += 1;
        let mut pause = self.policy.pause;
        let mut tries = 0;
        loop {
            tries += 1;
            match self.try_again(tries, budget).await {
                Ok(revived) => return Ok(Some(revived)),
                Err(error) if tries >= self.policy.tries => return Err(error),
                Err(error) => {
                    tracing::debug!(%error, tries, "the agent did not come back");
                    tokio::time::sleep(pause).await;
                    pause = (pause * 2).min(Duration::from_secs(30));
                }
            }
        }
    }

    async fn try_again(&mut self, tries: u32, budget: &Budget) -> Result<Revived, ReviveError> {
        let launched = self
            .builder
            .clone()
            .launch_within(&mut *self.connector, budget)
            .await?;
        let id = self.session.id().clone();
        let (session, restored) = self
            .reopen(&launched.client, &launched.agreement, &id, budget)
            .await?;
        let chosen = self.session.chosen();
        let unchosen = session.choose_within(chosen, budget).await.err();
        self.client = launched.client;
        self.agreement = launched.agreement;
        self.session = session;
        Ok(Revived {
            restored,
            tries,
            unchosen,
        })
    }

    async fn reopen(
        &self,
        client: &Client,
        agreement: &Agreement,
        id: &SessionId,
        budget: &Budget,
    ) -> Result<(Session, Restored), RequestError> {
        let ways = [
            (Method::SESSION_RESUME, Restored::Resumed),
            (Method::SESSION_LOAD, Restored::Loaded),
        ];
        for (method, restored) in ways {
            if agreement.require(method).is_err() {
                continue;
            }
            let stored = if restored == Restored::Resumed {
                client.resume(id.clone(), self.cwd.clone())
            } else {
                client.load(id.clone(), self.cwd.clone())
            };
            match stored.tools(self.tools.clone()).open_within(budget).await {
                Ok(session) => return Ok((session, restored)),
                Err(error) if error.is_session_unavailable(id) => {}
                Err(error) => return Err(error),
            }
        }
        let anew = client
            .new_session(self.cwd.clone())
            .tools(self.tools.clone())
            .open_within(budget)
            .await?;
        Ok((anew, Restored::Anew))
    }
}
