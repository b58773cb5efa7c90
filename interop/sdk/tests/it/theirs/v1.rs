//! Version 1.

use std::collections::BTreeMap;
use std::sync::Arc;

use agent_client_protocol::schema::ProtocolVersion;
use agent_client_protocol::v1::ConnectionTo;
use agent_client_protocol::v1::schema::*;
use agent_client_protocol::{Agent, Client, ConnectTo, Error, UntypedMessage};

use super::abilities::abilities;
use super::{CWD, Person, bounded, code, demo};

type Desk = super::Desk<SessionUpdate>;
type Connection = ConnectionTo<Agent>;

/// A client that declares everything, in front of this agent.
async fn drive<T>(
    desk: &Arc<Desk>,
    agent: impl ConnectTo<Client> + 'static,
    main: impl AsyncFnOnce(Connection) -> Result<T, Error>,
) -> T {
    let (updating, deciding, answering, completing) = (
        Arc::clone(desk),
        Arc::clone(desk),
        Arc::clone(desk),
        Arc::clone(desk),
    );
    let client = Client
        .v1()
        .on_receive_notification(
            async move |note: SessionNotification, _cx| {
                updating.keep(note.update);
                Ok(())
            },
            agent_client_protocol::on_receive_notification!(),
        )
        .on_receive_notification(
            async move |note: CompleteElicitationNotification, _cx| {
                completing
                    .completed
                    .lock()
                    .unwrap()
                    .push(note.elicitation_id.0.to_string());
                Ok(())
            },
            agent_client_protocol::on_receive_notification!(),
        )
        .on_receive_request(
            async move |request: RequestPermissionRequest, responder, _cx| {
                responder.respond(RequestPermissionResponse::new(decide(
                    &request,
                    deciding.person,
                )))
            },
            agent_client_protocol::on_receive_request!(),
        )
        .on_receive_request(
            async move |_: CreateElicitationRequest, responder, _cx| {
                let content =
                    BTreeMap::from([("name".to_owned(), ElicitationContentValue::from("Ada"))]);
                responder.respond(CreateElicitationResponse::new(match answering.person {
                    Person::Agrees => {
                        ElicitationAction::Accept(ElicitationAcceptAction::new().content(content))
                    }
                    Person::Refuses => ElicitationAction::Decline,
                    Person::Leaves => ElicitationAction::Cancel,
                }))
            },
            agent_client_protocol::on_receive_request!(),
        )
        .on_receive_request(
            async move |request: MessageMcpRequest, responder, _cx| {
                assert_eq!(request.method, "tools/list");
                let tools = serde_json::json!({"tools": [{"name": "hammer"}]});
                responder.respond(MessageMcpResponse::success(tools))
            },
            agent_client_protocol::on_receive_request!(),
        )
        .on_receive_request(
            async move |request: ReadTextFileRequest, responder, _cx| {
                let read = std::fs::read_to_string(&request.path);
                responder.respond_with_result(
                    read.map(ReadTextFileResponse::new)
                        .map_err(Error::into_internal_error),
                )
            },
            agent_client_protocol::on_receive_request!(),
        )
        .on_receive_request(
            async move |request: WriteTextFileRequest, responder, _cx| {
                let written = std::fs::write(&request.path, &request.content);
                responder.respond_with_result(
                    written
                        .map(|()| WriteTextFileResponse::new())
                        .map_err(Error::into_internal_error),
                )
            },
            agent_client_protocol::on_receive_request!(),
        )
        .on_receive_request(
            async move |request: CreateTerminalRequest, responder, _cx| {
                let line = [&[request.command], request.args.as_slice()]
                    .concat()
                    .join(" ");
                responder.respond(CreateTerminalResponse::new(line))
            },
            agent_client_protocol::on_receive_request!(),
        )
        .on_receive_request(
            async move |_: WaitForTerminalExitRequest, responder, _cx| {
                responder.respond(WaitForTerminalExitResponse::new(
                    TerminalExitStatus::new().exit_code(7),
                ))
            },
            agent_client_protocol::on_receive_request!(),
        )
        .on_receive_request(
            async move |request: TerminalOutputRequest, responder, _cx| {
                responder.respond(TerminalOutputResponse::new(
                    format!("printed by {}", request.terminal_id),
                    false,
                ))
            },
            agent_client_protocol::on_receive_request!(),
        )
        .on_receive_request(
            async move |_: ReleaseTerminalRequest, responder, _cx| {
                responder.respond(ReleaseTerminalResponse::new())
            },
            agent_client_protocol::on_receive_request!(),
        );
    bounded(
        client.connect_with(agent, async move |connection: Connection| {
            let elicitation = ElicitationCapabilities::new()
                .form(ElicitationFormCapabilities::new())
                .url(ElicitationUrlCapabilities::new());
            let booleans = SessionConfigOptionsCapabilities::new()
                .boolean(BooleanConfigOptionCapabilities::new());
            let session = ClientSessionCapabilities::new()
                .config_options(booleans)
                .notices(NoticeCapabilities::new());
            let capabilities = ClientCapabilities::new()
                .fs(FileSystemCapabilities::new()
                    .read_text_file(true)
                    .write_text_file(true))
                .terminal(true)
                .session(session)
                .elicitation(elicitation);
            let request = InitializeRequest::new(ProtocolVersion::V1)
                .client_capabilities(capabilities)
                .client_info(Implementation::new("interop", "1"));
            let agreed = connection.send_request(request).block_task().await?;
            assert_eq!(agreed.protocol_version, ProtocolVersion::V1);
            assert_eq!(agreed.agent_info.as_ref().unwrap().name, "acp-demo-agent");
            assert!(agreed.agent_capabilities.load_session);
            main(connection).await
        }),
    )
    .await
}

fn decide(request: &RequestPermissionRequest, person: Person) -> RequestPermissionOutcome {
    let kind = match person {
        Person::Agrees => PermissionOptionKind::AllowOnce,
        Person::Refuses => PermissionOptionKind::RejectOnce,
        Person::Leaves => return RequestPermissionOutcome::Cancelled,
    };
    let option = request
        .options
        .iter()
        .find(|option| option.kind == kind)
        .expect("an option of the kind");
    RequestPermissionOutcome::Selected(SelectedPermissionOutcome::new(option.option_id.clone()))
}

async fn open(connection: &Connection) -> Result<NewSessionResponse, Error> {
    connection
        .send_request(NewSessionRequest::new(CWD))
        .block_task()
        .await
}

async fn prompt(
    connection: &Connection,
    session: &SessionId,
    text: &str,
) -> Result<StopReason, Error> {
    let request = PromptRequest::new(session.clone(), vec![text.into()]);
    Ok(connection
        .send_request(request)
        .block_task()
        .await?
        .stop_reason)
}

async fn turn(
    _: &Desk,
    connection: &Connection,
    session: &SessionId,
    text: &str,
) -> Result<StopReason, Error> {
    prompt(connection, session, text).await
}

fn value(id: SessionConfigValueId) -> SessionConfigOptionValue {
    SessionConfigOptionValue::ValueId { value: id }
}

fn choices(options: &Option<Vec<SessionConfigOption>>) -> usize {
    options.iter().flatten().count()
}

/// Whether an option has this value now.
fn shows(options: &Option<Vec<SessionConfigOption>>, id: &str, now: &str) -> bool {
    options.iter().flatten().any(|option| {
        matches!(&option.kind, SessionConfigKind::Select(select) if *select.current_value.0 == *now)
            && *option.id.0 == *id
    })
}

abilities!();

/// What the agent said, joined.
fn said(updates: &[SessionUpdate]) -> String {
    let texts = updates.iter().filter_map(|update| match update {
        SessionUpdate::AgentMessageChunk(chunk) => Some(text(&chunk.content)),
        _ => None,
    });
    texts.collect()
}

fn text(block: &ContentBlock) -> &str {
    match block {
        ContentBlock::Text(text) => &text.text,
        other => panic!("{other:?}"),
    }
}

/// What a demo agent says to one prompt.
async fn answer(person: Person, prompted: &str) -> (String, StopReason) {
    let desk = Desk::new(person);
    drive(&desk, demo(&[]), async |connection| {
        let session = open(&connection).await?.session_id;
        let stop = prompt(&connection, &session, prompted).await?;
        Ok((said(&desk.take()), stop))
    })
    .await
}

#[tokio::test]
async fn an_ordinary_turn_is_whole() {
    let desk = Desk::new(Person::Agrees);
    let (updates, stop) = drive(&desk, demo(&[]), async |connection| {
        let session = open(&connection).await?.session_id;
        let stop = prompt(&connection, &session, "note this down").await?;
        Ok((desk.take(), stop))
    })
    .await;
    assert_eq!(stop, StopReason::EndTurn);
    assert!(
        said(&updates).contains("I added your words"),
        "{}",
        said(&updates)
    );
    let has = |wanted: fn(&SessionUpdate) -> bool| updates.iter().any(wanted);
    assert!(has(|update| matches!(
        update,
        SessionUpdate::AgentThoughtChunk(_)
    )));
    assert!(has(
        |update| matches!(update, SessionUpdate::Plan(plan) if plan.entries.len() == 2)
    ));
    assert!(has(
        |update| matches!(update, SessionUpdate::UsageUpdate(usage) if usage.size == 32_000)
    ));
    let calls = updates
        .iter()
        .filter(|update| matches!(update, SessionUpdate::ToolCall(_)))
        .count();
    assert_eq!(calls, 2);
    let done = updates.iter().filter(|update| match update {
        SessionUpdate::ToolCallUpdate(update) => {
            update.fields.status == Some(ToolCallStatus::Completed)
        }
        _ => false,
    });
    assert_eq!(done.count(), 2);
    let diffs = updates.iter().any(|update| match update {
        SessionUpdate::ToolCallUpdate(update) => {
            let content = update.fields.content.iter().flatten();
            content
                .into_iter()
                .any(|item| matches!(item, ToolCallContent::Diff(diff) if diff.old_text.is_some()))
        }
        _ => false,
    });
    assert!(diffs);
}

#[tokio::test]
async fn permission_is_rejected_or_left() {
    let (said, stop) = answer(Person::Refuses, "note this down").await;
    assert!(said.contains("did not want"), "{said}");
    assert_eq!(stop, StopReason::EndTurn);
    let (said, stop) = answer(Person::Leaves, "note this down").await;
    assert!(said.contains("Nobody decided"), "{said}");
    assert_eq!(stop, StopReason::EndTurn);
}

#[tokio::test]
async fn forms_and_pages() {
    assert_eq!(
        answer(Person::Agrees, "/form").await.0,
        "form: accepted, Ada"
    );
    assert_eq!(answer(Person::Refuses, "/form").await.0, "form: declined");
    assert_eq!(answer(Person::Leaves, "/form").await.0, "form: cancelled");
    let desk = Desk::new(Person::Agrees);
    drive(&desk, demo(&[]), async |connection| {
        let session = open(&connection).await?.session_id;
        prompt(&connection, &session, "/link").await
    })
    .await;
    assert_eq!(*desk.completed.lock().unwrap(), ["demo-link"]);
}

#[tokio::test]
async fn files_and_terminals_of_the_client() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("notes");
    let path = path.to_str().unwrap();
    let (said, _) = answer(Person::Agrees, &format!("/write {path}")).await;
    assert_eq!(said, "write: written");
    let (said, _) = answer(Person::Agrees, &format!("/read {path}")).await;
    assert_eq!(said, "read: written by the demo agent\n");
    let (said, _) = answer(Person::Agrees, "/run").await;
    assert_eq!(said, "exit code 7: printed by echo demo");
}

#[tokio::test]
async fn every_way_to_end() {
    assert_eq!(
        answer(Person::Agrees, "/refuse").await.1,
        StopReason::Refusal
    );
    assert_eq!(
        answer(Person::Agrees, "/limit").await.1,
        StopReason::MaxTokens
    );
    let desk = Desk::new(Person::Agrees);
    let failed = drive(&desk, demo(&[]), async |connection| {
        let session = open(&connection).await?.session_id;
        Ok(prompt(&connection, &session, "/fail").await)
    })
    .await;
    assert_eq!(code(failed), -32603);
}

#[tokio::test]
async fn a_cancelled_turn_says_so() {
    let desk = Desk::new(Person::Agrees);
    let (stop, said) = drive(&desk, demo(&[]), async |connection| {
        let session = open(&connection).await?.session_id;
        let request = PromptRequest::new(session.clone(), vec!["/long".into()]);
        let turn = connection.send_request(request);
        desk.until(|updates| !said(updates).is_empty()).await;
        connection.send_notification(CancelNotification::new(session.clone()))?;
        let stop = turn.block_task().await?.stop_reason;
        let said = said(&desk.take());
        // The session lives.
        prompt(&connection, &session, "/notice").await?;
        Ok((stop, said))
    })
    .await;
    assert_eq!(stop, StopReason::Cancelled);
    assert!(said.ends_with("(stopped)"), "{said}");
}

#[tokio::test]
async fn sessions_are_stored_listed_and_opened_again() {
    let state = tempfile::tempdir().unwrap();
    let args = ["--state", state.path().to_str().unwrap()];
    let desk = Desk::new(Person::Agrees);
    let id = drive(&desk, demo(&args), async |connection| {
        let session = open(&connection).await?.session_id;
        prompt(&connection, &session, "remember me").await?;
        connection
            .send_request(CloseSessionRequest::new(session.clone()))
            .block_task()
            .await?;
        Ok(session)
    })
    .await;
    let first = said(&desk.take());
    // Another process.
    drive(&desk, demo(&args), async |connection| {
        let list = connection
            .send_request(ListSessionsRequest::new())
            .block_task()
            .await?;
        assert_eq!(list.sessions.len(), 1);
        assert_eq!(list.sessions[0].session_id, id);
        assert_eq!(list.sessions[0].title.as_deref(), Some("remember me"));
        connection
            .send_request(LoadSessionRequest::new(id.clone(), CWD))
            .block_task()
            .await?;
        let replayed = desk.take();
        assert_eq!(said(&replayed), first);
        assert!(replayed.iter().any(|update| match update {
            SessionUpdate::UserMessageChunk(chunk) => text(&chunk.content) == "remember me",
            _ => false,
        }));
        assert_eq!(
            prompt(&connection, &id, "and more").await?,
            StopReason::EndTurn
        );
        connection
            .send_request(CloseSessionRequest::new(id.clone()))
            .block_task()
            .await?;
        desk.take();
        connection
            .send_request(ResumeSessionRequest::new(id.clone(), CWD))
            .block_task()
            .await?;
        assert_eq!(said(&desk.take()), "");
        let forked = connection
            .send_request(ForkSessionRequest::new(id.clone(), CWD))
            .block_task()
            .await?;
        assert_ne!(forked.session_id, id);
        let list = connection
            .send_request(ListSessionsRequest::new())
            .block_task()
            .await?;
        assert_eq!(list.sessions.len(), 2);
        connection
            .send_request(DeleteSessionRequest::new(forked.session_id))
            .block_task()
            .await?;
        connection
            .send_request(DeleteSessionRequest::new(id.clone()))
            .block_task()
            .await?;
        let list = connection
            .send_request(ListSessionsRequest::new())
            .block_task()
            .await?;
        assert!(list.sessions.is_empty());
        let gone = connection
            .send_request(LoadSessionRequest::new(id, CWD))
            .block_task()
            .await;
        assert_eq!(code(gone), -32002);
        Ok(())
    })
    .await;
}

#[tokio::test]
async fn options_are_set_and_work() {
    let desk = Desk::new(Person::Refuses);
    drive(&desk, demo(&[]), async |connection| {
        let opened = open(&connection).await?;
        let session = opened.session_id;
        let options = opened.config_options.unwrap();
        assert_eq!(options.len(), 4);
        let set = |option: &'static str, value: SessionConfigOptionValue| {
            connection.send_request(SetSessionConfigOptionRequest::new(session.clone(), option, value)).block_task()
        };
        let id = |value: &'static str| SessionConfigOptionValue::from(SessionConfigValueId::new(value));
        let now = set("mode", id("auto")).await?.config_options;
        let mode = now.iter().find(|option| &*option.id.0 == "mode").unwrap();
        assert!(matches!(&mode.kind, SessionConfigKind::Select(select) if &*select.current_value.0 == "auto"));
        set("effort", id("high")).await?;
        set("usage", SessionConfigOptionValue::boolean(false)).await?;
        // In this mode nobody is asked, and nobody refuses.
        prompt(&connection, &session, "do it").await?;
        let updates = desk.take();
        assert!(said(&updates).contains("I added your words"));
        let thoughts = updates.iter().filter(|update| matches!(update, SessionUpdate::AgentThoughtChunk(_)));
        assert!(thoughts.count() > 0);
        assert!(!updates.iter().any(|update| matches!(update, SessionUpdate::UsageUpdate(_))));
        assert_eq!(code(set("mode", id("nothing")).await), -32602);
        assert_eq!(code(set("nothing", id("auto")).await), -32602);
        Ok(())
    })
    .await;
}

#[tokio::test]
async fn logging_in_and_out() {
    let desk = Desk::new(Person::Agrees);
    drive(&desk, demo(&["--login"]), async |connection| {
        assert_eq!(code(open(&connection).await), -32000);
        assert_eq!(
            code(
                connection
                    .send_request(AuthenticateRequest::new("nothing"))
                    .block_task()
                    .await
            ),
            -32602
        );
        connection
            .send_request(AuthenticateRequest::new("demo-login"))
            .block_task()
            .await?;
        open(&connection).await?;
        connection
            .send_request(LogoutRequest::new())
            .block_task()
            .await?;
        assert_eq!(code(open(&connection).await), -32000);
        Ok(())
    })
    .await;
}

#[tokio::test]
async fn what_is_wrong_is_refused() {
    let desk = Desk::new(Person::Agrees);
    drive(&desk, demo(&[]), async |connection| {
        assert_eq!(
            code(prompt(&connection, &SessionId::new("nobody"), "hello").await),
            -32002
        );
        let relative = connection
            .send_request(NewSessionRequest::new("not/absolute"))
            .block_task()
            .await;
        assert_eq!(code(relative), -32602);
        let unknown = UntypedMessage::new("_nobody/knows", serde_json::json!({}))?;
        assert_eq!(
            code(connection.send_request(unknown).block_task().await),
            -32601
        );
        let session = open(&connection).await?.session_id;
        let empty = connection
            .send_request(PromptRequest::new(session.clone(), vec![]))
            .block_task()
            .await;
        assert_eq!(code(empty), -32602);
        // And the session lives.
        assert_eq!(
            prompt(&connection, &session, "/notice").await?,
            StopReason::EndTurn
        );
        assert!(
            desk.take()
                .iter()
                .any(|update| matches!(update, SessionUpdate::Notice(_)))
        );
        Ok(())
    })
    .await;
}
