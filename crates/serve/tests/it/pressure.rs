//! Back-pressure: nothing is produced that the client's pipe has no room for, and reading goes on.

use std::{
    pin::Pin,
    sync::{
        Arc,
        atomic::{AtomicUsize, Ordering},
    },
    task::{Context, Poll},
    time::Duration,
};

use acp_serve::{Coalesce, Config};
use serde_json::json;

use crate::driver::{Driver, V1, V2, puppet};

/// Over a pipe of one byte that nobody reads, a handler gets no further than the queue, the event in
/// the writer and the one in its hands.
#[tokio::test(start_paused = true)]
async fn production_stops_with_the_pipe() {
    for version in [V1, V2] {
        let (mut driver, session) = Driver::open(1, version, Config::default()).await;
        let prompt = driver.prompt(&session, "count 100").await;
        tokio::time::sleep(Duration::from_secs(20)).await;
        let stalled = driver.seen.sent();
        let bound = Config::default().events as u64 + 1;
        assert!(stalled <= bound, "{stalled} events are ahead of the pipe");
        tokio::time::sleep(Duration::from_secs(5)).await;
        assert_eq!(driver.seen.sent(), stalled);
        // Then everything comes, in order.
        assert_eq!(driver.end(prompt).await, "end_turn");
        let expected: String = (0..100).map(|number| format!("{number};")).collect();
        assert_eq!(driver.text(), expected);
    }
}

/// The handler's next event is admitted when the bytes of the one before have left.
#[tokio::test(start_paused = true)]
async fn one_event_at_a_time_is_in_the_writer() {
    let mut config = Config::default();
    config.events = 1;
    let (mut driver, session) = Driver::open(100_000, V1, config).await;
    let before = driver.meter.taken();
    driver.prompt(&session, "blast 1000").await;
    tokio::time::sleep(Duration::from_secs(1)).await;
    // The pipe is full of whole events; one is half in, one waits in the queue, one in the hand.
    let in_pipe = driver.meter.written() - before;
    assert_eq!(in_pipe, 100_000);
    let line = 4096 + 200;
    let fit = in_pipe / line;
    let sent = driver.seen.sent();
    assert!(sent <= fit + 4, "{sent} events sent, {fit} fit");
}

/// A cancel, while the handler waits for the pipe, reaches it at once.
#[tokio::test(start_paused = true)]
async fn a_cancel_reaches_a_blocked_handler() {
    for version in [V1, V2] {
        let (mut driver, session) = Driver::open(1, version, Config::default()).await;
        let prompt = driver.prompt(&session, "count 1000").await;
        tokio::time::sleep(Duration::from_secs(5)).await;
        let sent = driver.seen.sent();
        let before = tokio::time::Instant::now();
        driver.cancel(&session).await;
        assert_eq!(driver.end(prompt).await, "cancelled");
        assert!(before.elapsed() < Duration::from_millis(1));
        // What was in flight arrived, and nothing more was produced.
        assert_eq!(driver.seen.sent(), sent);
        let expected: String = (0..sent).map(|number| format!("{number};")).collect();
        assert_eq!(driver.text(), expected);
    }
}

/// Requests are handled while a handler waits for the pipe; only their answers wait.
#[tokio::test(start_paused = true)]
async fn reading_goes_on() {
    let (mut driver, session) = Driver::open(1, V1, Config::default()).await;
    let prompt = driver.prompt(&session, "count 100").await;
    tokio::time::sleep(Duration::from_secs(1)).await;
    let params = json!({"methodId": "key"});
    let login = driver.peer.ask("authenticate", params).await.expect("sent");
    tokio::time::sleep(Duration::from_secs(1)).await;
    assert_eq!(driver.seen.notes()[1..], ["login key"]);
    assert_eq!(driver.answer(login).await["result"], json!({}));
    assert_eq!(driver.end(prompt).await, "end_turn");
}

#[tokio::test(start_paused = true)]
async fn a_client_that_stops_reading_is_left() {
    let (mut driver, session) = Driver::open(1, V1, Config::default()).await;
    driver.prompt(&session, "count 1000").await;
    let before = tokio::time::Instant::now();
    let error = driver.server.await.expect("no panic").expect_err("stalled");
    let waited = before.elapsed();
    assert!(
        error.to_string().starts_with("the client stopped reading"),
        "{error}"
    );
    let config = Config::default();
    assert!(waited >= config.stall && waited <= config.stall + config.farewell + config.flush);
}

/// A client that reads a byte now and then is slow, and not gone.
#[tokio::test(start_paused = true)]
async fn a_slow_client_is_served() {
    let mut config = Config::default();
    config.stall = Duration::from_secs(2);
    let (mut driver, session) = Driver::open(64, V1, config).await;
    let prompt = driver.prompt(&session, "count 30").await;
    for _ in 0..20 {
        tokio::time::sleep(Duration::from_millis(1500)).await;
        driver.peer.next().await.expect("a frame");
    }
    assert_eq!(driver.end(prompt).await, "end_turn");
}

/// Answers that nobody takes stop the reading, not the memory.
#[tokio::test(start_paused = true)]
async fn unread_answers_are_bounded() {
    let mut config = Config::default();
    config.answers = 2000;
    let mut driver = Driver::raw(64, config);
    driver.initialize(V1).await;
    let flood = async {
        for number in 0..10_000 {
            let line = format!(r#"{{"jsonrpc":"2.0","id":"n{number}","method":"none"}}"#);
            driver.peer.line(&line).await?;
        }
        Ok::<_, acp_testkit::PeerError>(())
    };
    let sent = tokio::time::timeout(Duration::from_secs(5), flood).await;
    assert!(sent.is_err(), "the server went on reading");
}

/// Without the extension nothing is joined.
#[tokio::test(start_paused = true)]
async fn text_is_not_joined_for_those_who_did_not_ask() {
    let mut config = Config::default();
    config.coalesce = Some(Coalesce::default());
    let (mut driver, session) = Driver::open(4096, V1, config).await;
    let prompt = driver.prompt(&session, "count 10").await;
    assert_eq!(driver.end(prompt).await, "end_turn");
    let chunks = driver
        .kinds()
        .iter()
        .filter(|kind| *kind == "agent_message_chunk")
        .count();
    assert_eq!(chunks, 10);
}

/// A client that says nothing and never stops: bytes are always there. It counts how often it is
/// read.
struct Blank(Arc<AtomicUsize>);

impl tokio::io::AsyncRead for Blank {
    fn poll_read(
        self: Pin<&mut Self>,
        _: &mut Context<'_>,
        buf: &mut tokio::io::ReadBuf<'_>,
    ) -> Poll<std::io::Result<()>> {
        self.0.fetch_add(1, Ordering::SeqCst);
        buf.put_slice(&b"\n".repeat(buf.remaining().min(64)));
        Poll::Ready(Ok(()))
    }
}

/// A runtime of one thread looks up from a task that never sleeps only now and then: handlers,
/// timers and signals would wait for that.
#[tokio::test]
async fn a_flood_leaves_others_their_turn() {
    let reads = Arc::new(AtomicUsize::new(0));
    let (server, _seen) = puppet();
    let server = tokio::spawn(server.serve(Blank(Arc::clone(&reads)), tokio::io::sink()));
    for _ in 0..20 {
        tokio::task::yield_now().await;
    }
    let flood = reads.load(Ordering::SeqCst);
    assert!(
        (1..5000).contains(&flood),
        "{flood} reads in 20 turns of others"
    );
    server.abort();
}
