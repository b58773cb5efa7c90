//! Version 1: what the agent answers to each method.

mod given;
mod turn;

use std::sync::{Arc, Mutex, PoisonError};

use agent_client_protocol::schema::ProtocolVersion;
use agent_client_protocol::v1::schema::*;
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
        let builder = Agent.v1();
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
        AuthenticateRequest => authenticate,
        LogoutRequest => logout,
        AuthStatusRequest => auth_status,
        ListProvidersRequest => providers,
        SetProviderRequest => set_provider,
        DisableProviderRequest => disable_provider,
        NewSessionRequest => new_session,
        ResumeSessionRequest => resume,
        ForkSessionRequest => fork,
        ListSessionsRequest => list,
        CloseSessionRequest => close,
        DeleteSessionRequest => delete,
        ArchiveSessionRequest => archive,
        UnarchiveSessionRequest => unarchive,
        SessionStatusRequest => status,
        SessionOptionsRequest => options_of,
        SetSessionTitleRequest => set_title,
        SetSessionModeRequest => set_mode,
        SetSessionConfigOptionRequest => set_option,
    );
    let loading = Arc::clone(&state);
    let prompting = Arc::clone(&state);
    builder
        .on_receive_request(
            async move |request: LoadSessionRequest, responder, cx| {
                let opened = loading.load(&request, &cx);
                responder.respond_with_result(opened)
            },
            agent_client_protocol::on_receive_request!(),
        )
        .on_receive_request(
            async move |request: PromptRequest, responder, cx| {
                let state = Arc::clone(&prompting);
                // From here on a cancel counts, whenever the task begins.
                let record = match state.book.find_open(&request.session_id.0) {
                    Ok(record) => record,
                    Err(error) => return responder.respond_with_error(error),
                };
                let turn =
                    turn::Turn::new(state, cx.clone(), request.session_id.clone(), record.stop());
                cx.spawn(
                    async move { responder.respond_with_result(turn.run(&request.prompt).await) },
                )
            },
            agent_client_protocol::on_receive_request!(),
        )
        .on_receive_notification(
            async move |request: CancelNotification, _cx| {
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
        *self.client.lock().unwrap_or_else(PoisonError::into_inner) = request.client_capabilities;
        let session = SessionCapabilities::new()
            .list(SessionListCapabilities::new())
            .delete(SessionDeleteCapabilities::new())
            .resume(SessionResumeCapabilities::new())
            .close(SessionCloseCapabilities::new())
            .fork(SessionForkCapabilities::new())
            .archive(SessionArchiveCapabilities::new())
            .status(SessionStatusCapabilities::new())
            .options(SessionOptionsCapabilities::new())
            .title(SessionTitleCapabilities::new())
            .additional_directories(SessionAdditionalDirectoriesCapabilities::new())
            .system_prompt(SessionSystemPromptCapabilities::new());
        let capabilities = AgentCapabilities::new()
            .load_session(true)
            .prompt_capabilities(
                PromptCapabilities::new()
                    .image(true)
                    .audio(true)
                    .embedded_context(true),
            )
            .mcp_capabilities(McpCapabilities::new().http(true))
            .session_capabilities(session)
            .auth(
                AgentAuthCapabilities::new()
                    .logout(LogoutCapabilities::new())
                    .status(AuthStatusCapabilities::new()),
            )
            .providers(ProvidersCapabilities::new());
        Ok(InitializeResponse::new(ProtocolVersion::V1)
            .agent_capabilities(capabilities)
            .agent_info(Implementation::new("sdk-agent", "1"))
            .auth_methods(vec![AuthMethod::Agent(AuthMethodAgent::new(
                "key", "A key",
            ))]))
    }

    fn authenticate(&self, request: AuthenticateRequest) -> Result<AuthenticateResponse, Error> {
        if &*request.method_id.0 != "key" {
            return Err(Error::invalid_params());
        }
        self.book.log(true);
        Ok(AuthenticateResponse::new())
    }

    fn logout(&self, _: LogoutRequest) -> Result<LogoutResponse, Error> {
        self.book.log(false);
        Ok(LogoutResponse::new())
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
        let (id, record) = self.book.create(&request.cwd)?;
        self.book.give(
            &id,
            given(
                &request.mcp_servers,
                &request.additional_directories,
                request.system_prompt.as_ref(),
            ),
        )?;
        Ok(NewSessionResponse::new(id)
            .modes(modes(&record))
            .config_options(self.options(&record)))
    }

    fn load(
        &self,
        request: &LoadSessionRequest,
        cx: &agent_client_protocol::v1::ConnectionTo<Client>,
    ) -> Result<LoadSessionResponse, Error> {
        let record = self.book.reopen(&request.session_id.0, &request.cwd)?;
        self.book.give(
            &request.session_id.0,
            given(
                &request.mcp_servers,
                &request.additional_directories,
                request.system_prompt.as_ref(),
            ),
        )?;
        turn::replay(cx, &request.session_id, &record)?;
        Ok(LoadSessionResponse::new()
            .modes(modes(&record))
            .config_options(self.options(&record)))
    }

    fn resume(&self, request: ResumeSessionRequest) -> Result<ResumeSessionResponse, Error> {
        let record = self.book.reopen(&request.session_id.0, &request.cwd)?;
        self.book.give(
            &request.session_id.0,
            given(
                &request.mcp_servers,
                &request.additional_directories,
                request.system_prompt.as_ref(),
            ),
        )?;
        Ok(ResumeSessionResponse::new()
            .modes(modes(&record))
            .config_options(self.options(&record)))
    }

    fn fork(&self, request: ForkSessionRequest) -> Result<ForkSessionResponse, Error> {
        let (id, record) = self.book.fork(&request.session_id.0, &request.cwd)?;
        self.book.give(
            &id,
            given(
                &request.mcp_servers,
                &request.additional_directories,
                request.system_prompt.as_ref(),
            ),
        )?;
        Ok(ForkSessionResponse::new(id)
            .modes(modes(&record))
            .config_options(self.options(&record)))
    }

    fn list(&self, request: ListSessionsRequest) -> Result<ListSessionsResponse, Error> {
        let archived = match request.archived {
            None | Some(SessionArchiveFilter::Exclude) => Archived::Exclude,
            Some(SessionArchiveFilter::Only) => Archived::Only,
            Some(_) => Archived::Include,
        };
        let (page, next) =
            self.book
                .page(request.cwd.as_deref(), archived, request.cursor.as_deref())?;
        let sessions = page.into_iter().map(|(id, record)| {
            SessionInfo::new(id, record.cwd)
                .title(record.title)
                .archived(record.archived)
        });
        Ok(ListSessionsResponse::new(sessions.collect()).next_cursor(next))
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
        Ok(SessionOptionsResponse::new().config_options(self.options(&Record::new(&request.cwd))))
    }

    fn set_title(&self, request: SetSessionTitleRequest) -> Result<SetSessionTitleResponse, Error> {
        let title = request.title.trim().to_owned();
        self.book.change(&request.session_id.0, |record| {
            record.title = Some(title.clone())
        })?;
        Ok(SetSessionTitleResponse::new(title))
    }

    fn set_mode(&self, request: SetSessionModeRequest) -> Result<SetSessionModeResponse, Error> {
        let mode = request.mode_id.0.to_string();
        if !["ask", "auto"].contains(&mode.as_str()) {
            return Err(Error::invalid_params());
        }
        self.book
            .change(&request.session_id.0, |record| record.mode = mode)?;
        Ok(SetSessionModeResponse::new())
    }

    fn set_option(
        &self,
        request: SetSessionConfigOptionRequest,
    ) -> Result<SetSessionConfigOptionResponse, Error> {
        let id = &request.session_id.0;
        match (&*request.config_id.0, &request.value) {
            ("model", SessionConfigOptionValue::ValueId { value })
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
        Ok(SetSessionConfigOptionResponse::new(
            self.options(&self.book.find(id)?),
        ))
    }

    /// What can be set. Booleans only for clients that know them.
    fn options(&self, record: &Record) -> Vec<SessionConfigOption> {
        let models = vec![
            SessionConfigSelectOption::new("small", "Small"),
            SessionConfigSelectOption::new("large", "Large"),
        ];
        let model = SessionConfigOption::select("model", "Model", record.model.clone(), models)
            .category(SessionConfigOptionCategory::Model);
        let mut options = vec![model];
        let session = self.client().session;
        if session
            .and_then(|session| session.config_options)
            .is_some_and(|options| options.boolean.is_some())
        {
            options.push(SessionConfigOption::boolean("brief", "Brief", record.brief));
        }
        options
    }
}

fn modes(record: &Record) -> SessionModeState {
    SessionModeState::new(
        record.mode.clone(),
        vec![
            SessionMode::new("ask", "Ask"),
            SessionMode::new("auto", "Auto"),
        ],
    )
}
