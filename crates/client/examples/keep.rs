//! A session that is kept over an agent that dies: `cargo run --example keep -- AGENT ARGS...`.
//!
//! It sends the same prompt again and again; end the agent's process in between and see what comes
//! of it. A turn that was lost is told and not repeated.

#![expect(clippy::print_stdout, reason = "what it is for")]

use std::error::Error;

use acp_client::{Budget, Client, Event, Keeper, Respawn};
use acp_transport::Command;

#[tokio::main(flavor = "current_thread")]
async fn main() -> Result<(), Box<dyn Error>> {
    let argv: Vec<_> = std::env::args_os().skip(1).collect();
    let cwd = std::env::current_dir()?;
    let cwd = cwd.to_str().ok_or("the directory is not UTF-8")?;
    let connector = Box::new(Command::from_argv(&argv));
    let builder = Client::builder("keep", "1.0");
    let budget = Budget::defaults();
    let policy = Respawn::default();
    let mut kept = Keeper::open(builder, connector, cwd, [], policy, &budget).await?;
    for round in 1..=3 {
        println!("round {round}, session {}", kept.session().id());
        let mut turn = kept.session().prompt("count slowly to forty").start()?;
        let lost = loop {
            match turn.next().await {
                Ok(Some(Event::Text(text))) => print!("{text}"),
                Ok(Some(_)) => {}
                Ok(None) => break None,
                Err(error) => break Some(error),
            }
        };
        println!();
        if let Some(error) = lost {
            println!("lost: {error}");
            kept.client().closed().await;
            if let Some(revived) = kept.revive(&Budget::defaults()).await? {
                println!("{:?} after {} tries", revived.restored, revived.tries);
            }
        }
    }
    kept.client().close().await;
    Ok(())
}
