//! The sessions that an agent has stored: found by pages, and managed without opening them.

use std::collections::BTreeSet;

use acp_thinking::Options;
use acp_vocab::{
    ArchiveSessionRequest, ListSessionsRequest, Method, Raw, SessionArchiveFilter, SessionId,
    SessionOptionsRequest, SessionStatusRequest, SessionStatusResponse, SetSessionTitleRequest,
    SetSessionTitleResponse, UnarchiveSessionRequest, Wire, v1, v2,
};
use serde::Serialize;

use crate::{
    budget::Budget, client::Client, error::RequestError, session::Session, setup::absolute,
};

/// How many pages are read of one list: an agent may never say that a page is the last one.
const MOST_PAGES: usize = 1024;

/// A list of stored sessions, about to be asked for. Made by [`Client::sessions`].
#[derive(Clone, Debug)]
#[must_use = "a builder does nothing until it asks"]
pub struct ListSessions {
    client: Client,
    request: ListSessionsRequest,
}

/// One page of it.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct SessionPage {
    /// The sessions, in the agent's order. The texts are the agent's.
    pub sessions: Vec<v2::SessionInfo>,
    /// Where the next page starts; `None` on the last one.
    pub next_cursor: Option<Box<str>>,
}

impl ListSessions {
    pub(crate) const fn new(client: Client, request: ListSessionsRequest) -> Self {
        Self { client, request }
    }

    /// Those with exactly this working directory.
    pub fn in_directory(mut self, cwd: impl Into<Box<str>>) -> Self {
        self.request.cwd = Some(cwd.into());
        self
    }

    /// Those that were archived as well, or only those.
    pub fn archived(mut self, filter: SessionArchiveFilter) -> Self {
        self.request.archived = Some(filter);
        self
    }

    /// One page, the first one or the one at a cursor. It opens no session.
    ///
    /// # Errors
    /// [`RequestError::NotAdvertised`] when the agent has no list; otherwise as
    /// [`Client::call_within`].
    pub async fn page_within(
        &self,
        cursor: Option<&str>,
        budget: &Budget,
    ) -> Result<SessionPage, RequestError> {
        if let Some(cwd) = &self.request.cwd {
            absolute("cwd", cwd)?;
        }
        let mut request = self.request.clone();
        request.cursor = cursor.map(Into::into);
        let raw = self
            .client
            .call_within(Method::SESSION_LIST.name(), &request, budget)
            .await?;
        if self.client.speaks_v2() {
            let page: v2::ListSessionsResponse = result(Method::SESSION_LIST, &raw)?;
            return Ok(SessionPage {
                sessions: page.sessions,
                next_cursor: page.next_cursor,
            });
        }
        let page: v1::ListSessionsResponse = result(Method::SESSION_LIST, &raw)?;
        Ok(SessionPage {
            sessions: page.sessions.into_iter().map(in_v2).collect(),
            next_cursor: page.next_cursor,
        })
    }

    /// All of them, page by page, within the default bounds; at most `most`, since an agent may
    /// have any number.
    ///
    /// # Errors
    /// As [`all_within`](Self::all_within).
    pub async fn all(&self, most: usize) -> Result<Vec<v2::SessionInfo>, RequestError> {
        self.all_within(most, &Budget::defaults()).await
    }

    /// The same within a budget.
    ///
    /// # Errors
    /// [`RequestError::Result`] when the pages go round in circles; otherwise as
    /// [`page_within`](Self::page_within).
    pub async fn all_within(
        &self,
        most: usize,
        budget: &Budget,
    ) -> Result<Vec<v2::SessionInfo>, RequestError> {
        let mut all = Vec::new();
        let mut cursor: Option<Box<str>> = None;
        let mut seen: BTreeSet<Box<str>> = BTreeSet::new();
        for _ in 0..MOST_PAGES {
            let page = self.page_within(cursor.as_deref(), budget).await?;
            all.extend(page.sessions);
            all.truncate(most);
            match page.next_cursor {
                Some(next) if all.len() < most => {
                    if !seen.insert(next.clone()) {
                        return Err(RequestError::Result {
                            method: Method::SESSION_LIST.name().into(),
                            fault: "nextCursor: expected a new cursor, found one that was used"
                                .into(),
                        });
                    }
                    cursor = Some(next);
                }
                _ => break,
            }
        }
        Ok(all)
    }
}

fn in_v2(info: v1::SessionInfo) -> v2::SessionInfo {
    let mut there = v2::SessionInfo::new(info.session_id, info.cwd);
    there.additional_directories = info.additional_directories;
    there.title = info.title;
    there.updated_at = info.updated_at;
    there.archived = info.archived;
    there.meta = info.meta;
    there
}

/// A result as its type.
pub(crate) fn result<T: Wire>(method: Method, raw: &Raw) -> Result<T, RequestError> {
    acp_vocab::decode_params(Some(raw)).map_err(|fault| RequestError::Result {
        method: method.name().into(),
        fault: fault.to_string().into(),
    })
}

/// Stored sessions, by their id. Those that are open on this connection too.
impl Client {
    /// The sessions that the agent has stored.
    pub fn sessions(&self) -> ListSessions {
        ListSessions::new(self.clone(), ListSessionsRequest::new())
    }

    pub(crate) fn speaks_v2(&self) -> bool {
        self.agreement()
            .is_some_and(|agreement| agreement.version().0 >= 2)
    }

    async fn ask<T: Wire>(
        &self,
        method: Method,
        params: &(impl Serialize + ?Sized),
    ) -> Result<T, RequestError> {
        let raw = self.call(method.name(), params).await?;
        result(method, &raw)
    }

    /// Closes a session at the agent: running work is cancelled and what it holds is freed. One
    /// that is not there (any more) counts as closed.
    ///
    /// # Errors
    /// [`RequestError::NotAdvertised`] when the agent cannot; otherwise as [`Client::call`].
    pub async fn close_session(&self, session: &SessionId) -> Result<(), RequestError> {
        self.end_session(Method::SESSION_CLOSE, session).await
    }

    /// Takes a session off the agent's list. One that is not there (any more) counts as deleted.
    ///
    /// # Errors
    /// [`RequestError::NotAdvertised`] when the agent cannot; otherwise as [`Client::call`].
    pub async fn delete_session(&self, session: &SessionId) -> Result<(), RequestError> {
        self.end_session(Method::SESSION_DELETE, session).await
    }

    async fn end_session(&self, method: Method, session: &SessionId) -> Result<(), RequestError> {
        let open = self
            .shared()
            .read(|inner| inner.machine.session_key(session.as_str()));
        self.requester().end_session(method, session, open).await
    }

    /// Hides a session from the list.
    ///
    /// # Errors
    /// [`RequestError::NotAdvertised`] when the agent cannot; otherwise as [`Client::call`].
    pub async fn archive_session(&self, session: &SessionId) -> Result<(), RequestError> {
        let params = ArchiveSessionRequest::new(session.clone());
        self.call(Method::SESSION_ARCHIVE.name(), &params).await?;
        Ok(())
    }

    /// Shows it there again.
    ///
    /// # Errors
    /// [`RequestError::NotAdvertised`] when the agent cannot; otherwise as [`Client::call`].
    pub async fn unarchive_session(&self, session: &SessionId) -> Result<(), RequestError> {
        let params = UnarchiveSessionRequest::new(session.clone());
        self.call(Method::SESSION_UNARCHIVE.name(), &params).await?;
        Ok(())
    }

    /// Whether a session is open at the agent or only stored, and what it does (v2).
    ///
    /// # Errors
    /// [`RequestError::NotAdvertised`] when the agent cannot say; otherwise as [`Client::call`].
    pub async fn session_status(
        &self,
        session: &SessionId,
    ) -> Result<SessionStatusResponse, RequestError> {
        let params = SessionStatusRequest::new(session.clone());
        self.ask(Method::SESSION_STATUS, &params).await
    }

    /// Gives a session a title, and says which one the agent stored.
    ///
    /// # Errors
    /// [`RequestError::NotAdvertised`] when the agent cannot; otherwise as [`Client::call`].
    pub async fn set_session_title(
        &self,
        session: &SessionId,
        title: impl Into<Box<str>>,
    ) -> Result<Box<str>, RequestError> {
        let params = SetSessionTitleRequest::new(session.clone(), title);
        let answer: SetSessionTitleResponse = self.ask(Method::SESSION_SET_TITLE, &params).await?;
        Ok(answer.title)
    }

    /// What a session in `cwd` would offer to choose from, without making one.
    ///
    /// # Errors
    /// [`RequestError::NotAdvertised`] when the agent cannot say; otherwise as [`Client::call`].
    pub async fn session_options(&self, cwd: impl Into<Box<str>>) -> Result<Options, RequestError> {
        let cwd = cwd.into();
        absolute("cwd", &cwd)?;
        let params = SessionOptionsRequest::new(cwd);
        let raw = self.call(Method::SESSION_OPTIONS.name(), &params).await?;
        Ok(Options::read(raw.get()))
    }
}

/// The same for the session itself.
impl Session {
    /// Gives it a title, and says which one the agent stored.
    ///
    /// # Errors
    /// [`RequestError::NotAdvertised`] when the agent cannot; otherwise as
    /// [`call_within`](Self::call_within).
    pub async fn set_title(&self, title: impl Into<Box<str>>) -> Result<Box<str>, RequestError> {
        let params = SetSessionTitleRequest::new(self.id().clone(), title);
        let method = Method::SESSION_SET_TITLE;
        let raw = self
            .call_within(method.name(), &params, &Budget::defaults())
            .await?;
        let answer: SetSessionTitleResponse = result(method, &raw)?;
        Ok(answer.title)
    }

    /// What it does (v2), and that it is open.
    ///
    /// # Errors
    /// [`RequestError::NotAdvertised`] when the agent cannot say; otherwise as
    /// [`call_within`](Self::call_within).
    pub async fn status(&self) -> Result<SessionStatusResponse, RequestError> {
        let params = SessionStatusRequest::new(self.id().clone());
        let method = Method::SESSION_STATUS;
        let raw = self
            .call_within(method.name(), &params, &Budget::defaults())
            .await?;
        result(method, &raw)
    }
}
