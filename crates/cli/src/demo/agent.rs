//! The traits: what a session of the demo agent is, and everything that can be done with one.

use std::{
    collections::BTreeMap,
    io,
    path::PathBuf,
    sync::{
        Mutex, PoisonError,
        atomic::{AtomicBool, Ordering},
    },
};

use acp_harness::{
    serve::{
        Agent, ArchiveSession, CloseSession, DeleteSession, ForkRequest, ForkSession, ListRequest,
        ListSessions, LoadRequest, LoadSession, McpServer, NewSession, Opened, OptionValue,
        Options, OptionsRequest, Outcome, SessionOption, SessionPage, SessionStatus, SetTitle,
        Setup, SetupOptions, Turn,
        refusal::{internal, invalid, login_required, unknown_session},
    },
    vocab::{
        ErrorObject, Implementation, McpServerAcpId, SessionConfigId, SessionId,
        SessionStatus as Status, v2::SessionInfo,
    },
};

use super::{
    account::Offered,
    commands,
    record::{Instructions, Record},
    store::Store,
    work,
};

/// Sessions on one page of the list.
const PAGE: usize = 50;
/// The agent.
#[derive(Debug)]
pub(super) struct Demo {
    pub(super) store: Store,
    /// Sessions are only opened for clients that have logged in.
    pub(super) needs_login: bool,
    pub(super) logged_in: AtomicBool,
    pub(super) providers: Mutex<Offered>,
    /// The MCP servers that the client hosts, of the sessions that are open.
    hosted: Mutex<BTreeMap<SessionId, Vec<Hosted>>>,
}

/// An MCP server that the client hosts: its name, and what the client calls it.
pub(super) type Hosted = (Box<str>, McpServerAcpId);

impl Demo {
    pub(super) fn new(state: Option<PathBuf>, needs_login: bool) -> io::Result<Self> {
        Ok(Self {
            store: Store::new(state)?,
            needs_login,
            logged_in: AtomicBool::new(false),
            providers: Mutex::default(),
            hosted: Mutex::default(),
        })
    }

    /// The servers that the client hosts for a session.
    pub(super) fn hosted(&self, session: &SessionId) -> Vec<Hosted> {
        let hosted = self.hosted.lock().unwrap_or_else(PoisonError::into_inner);
        hosted.get(session).cloned().unwrap_or_default()
    }

    /// What a set-up brings counts until the next one: the client repeats it.
    fn settle(&self, session: &SessionId, setup: &Setup, record: &mut Record) {
        record.instructions = setup.system_prompt().map(Instructions::read);
        let servers = setup
            .mcp_servers()
            .iter()
            .filter_map(|server| match server {
                McpServer::Hosted { name, id, .. } => Some((name.clone(), id.clone())),
                _ => None,
            });
        let servers: Vec<Hosted> = servers.collect();
        let mut hosted = self.hosted.lock().unwrap_or_else(PoisonError::into_inner);
        if servers.is_empty() {
            hosted.remove(session);
        } else {
            hosted.insert(session.clone(), servers);
        }
    }

    fn forget(&self, session: &SessionId) {
        let mut hosted = self.hosted.lock().unwrap_or_else(PoisonError::into_inner);
        hosted.remove(session);
    }

    fn admit(&self) -> Result<(), ErrorObject> {
        if self.needs_login && !self.logged_in.load(Ordering::Acquire) {
            return Err(login_required());
        }
        Ok(())
    }

    fn opened(record: &Record) -> Opened {
        Opened::new()
            .options(record.settings.options())
            .commands(commands::all())
    }
}

impl Agent for Demo {
    fn info(&self) -> Implementation {
        let mut info = Implementation::new("acp-demo-agent", env!("CARGO_PKG_VERSION"));
        info.title = Some("Demo agent".into());
        info
    }

    async fn new_session(&self, request: NewSession) -> Result<Opened, ErrorObject> {
        self.admit()?;
        let cwd = request.setup().cwd().to_string_lossy().into_owned();
        let mut record = Record::new(cwd);
        self.settle(request.id(), request.setup(), &mut record);
        let opened = Self::opened(&record);
        self.store.put(request.id().as_str(), record);
        Ok(opened)
    }

    async fn prompt(&self, turn: Turn) -> Outcome {
        match turn.prompt().command() {
            Some((name, rest)) => commands::run(self, &turn, name, rest).await,
            None => work::work(self, &turn).await,
        }
    }
}

impl LoadSession for Demo {
    async fn load(&self, request: LoadRequest) -> Result<Opened, ErrorObject> {
        self.admit()?;
        let record = self
            .store
            .find(request.id().as_str())
            .ok_or_else(|| unknown_session(request.id()))?;
        if request.setup().cwd().to_string_lossy() != record.cwd {
            return Err(invalid("cwd is not the session's own"));
        }
        if let Some(replay) = request.replay() {
            record
                .replay(replay)
                .await
                .map_err(|_| internal("the replay was not finished"))?;
        }
        let settled = self.store.change(request.id().as_str(), |record| {
            self.settle(request.id(), request.setup(), record);
            Self::opened(record)
        });
        settled.ok_or_else(|| unknown_session(request.id()))
    }
}

impl ListSessions for Demo {
    async fn list(&self, request: ListRequest) -> Result<SessionPage, ErrorObject> {
        let cwd = request.cwd.map(|cwd| cwd.to_string_lossy().into_owned());
        let mut all = self.store.all();
        all.retain(|(_, record)| {
            request.archived.shows(record.archived)
                && cwd.as_ref().is_none_or(|cwd| *cwd == record.cwd)
        });
        let from = match &request.cursor {
            None => 0,
            // A cursor is the last id of the page before.
            Some(cursor) => {
                let last = all.iter().position(|(id, _)| **id == **cursor);
                last.ok_or_else(|| invalid("cursor: not one of this agent's"))? + 1
            }
        };
        let mut page = SessionPage::last(
            all.iter()
                .skip(from)
                .take(PAGE)
                .map(|(id, record)| {
                    let mut info = SessionInfo::new(id.as_str(), record.cwd.as_str());
                    info.title = record.title.as_deref().map(Box::from);
                    info.archived = record.archived.then_some(true);
                    info
                })
                .collect(),
        );
        if from + PAGE < all.len() {
            page.next = page
                .sessions
                .last()
                .map(|last| last.session_id.as_str().into());
        }
        Ok(page)
    }
}

impl CloseSession for Demo {
    async fn close(&self, session: &SessionId) -> Result<(), ErrorObject> {
        self.forget(session);
        Ok(())
    }
}

impl DeleteSession for Demo {
    async fn delete(&self, session: &SessionId) -> Result<(), ErrorObject> {
        self.forget(session);
        self.store.remove(session.as_str());
        Ok(())
    }
}

impl ForkSession for Demo {
    async fn fork(&self, request: ForkRequest) -> Result<Opened, ErrorObject> {
        self.admit()?;
        let mut record = self
            .store
            .find(request.from().as_str())
            .ok_or_else(|| unknown_session(request.from()))?;
        record.cwd = request.setup().cwd().to_string_lossy().into_owned();
        record.archived = false;
        self.settle(request.id(), request.setup(), &mut record);
        let opened = Self::opened(&record);
        self.store.put(request.id().as_str(), record);
        Ok(opened)
    }
}

impl Options for Demo {
    async fn set(
        &self,
        session: &SessionId,
        option: &SessionConfigId,
        value: OptionValue,
    ) -> Result<Vec<SessionOption>, ErrorObject> {
        self.store
            .change(session.as_str(), |record| {
                record.settings.set(option.as_str(), &value);
                record.settings.options()
            })
            .ok_or_else(|| unknown_session(session))
    }
}

impl SetupOptions for Demo {
    async fn preview(&self, request: OptionsRequest) -> Result<Opened, ErrorObject> {
        let Some(session) = request.session else {
            return Ok(Self::opened(&Record::new(String::new())));
        };
        let known = self.store.find(session.as_str());
        known
            .map(|record| Self::opened(&record))
            .ok_or_else(|| unknown_session(&session))
    }
}

impl ArchiveSession for Demo {
    async fn archive(&self, session: &SessionId) -> Result<(), ErrorObject> {
        self.store
            .change(session.as_str(), |record| record.archived = true)
            .ok_or_else(|| unknown_session(session))
    }

    async fn unarchive(&self, session: &SessionId) -> Result<(), ErrorObject> {
        self.store
            .change(session.as_str(), |record| record.archived = false)
            .ok_or_else(|| unknown_session(session))
    }
}

impl SetTitle for Demo {
    async fn set_title(
        &self,
        session: &SessionId,
        title: Box<str>,
    ) -> Result<Box<str>, ErrorObject> {
        let title = work::title(&title);
        self.store
            .change(session.as_str(), |record| {
                record.title = Some(title.clone());
            })
            .ok_or_else(|| unknown_session(session))?;
        Ok(title.into())
    }
}

impl SessionStatus for Demo {
    async fn status(&self, session: &SessionId) -> Result<Status, ErrorObject> {
        match self.store.find(session.as_str()) {
            Some(_) => Ok(Status::Saved),
            None => Err(unknown_session(session)),
        }
    }
}
