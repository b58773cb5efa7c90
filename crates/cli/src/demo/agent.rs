//! The traits: what a session of the demo agent is, and everything that can be done with one.

use std::{
    io,
    path::PathBuf,
    sync::atomic::{AtomicBool, Ordering},
};

use acp_harness::{
    serve::{
        Agent, Auth, CloseSession, DeleteSession, ForkRequest, ForkSession, ListRequest,
        ListSessions, LoadRequest, LoadSession, LoginMethod, NewSession, Opened, OptionValue,
        Options, Outcome, SessionOption, SessionPage, Turn,
        refusal::{internal, invalid, login_required, unknown_session},
    },
    vocab::{
        AuthMethodId, ErrorObject, Implementation, SessionConfigId, SessionId, v2::SessionInfo,
    },
};

use super::{commands, record::Record, store::Store, work};

/// Sessions on one page of the list.
const PAGE: usize = 50;
/// The one way to log in.
const LOGIN: &str = "demo-login";

/// The agent.
#[derive(Debug)]
pub(super) struct Demo {
    pub(super) store: Store,
    /// Sessions are only opened for clients that have logged in.
    needs_login: bool,
    logged_in: AtomicBool,
}

impl Demo {
    pub(super) fn new(state: Option<PathBuf>, needs_login: bool) -> io::Result<Self> {
        Ok(Self {
            store: Store::new(state)?,
            needs_login,
            logged_in: AtomicBool::new(false),
        })
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
        let record = Record::new(cwd);
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
        Ok(Self::opened(&record))
    }
}

impl ListSessions for Demo {
    async fn list(&self, request: ListRequest) -> Result<SessionPage, ErrorObject> {
        let cwd = request.cwd.map(|cwd| cwd.to_string_lossy().into_owned());
        let mut all = self.store.all();
        all.retain(|(_, record)| cwd.as_ref().is_none_or(|cwd| *cwd == record.cwd));
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
    async fn close(&self, _: &SessionId) -> Result<(), ErrorObject> {
        Ok(())
    }
}

impl DeleteSession for Demo {
    async fn delete(&self, session: &SessionId) -> Result<(), ErrorObject> {
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

impl Auth for Demo {
    fn methods(&self) -> Vec<LoginMethod> {
        vec![
            LoginMethod::new(LOGIN, "Demo login")
                .description("Succeeds at once; no account, no network"),
        ]
    }

    async fn login(&self, _: &AuthMethodId) -> Result<(), ErrorObject> {
        self.logged_in.store(true, Ordering::Release);
        Ok(())
    }

    async fn logout(&self) -> Result<(), ErrorObject> {
        self.logged_in.store(false, Ordering::Release);
        Ok(())
    }
}
