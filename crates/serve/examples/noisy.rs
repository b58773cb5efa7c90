//! An agent whose program prints to standard output all the same; the tests look at what becomes of
//! it.
#![expect(
    clippy::print_stdout,
    clippy::print_stderr,
    reason = "that is what it is for"
)]

use std::process::Command;

use acp_serve::{Agent, Outcome, Outcomes as _, Server, Stdout, Turn};

struct Noisy;

impl Agent for Noisy {
    async fn prompt(&self, turn: Turn) -> Outcome {
        let text = turn.prompt().text();
        match text.split_once(' ').unwrap_or((&text, "")) {
            ("print", _) => {
                println!("printed in a turn");
                drop(Command::new("echo").arg("printed by a child").status());
            }
            ("wait", _) => {
                turn.say("waiting").await?;
                turn.cancellation().cancelled().await;
                eprintln!("cleaned up");
                return Outcome::cancelled();
            }
            ("blast", count) => {
                for number in 0..count.parse::<u64>().unwrap_or_default() {
                    let sent = turn.say(format!("{number:x<4096}")).await;
                    if sent.is_err() {
                        eprintln!("stopped at {number}");
                    }
                    sent?;
                }
            }
            _ => turn.say(text.as_str()).await?,
        }
        Outcome::completed()
    }
}

#[tokio::main(flavor = "current_thread")]
async fn main() {
    let Ok(stdout) = Stdout::take() else {
        return;
    };
    println!("printed before");
    match Server::new(Noisy).serve_stdout(stdout).await {
        Ok(report) => eprintln!("stray output: {} bytes", report.stray_output),
        Err(error) => eprintln!("{error}"),
    }
}
