//! Agents for tests: one that does what the prompt says, with every ability. It waits in virtual time:
//! whoever makes it wait has `start_paused = true`.

use std::{
    sync::{
        Arc, Mutex,
        atomic::{AtomicBool, AtomicU64, Ordering},
    },
    time::Duration,
};

use acp_serve::{
    Agent, ArchiveSession, Auth, AuthStatus, CloseSession, Completed, DeleteSession, Failure,
    FailureClass, FileChange, ForkRequest, ForkSession, Limit, ListRequest, ListSessions,
    LoadRequest, LoadSession, LoginMethod, McpServer, NewSession, Opened, OptionValue, Options,
    OptionsRequest, Outcome, Outcomes as _, PermissionRequest, ProviderSetup, Providers,
    SessionOption, SessionPage, SessionStatus, SetTitle, SetupOptions, SlashCommand, Stop, Tool,
    Turn, refusal,
};
use acp_vocab::{
    AuthAccount, AuthMethodId, AuthState, AuthStatusResponse, ContentBlock, ErrorObject,
    Implementation, LlmProtocol, McpServerAcpId, PlanEntry, PlanEntryPriority, PlanEntryStatus,
    ProviderId, ProviderInfo, SessionConfigBoolean, SessionConfigId, SessionConfigOptionCategory,
    SessionConfigSelectOption, SessionConfigValueId, SessionId, SessionStatus as Status,
    UsageUpdate,
    v2::{SessionConfigKind, SessionConfigSelect, SessionConfigSelectOptions, SessionInfo},
};

/// What a test can see of the agent.
#[derive(Debug, Default)]
pub(crate) struct Seen {
    /// Events that were taken from the handler.
    pub(crate) sent: AtomicU64,
    /// What happened, in order.
    pub(crate) notes: Mutex<Vec<String>>,
    pub(crate) mode: Mutex<Option<SessionConfigValueId>>,
    pub(crate) on: Mutex<bool>,
    pub(crate) archived: AtomicBool,
}

impl Seen {
    pub(crate) fn note(&self, note: impl Into<String>) {
        self.notes.lock().expect("lock").push(note.into());
    }

    pub(crate) fn notes(&self) -> Vec<String> {
        self.notes.lock().expect("lock").clone()
    }

    pub(crate) fn sent(&self) -> u64 {
        self.sent.load(Ordering::Acquire)
    }
}

/// Does what the first word of the prompt says.
#[derive(Debug, Clone, Default)]
pub(crate) struct Puppet {
    pub(crate) seen: Arc<Seen>,
}

impl Puppet {
    pub(crate) fn options(&self) -> Vec<SessionOption> {
        let now = self.seen.mode.lock().expect("lock").clone();
        let now = now.unwrap_or_else(|| "ask".into());
        let values = vec![
            SessionConfigSelectOption::new("ask", "Ask"),
            SessionConfigSelectOption::new("auto", "Auto"),
        ];
        let select = SessionConfigSelect::new(now, SessionConfigSelectOptions::Ungrouped(values));
        let mut mode = SessionOption::new("mode", "Mode", SessionConfigKind::Select(select));
        mode.category = Some(SessionConfigOptionCategory::Mode);
        let on = *self.seen.on.lock().expect("lock");
        let boolean = SessionConfigKind::Boolean(SessionConfigBoolean::new(on));
        vec![mode, SessionOption::new("loud", "Loud", boolean)]
    }
}

impl Agent for Puppet {
    fn info(&self) -> Implementation {
        Implementation::new("puppet", "1.0.0")
    }

    async fn new_session(&self, request: NewSession) -> Result<Opened, ErrorObject> {
        self.seen
            .note(format!("new {}", request.setup().cwd().display()));
        if let Some(prompt) = request.setup().system_prompt() {
            let text = prompt.content.first().and_then(|block| block.as_text());
            self.seen
                .note(format!("{} {}", prompt.mode, text.unwrap_or_default()));
        }
        for server in request.setup().mcp_servers() {
            if let McpServer::Hosted { name, id, .. } = server {
                self.seen.note(format!("hosted {name} {id}"));
            }
        }
        Ok(Opened::new()
            .options(self.options())
            .commands(vec![SlashCommand::new("go", "Go").hint("where")]))
    }

    async fn prompt(&self, turn: Turn) -> Outcome {
        let text = turn.prompt().text();
        let mut words = text.split(' ');
        let verb = words.next().unwrap_or_default();
        let rest: Vec<&str> = words.collect();
        let count = rest
            .first()
            .and_then(|word| word.parse().ok())
            .unwrap_or(3_u64);
        match verb {
            "say" => {
                for word in rest {
                    turn.say(word).await?;
                }
            }
            "count" => {
                for number in 0..count {
                    turn.say(format!("{number};")).await?;
                    self.seen.sent.fetch_add(1, Ordering::AcqRel);
                }
            }
            "blast" => {
                let text = "x".repeat(4096);
                for _ in 0..count {
                    turn.updates().new_message();
                    turn.say(text.as_str()).await?;
                    self.seen.sent.fetch_add(1, Ordering::AcqRel);
                }
            }
            "wait" => {
                turn.cancellation().cancelled().await;
                self.seen.note("told to stop");
                tokio::time::sleep(Duration::from_millis(10 * count)).await;
                turn.last_words().say("bye").await?;
                self.seen.note("cleaned up");
                return Outcome::cancelled();
            }
            "ignore" => {
                self.seen.note("ignoring");
                std::future::pending::<()>().await;
            }
            "deaf" => {
                // Never looks at its token, and ends well.
                tokio::time::sleep(Duration::from_secs(count)).await;
                self.seen.note("done all the same");
            }
            "panic" => panic!("the handler was told to"),
            "fail" => {
                return Outcome::failed(Failure::new(FailureClass::Provider, "told to fail"));
            }
            "auth" => return Outcome::failed(Failure::new(FailureClass::Auth, "log in")),
            "deny" => return Err(Stop::PolicyDenied),
            "tokens" => return Err(Stop::LimitExceeded(Limit::Tokens)),
            "long" => {
                turn.say("z".repeat(usize::try_from(count).expect("fits")))
                    .await?;
            }
            "tools" => {
                for number in 0..count {
                    let id = format!("t{number}");
                    turn.tool(Tool::new(id.as_str()).title("A tool").running())
                        .await?;
                }
                turn.cancellation().cancelled().await;
                return Outcome::cancelled();
            }
            "models" => {
                for _ in 0..count {
                    turn.model_call()?;
                }
            }
            "edit" => {
                let change = FileChange::modified("/w/a.txt", "one\ntwo\n", "one\n2\n");
                let tool = Tool::new("edit").title("Edit a.txt").edit().pending();
                let tool = tool.diff(change).location("/w/a.txt");
                turn.think("hm").await?;
                let entry =
                    PlanEntry::new("edit", PlanEntryPriority::High, PlanEntryStatus::Pending);
                turn.plan(vec![entry]).await?;
                turn.tool(tool.clone()).await?;
                let decided = turn
                    .request_permission(PermissionRequest::tool(tool))
                    .await?;
                self.seen.note(format!("{decided:?}"));
                let done = Tool::new("edit");
                let done = if decided.is_allowed() {
                    done.completed()
                } else {
                    done.failed()
                };
                turn.tool(done).await?;
                turn.usage(UsageUpdate::new(10_u64, 100_u64)).await?;
                turn.say("done").await?;
            }
            "late" => {
                let later = turn.clone();
                let seen = Arc::clone(&self.seen);
                tokio::spawn(async move {
                    tokio::time::sleep(Duration::from_secs(1)).await;
                    let sent = later.say("too late").await;
                    seen.note(format!("{sent:?}"));
                });
            }
            "fs" => {
                let read = turn
                    .client()
                    .read_text_file("/w/a.txt", Some(1), None)
                    .await;
                self.seen.note(match read {
                    Ok(text) => format!("read {text}"),
                    Err(error) => error.to_string(),
                });
            }
            "terminal" => {
                let terminal = turn
                    .client()
                    .run_command("echo", &["a b"], None, Some(10))
                    .await?;
                let exit = terminal.wait().await?;
                self.seen.note(format!("exit {:?}", exit.exit_code));
            }
            "display" => {
                turn.tool(Tool::new("run").title("Run").execute().running())
                    .await?;
                let display = turn.updates().display("run");
                display.command("echo hi", "/w").await?;
                display.output(b"hi\n").await?;
                display.exited(0).await?;
            }
            "pause" => {
                turn.say("one ").await?;
                turn.say("two ").await?;
                turn.say("three ").await?;
                tokio::time::sleep(Duration::from_millis(50)).await;
                turn.say("four ").await?;
                turn.tool(Tool::new("t").title("A tool").completed())
                    .await?;
            }
            "tool" => {
                turn.tool(Tool::new("t").title("A tool").running()).await?;
                let stop = turn.updates().cancellable("t").await?;
                stop.cancelled().await;
                let status = acp_vocab::ToolCallStatus::Cancelled;
                turn.tool(Tool::new("t").status(status)).await?;
                turn.say("goes on").await?;
            }
            "mode" => {
                *self.seen.mode.lock().expect("lock") = Some("auto".into());
                turn.updates().options(self.options()).await?;
            }
            "form" => {
                let schema = acp_vocab::ElicitationSchema::new();
                let answer = turn.client().ask_form("Who?", schema).await;
                self.seen.note(match answer {
                    Ok(action) => format!("{action:?}"),
                    Err(error) => error.to_string(),
                });
            }
            "link" => {
                let answer = turn
                    .client()
                    .ask_url("Go?", "l1", "https://example.com")
                    .await;
                self.seen.note(match answer {
                    Ok(action) => format!("{action:?}"),
                    Err(error) => error.to_string(),
                });
                if turn.client().url_completed("l1").await.is_err() {
                    self.seen.note("not told");
                }
            }
            "mcp" => {
                let server = McpServerAcpId::from("srv");
                let params = serde_json::json!({"name": "look"});
                let mut call = turn.client().mcp(&server, "tools/call", &params)?;
                while let Some(notice) = call.next().await {
                    self.seen.note(format!("meanwhile {}", notice.method));
                }
                self.seen.note(match call.answer().await? {
                    Ok(result) => format!("result {}", result.get()),
                    Err(error) => format!("error {}", error.code),
                });
            }
            "relogin" => {
                let status = AuthStatusResponse::new(AuthState::Unauthenticated);
                if let Err(error) = turn.client().login_changed(status).await {
                    self.seen.note(error.to_string());
                }
            }
            "impatient" => {
                let request = PermissionRequest::new("Quick?");
                let asked = turn.request_permission(request);
                let waited = tokio::time::timeout(Duration::from_secs(1), asked).await;
                self.seen.note(if waited.is_err() {
                    "gave up"
                } else {
                    "answered"
                });
                turn.say("on").await?;
            }
            "output" => {
                return Ok(Completed::new()
                    .output("the answer")
                    .structured(acp_vocab::Raw::from_text(r#"{"n":1}"#).expect("JSON")));
            }
            _ => turn.say(text.as_str()).await?,
        }
        Outcome::completed()
    }
}

impl LoadSession for Puppet {
    async fn load(&self, request: LoadRequest) -> Result<Opened, ErrorObject> {
        if request.id().as_str() != "stored" {
            return Err(refusal::unknown_session(request.id()));
        }
        // Long enough for something else to happen meanwhile.
        tokio::time::sleep(Duration::from_millis(100)).await;
        if let Some(replay) = request.replay() {
            let sent = async {
                replay.user(vec![ContentBlock::text("hello")]).await?;
                replay.thought("hm").await?;
                replay
                    .tool(Tool::new("old").title("Old").read().completed().text("3"))
                    .await?;
                replay.agent("hi").await
            };
            sent.await.map_err(|_| refusal::internal("cut off"))?;
        }
        Ok(Opened::new().options(self.options()))
    }
}

impl ListSessions for Puppet {
    async fn list(&self, request: ListRequest) -> Result<SessionPage, ErrorObject> {
        if request.cursor.is_some() {
            return Err(refusal::invalid("cursor"));
        }
        let archived = self.seen.archived.load(Ordering::Acquire);
        if !request.archived.shows(archived) {
            return Ok(SessionPage::default());
        }
        let mut info = SessionInfo::new("stored", "/w");
        info.title = Some("Stored".into());
        info.archived = archived.then_some(true);
        Ok(SessionPage::last(vec![info]))
    }
}

impl CloseSession for Puppet {
    async fn close(&self, session: &SessionId) -> Result<(), ErrorObject> {
        self.seen.note(if session.as_str() == "stored" {
            "close stored"
        } else {
            "close"
        });
        Ok(())
    }
}

impl DeleteSession for Puppet {
    async fn delete(&self, _: &SessionId) -> Result<(), ErrorObject> {
        self.seen.note("delete");
        Ok(())
    }
}

impl ForkSession for Puppet {
    async fn fork(&self, request: ForkRequest) -> Result<Opened, ErrorObject> {
        self.seen.note(format!("fork {}", request.from()));
        Ok(Opened::new())
    }
}

impl Options for Puppet {
    async fn set(
        &self,
        _: &SessionId,
        option: &SessionConfigId,
        value: OptionValue,
    ) -> Result<Vec<SessionOption>, ErrorObject> {
        self.seen.note(format!("set {option}"));
        match value {
            OptionValue::Id(id) => *self.seen.mode.lock().expect("lock") = Some(id),
            OptionValue::Boolean(on) => *self.seen.on.lock().expect("lock") = on,
            _ => {}
        }
        Ok(self.options())
    }
}

impl SetupOptions for Puppet {
    async fn preview(&self, request: OptionsRequest) -> Result<Opened, ErrorObject> {
        self.seen.note(format!("preview {:?}", request.session));
        Ok(Opened::new()
            .options(self.options())
            .commands(vec![SlashCommand::new("go", "Go")]))
    }
}

impl ArchiveSession for Puppet {
    async fn archive(&self, session: &SessionId) -> Result<(), ErrorObject> {
        known(session)?;
        self.seen.archived.store(true, Ordering::Release);
        Ok(())
    }

    async fn unarchive(&self, session: &SessionId) -> Result<(), ErrorObject> {
        known(session)?;
        self.seen.archived.store(false, Ordering::Release);
        Ok(())
    }
}

impl SetTitle for Puppet {
    async fn set_title(
        &self,
        session: &SessionId,
        title: Box<str>,
    ) -> Result<Box<str>, ErrorObject> {
        known(session)?;
        Ok(title.trim().into())
    }
}

impl SessionStatus for Puppet {
    async fn status(&self, session: &SessionId) -> Result<Status, ErrorObject> {
        known(session).map(|()| Status::Saved)
    }
}

/// The one session that is stored.
fn known(session: &SessionId) -> Result<(), ErrorObject> {
    if session.as_str() == "stored" {
        Ok(())
    } else {
        Err(refusal::unknown_session(session))
    }
}

impl AuthStatus for Puppet {
    async fn auth_status(&self) -> Result<AuthStatusResponse, ErrorObject> {
        let mut status = AuthStatusResponse::new(AuthState::Authenticated);
        status.accounts = vec![AuthAccount::new("someone")];
        Ok(status)
    }
}

impl Providers for Puppet {
    async fn providers(&self) -> Result<Vec<ProviderInfo>, ErrorObject> {
        let apis = vec![LlmProtocol::Anthropic, LlmProtocol::Other("_own".into())];
        Ok(vec![
            ProviderInfo::new("main", apis, true),
            ProviderInfo::new("spare", vec![LlmProtocol::Openai], false),
        ])
    }

    async fn set_provider(&self, setup: ProviderSetup) -> Result<(), ErrorObject> {
        self.seen.note(format!("{setup:?} at {}", setup.base_url));
        Ok(())
    }

    async fn disable_provider(&self, provider: &ProviderId) -> Result<(), ErrorObject> {
        self.seen.note(format!("without {provider}"));
        Ok(())
    }
}

impl Auth for Puppet {
    fn methods(&self) -> Vec<LoginMethod> {
        vec![
            LoginMethod::new("key", "Key"),
            LoginMethod::new("tty", "Terminal").in_terminal(&["--login"]),
        ]
    }

    async fn login(&self, method: &AuthMethodId) -> Result<(), ErrorObject> {
        self.seen.note(format!("login {method}"));
        Ok(())
    }

    async fn logout(&self) -> Result<(), ErrorObject> {
        self.seen.note("logout");
        Ok(())
    }
}

/// The baseline and nothing more.
#[derive(Debug)]
pub(crate) struct Echo;

impl Agent for Echo {
    async fn prompt(&self, turn: Turn) -> Outcome {
        for word in turn.prompt().text().split(' ') {
            turn.say(word).await?;
        }
        Outcome::completed()
    }
}
