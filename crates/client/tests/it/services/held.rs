//! What handlers hold of an agent's questions is bounded, too.

use std::sync::{
    Arc,
    atomic::{AtomicUsize, Ordering},
};

use acp_client::{Handler, Handling, Question};
use serde_json::json;
use tokio::sync::Semaphore;

use super::*;

const MIB: usize = 1024 * 1024;

/// Takes what it is given and goes on when it is let.
struct Slow {
    started: AtomicUsize,
    go: Semaphore,
}

struct Registered(Arc<Slow>);

impl Handler for Registered {
    fn extensions(&self) -> Vec<Box<str>> {
        vec!["_host/take".into()]
    }

    fn handle(self: Arc<Self>, question: Question) -> Handling {
        Box::pin(async move {
            self.0.started.fetch_add(1, Ordering::Relaxed);
            drop(self.0.go.acquire().await);
            question.result(&json!({"bytes": question.raw().get().len()}))
        })
    }
}

// 8: what is open counts. Handlers that take their time hold so much, then the agent is held back;
// every question has its answer in the end.
#[tokio::test(start_paused = true)]
async fn rule_08_handlers_hold_a_bounded_part_of_what_is_asked() {
    const COUNT: usize = 24;
    let slow = Arc::new(Slow {
        started: AtomicUsize::new(0),
        go: Semaphore::new(0),
    });
    let handler = Registered(Arc::clone(&slow));
    let mut rig = Rig::open(builder().handler(handler), Path::new("/")).await;
    let text = "x".repeat(MIB);
    let agent = async {
        let mut asked = Vec::new();
        for _ in 0..COUNT {
            asked.push(rig.start("_host/take", json!({"text": text})).await);
        }
        for id in asked {
            let answer = rig.peer.expect_answer(id).await.unwrap();
            assert!(answer["result"]["bytes"].as_u64().unwrap() > MIB as u64);
        }
    };
    let host = async {
        tokio::time::sleep(Duration::from_secs(5)).await;
        // Eight of them are 8 MiB and a little.
        let started = slow.started.load(Ordering::Relaxed);
        assert_eq!(started, 8, "handlers that run");
        slow.go.add_permits(COUNT);
    };
    tokio::join!(agent, host);
    assert_eq!(slow.started.load(Ordering::Relaxed), COUNT);
}
