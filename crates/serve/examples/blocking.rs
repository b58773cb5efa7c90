//! An agent whose handler blocks its thread for ever, for the tests of what becomes of it: the
//! process ends all the same.
#![expect(clippy::print_stderr, reason = "the tests read it there")]

use acp_serve::{Agent, Outcome, Outcomes as _, Server, Turn};

struct Blocking;

impl Agent for Blocking {
    async fn prompt(&self, turn: Turn) -> Outcome {
        turn.say("waiting").await?;
        if turn.prompt().text() == "block" {
            loop {
                std::thread::park();
            }
        }
        turn.cancellation().cancelled().await;
        Outcome::cancelled()
    }
}

fn main() {
    match Server::new(Blocking).run() {
        Ok(report) => eprintln!("abandoned: {}", report.abandoned),
        Err(error) => eprintln!("{error}"),
    }
}
