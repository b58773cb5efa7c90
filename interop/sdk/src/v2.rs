//! Version 2: what the agent answers to each method.

mod given;
mod turn;

use std::sync::{Arc, Mutex, PoisonError};

use agent_client_protocol::schema::ProtocolVersion;
use agent_client_protocol::v2::ConnectionTo;
use agent_client_protocol::v2::schema::*;
use agent_client_protocol::{Agent, Client, ConnectTo, Error};

use self::given::given;
use crate::book::{Archived, Book, Record};

/// One connection of the agent.
#[derive(Debug, Default)]
struct State {
    book: Book,
    client: Mutex<ClientCapabilities>,
}

macro_rules! answering {
    ($state:ident: $($request:ty => $method:ident),* $(,)?) => {{
        let builder = Agent.v2();
        $(
            let state = Arc::clone(&$state);
            let builder = builder.on_receive_request(
                async move |request: $request, responder, _cx| responder.respond_with_result(state.$method(request)),
                agent_client_protocol::on_receive_request!(),
            );
        )*
        builder
    }};
}

/// The agent, ready to be connected.
#[must_use]
pub fn agent() -> impl ConnectTo<Client> {
    let state = Arc::new(State::default());
    let builder = answering!(state:
        InitializeRequest => initialize,
        LoginAuthRequest => login,
        LogoutAuthRequest => logout,
        AuthStatusRequest => auth_status,
        ListProvidersRequest => providers,
        SetProviderRequest => set_provider,
        DisableProviderRequest => disable_provider,
        NewSessionRequest => new_session,
        ForkSessionRequest => fork,
        ListSessionsRequest => list,
        CloseSessionRequest => close,
        DeleteSessionRequest => delete,
        ArchiveSessionRequest => archive,
        UnarchiveSessionRequest => unarchive,
        SessionStatusRequest => status,
        SessionOptionsRequest => options_of,
        SetSessionTitleRequest => set_title,
        SetSessionConfigOptionRequest => set_option,
        CancelToolCallRequest => cancel_tool,
        CancelTerminalRequest => cancel_terminal,
    );
    let resuming = Arc::clone(&state);
    let prompting = Arc::clone(&state);
    builder
        .on_receive_request(
            async move |request: ResumeSessionRequest, responder, cx| {
                let opened = resuming.resume(&request, &cx);
                responder.respond_with_result(opened)
            },
            agent_client_protocol::on_receive_request!(),
        )
        .on_receive_request(
            async move |request: PromptRequest, responder, cx| {
                let record = match prompting.book.find_open(&request.session_id.0) {
                    Ok(record) => record,
                    Err(error) => return responder.respond_with_error(error),
                };
                if request.prompt.is_empty() {
                    return responder.respond_with_error(Error::invalid_params());
                }
                // From here on a cancel counts, whenever the task begins.
                let stop = record.stop();
                let turn = turn::Turn::new(
                    Arc::clone(&prompting),
                    cx.clone(),
                    request.session_id.clone(),
                    stop,
                );
                cx.spawn(turn.hold(record.gate, request.prompt, responder))
            },
            agent_client_protocol::on_receive_request!(),
        )
        .on_receive_notification(
            async move |request: CancelSessionNotification, _cx| {
                if let Ok(record) = state.book.find(&request.session_id.0) {
                    record.cancel();
                }
                Ok(())
            },
            agent_client_protocol::on_receive_notification!(),
        )
}

impl State {
    fn client(&self) -> ClientCapabilities {
        self.client
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .clone()
    }

    fn initialize(&self, request: InitializeRequest) -> Result<InitializeResponse, Error> {
        *self.client.lock().unwrap_or_else(PoisonError::into_inner) = request.capabilities;
        let prompt = PromptCapabilities::new()
            .image(PromptImageCapabilities::new())
            .audio(PromptAudioCapabilities::new())
            .embedded_context(PromptEmbeddedContextCapabilities::new());
        let session = SessionCapabilities::new()
            .prompt(prompt)
            .mcp(
                McpCapabilities::new()
                    .stdio(McpStdioCapabilities::new())
                    .http(McpHttpCapabilities::new()),
            )
            .delete(SessionDeleteCapabilities::new())
            .fork(SessionForkCapabilities::new())
            .archive(SessionArchiveCapabilities::new())
            .status(SessionStatusCapabilities::new())
            .options(SessionOptionsCapabilities::new())
            .title(SessionTitleCapabilities::new())
            .additional_directories(SessionAdditionalDirectoriesCapabilities::new())
            .system_prompt(SessionSystemPromptCapabilities::new());
        let capabilities = AgentCapabilities::new()
            .session(session)
            .auth(AgentAuthCapabilities::new().status(AuthStatusCapabilities::new()))
            .providers(ProvidersCapabilities::new());
        Ok(
            InitializeResponse::new(ProtocolVersion::V2, Implementation::new("sdk-agent", "1"))
                .capabilities(capabilities)
                .auth_methods(vec![AuthMethod::Agent(AuthMethodAgent::new(
                    "key", "A key",
                ))]),
        )
    }

    fn login(&self, request: LoginAuthRequest) -> Result<LoginAuthResponse, Error> {
        if &*request.method_id.0 != "key" {
            return Err(Error::invalid_params());
        }
        self.book.log(true);
        Ok(LoginAuthResponse::new())
    }

    fn logout(&self, _: LogoutAuthRequest) -> Result<LogoutAuthResponse, Error> {
        self.book.log(false);
        Ok(LogoutAuthResponse::new())
    }

    fn auth_status(&self, _: AuthStatusRequest) -> Result<AuthStatusResponse, Error> {
        Ok(AuthStatusResponse::new(match self.book.is_logged_in() {
            true => AuthState::Authenticated,
            false => AuthState::Unauthenticated,
        }))
    }

    fn providers(&self, _: ListProvidersRequest) -> Result<ListProvidersResponse, Error> {
        let current = self
            .book
            .provider()
            .map(|url| ProviderCurrentConfig::new(LlmProtocol::Anthropic, url));
        Ok(ListProvidersResponse::new(vec![ProviderInfo::new(
            "main",
            vec![LlmProtocol::Anthropic],
            false,
            current,
        )]))
    }

    fn set_provider(&self, request: SetProviderRequest) -> Result<SetProviderResponse, Error> {
        self.book.set_provider(Some(request.base_url));
        Ok(SetProviderResponse::new())
    }

    fn disable_provider(
        &self,
        _: DisableProviderRequest,
    ) -> Result<DisableProviderResponse, Error> {
        self.book.set_provider(None);
        Ok(DisableProviderResponse::new())
    }

    fn new_session(&self, request: NewSessionRequest) -> Result<NewSessionResponse, Error> {
        let (id, record) = self.book.create(&request.cwd.0)?;
        self.book.give(
            &id,
            given(
                &request.mcp_servers,
                &request.additional_directories,
                request.system_prompt.as_ref(),
            ),
        )?;
        Ok(NewSessionResponse::new(id).config_options(options(&record)))
    }

    fn resume(
        &self,
        request: &ResumeSessionRequest,
        cx: &ConnectionTo<Client>,
    ) -> Result<ResumeSessionResponse, Error> {
        let record = self.book.reopen(&request.session_id.0, &request.cwd.0)?;
        self.book.give(
            &request.session_id.0,
            given(
                &request.mcp_servers,
                &request.additional_directories,
                request.system_prompt.as_ref(),
            ),
        )?;
        match &request.replay_from {
            None => {}
            Some(ReplayFrom::Start(_)) => turn::replay(cx, &request.session_id, &record)?,
            Some(_) => return Err(Error::invalid_params()),
        }
        let idle = SessionUpdate::StateUpdate(StateUpdate::Idle(IdleStateUpdate::new()));
        cx.send_notification(UpdateSessionNotification::new(
            request.session_id.clone(),
            idle,
        ))?;
        Ok(ResumeSessionResponse::new().config_options(options(&record)))
    }

    fn fork(&self, request: ForkSessionRequest) -> Result<ForkSessionResponse, Error> {
        let (id, record) = self.book.fork(&request.session_id.0, &request.cwd.0)?;
        self.book.give(
            &id,
            given(
                &request.mcp_servers,
                &request.additional_directories,
                request.system_prompt.as_ref(),
            ),
        )?;
        Ok(ForkSessionResponse::new(id).config_options(options(&record)))
    }

    fn list(&self, request: ListSessionsRequest) -> Result<ListSessionsResponse, Error> {
        let archived = match request.archived {
            None | Some(SessionArchiveFilter::Exclude) => Archived::Exclude,
            Some(SessionArchiveFilter::Only) => Archived::Only,
            Some(_) => Archived::Include,
        };
        let cwd = request.cwd.as_ref().map(|cwd| cwd.0.as_path());
        let cursor = request.cursor.as_ref().map(|cursor| &*cursor.0);
        let (page, next) = self.book.page(cwd, archived, cursor)?;
        let sessions = page.into_iter().map(|(id, record)| {
            SessionInfo::new(id, record.cwd)
                .title(record.title)
                .archived(record.archived)
        });
        Ok(ListSessionsResponse::new(sessions.collect())
            .next_cursor(next.map(SessionListCursor::new)))
    }

    fn close(&self, request: CloseSessionRequest) -> Result<CloseSessionResponse, Error> {
        self.book
            .close(&request.session_id.0)
            .map(|()| CloseSessionResponse::new())
    }

    fn delete(&self, request: DeleteSessionRequest) -> Result<DeleteSessionResponse, Error> {
        self.book.delete(&request.session_id.0);
        Ok(DeleteSessionResponse::new())
    }

    fn archive(&self, request: ArchiveSessionRequest) -> Result<ArchiveSessionResponse, Error> {
        self.book
            .change(&request.session_id.0, |record| record.archived = true)?;
        Ok(ArchiveSessionResponse::new())
    }

    fn unarchive(
        &self,
        request: UnarchiveSessionRequest,
    ) -> Result<UnarchiveSessionResponse, Error> {
        self.book
            .change(&request.session_id.0, |record| record.archived = false)?;
        Ok(UnarchiveSessionResponse::new())
    }

    fn status(&self, request: SessionStatusRequest) -> Result<SessionStatusResponse, Error> {
        let record = self.book.find(&request.session_id.0)?;
        Ok(SessionStatusResponse::new(if record.open {
            SessionStatus::Open
        } else {
            SessionStatus::Saved
        }))
    }

    fn options_of(&self, request: SessionOptionsRequest) -> Result<SessionOptionsResponse, Error> {
        Ok(SessionOptionsResponse::new().config_options(options(&Record::new(&request.cwd.0))))
    }

    fn set_title(&self, request: SetSessionTitleRequest) -> Result<SetSessionTitleResponse, Error> {
        let title = request.title.trim().to_owned();
        self.book.change(&request.session_id.0, |record| {
            record.title = Some(title.clone())
        })?;
        Ok(SetSessionTitleResponse::new(title))
    }

    fn set_option(
        &self,
        request: SetSessionConfigOptionRequest,
    ) -> Result<SetSessionConfigOptionResponse, Error> {
        let id = &request.session_id.0;
        match (&*request.config_id.0, &request.value) {
            ("model", SessionConfigOptionValue::Id { value })
                if ["small", "large"].contains(&&*value.0) =>
            {
                self.book
                    .change(id, |record| record.model = value.0.to_string())?;
            }
            ("brief", SessionConfigOptionValue::Boolean { value }) => {
                self.book.change(id, |record| record.brief = *value)?;
            }
            _ => return Err(Error::invalid_params()),
        }
        Ok(SetSessionConfigOptionResponse::new(options(
            &self.book.find(id)?,
        )))
    }

    fn cancel_tool(&self, request: CancelToolCallRequest) -> Result<CancelToolCallResponse, Error> {
        self.let_go(&request.session_id, &request.tool_call_id.0)
            .map(|()| CancelToolCallResponse::new())
    }

    fn cancel_terminal(
        &self,
        request: CancelTerminalRequest,
    ) -> Result<CancelTerminalResponse, Error> {
        self.let_go(&request.session_id, &request.terminal_id.0)
            .map(|()| CancelTerminalResponse::new())
    }

    fn let_go(&self, session: &SessionId, entity: &str) -> Result<(), Error> {
        let record = self.book.find_open(&session.0)?;
        if !record.detached.contains(entity) {
            return Err(Error::invalid_params());
        }
        record.let_go.notify_one();
        Ok(())
    }
}

fn options(record: &Record) -> Vec<SessionConfigOption> {
    let models = vec![
        SessionConfigSelectOption::new("small", "Small"),
        SessionConfigSelectOption::new("large", "Large"),
    ];
    let model = SessionConfigOption::select("model", "Model", record.model.clone(), models)
        .category(SessionConfigOptionCategory::Model);
    vec![
        model,
        SessionConfigOption::boolean("brief", "Brief", record.brief),
    ]
}
