//! Version 2.

use std::collections::BTreeMap;
use std::sync::Arc;

use agent_client_protocol::schema::{MaybeUndefined, ProtocolVersion};
use agent_client_protocol::v2::schema::*;
use agent_client_protocol::v2::{ConnectionTo, InitializeOutcome};
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
        .v2()
        .on_receive_notification(
            async move |note: UpdateSessionNotification, _cx| {
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
        );
    bounded(
        client.connect_with(agent, async move |connection: Connection| {
            let elicitation = ElicitationCapabilities::new()
                .form(ElicitationFormCapabilities::new())
                .url(ElicitationUrlCapabilities::new());
            let request =
                InitializeRequest::new(ProtocolVersion::V2, Implementation::new("interop", "1"))
                    .capabilities(ClientCapabilities::new().elicitation(elicitation));
            let InitializeOutcome::Initialized(agreed) =
                connection.send_initialize(request).block_task().await?
            else {
                panic!("version 2 was not agreed on");
            };
            assert_eq!(agreed.info.name, "acp-demo-agent");
            assert!(agreed.capabilities.session.is_some());
            main(connection).await
        }),
    )
    .await
}

fn decide(request: &RequestPermissionRequest, person: Person) -> RequestPermissionOutcome {
    let kind = match person {
        Person::Agrees => PermissionOptionKind::AllowOnce,
        Person::Refuses => PermissionOptionKind::RejectOnce,
        Person::Leaves => {
            return RequestPermissionOutcome::Cancelled(CancelledPermissionOutcome::new());
        }
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

async fn turn(
    desk: &Desk,
    connection: &Connection,
    session: &SessionId,
    text: &str,
) -> Result<StopReason, Error> {
    prompt(desk, connection, session, text).await
}

fn value(id: SessionConfigValueId) -> SessionConfigOptionValue {
    SessionConfigOptionValue::Id { value: id }
}

fn choices(options: &[SessionConfigOption]) -> usize {
    options.len()
}

/// Whether an option has this value now.
fn shows(options: &[SessionConfigOption], id: &str, now: &str) -> bool {
    options.iter().any(|option| {
        matches!(&option.kind, SessionConfigKind::Select(select) if *select.current_value.0 == *now)
            && *option.config_id.0 == *id
    })
}

abilities!();

/// Sends a prompt and waits for the end of the work that it starts.
async fn prompt(
    desk: &Desk,
    connection: &Connection,
    session: &SessionId,
    text: &str,
) -> Result<StopReason, Error> {
    let before = ends(&desk.updates.lock().unwrap()).count();
    let request = PromptRequest::new(session.clone(), vec![text.into()]);
    let answer = connection.send_request(request).block_task().await?;
    desk.until(|updates| ends(updates).count() > before).await;
    let updates = desk.updates.lock().unwrap();
    // What was inserted is echoed under the id of the answer.
    assert!(updates.iter().any(|update| match update {
        SessionUpdate::UserMessage(message) => message.message_id == answer.message_id,
        SessionUpdate::UserMessageChunk(chunk) => chunk.message_id == answer.message_id,
        _ => false,
    }));
    Ok(ends(&updates).last().unwrap().clone())
}

/// The stop reasons that were reported.
fn ends(updates: &[SessionUpdate]) -> impl Iterator<Item = &StopReason> {
    updates.iter().filter_map(|update| match update {
        SessionUpdate::StateUpdate(StateUpdate::Idle(idle)) => idle.stop_reason.as_ref(),
        _ => None,
    })
}

/// What the agent said, joined.
fn said(updates: &[SessionUpdate]) -> String {
    let mut said = String::new();
    for update in updates {
        match update {
            SessionUpdate::AgentMessageChunk(chunk) => said.push_str(text(&chunk.content)),
            SessionUpdate::AgentMessage(message) => said.extend(whole(&message.content)),
            _ => {}
        }
    }
    said
}

fn whole(content: &MaybeUndefined<Vec<ContentBlock>>) -> Vec<&str> {
    match content {
        MaybeUndefined::Value(blocks) => blocks.iter().map(text).collect(),
        _ => Vec::new(),
    }
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
        let stop = prompt(&desk, &connection, &session, prompted).await?;
        Ok((said(&desk.take()), stop))
    })
    .await
}

#[tokio::test]
async fn an_ordinary_turn_is_whole() {
    let desk = Desk::new(Person::Agrees);
    let (updates, stop) = drive(&desk, demo(&[]), async |connection| {
        let session = open(&connection).await?.session_id;
        let stop = prompt(&desk, &connection, &session, "note this down").await?;
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
        SessionUpdate::StateUpdate(StateUpdate::Running(_))
    )));
    assert!(has(|update| matches!(
        update,
        SessionUpdate::AgentThoughtChunk(_) | SessionUpdate::AgentThought(_)
    )));
    assert!(has(|update| matches!(update, SessionUpdate::PlanUpdate(_))));
    assert!(has(
        |update| matches!(update, SessionUpdate::UsageUpdate(usage) if usage.size == 32_000)
    ));
    assert!(has(|update| matches!(
        update,
        SessionUpdate::TerminalOutputChunk(_) | SessionUpdate::TerminalUpdate(_)
    )));
    let done = updates.iter().filter(|update| match update {
        SessionUpdate::ToolCallUpdate(update) => {
            update.status == MaybeUndefined::Value(ToolCallStatus::Completed)
        }
        _ => false,
    });
    assert_eq!(done.count(), 3);
    let diffs = updates.iter().any(|update| match update {
        SessionUpdate::ToolCallUpdate(ToolCallUpdate { content: MaybeUndefined::Value(content), .. }) => content
            .iter()
            .any(|item| matches!(item, ToolCallContent::Diff(diff) if diff.changes.len() == 1 && diff.patch.is_some())),
        _ => false,
    });
    assert!(diffs);
    // Nothing that the SDK does not know.
    assert!(
        !has(|update| matches!(update, SessionUpdate::Other(_))),
        "{updates:?}"
    );
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
async fn a_question_is_a_state() {
    let desk = Desk::new(Person::Agrees);
    drive(&desk, demo(&[]), async |connection| {
        let session = open(&connection).await?.session_id;
        prompt(&desk, &connection, &session, "/ask").await
    })
    .await;
    let updates = desk.take();
    assert!(said(&updates).contains("I was allowed"));
    let asked = |update: &&SessionUpdate| {
        matches!(
            update,
            SessionUpdate::StateUpdate(StateUpdate::RequiresAction(_))
        )
    };
    assert_eq!(updates.iter().filter(asked).count(), 1);
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
        prompt(&desk, &connection, &session, "/link").await
    })
    .await;
    assert_eq!(*desk.completed.lock().unwrap(), ["demo-link"]);
}

#[tokio::test]
async fn a_terminal_is_shown() {
    let desk = Desk::new(Person::Agrees);
    drive(&desk, demo(&[]), async |connection| {
        let session = open(&connection).await?.session_id;
        prompt(&desk, &connection, &session, "/run").await
    })
    .await;
    let updates = desk.take();
    // The tool call says which terminal it is.
    let id = updates.iter().find_map(|update| match update {
        SessionUpdate::ToolCallUpdate(ToolCallUpdate {
            content: MaybeUndefined::Value(content),
            ..
        }) => content.iter().find_map(|item| match item {
            ToolCallContent::Terminal(terminal) => Some(terminal.terminal_id.clone()),
            _ => None,
        }),
        _ => None,
    });
    let mut shown = TerminalUpdate::new(id.expect("a reference to a terminal"));
    for update in updates {
        if let SessionUpdate::TerminalUpdate(update) = update {
            shown.apply_update(update);
        }
    }
    assert_eq!(shown.command, MaybeUndefined::Value("echo demo".to_owned()));
    assert!(matches!(shown.exit_status, MaybeUndefined::Value(exit) if exit.exit_code == Some(0)));
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
    let (_, stop) = answer(Person::Agrees, "/fail").await;
    let StopReason::Error(error) = stop else {
        panic!("{stop:?}")
    };
    assert!(error.error.is_some());
}

#[tokio::test]
async fn a_cancelled_turn_says_so() {
    let desk = Desk::new(Person::Agrees);
    let (stop, said) = drive(&desk, demo(&[]), async |connection| {
        let session = open(&connection).await?.session_id;
        let request = PromptRequest::new(session.clone(), vec!["/long".into()]);
        connection.send_request(request).block_task().await?;
        desk.until(|updates| !said(updates).is_empty()).await;
        connection.send_notification(CancelSessionNotification::new(session.clone()))?;
        desk.until(|updates| ends(updates).count() > 0).await;
        let updates = desk.take();
        // The session lives.
        assert_eq!(
            prompt(&desk, &connection, &session, "/notice").await?,
            StopReason::EndTurn
        );
        assert!(
            desk.take()
                .iter()
                .any(|update| matches!(update, SessionUpdate::Notice(_)))
        );
        Ok((ends(&updates).last().unwrap().clone(), said(&updates)))
    })
    .await;
    assert_eq!(stop, StopReason::Cancelled);
    assert!(said.ends_with("(stopped)"), "{said}");
}

#[tokio::test]
async fn a_held_prompt_waits_or_is_withdrawn() {
    let desk = Desk::new(Person::Agrees);
    drive(&desk, demo(&[]), async |connection| {
        let session = open(&connection).await?.session_id;
        let send = |text: &str| {
            connection.send_request(PromptRequest::new(session.clone(), vec![text.into()]))
        };
        send("/long").block_task().await?;
        let withdrawn = send("never");
        withdrawn.cancel()?;
        assert_eq!(code(withdrawn.block_task().await), -32800);
        let held = send("/long");
        connection.send_notification(CancelSessionNotification::new(session.clone()))?;
        // Sent before the cancel and not begun: it is withdrawn too.
        assert_eq!(code(held.block_task().await), -32800);
        desk.until(|updates| ends(updates).count() > 0).await;
        assert_eq!(
            prompt(&desk, &connection, &session, "/notice").await?,
            StopReason::EndTurn
        );
        // Held, and begun once the one before is done.
        desk.take();
        send("/long 3").block_task().await?;
        assert_eq!(
            prompt(&desk, &connection, &session, "/notice").await?,
            StopReason::EndTurn
        );
        Ok(())
    })
    .await;
}

#[tokio::test]
async fn sessions_are_stored_listed_and_opened_again() {
    let state = tempfile::tempdir().unwrap();
    let args = ["--state", state.path().to_str().unwrap()];
    let desk = Desk::new(Person::Agrees);
    let id = drive(&desk, demo(&args), async |connection| {
        let session = open(&connection).await?.session_id;
        prompt(&desk, &connection, &session, "remember me").await?;
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
        let replay = ResumeSessionRequest::new(id.clone(), CWD)
            .replay_from(ReplayFrom::Start(ReplayFromStart::new()));
        connection.send_request(replay).block_task().await?;
        let replayed = desk.take();
        assert_eq!(said(&replayed), first);
        assert!(replayed.iter().any(|update| match update {
            SessionUpdate::UserMessage(message) => whole(&message.content) == ["remember me"],
            SessionUpdate::UserMessageChunk(chunk) => text(&chunk.content) == "remember me",
            _ => false,
        }));
        // The marker is newer than this SDK.
        let marker = |update: &&SessionUpdate| match update {
            SessionUpdate::Other(other) => other.session_update == "replay_complete",
            _ => false,
        };
        assert_eq!(replayed.iter().filter(marker).count(), 1);
        assert_eq!(
            prompt(&desk, &connection, &id, "and more").await?,
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
            .send_request(ResumeSessionRequest::new(id, CWD))
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
        assert_eq!(opened.config_options.len(), 4);
        let set = |option: &'static str, value: SessionConfigOptionValue| {
            connection.send_request(SetSessionConfigOptionRequest::new(session.clone(), option, value)).block_task()
        };
        let id = |value: &'static str| SessionConfigOptionValue::Id { value: SessionConfigValueId::new(value) };
        let now = set("mode", id("auto")).await?.config_options;
        let mode = now.iter().find(|option| &*option.config_id.0 == "mode").unwrap();
        assert!(matches!(&mode.kind, SessionConfigKind::Select(select) if &*select.current_value.0 == "auto"));
        set("effort", id("high")).await?;
        set("usage", SessionConfigOptionValue::boolean(false)).await?;
        // In this mode nobody is asked, and nobody refuses.
        prompt(&desk, &connection, &session, "do it").await?;
        let updates = desk.take();
        assert!(said(&updates).contains("I added your words"));
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
                    .send_request(LoginAuthRequest::new("nothing"))
                    .block_task()
                    .await
            ),
            -32602
        );
        connection
            .send_request(LoginAuthRequest::new("demo-login"))
            .block_task()
            .await?;
        open(&connection).await?;
        connection
            .send_request(LogoutAuthRequest::new())
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
            code(prompt(&desk, &connection, &SessionId::new("nobody"), "hello").await),
            -32002
        );
        let unknown = UntypedMessage::new("_nobody/knows", serde_json::json!({}))?;
        assert_eq!(
            code(connection.send_request(unknown).block_task().await),
            -32601
        );
        let session = open(&connection).await?.session_id;
        let send = |blocks| {
            connection
                .send_request(PromptRequest::new(session.clone(), blocks))
                .block_task()
        };
        assert_eq!(code(send(vec![]).await), -32602);
        let nobody = CancelToolCallRequest::new(session.clone(), "nobody");
        assert_eq!(
            code(connection.send_request(nobody).block_task().await),
            -32602
        );
        let nobody = CancelTerminalRequest::new(session.clone(), "nobody");
        assert_eq!(
            code(connection.send_request(nobody).block_task().await),
            -32602
        );
        assert_eq!(
            prompt(&desk, &connection, &session, "/notice").await?,
            StopReason::EndTurn
        );
        Ok(())
    })
    .await;
}
