//! Sessions that outlive their connection: opened again, listed, archived, named, removed.

use std::path::PathBuf;

use acp_vocab::{
    ErrorObject, SessionArchiveFilter, SessionId, SessionStatus as Status, v2::SessionInfo,
};

use crate::{
    agent::Agent,
    opening::{ForkSession as ForkRequest, LoadSession as LoadRequest, Opened},
};

/// Opens stored sessions again: `session/load` and `session/resume` of version 1, `session/resume`
/// of version 2.
pub trait LoadSession: Agent {
    /// Opens the session; where the request has a [`Replay`](crate::Replay), everything that was said
    /// is sent through it first. An id that is not stored is
    /// [`unknown_session`](crate::refusal::unknown_session).
    ///
    /// # Errors
    /// The error to answer.
    fn load(
        &self,
        request: LoadRequest,
    ) -> impl Future<Output = Result<Opened, ErrorObject>> + Send;
}

/// Lists stored sessions: `session/list`. Without it a client of version 2 is told the sessions that
/// are open on its connection.
pub trait ListSessions: Agent {
    /// One page. A cursor that was never given out is
    /// [`invalid`](crate::refusal::invalid).
    ///
    /// # Errors
    /// The error to answer.
    fn list(
        &self,
        request: ListRequest,
    ) -> impl Future<Output = Result<SessionPage, ErrorObject>> + Send;
}

/// What a client wants listed.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct ListRequest {
    /// Only sessions of exactly this working directory.
    pub cwd: Option<PathBuf>,
    /// Where the last page ended.
    pub cursor: Option<Box<str>>,
    /// Which sessions, by whether they are archived; those that are not, unless the client says
    /// otherwise. Only agents that [archive](ArchiveSession) are asked for anything else.
    pub archived: Archived,
}

/// Which sessions a list shows, by whether they are archived.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
#[non_exhaustive]
pub enum Archived {
    /// Those that are not.
    #[default]
    Exclude,
    /// All.
    Include,
    /// Only those that are.
    Only,
}

impl Archived {
    /// What the client asks for; a word that is not known cannot be obeyed.
    pub(crate) fn asked(filter: Option<&SessionArchiveFilter>) -> Option<Self> {
        match filter {
            None | Some(SessionArchiveFilter::Exclude) => Some(Self::Exclude),
            Some(SessionArchiveFilter::Include) => Some(Self::Include),
            Some(SessionArchiveFilter::Only) => Some(Self::Only),
            Some(_) => None,
        }
    }

    /// Whether a session belongs on the list.
    #[must_use]
    pub const fn shows(self, archived: bool) -> bool {
        match self {
            Self::Exclude => !archived,
            Self::Include => true,
            Self::Only => archived,
        }
    }
}

/// Some sessions, and where to go on.
#[derive(Debug, Clone, Default, PartialEq)]
#[non_exhaustive]
pub struct SessionPage {
    /// The sessions.
    pub sessions: Vec<SessionInfo>,
    /// The cursor of the next page; `None` on the last.
    pub next: Option<Box<str>>,
}

impl SessionPage {
    /// The only page.
    #[must_use]
    pub fn last(sessions: Vec<SessionInfo>) -> Self {
        Self {
            sessions,
            next: None,
        }
    }
}

/// Frees what a session holds: `session/close`. The crate has ended its work before.
pub trait CloseSession: Agent {
    /// Frees it. Closing what is not open is no error.
    ///
    /// # Errors
    /// The error to answer.
    fn close(&self, session: &SessionId) -> impl Future<Output = Result<(), ErrorObject>> + Send;
}

/// Removes stored sessions: `session/delete`. The crate has ended their work before.
pub trait DeleteSession: Agent {
    /// Removes it. Deleting what is not there is no error.
    ///
    /// # Errors
    /// The error to answer.
    fn delete(&self, session: &SessionId) -> impl Future<Output = Result<(), ErrorObject>> + Send;
}

/// Starts a session from a copy of another one: `session/fork`.
pub trait ForkSession: Agent {
    /// Opens the copy, whose id is in the request.
    ///
    /// # Errors
    /// The error to answer.
    fn fork(
        &self,
        request: ForkRequest,
    ) -> impl Future<Output = Result<Opened, ErrorObject>> + Send;
}

/// Puts stored sessions away and takes them out again: `session/archive` and `session/unarchive`.
/// What is archived is left out of a list, unless [`ListRequest::archived`] says otherwise.
pub trait ArchiveSession: Agent {
    /// Archives it. One that is archived already stays so. An id that is not stored is
    /// [`unknown_session`](crate::refusal::unknown_session).
    ///
    /// # Errors
    /// The error to answer.
    fn archive(&self, session: &SessionId) -> impl Future<Output = Result<(), ErrorObject>> + Send;

    /// Takes it out of the archive.
    ///
    /// # Errors
    /// The error to answer.
    fn unarchive(
        &self,
        session: &SessionId,
    ) -> impl Future<Output = Result<(), ErrorObject>> + Send;
}

/// Lets the client name sessions: `session/set_title`.
pub trait SetTitle: Agent {
    /// Stores a title and returns it as it is now: cut, trimmed, or as it came.
    ///
    /// # Errors
    /// The error to answer.
    fn set_title(
        &self,
        session: &SessionId,
        title: Box<str>,
    ) -> impl Future<Output = Result<Box<str>, ErrorObject>> + Send;
}

/// Says how far a session is: `session/status`. Of sessions that are open on the asking connection
/// the crate knows it; the agent is asked about the others.
pub trait SessionStatus: Agent {
    /// Whether it is stored, or open on another connection. Asking changes nothing. An id that is
    /// not known is [`unknown_session`](crate::refusal::unknown_session).
    ///
    /// # Errors
    /// The error to answer.
    fn status(
        &self,
        session: &SessionId,
    ) -> impl Future<Output = Result<Status, ErrorObject>> + Send;
}
