//! What both versions of the official client do in the same words: the archive, titles and states
//! of sessions, options ahead of time, instructions, servers that the client hosts, logins and
//! providers.

macro_rules! abilities {
    () => {
        async fn listed(
            connection: &Connection,
            filter: SessionArchiveFilter,
        ) -> Result<Vec<SessionInfo>, Error> {
            let request = ListSessionsRequest::new().archived(filter);
            let list = connection.send_request(request).block_task().await?;
            Ok(list.sessions)
        }

        #[tokio::test]
        async fn sessions_are_archived_and_named() {
            let desk = Desk::new(Person::Agrees);
            drive(&desk, demo(&[]), async |connection| {
                let session = open(&connection).await?.session_id;
                let named = SetSessionTitleRequest::new(session.clone(), "  A name ");
                let named = connection.send_request(named).block_task().await?;
                assert_eq!(named.title, "A name");
                let archive = ArchiveSessionRequest::new(session.clone());
                connection.send_request(archive).block_task().await?;
                assert!(
                    listed(&connection, SessionArchiveFilter::Exclude)
                        .await?
                        .is_empty()
                );
                let put_away = listed(&connection, SessionArchiveFilter::Only).await?;
                assert_eq!(put_away[0].title.as_deref(), Some("A name"));
                assert_eq!(put_away[0].archived, Some(true));
                let unarchive = UnarchiveSessionRequest::new(session.clone());
                connection.send_request(unarchive).block_task().await?;
                let all = listed(&connection, SessionArchiveFilter::Include).await?;
                assert_eq!(all.len(), 1);
                assert!(
                    listed(&connection, SessionArchiveFilter::Only)
                        .await?
                        .is_empty()
                );
                let status = SessionStatusRequest::new(session.clone());
                let status = connection.send_request(status).block_task().await?;
                assert_eq!(status.status, SessionStatus::Open);
                let close = CloseSessionRequest::new(session.clone());
                connection.send_request(close).block_task().await?;
                let status = SessionStatusRequest::new(session);
                let status = connection.send_request(status).block_task().await?;
                assert_eq!(status.status, SessionStatus::Saved);
                let nobody = SessionStatusRequest::new("nobody");
                assert_eq!(
                    code(connection.send_request(nobody).block_task().await),
                    -32002
                );
                let nobody = ArchiveSessionRequest::new("nobody");
                assert_eq!(
                    code(connection.send_request(nobody).block_task().await),
                    -32002
                );
                Ok(())
            })
            .await;
        }

        #[tokio::test]
        async fn a_session_is_opened_as_it_is_asked_for() {
            let desk = Desk::new(Person::Agrees);
            drive(&desk, demo(&[]), async |connection| {
                let ahead = SessionOptionsRequest::new(CWD);
                let ahead = connection.send_request(ahead).block_task().await?;
                assert_eq!(choices(&ahead.config_options), 4);
                let effort = SessionConfigValueId::new("high");
                let effort = InitialSessionConfigOption::new("effort", value(effort));
                let content = vec!["Be brief".into()];
                let prompt = SystemPrompt::new(content).mode(SystemPromptMode::Override);
                let request = NewSessionRequest::new(CWD)
                    .system_prompt(prompt)
                    .config_options(vec![effort]);
                let opened = connection.send_request(request).block_task().await?;
                assert!(shows(&opened.config_options, "effort", "high"));
                turn(&desk, &connection, &opened.session_id, "note this").await?;
                assert_eq!(said(&desk.take()), "Be brief");
                let nothing = SessionConfigValueId::new("nothing");
                let nothing = InitialSessionConfigOption::new("effort", value(nothing));
                let request = NewSessionRequest::new(CWD).config_options(vec![nothing]);
                assert_eq!(
                    code(connection.send_request(request).block_task().await),
                    -32602
                );
                Ok(())
            })
            .await;
        }

        #[tokio::test]
        async fn servers_of_the_client_are_used() {
            let desk = Desk::new(Person::Agrees);
            drive(&desk, demo(&[]), async |connection| {
                let server = McpServer::Acp(McpServerAcp::new("box", "b"));
                let request = NewSessionRequest::new(CWD).mcp_servers(vec![server]);
                let opened = connection.send_request(request).block_task().await?;
                turn(&desk, &connection, &opened.session_id, "/tools").await?;
                assert_eq!(said(&desk.take()), "tools: box has hammer.");
                Ok(())
            })
            .await;
        }

        #[tokio::test]
        async fn accounts_and_providers() {
            let desk = Desk::new(Person::Agrees);
            drive(&desk, demo(&["--login"]), async |connection| {
                let status = connection
                    .send_request(AuthStatusRequest::new())
                    .block_task()
                    .await?;
                assert_eq!(status.state, AuthState::Unauthenticated);
                let listed = connection
                    .send_request(ListProvidersRequest::new())
                    .block_task()
                    .await?;
                let required: Vec<bool> = listed.providers.iter().map(|it| it.required).collect();
                assert_eq!(required, [true, false]);
                let set = SetProviderRequest::new("spare", LlmProtocol::OpenAi, "http://a");
                connection.send_request(set).block_task().await?;
                let listed = connection
                    .send_request(ListProvidersRequest::new())
                    .block_task()
                    .await?;
                let current = listed.providers[1].current.as_ref().expect("it is set up");
                assert_eq!(current.base_url, "http://a");
                let disable = DisableProviderRequest::new("spare");
                connection.send_request(disable).block_task().await?;
                let disable = DisableProviderRequest::new("demo");
                assert_eq!(
                    code(connection.send_request(disable).block_task().await),
                    -32602
                );
                Ok(())
            })
            .await;
        }
    };
}

pub(super) use abilities;
