//! The pump sleeps when there is nothing to do, and wakes when there is.

use std::{
    pin::Pin,
    sync::{
        Arc,
        atomic::{AtomicUsize, Ordering},
    },
    task::{Context, Poll},
    time::Duration,
};

use acp_client::{Client, Event, Outcome, Pump};
use acp_testkit::{Script, Step, pipe};
use acp_transport::Link;
use serde_json::json;

use crate::stage::World;

/// A pump whose polls are counted.
struct Counted {
    pump: Pump,
    polls: Arc<AtomicUsize>,
}

impl Future for Counted {
    type Output = ();

    fn poll(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<()> {
        self.polls.fetch_add(1, Ordering::SeqCst);
        Pin::new(&mut self.pump).poll(cx)
    }
}

/// A client over a wide pipe whose pump counts; the script opens session `s` first.
fn start(script: Script) -> (Client, Arc<AtomicUsize>) {
    let (host, agent) = pipe(64 * 1024);
    drop(tokio::spawn(async move {
        let mut kept = None;
        Script::new()
            .open("s")
            .then(script)
            .play_and_keep(agent, &mut kept)
            .await
            .unwrap();
        // What was not closed stays open.
        std::future::pending::<()>().await;
    }));
    let link = Link::new(host.reader, host.writer);
    let (client, pump) = World::Memory.builder().connect_with_pump(link).unwrap();
    let polls = Arc::new(AtomicUsize::new(0));
    drop(tokio::spawn(Counted {
        pump,
        polls: Arc::clone(&polls),
    }));
    (client, polls)
}

/// How often the pump is polled while `act` runs.
async fn polls<T>(count: &AtomicUsize, act: impl Future<Output = T>) -> (usize, T) {
    let before = count.load(Ordering::SeqCst);
    let value = act.await;
    (count.load(Ordering::SeqCst) - before, value)
}

#[tokio::test(start_paused = true)]
async fn an_idle_connection_sleeps() {
    let (client, count) = start(Script::new());
    client.initialize().await.unwrap();
    let session = client.new_session("/work").open().await.unwrap();
    let (idle, ()) = polls(&count, tokio::time::sleep(Duration::from_secs(3600))).await;
    assert!(idle < 10, "{idle} polls in an idle hour");
    drop(session);
}

#[tokio::test(start_paused = true)]
async fn a_waiting_turn_sleeps() {
    let script = Script::new()
        .expect("session/prompt")
        .silence_ms(3_000_000)
        .end_turn();
    let (client, count) = start(script);
    client.initialize().await.unwrap();
    let session = client.new_session("/work").open().await.unwrap();
    let budget = acp_client::Budget::defaults().without_idle();
    let turn = session.prompt("go").start_within(&budget).unwrap();
    let (waiting, outcome) = polls(&count, turn.finish()).await;
    assert_eq!(outcome.unwrap().outcome(), Outcome::Completed);
    assert!(waiting < 20, "{waiting} polls in a silent hour");
}

// An agent that holds its ends open and never reads: closing is bounded, and does not spin.
#[tokio::test(start_paused = true)]
async fn closing_is_bounded_without_the_agent() {
    let (client, count) = start(Script::new().expect("session/prompt").hang());
    client.initialize().await.unwrap();
    let session = client.new_session("/work").open().await.unwrap();
    let turn = session.prompt("go").start().unwrap();
    // More than the pipe holds.
    client
        .requester()
        .notify("_fill", &["x".repeat(100_000)])
        .unwrap();
    let began = tokio::time::Instant::now();
    let (closing, _) = polls(&count, client.close()).await;
    assert!(
        began.elapsed() <= Duration::from_secs(3),
        "{:?}",
        began.elapsed()
    );
    assert!(closing < 40, "{closing} polls");
    drop(turn);
}

// An agent that closed its input while we go on sending: no spinning until it is over.
#[tokio::test(start_paused = true)]
async fn a_broken_output_does_not_spin() {
    let script = Script::new()
        .expect("session/prompt")
        .step(Step::CloseInput)
        .silence_ms(600)
        .say("s", "x");
    let (client, count) = start(script);
    client.initialize().await.unwrap();
    let session = client.new_session("/work").open().await.unwrap();
    let mut turn = session.prompt("go").start().unwrap();
    for n in 0..10 {
        client.requester().notify("_more", &json!({ "n": n })).ok();
        tokio::time::sleep(Duration::from_millis(10)).await;
    }
    let (rest, event) = polls(&count, turn.next()).await;
    assert!(matches!(event, Ok(Some(Event::Text(_)))), "{event:?}");
    let (more, ended) = polls(&count, turn.next()).await;
    ended.unwrap_err();
    assert!(rest + more < 20, "{rest} + {more} polls");
}

// One wake-up for many events: a burst that is there at once is read under few polls.
#[tokio::test(start_paused = true)]
async fn a_burst_costs_few_polls() {
    let blast = acp_testkit::Blast::new("s", 2000);
    let script = Script::new()
        .expect("session/prompt")
        .blast(blast)
        .end_turn();
    let (client, count) = start(script);
    client.initialize().await.unwrap();
    let session = client.new_session("/work").open().await.unwrap();
    let mut turn = session.prompt("go").start().unwrap();
    let (burst, events) = polls(&count, crate::reading::count(&mut turn)).await;
    assert_eq!(events, 2000);
    assert!(burst < 60, "{burst} polls for 400 KB");
}

/// An agent that says nothing and never stops: bytes are always there.
struct Blank;

impl tokio::io::AsyncRead for Blank {
    fn poll_read(
        self: Pin<&mut Self>,
        _: &mut Context<'_>,
        buf: &mut tokio::io::ReadBuf<'_>,
    ) -> Poll<std::io::Result<()>> {
        let empty = buf.remaining();
        buf.put_slice(&b"\n".repeat(empty.min(4096)));
        Poll::Ready(Ok(()))
    }
}

// A runtime of one thread looks up from a task that never sleeps only now and then: the host, its
// timers and its signals would wait for that.
#[tokio::test]
async fn a_flood_leaves_the_host_its_turn() {
    let link = Link::new(Blank, tokio::io::sink());
    let (_client, pump) = World::Memory.builder().connect_with_pump(link).unwrap();
    let count = Arc::new(AtomicUsize::new(0));
    drop(tokio::spawn(Counted {
        pump,
        polls: Arc::clone(&count),
    }));
    let (flood, ()) = polls(&count, async {
        for _ in 0..20 {
            tokio::task::yield_now().await;
        }
    })
    .await;
    assert!(
        (1..=100).contains(&flood),
        "{flood} polls in 20 turns of the host"
    );
}

/// Many sessions at once on several threads, each with questions and handlers: nothing is lost,
/// and every turn sees its own events in order.
#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn many_sessions_on_many_threads() {
    let (host, agent) = pipe(777);
    let agent = tokio::spawn(serve(agent));
    let client = World::Memory
        .builder()
        .connect(Link::new(host.reader, host.writer))
        .unwrap();
    client.initialize().await.unwrap();
    let mut turns = tokio::task::JoinSet::new();
    for _ in 0..8 {
        let client = client.clone();
        turns.spawn(async move {
            let session = client.new_session("/work").open().await.unwrap();
            for _ in 0..5 {
                let mut turn = session.prompt("go").start().unwrap();
                let mut next = 0;
                while let Some(event) = turn.next().await.unwrap() {
                    if let Event::Text(chunk) = event {
                        assert_eq!(chunk.to_string(), next.to_string());
                        next += 1;
                    } else if let Event::Permission(ask) = event {
                        tokio::task::yield_now().await;
                        ask.decide(&acp_permission::AllowOnce).unwrap();
                    }
                }
                assert_eq!(next, 20);
                assert_eq!(turn.outcome().unwrap().decisions.len(), 1);
            }
        });
    }
    while let Some(done) = turns.join_next().await {
        done.unwrap();
    }
    client.close().await;
    drop(agent.await.unwrap());
}

/// An agent that answers whatever comes, in whatever order.
async fn serve(end: acp_testkit::End) -> Result<(), acp_testkit::PeerError> {
    let mut peer = acp_testkit::Peer::from(end);
    let mut prompts = std::collections::BTreeMap::new();
    let mut sessions = 0;
    let call = peer.expect("initialize").await?;
    peer.reply(&call, json!({"protocolVersion":1})).await?;
    while let Some(frame) = peer.next().await? {
        let id = frame["id"].clone();
        match frame["method"].as_str() {
            Some("session/new") => {
                sessions += 1;
                let result = json!({"sessionId": sessions.to_string()});
                peer.frame(&json!({"jsonrpc":"2.0","id":id,"result":result}))
                    .await?;
            }
            Some("session/prompt") => {
                let session = frame["params"]["sessionId"]
                    .as_str()
                    .unwrap_or_default()
                    .to_owned();
                for n in 0..10 {
                    peer.say(&session, &n.to_string()).await?;
                }
                let ask = peer.ask_permission(&session, "t").await?;
                prompts.insert(ask, (session, id));
            }
            None => {
                let Some((session, prompt)) = id.as_i64().and_then(|id| prompts.remove(&id)) else {
                    continue;
                };
                assert_eq!(frame["result"]["outcome"]["optionId"], "yes");
                for n in 10..20 {
                    peer.say(&session, &n.to_string()).await?;
                }
                let result = json!({"stopReason":"end_turn"});
                peer.frame(&json!({"jsonrpc":"2.0","id":prompt,"result":result}))
                    .await?;
            }
            Some(_) => {}
        }
    }
    Ok(())
}
