//! What the client can do for the agent: permission, questions, and in version 1 its files and
//! terminals. Each is sent only where the client said that it has it.

use std::sync::Arc;

use acp_handshake::GateError;
use acp_vocab::{
    AuthStatusResponse, CreateElicitationRequest, CreateElicitationResponse, ElicitationAction,
    ElicitationFormMode, ElicitationId, ElicitationMode, ElicitationSchema,
    ElicitationSessionScope, ElicitationUrlMode, Implementation, Method, ProtocolVersion, Raw,
    RequestPermissionResponse, SessionId, Wire, decode, v1,
};
use serde::Serialize;
use tokio::sync::oneshot;

use crate::{
    command::{Ask, Command},
    error::{AskError, Unsent},
    permission::{Permission, PermissionRequest, decide},
    shared::{Live, Shared},
    terminal::Terminal,
};

/// The client, as one session sees it.
///
/// Dropping the future of a question withdraws it (`$/cancel_request`). When the turn is cancelled
/// every question ends at once.
#[derive(Debug, Clone)]
pub struct Client {
    pub(crate) shared: Arc<Shared>,
    pub(crate) session: SessionId,
    pub(crate) live: Arc<Live>,
}

impl Client {
    /// The version that is spoken.
    #[must_use]
    pub fn version(&self) -> ProtocolVersion {
        self.shared.version
    }

    /// Its info card.
    #[must_use]
    pub fn info(&self) -> Option<&Implementation> {
        self.shared.offer.info()
    }

    /// Whether it has the capability at this dotted path, `fs.readTextFile` or `elicitation.form`.
    #[must_use]
    pub fn advertises(&self, path: &str) -> bool {
        self.shared.offer.advertises(path)
    }

    /// Asks the user before something is done. Every client has this.
    ///
    /// # Errors
    /// [`AskError`]. A refusal by the user is no error.
    pub async fn request_permission(
        &self,
        request: PermissionRequest,
    ) -> Result<Permission, AskError> {
        let request = request.with_defaults();
        let options = request.options.clone();
        let session = self.session.clone();
        let method = Method::SESSION_REQUEST_PERMISSION;
        let response: RequestPermissionResponse = if self.shared.is_v1() {
            self.question(method, &request.v1(session), true).await?
        } else {
            self.question(method, &request.v2(session), true).await?
        };
        Ok(decide(&options, response))
    }

    /// Asks the user to fill in a form. Never for secrets.
    ///
    /// # Errors
    /// [`AskError::NotAdvertised`] unless the client has `elicitation.form`.
    pub async fn ask_form(
        &self,
        message: impl Into<Box<str>>,
        schema: ElicitationSchema,
    ) -> Result<ElicitationAction, AskError> {
        let mode = ElicitationMode::Form(ElicitationFormMode::new(schema));
        self.elicit("elicitation.form", message.into(), mode).await
    }

    /// Asks the user to open a page. `Accept` only means that they agreed to.
    ///
    /// # Errors
    /// [`AskError::NotAdvertised`] unless the client has `elicitation.url`.
    pub async fn ask_url(
        &self,
        message: impl Into<Box<str>>,
        id: impl Into<ElicitationId>,
        url: impl Into<Box<str>>,
    ) -> Result<ElicitationAction, AskError> {
        let mode = ElicitationMode::Url(ElicitationUrlMode::new(id, url));
        self.elicit("elicitation.url", message.into(), mode).await
    }

    /// Tells the client that what the page was for has happened.
    ///
    /// # Errors
    /// [`AskError::NotAdvertised`] unless the client has `elicitation.url`.
    pub async fn url_completed(&self, id: impl Into<ElicitationId>) -> Result<(), AskError> {
        let method = Method::ELICITATION_COMPLETE;
        self.shared.offer.require(method)?;
        let params = acp_vocab::CompleteElicitationNotification::new(id);
        self.shared.check(&params)?;
        let params = Raw::encode(&params).map_err(|_| Unsent::NotJson)?;
        let command = Command::Notify(method, params);
        self.shared.send(command, Some(&self.live.token)).await?;
        Ok(())
    }

    /// Tells the client that who is logged in has changed without its doing: a login expired.
    ///
    /// # Errors
    /// [`AskError::NotAdvertised`] unless the agent was registered
    /// [to tell](crate::Server::with_auth_status).
    pub async fn login_changed(&self, state: AuthStatusResponse) -> Result<(), AskError> {
        let method = Method::AUTH_STATUS_UPDATE;
        if !self.shared.tells_login {
            return Err(AskError::NotAdvertised(GateError::NotAdvertised {
                method,
                capability: "auth.status",
            }));
        }
        // The notification has the members of the answer.
        self.shared.check(&state)?;
        let params = Raw::encode(&state).map_err(|_| Unsent::NotJson)?;
        let command = Command::Notify(method, params);
        self.shared.send(command, Some(&self.live.token)).await?;
        Ok(())
    }

    /// Reads a text file as the client has it, unsaved changes included (version 1). Lines count
    /// from 1.
    ///
    /// # Errors
    /// [`AskError::NotAdvertised`] unless the client has `fs.readTextFile`.
    pub async fn read_text_file(
        &self,
        path: impl Into<Box<str>>,
        line: Option<u32>,
        limit: Option<u32>,
    ) -> Result<Box<str>, AskError> {
        let mut request = v1::ReadTextFileRequest::new(self.session.clone(), path);
        request.line = line;
        request.limit = limit;
        let response: v1::ReadTextFileResponse = self
            .question(Method::FS_READ_TEXT_FILE, &request, false)
            .await?;
        Ok(response.content)
    }

    /// Replaces, or creates, a text file (version 1).
    ///
    /// # Errors
    /// [`AskError::NotAdvertised`] unless the client has `fs.writeTextFile`.
    pub async fn write_text_file(
        &self,
        path: impl Into<Box<str>>,
        content: impl Into<Box<str>>,
    ) -> Result<(), AskError> {
        let request = v1::WriteTextFileRequest::new(self.session.clone(), path, content);
        self.question::<v1::WriteTextFileResponse>(Method::FS_WRITE_TEXT_FILE, &request, false)
            .await
            .map(drop)
    }

    /// Runs a command in a terminal of the client (version 1). `args` are passed as they are; no
    /// shell reads them. Dropping the handle releases the terminal.
    ///
    /// # Errors
    /// [`AskError::NotAdvertised`] unless the client has `terminal`.
    pub async fn run_command(
        &self,
        command: impl Into<Box<str>>,
        args: &[&str],
        cwd: Option<&str>,
        output_byte_limit: Option<u64>,
    ) -> Result<Terminal, AskError> {
        let mut request = v1::CreateTerminalRequest::new(self.session.clone(), command);
        request.args = args.iter().map(|arg| Box::from(*arg)).collect();
        request.cwd = cwd.map(Box::from);
        request.output_byte_limit = output_byte_limit;
        let response: v1::CreateTerminalResponse = self
            .question(Method::TERMINAL_CREATE, &request, false)
            .await?;
        Ok(Terminal::new(self.clone(), response.terminal_id))
    }

    async fn elicit(
        &self,
        capability: &'static str,
        message: Box<str>,
        mode: ElicitationMode,
    ) -> Result<ElicitationAction, AskError> {
        let method = Method::ELICITATION_CREATE;
        self.shared.offer.require(method)?;
        if !self.advertises(capability) {
            return Err(AskError::NotAdvertised(GateError::NotAdvertised {
                method,
                capability,
            }));
        }
        let scope = ElicitationSessionScope::new(self.session.clone());
        let request = CreateElicitationRequest::new(message, mode, scope);
        let response: CreateElicitationResponse = self.question(method, &request, true).await?;
        if matches!(response.action, ElicitationAction::Unknown { .. }) {
            return Ok(ElicitationAction::Cancel);
        }
        Ok(response.action)
    }

    pub(crate) async fn question<T: Wire>(
        &self,
        method: Method,
        params: &impl Serialize,
        needs_user: bool,
    ) -> Result<T, AskError> {
        self.shared.offer.require(method)?;
        self.live.check(true)?;
        self.shared.check(params)?;
        let params = Raw::encode(params).map_err(|_| Unsent::NotJson)?;
        let token = &self.live.token;
        let room = Arc::clone(&self.shared.questions);
        let _room = tokio::select! {
            biased;
            () = token.cancelled() => return Err(self.live.why(Unsent::Cancelled).into()),
            room = room.acquire_owned() => room.map_err(|_| Unsent::Disconnected)?,
        };
        let (reply, answer) = oneshot::channel();
        let ask = Ask {
            method,
            params,
            session: Some(self.session.clone()),
            live: Arc::clone(&self.live),
            needs_user,
            reply,
        };
        self.shared
            .send(Command::Ask(Box::new(ask)), Some(token))
            .await
            .map_err(|unsent| self.live.why(unsent))?;
        let mut wait = Wait {
            shared: &self.shared,
            answer: Some(answer),
        };
        let answered = tokio::select! {
            biased;
            () = token.cancelled() => return Err(self.live.why(Unsent::Cancelled).into()),
            answered = wait.take() => answered?,
        };
        decode(&answered).map_err(AskError::Unreadable)
    }
}

/// A question that is out. Dropped before its answer came, it is withdrawn.
struct Wait<'a> {
    shared: &'a Shared,
    answer: Option<oneshot::Receiver<Result<Raw, AskError>>>,
}

impl Wait<'_> {
    async fn take(&mut self) -> Result<Raw, AskError> {
        let Some(answer) = self.answer.as_mut() else {
            return Err(AskError::Malformed);
        };
        let answered = answer.await;
        self.answer = None;
        answered.unwrap_or(Err(AskError::Unsent(Unsent::Disconnected)))
    }
}

impl Drop for Wait<'_> {
    fn drop(&mut self) {
        if self.answer.take().is_some() {
            self.shared.dropped.ring();
        }
    }
}
