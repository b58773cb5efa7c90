//! The table of sessions: listed, closed, deleted.

use std::path::PathBuf;

use acp_vocab::{
    CloseSessionRequest, DeleteSessionRequest, ErrorObject, ListSessionsRequest, Method, Raw,
    SessionId, SessionStatus, SessionStatusRequest, SessionStatusResponse, v1, v2,
};
use serde_json::value::RawValue;
use tokio::time::Instant;

use super::{
    Connection,
    delegate::{done, told},
    inbound::read,
};
use crate::{
    ability::{Archived, ListRequest, SessionPage},
    command::{Answer, RequestKey},
    refusal::{internal, invalid, not_offered},
    session::Closing,
};

impl Connection {
    pub(super) fn list_sessions(
        &mut self,
        now: Instant,
        key: RequestKey,
        params: Option<&RawValue>,
    ) -> Result<(), ErrorObject> {
        let request: ListSessionsRequest = read(params)?;
        let v1 = self.is_v1();
        let archived = Archived::asked(request.archived.as_ref())
            .ok_or_else(|| invalid("archived: not one of the known filters"))?;
        // Where nothing is archived, all is what is not, and nothing is left to show alone.
        let archives = self.host.abilities.archive.is_some();
        if archived == Archived::Only && (!archives || self.host.abilities.list.is_none()) {
            let nothing = v2::ListSessionsResponse::new(Vec::new());
            if v1 && self.host.abilities.list.is_none() {
                return Err(not_offered(Method::SESSION_LIST));
            }
            self.respond(now, key, &Ok(nothing));
            return Ok(());
        }
        let Some(list) = self.host.abilities.list.clone() else {
            if v1 {
                return Err(not_offered(Method::SESSION_LIST));
            }
            if request.cursor.is_some() {
                return Err(invalid("cursor: not one of this agent's"));
            }
            let open = self.open_sessions(request.cwd.as_deref());
            self.respond(now, key, &Ok(open));
            return Ok(());
        };
        let request = ListRequest {
            cwd: request.cwd.map(|cwd| PathBuf::from(String::from(cwd))),
            cursor: request.cursor,
            archived: if archives {
                archived
            } else {
                Archived::Exclude
            },
        };
        self.handle(key, async move {
            Answer::Plain(match list.list(request).await {
                Ok(page) => page_result(page, v1),
                Err(error) => Err(error),
            })
        });
        Ok(())
    }

    /// How far a session is. Of one that is open here nobody knows it better than we do.
    pub(super) fn session_status(
        &mut self,
        now: Instant,
        key: RequestKey,
        params: Option<&RawValue>,
    ) -> Result<(), ErrorObject> {
        let status = self.host.abilities.status.clone();
        let status = status.ok_or_else(|| not_offered(Method::SESSION_STATUS))?;
        let request: SessionStatusRequest = read(params)?;
        let v1 = self.is_v1();
        if let Some(session) = self.sessions.get(&request.session_id) {
            let mut response = SessionStatusResponse::new(SessionStatus::Open);
            // Version 1 has no states.
            response.state = (!v1).then(|| session.state());
            self.respond(now, key, &Ok(response));
            return Ok(());
        }
        self.handle(key, async move {
            let status = status.status(&request.session_id).await;
            Answer::Plain(told(status.map(SessionStatusResponse::new)))
        });
        Ok(())
    }

    /// The sessions of this connection, for agents that keep none.
    fn open_sessions(&self, cwd: Option<&str>) -> v2::ListSessionsResponse {
        let sessions: Vec<_> = self
            .sessions
            .iter()
            .map(|(id, session)| (id, session.cwd.to_string_lossy()))
            .filter(|(_, path)| cwd.is_none_or(|cwd| cwd == path))
            .map(|(id, path)| v2::SessionInfo::new(id.clone(), &*path))
            .collect();
        v2::ListSessionsResponse::new(sessions)
    }

    pub(super) fn close_session(
        &mut self,
        now: Instant,
        key: RequestKey,
        params: Option<&RawValue>,
    ) -> Result<(), ErrorObject> {
        if self.is_v1() && self.host.abilities.close.is_none() {
            return Err(not_offered(Method::SESSION_CLOSE));
        }
        let request: CloseSessionRequest = read(params)?;
        self.end_session(now, request.session_id, Closing { key, delete: false });
        Ok(())
    }

    pub(super) fn delete_session(
        &mut self,
        now: Instant,
        key: RequestKey,
        params: Option<&RawValue>,
    ) -> Result<(), ErrorObject> {
        if self.host.abilities.delete.is_none() {
            return Err(not_offered(Method::SESSION_DELETE));
        }
        let request: DeleteSessionRequest = read(params)?;
        self.end_session(now, request.session_id, Closing { key, delete: true });
        Ok(())
    }

    /// Ends the work of a session; then it is closed.
    fn end_session(&mut self, now: Instant, id: SessionId, closing: Closing) {
        self.cancel_session(now, &id);
        self.cancel_opening(now, &id);
        match self.sessions.get_mut(&id) {
            Some(session) if session.running.is_some() => session.closing.push(closing),
            _ => self.finish_closing(id, closing),
        }
    }

    /// The session is quiet: the agent frees, or removes, what it has of it.
    pub(super) fn finish_closing(&mut self, id: SessionId, closing: Closing) {
        if let Some(session) = self.sessions.remove(&id) {
            session.live.revoke();
        }
        let close = self.host.abilities.close.clone();
        let delete = self.host.abilities.delete.clone();
        self.handle(closing.key, async move {
            let result = match (closing.delete, close, delete) {
                (true, _, Some(delete)) => delete.delete(&id).await,
                (false, Some(close), _) => close.close(&id).await,
                (..) => Ok(()),
            };
            Answer::Plain(result.map(done))
        });
    }
}

fn page_result(page: SessionPage, v1: bool) -> Result<Raw, ErrorObject> {
    let result = if v1 {
        let sessions: Vec<_> = page
            .sessions
            .into_iter()
            .map(|session| {
                let mut old = v1::SessionInfo::new(session.session_id, session.cwd);
                old.additional_directories = session.additional_directories;
                old.title = session.title;
                old.updated_at = session.updated_at;
                old.archived = session.archived;
                old
            })
            .collect();
        let mut response = v1::ListSessionsResponse::new(sessions);
        response.next_cursor = page.next;
        Raw::encode(&response)
    } else {
        let mut response = v2::ListSessionsResponse::new(page.sessions);
        response.next_cursor = page.next;
        Raw::encode(&response)
    };
    result.map_err(|_| internal("the list cannot be written"))
}
