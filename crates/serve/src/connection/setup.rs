//! Opening sessions: what is asked for is checked, the agent opens, the client is told.

use std::sync::{Arc, Mutex};

use acp_vocab::{ErrorObject, Meta, Method, SessionId, SystemPrompt, v1, v2};
use serde_json::value::RawValue;

use super::{
    Connection,
    inbound::read,
    preview::{Initial, apply, initial, places},
};
use crate::{
    agent::Boxed,
    command::{Answer, RequestKey},
    config::Conversations,
    mcp::{McpServer, from_v1, from_v2},
    opening::{ForkSession, LoadSession, NewSession, Opened, Opening, Replay, Setup, Way},
    refusal::{internal, invalid, not_offered, unknown_session, wrong_time},
    shared::{Live, fresh},
    timeline::Timeline,
    updates::Updates,
};

/// Bytes that the id of a stored session may have as JSON. It stands on every line of the session.
const MAX_ID: usize = 1 << 10;

/// What every way of opening asks for, as it came.
struct Asked {
    cwd: Box<str>,
    additional: Vec<Box<str>>,
    servers: Vec<McpServer>,
    system_prompt: Option<SystemPrompt>,
    initial: Vec<Initial>,
    meta: Option<Meta>,
}

/// The members that every opening request has.
macro_rules! asked {
    ($request:ident, $servers:path) => {{
        Asked {
            cwd: $request.cwd,
            additional: $request.additional_directories,
            servers: $servers($request.mcp_servers)?,
            system_prompt: $request.system_prompt,
            initial: initial($request.config_options)?,
            meta: $request.meta,
        }
    }};
}

/// What the agent does to open a session.
type Open = Box<dyn FnOnce(Updates, Setup, Option<Replay>) -> Opens + Send>;
type Opens = Boxed<'static, Result<Opened, ErrorObject>>;

impl Connection {
    pub(super) fn new_session(
        &mut self,
        key: RequestKey,
        params: Option<&RawValue>,
    ) -> Result<(), ErrorObject> {
        let asked = if self.is_v1() {
            let request: v1::NewSessionRequest = read(params)?;
            asked!(request, from_v1)
        } else {
            let request: v2::NewSessionRequest = read(params)?;
            asked!(request, from_v2)
        };
        let agent = Arc::clone(&self.host.agent);
        let open: Open = Box::new(move |updates, setup, _| {
            Box::pin(async move { agent.new_session(NewSession { updates, setup }).await })
        });
        self.open(key, SessionId::from(fresh("sess")), Way::New, asked, open)
    }

    pub(super) fn load_session(
        &mut self,
        key: RequestKey,
        params: Option<&RawValue>,
    ) -> Result<(), ErrorObject> {
        let request: v1::LoadSessionRequest = read(params)?;
        let id = request.session_id;
        let asked = asked!(request, from_v1);
        self.open_stored(key, Method::SESSION_LOAD, id, true, asked)
    }

    pub(super) fn resume_session(
        &mut self,
        key: RequestKey,
        params: Option<&RawValue>,
    ) -> Result<(), ErrorObject> {
        let (id, replayed, asked) = if self.is_v1() {
            let request: v1::ResumeSessionRequest = read(params)?;
            (request.session_id, false, asked!(request, from_v1))
        } else {
            let request: v2::ResumeSessionRequest = read(params)?;
            let replayed = match request.replay_from {
                None => false,
                Some(v2::ReplayFrom::Start(_)) => true,
                Some(_) => return Err(invalid("replayFrom: not one of this agent's cursors")),
            };
            (request.session_id, replayed, asked!(request, from_v2))
        };
        self.open_stored(key, Method::SESSION_RESUME, id, replayed, asked)
    }

    fn open_stored(
        &mut self,
        key: RequestKey,
        method: Method,
        id: SessionId,
        replayed: bool,
        asked: Asked,
    ) -> Result<(), ErrorObject> {
        let Some(load) = self.host.abilities.load.clone() else {
            // Version 2 has the method whatever the agent can do: nothing is stored, nothing is found.
            return Err(if self.is_v1() {
                not_offered(method)
            } else {
                unknown_session(&id)
            });
        };
        if serde_json::to_string(&id).map_or(true, |text| text.len() > MAX_ID) {
            return Err(unknown_session(&SessionId::from("")));
        }
        let known = self.sessions.get(&id);
        if known.is_some_and(|session| session.running.is_some()) {
            return Err(wrong_time("the session is busy"));
        }
        if self.opening.contains(&id) {
            return Err(wrong_time("the session is being opened"));
        }
        let open: Open = Box::new(move |updates, setup, replay| {
            Box::pin(async move {
                let request = LoadSession {
                    updates,
                    setup,
                    replay,
                };
                load.load(request).await
            })
        });
        self.open(key, id, Way::Stored { replayed }, asked, open)
    }

    pub(super) fn fork_session(
        &mut self,
        key: RequestKey,
        params: Option<&RawValue>,
    ) -> Result<(), ErrorObject> {
        let fork = self.host.abilities.fork.clone();
        let fork = fork.ok_or_else(|| not_offered(Method::SESSION_FORK))?;
        let (from, cursor, asked) = if self.is_v1() {
            let request: v1::ForkSessionRequest = read(params)?;
            (
                request.session_id,
                request.cursor_id,
                asked!(request, from_v1),
            )
        } else {
            let request: v2::ForkSessionRequest = read(params)?;
            (
                request.session_id,
                request.cursor_id,
                asked!(request, from_v2),
            )
        };
        if cursor.is_some() {
            return Err(invalid("cursorId: cursors are not offered by this agent"));
        }
        let open: Open = Box::new(move |updates, setup, _| {
            Box::pin(async move {
                let request = ForkSession {
                    updates,
                    setup,
                    from,
                };
                fork.fork(request).await
            })
        });
        self.open(key, SessionId::from(fresh("sess")), Way::Fork, asked, open)
    }

    /// Whether the agent has what is asked for. What it has not is refused, never ignored.
    fn check_asked(&self, asked: &Asked) -> Result<(), ErrorObject> {
        self.check_directories(&asked.additional)?;
        self.check_system_prompt(asked.system_prompt.as_ref())?;
        if !asked.initial.is_empty() && self.host.abilities.setup_options.is_none() {
            return Err(invalid(
                "configOptions cannot be set while a session is opened",
            ));
        }
        Ok(())
    }

    /// Checks what was asked for and lets the agent open the session.
    fn open(
        &mut self,
        key: RequestKey,
        id: SessionId,
        way: Way,
        asked: Asked,
        open: Open,
    ) -> Result<(), ErrorObject> {
        let Some(shared) = self.shared.clone() else {
            return Err(internal("nothing is agreed"));
        };
        self.check_asked(&asked)?;
        if self.sessions.len() + self.opening.len() >= self.host.config.sessions
            && !self.sessions.contains_key(&id)
        {
            return Err(internal("too many sessions are open"));
        }
        if self.host.config.conversations == Conversations::OneTask {
            if !self.opening.is_empty() || self.sessions.values().any(|one| one.running.is_some()) {
                return Err(wrong_time("this agent has one session at a time"));
            }
            // The one before it was never prompted, and is given up.
            for session in std::mem::take(&mut self.sessions).into_values() {
                session.live.revoke();
            }
        }
        let mcp_servers = self.host.mcp.admit(asked.servers, self.host.transports)?;
        let live = Arc::new(Live::below(&self.gone));
        let timeline = Arc::new(Mutex::new(Timeline::default()));
        let updates = Updates {
            shared,
            session: id.clone(),
            live: Arc::clone(&live),
            timeline: Arc::clone(&timeline),
            counts: None,
            obey: true,
        };
        let replaying = live.replay();
        let replay = (way == Way::Stored { replayed: true }).then(|| Replay {
            updates: Updates {
                live: Arc::clone(&replaying),
                ..updates.clone()
            },
        });
        let workspaces = self.host.workspaces.clone();
        let options = self.host.abilities.options.clone();
        // One that is open already stays so, whatever comes of this.
        let close = self.host.abilities.close.clone();
        let close = close.filter(|_| !self.sessions.contains_key(&id));
        self.opening.insert(id.clone());
        if let Some(pending) = self.requests.open_mut(key) {
            pending.opens = Some(id.clone());
        }
        self.handle(key, async move {
            let opened = async {
                let (cwd, additional_directories) =
                    places(&workspaces, &asked.cwd, &asked.additional).await?;
                let setup = Setup {
                    cwd: cwd.clone(),
                    additional_directories,
                    mcp_servers,
                    system_prompt: asked.system_prompt,
                    meta: asked.meta,
                };
                let mut opened = open(updates, setup, replay).await?;
                let applied = apply(options, &id, &mut opened.options, asked.initial).await;
                if let (Err(_), Some(close)) = (&applied, close) {
                    // The client is told why it is not open; what close says adds nothing.
                    drop(close.close(&id).await);
                }
                applied.map(|()| (cwd, opened))
            };
            let opened = opened.await;
            // What the replay has sent is before the answer; nothing may come behind it.
            replaying.end();
            match opened {
                Ok((cwd, opened)) => Answer::Opened(Box::new(Opening {
                    way,
                    id,
                    cwd,
                    live,
                    timeline,
                    opened,
                })),
                Err(error) => Answer::Plain(Err(error)),
            }
        });
        Ok(())
    }
}
