//! Where a session works: a place that is the same for the host and the agent.

use acp_client::{RequestError, UsageError};
use acp_testkit::Script;

use crate::sessions::{EVERYTHING_V1, EVERYTHING_V2, agreed};

/// Whoever opens a session in a relative place is told which one it is, and nothing goes out.
#[tokio::test(start_paused = true)]
async fn trap_11_a_relative_path_is_refused_and_named() {
    for initialized in [EVERYTHING_V1, EVERYTHING_V2] {
        let (client, agent) = agreed(initialized, Script::new()).await;
        let refused = |error: RequestError, member: &str| {
            assert!(
                matches!(&error, RequestError::Usage(UsageError::NotAbsolute { member: named }) if &**named == member),
                "{error}"
            );
            assert_eq!(
                error.to_string(),
                format!("{member} is not an absolute path")
            );
        };
        for cwd in ["", ".", "work", "./work", "~/work", "C:work", "\\work"] {
            refused(client.new_session(cwd).open().await.unwrap_err(), "cwd");
            refused(client.load("s", cwd).open().await.unwrap_err(), "cwd");
            refused(client.resume("s", cwd).open().await.unwrap_err(), "cwd");
            refused(client.fork("s", cwd).open().await.unwrap_err(), "cwd");
            refused(client.session_options(cwd).await.unwrap_err(), "cwd");
            let list = client.sessions().in_directory(cwd);
            refused(list.all(1).await.unwrap_err(), "cwd");
        }
        let beside = client.new_session("/w").directory("/x").directory("y");
        refused(beside.open().await.unwrap_err(), "additionalDirectories[1]");
        let heard = agent.heard_after_close(&client).await;
        assert_eq!(heard.methods(), ["initialize"]);
    }
}

/// The agent may live on another system than the host: what is absolute there goes out as it is.
#[tokio::test(start_paused = true)]
async fn a_path_is_absolute_that_is_so_on_any_system() {
    for initialized in [EVERYTHING_V1, EVERYTHING_V2] {
        let mut script = Script::new();
        let places = ["/", "/w", "C:\\work", "d:/work", "\\\\server\\share\\work"];
        for (index, _) in places.iter().enumerate() {
            let opened = format!(r#"{{"sessionId":"s{index}"}}"#);
            script = script.expect("session/new").reply(&opened);
        }
        let (client, agent) = agreed(initialized, script).await;
        for place in places {
            let session = client.new_session(place).open().await.expect("a session");
            assert_eq!(session.cwd(), place);
        }
        let heard = agent.heard_after_close(&client).await;
        let asked: Vec<&str> = heard
            .0
            .iter()
            .filter(|frame| frame["method"] == "session/new")
            .filter_map(|frame| frame["params"]["cwd"].as_str())
            .collect();
        assert_eq!(asked, places);
    }
}
