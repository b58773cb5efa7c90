//! Our client of the blasting agent: `bench-ours CASE N ORDER BLASTER|pipe`.
//!
//! It reads as a host would write it: no handler, no shortcut, the default limits.
use acp_harness::transport::{Child, Link};
use acp_harness::vocab::ContentBlock;
use acp_harness::{Client, ContentChange, Event, Session, ToolContent, permission};
use bench_runner::{blaster, frames::Digest, meter};
use std::error::Error;
use std::time::{Duration, Instant};
use tokio_util::io::SyncIoBridge;

#[global_allocator]
static COUNTING: meter::Counting = meter::Counting;

fn main() -> Result<(), Box<dyn Error>> {
    let args: Vec<String> = std::env::args().skip(1).collect();
    let [case, count, order, blaster] = args.as_slice() else { return Err("four arguments".into()) };
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
    runtime.block_on(run(case, count, order, blaster))
}

async fn run(case: &str, count: &str, order: &str, peer: &str) -> Result<(), Box<dyn Error>> {
    let scene: Vec<String> = match case {
        "roundtrip" => vec!["roundtrip".into()],
        "permission" => vec!["permission".into(), count.into()],
        "big" => vec!["big".into(), count.into()],
        _ => vec!["updates".into(), count.into(), order.into()],
    };
    let count: u64 = count.parse()?;
    let link = if peer == "pipe" { in_memory(&scene)? } else { Child::spawn(std::iter::once(peer.to_owned()).chain(scene))?.into_link() };
    let client = Client::builder("bench", "0").connect(link)?;
    client.initialize().await?;
    let session = client.new_session("/").open().await?;
    let meter = meter::Meter::start();
    if case == "roundtrip" {
        let mut micros = Vec::with_capacity(count as usize);
        for i in 0..count {
            let start = Instant::now();
            session.set_mode(if i % 2 == 0 { "b" } else { "a" }).await?;
            micros.push(start.elapsed().as_micros() as u64);
        }
        meter.report(count, (0, 0), Some(meter::percentiles(&mut micros)));
    } else {
        let throttle = (case == "slow").then(|| Instant::now() + Duration::from_secs(20));
        let digest = prompt(&session, throttle).await?;
        meter.report(count, digest.finish(), None);
    }
    client.close().await;
    Ok(())
}

async fn prompt(session: &Session, throttle: Option<Instant>) -> Result<Digest, Box<dyn Error>> {
    let mut digest = Digest::default();
    let mut turn = session.prompt("go").start()?;
    while let Some(event) = turn.next().await? {
        match event {
            Event::Text(chunk) => {
                if let ContentBlock::Text(text) = &chunk.content {
                    digest.add(&text.text);
                }
            }
            Event::Tool(tool) => {
                if let ContentChange::Replace(items) = &tool.change.content {
                    for item in items {
                        if let ToolContent::Content(ContentBlock::Text(text)) = item {
                            digest.add(&text.text);
                        }
                    }
                }
            }
            Event::Permission(ask) => {
                ask.decide(&permission::AllowOnce)?;
            }
            _ => {}
        }
        if throttle.is_some_and(|until| Instant::now() < until) {
            tokio::time::sleep(Duration::from_millis(1)).await;
        }
    }
    Ok(digest)
}

/// The agent on a thread of this process, behind an in-memory stream of 64 KiB.
fn in_memory(scene: &[String]) -> Result<Link, Box<dyn Error>> {
    let (client, agent) = tokio::io::duplex(64 * 1024);
    let (read, write) = tokio::io::split(agent);
    let handle = tokio::runtime::Handle::current();
    let scene = blaster::Scene::parse(scene).ok_or("no such scene")?;
    std::thread::spawn(move || {
        let input = SyncIoBridge::new_with_handle(read, handle.clone());
        let output = SyncIoBridge::new_with_handle(write, handle);
        blaster::serve(scene, input, output)
    });
    Ok(Link::from_stream(client))
}
