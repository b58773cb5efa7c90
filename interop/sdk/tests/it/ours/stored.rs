//! Sessions that the agent has stored: opened again, listed, changed, closed, deleted.

use acp_harness::client::{Axis, Wishes};
use acp_harness::vocab::{
    ContentBlock, EnvVariable, ErrorCode, HttpHeader, SessionArchiveFilter, SessionStatus,
    SystemPrompt, SystemPromptMode, v1,
};
use acp_harness::{Client, RequestError, Session};

use crate::host::{Person, line, watch};
use crate::peer::{CWD, Peer, budget};

super::over_every_peer!(
    a_loaded_session_replays_what_was_said,
    a_loaded_session_goes_on,
    a_resumed_session_replays_nothing,
    a_forked_session_knows_what_was_said,
    sessions_are_listed_by_pages,
    sessions_are_archived,
    a_session_has_a_title_and_a_status,
    a_deleted_session_is_gone,
    what_a_session_is_opened_with_arrives,
    options_are_shown_and_set,
    modes_are_set,
    what_a_directory_would_offer,
);

/// Something to replay, in a session that is closed again.
async fn with_history(client: &Client) -> Session {
    let session = client
        .new_session(CWD)
        .open_within(&budget())
        .await
        .unwrap();
    for prompt in ["think one", "two"] {
        let turn = session.prompt(prompt).start_within(&budget()).unwrap();
        watch(turn, Person::Leaves).await;
    }
    session.close().await.unwrap();
    session
}

const HISTORY: [&str; 5] = [
    "user think one",
    "thought hm",
    "text one",
    "user two",
    "text two",
];

async fn a_loaded_session_replays_what_was_said(peer: Peer) {
    let client = peer.client().await;
    let id = with_history(&client).await.id().clone();
    let mut replay = client
        .load(id.clone(), CWD)
        .replay_within(&budget())
        .unwrap();
    let mut lines = Vec::new();
    while lines.len() < HISTORY.len() {
        let received = replay.events().next().await.unwrap().unwrap();
        assert!(received.replay, "{:?}", received.event);
        lines.push(line(&received.event));
    }
    assert_eq!(lines, HISTORY);
    let session = replay.finish().await.unwrap();
    assert_eq!(session.id(), &id);
    client.close().await;
}

async fn a_loaded_session_goes_on(peer: Peer) {
    let client = peer.client().await;
    let id = with_history(&client).await.id().clone();
    let session = client.load(id, CWD).open_within(&budget()).await.unwrap();
    let turn = session.prompt("three").start_within(&budget()).unwrap();
    let seen = watch(turn, Person::Leaves).await;
    let lines: Vec<_> = seen
        .lines
        .iter()
        .filter(|line| !line.starts_with("user "))
        .collect();
    assert_eq!(lines, ["text three"]);
    client.close().await;
}

async fn a_resumed_session_replays_nothing(peer: Peer) {
    let client = peer.client().await;
    let id = with_history(&client).await.id().clone();
    let session = client.resume(id, CWD).open_within(&budget()).await.unwrap();
    let turn = session.prompt("three").start_within(&budget()).unwrap();
    let seen = watch(turn, Person::Leaves).await;
    let lines: Vec<_> = seen
        .lines
        .iter()
        .filter(|line| !line.starts_with("user "))
        .collect();
    assert_eq!(lines, ["text three"]);
    client.close().await;
}

async fn a_forked_session_knows_what_was_said(peer: Peer) {
    let client = peer.client().await;
    let source = with_history(&client).await.id().clone();
    let forked = client
        .fork(source.clone(), "/elsewhere")
        .open_within(&budget())
        .await
        .unwrap();
    assert_ne!(forked.id(), &source);
    let id = forked.id().clone();
    forked.close().await.unwrap();
    let mut replay = client
        .load(id, "/elsewhere")
        .replay_within(&budget())
        .unwrap();
    for expected in HISTORY {
        assert_eq!(
            line(&replay.events().next().await.unwrap().unwrap().event),
            expected
        );
    }
    replay.finish().await.unwrap();
    client.close().await;
}

async fn sessions_are_listed_by_pages(peer: Peer) {
    let client = peer.client().await;
    let mut ids = Vec::new();
    for cwd in [CWD, CWD, CWD, "/elsewhere", CWD] {
        ids.push(
            client
                .new_session(cwd)
                .open_within(&budget())
                .await
                .unwrap()
                .id()
                .to_string(),
        );
    }
    let page = client
        .sessions()
        .page_within(None, &budget())
        .await
        .unwrap();
    assert_eq!(page.sessions.len(), 2);
    assert!(page.next_cursor.is_some());
    let all = client.sessions().all_within(100, &budget()).await.unwrap();
    let mut listed: Vec<_> = all.iter().map(|info| info.session_id.to_string()).collect();
    listed.sort();
    ids.sort();
    assert_eq!(listed, ids);
    let there = client
        .sessions()
        .in_directory("/elsewhere")
        .all(100)
        .await
        .unwrap();
    assert_eq!(there.len(), 1);
    assert_eq!(there[0].cwd.to_string(), "/elsewhere");
    let refused = client
        .sessions()
        .page_within(Some("no cursor"), &budget())
        .await
        .unwrap_err();
    assert_eq!(refused.refusal().unwrap().code, ErrorCode::INVALID_PARAMS);
    client.close().await;
}

async fn sessions_are_archived(peer: Peer) {
    let (client, session) = peer.session().await;
    client.archive_session(session.id()).await.unwrap();
    let listed = |filter| {
        let list = client.sessions().archived(filter);
        async move { list.all(100).await.unwrap().len() }
    };
    assert_eq!(client.sessions().all(100).await.unwrap().len(), 0);
    assert_eq!(listed(SessionArchiveFilter::Only).await, 1);
    client.unarchive_session(session.id()).await.unwrap();
    assert_eq!(client.sessions().all(100).await.unwrap().len(), 1);
    assert_eq!(listed(SessionArchiveFilter::Only).await, 0);
    client.close().await;
}

async fn a_session_has_a_title_and_a_status(peer: Peer) {
    let (client, session) = peer.session().await;
    // The agent has the last word about it.
    assert_eq!(&*session.set_title("  My work ").await.unwrap(), "My work");
    assert_eq!(
        &*client
            .set_session_title(session.id(), "Other")
            .await
            .unwrap(),
        "Other"
    );
    let all = client.sessions().all(1).await.unwrap();
    assert_eq!(all[0].title.as_deref(), Some("Other"));
    assert_eq!(session.status().await.unwrap().status, SessionStatus::Open);
    session.close().await.unwrap();
    assert_eq!(
        client.session_status(session.id()).await.unwrap().status,
        SessionStatus::Saved
    );
    client.close().await;
}

async fn a_deleted_session_is_gone(peer: Peer) {
    let (client, session) = peer.session().await;
    let id = session.id().clone();
    session.delete().await.unwrap();
    assert_eq!(client.sessions().all(100).await.unwrap().len(), 0);
    let gone = client
        .resume(id.clone(), CWD)
        .open_within(&budget())
        .await
        .unwrap_err();
    assert!(gone.is_session_unavailable(&id), "{gone}");
    // Twice is once, and closing what is not there is done.
    client.delete_session(&id).await.unwrap();
    client.close_session(&id).await.unwrap();
    client.close().await;
}

async fn what_a_session_is_opened_with_arrives(peer: Peer) {
    let client = peer.client().await;
    let mut files = v1::McpServerStdio::new("files", "/bin/files");
    files.args = vec!["--root".into(), "/a b".into()];
    files.env = vec![EnvVariable::new("LEVEL", "1")];
    let mut web = v1::McpServerHttp::new("web", "https://example.com/mcp");
    web.headers = vec![HttpHeader::new("X-Kind", "demo")];
    let servers = [v1::McpServer::Stdio(files), v1::McpServer::Http(web)];
    let brief = SystemPrompt::new(
        SystemPromptMode::Append,
        vec![ContentBlock::text("Be brief.")],
    );
    let session = client
        .new_session(CWD)
        .tools(servers.clone())
        .directory("/more")
        .system_prompt(brief.clone())
        .open_within(&budget())
        .await
        .unwrap();
    let all = "stdio files /bin/files LEVEL=1 --root /a b; http web https://example.com/mcp X-Kind=demo; \
               in /more; append Be brief.";
    assert_eq!(given(&session).await, all);
    let id = session.id().clone();
    session.close().await.unwrap();
    // Nothing is restored: it is said again, or it is not there.
    let again = client
        .resume(id.clone(), CWD)
        .open_within(&budget())
        .await
        .unwrap();
    assert_eq!(given(&again).await, "");
    again.close().await.unwrap();
    let again = client
        .load(id, CWD)
        .tools(servers)
        .directory("/more")
        .system_prompt(brief);
    assert_eq!(
        given(&again.open_within(&budget()).await.unwrap()).await,
        all
    );
    // What the agent does not take is refused before it is sent.
    let other = SystemPrompt::new(
        SystemPromptMode::Override,
        vec![ContentBlock::text("You are a cat.")],
    );
    let refused = client
        .new_session(CWD)
        .system_prompt(other)
        .open_within(&budget())
        .await
        .unwrap_err();
    assert!(
        matches!(refused, RequestError::Unsupported { .. }),
        "{refused}"
    );
    client.close().await;
}

/// What the agent says that the session was opened with.
async fn given(session: &Session) -> String {
    let turn = session.prompt("given").start_within(&budget()).unwrap();
    watch(turn, Person::Leaves).await.texts().concat()
}

async fn options_are_shown_and_set(peer: Peer) {
    let (client, session) = peer.session().await;
    let set = session.choose(Wishes::new().model("large")).await.unwrap();
    assert_eq!(set.len(), 1);
    assert!(set[0].confirmed);
    assert_eq!(session.in_force(Axis::Model).as_deref(), Some("large"));
    let answer = session.set_config_option("brief", true).await.unwrap();
    assert!(answer.get().contains("true"), "{}", answer.get());
    let refused = session
        .choose(Wishes::new().model("lrage"))
        .await
        .unwrap_err();
    assert!(refused.choice().is_some(), "{refused}");
    let refused = session
        .set_config_option("model", "huge")
        .await
        .unwrap_err();
    assert_eq!(refused.refusal().unwrap().code, ErrorCode::INVALID_PARAMS);
    client.close().await;
}

async fn modes_are_set(peer: Peer) {
    let (client, session) = peer.session().await;
    let refused = session.set_mode("nothing").await.unwrap_err();
    assert!(
        matches!(refused, RequestError::NotOffered { .. }),
        "{refused}"
    );
    if peer.is_v2() {
        assert!(session.modes().is_none());
    } else {
        session.set_mode("auto").await.unwrap();
    }
    client.close().await;
}

async fn what_a_directory_would_offer(peer: Peer) {
    let client = peer.client().await;
    if peer.is_node() {
        // Newer than that SDK: not advertised, so never asked.
        let refused = client.session_options(CWD).await.unwrap_err();
        assert!(
            matches!(refused, RequestError::NotAdvertised(_)),
            "{refused}"
        );
        client.close().await;
        return;
    }
    let options = client.session_options(CWD).await.unwrap();
    assert_eq!(options.config().len(), 2);
    assert_eq!(client.sessions().all(100).await.unwrap().len(), 0);
    client.close().await;
}
