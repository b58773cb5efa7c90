//! Floods: noise, and a line that never ends. Sizes are a hundredth of the bench's.

use acp_client::{Bound, EndCause};
use acp_testkit::{Script, Step};
use acp_vocab::ProtocolVersion;

use crate::stage::World;

/// 1 MiB of banners at a time.
fn noise() -> Vec<u8> {
    b"starting the language server ... done\n".repeat(1024 * 1024 / 38)
}

// Noise is counted, a bounded number of samples is kept, and the idle bound ends the turn.
#[tokio::test]
async fn noise_ends_by_the_idle_bound() {
    let world = World::Child;
    let flood = Script::new().step(Step::Bytes(noise()));
    let script = Script::new()
        .expect("session/prompt")
        .repeat(100_000, flood);
    let (client, session, _agent) = world.open(script).await;
    let mut turn = session
        .prompt("go")
        .start_within(&world.idle(10_000))
        .unwrap();
    let error = turn.next().await.unwrap_err();
    let deadline = error.deadline().unwrap_or_else(|| panic!("{error}"));
    assert_eq!((deadline.bound, deadline.frames), (Bound::Idle, 0));
    let skipped = client.skipped().total();
    assert!(skipped > 1000, "{skipped}");
    assert!(
        client.samples().len() <= client_samples(),
        "{}",
        client.samples().len()
    );
    assert_eq!(client.unread_bytes(), 0);
    // The agent is in the middle of a write; it is taken down all the same.
    client.close().await;
}

// Standard error is drained beside the turn and costs its tail only, in both versions.
#[tokio::test]
async fn words_on_standard_error_stop_nothing() {
    for version in [1, 2] {
        let words = Script::new().step(Step::Complain("still thinking about it\n".repeat(40_000)));
        let script = Script::new().repeat(16, words);
        let (initialized, taken, said, ended) = if version == 1 {
            let said =
                r#"{"sessionUpdate":"agent_message_chunk","content":{"type":"text","text":"x"}}"#;
            (r#"{"protocolVersion":1}"#, None, said, None)
        } else {
            let said = r#"{"sessionUpdate":"agent_message_chunk","messageId":"a","content":{"type":"text","text":"x"}}"#;
            let initialized = r#"{"protocolVersion":2,"info":{"name":"a","version":"1"},"capabilities":{"session":{}}}"#;
            let idle = r#"{"sessionUpdate":"state_update","state":"idle","stopReason":"end_turn"}"#;
            (initialized, Some(r#"{"messageId":"m"}"#), said, Some(idle))
        };
        let mut turn = Script::new()
            .expect("initialize")
            .reply(initialized)
            .expect("session/new")
            .reply(r#"{"sessionId":"s"}"#)
            .expect("session/prompt");
        if let Some(taken) = taken {
            turn = turn.reply(taken);
        }
        turn = turn.then(script).update("s", said);
        turn = match ended {
            Some(idle) => turn.update("s", idle),
            None => turn.end_turn(),
        };
        let builder = World::Child
            .builder()
            .versions([ProtocolVersion::V1, ProtocolVersion::V2]);
        let (client, _agent) = World::Child.start_with(builder, turn.drain());
        client.initialize().await.unwrap();
        let session = client.new_session("/w").open().await.unwrap();
        let mut turn = session.prompt("go").start().unwrap();
        let mut texts = 0;
        while let Some(event) = turn.next().await.unwrap() {
            texts += usize::from(event.name() == "text");
        }
        assert_eq!(texts, 1, "v{version}");
        let ended = client.close().await;
        let kept = ended.stderr_tail().len();
        assert!(
            (1..=64 * 1024).contains(&kept),
            "v{version}: {kept} bytes of 15 MiB"
        );
    }
}

fn client_samples() -> usize {
    acp_client::Limits::default().samples
}

// A line over the bound ends the connection, and memory stays at the bound.
#[tokio::test]
async fn an_endless_line_is_refused() {
    let world = World::Child;
    let endless = Script::new().half(&"x".repeat(1024 * 1024));
    let script = Script::new()
        .expect("session/prompt")
        .half("{")
        .repeat(100_000, endless);
    let mut limits = world.limits();
    limits.line_bytes = 4 * 1024 * 1024;
    let (client, session, _agent) = world
        .open_with(world.builder().limits(limits), script)
        .await;
    let before = resident();
    let mut turn = session.prompt("go").start().unwrap();
    let error = turn.next().await.unwrap_err();
    let connection = error.connection().unwrap_or_else(|| panic!("{error}"));
    assert!(
        matches!(connection.cause(), EndCause::Protocol(_)),
        "{connection}"
    );
    assert!(error.to_string().contains("4194304"), "{error}");
    let grown = resident().saturating_sub(before);
    assert!(
        grown < 16 * 1024,
        "{grown} KiB more than before a line of 4 MiB"
    );
    client.close().await;
}

/// Memory of this process in KiB, by the kernel's count.
fn resident() -> u64 {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = status.lines().find(|line| line.starts_with("VmRSS:"));
    line.and_then(|line| line.split_whitespace().nth(1)?.parse().ok())
        .unwrap_or(0)
}
