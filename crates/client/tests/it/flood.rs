//! Floods: noise, and a line that never ends. Sizes are a hundredth of the bench's.

use acp_client::{Bound, EndCause};
use acp_testkit::{Script, Step};

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
