//! An agent on `acp-serve` that floods its client: a prompt with the text `N` sends N updates, each one
//! admitted to the writer when the bytes of the one before were taken.
use acp_harness::serve::{Agent, Outcome, Outcomes as _, ListRequest, ListSessions, Server, SessionPage, Turn};
use acp_harness::vocab::ErrorObject;
use bench_runner::frames::chunk_text;
use std::error::Error;

struct Flood;

impl Agent for Flood {
    async fn prompt(&self, turn: Turn) -> Outcome {
        let count: u64 = turn.prompt().text().parse().unwrap_or_default();
        for i in 0..count {
            turn.say(chunk_text(i)).await?;
        }
        Outcome::completed()
    }
}

impl ListSessions for Flood {
    async fn list(&self, _request: ListRequest) -> Result<SessionPage, ErrorObject> {
        Ok(SessionPage::default())
    }
}

fn main() -> Result<(), Box<dyn Error>> {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
    runtime.block_on(Server::new(Flood).with_list_sessions().stdio())?;
    Ok(())
}
