//! A program that answers on its standard output, as an agent: `wrap PROGRAM ARGS...` runs the
//! program once for each prompt, with the prompt's text on its input, and streams what it prints.
//!
//! ```sh
//! cargo run -p acp-serve --example wrap -- tr a-z A-Z
//! ```
//!
//! The program is started in the session's directory, asked about before it runs, killed when the
//! turn is cancelled, and never fed through a shell.

use std::{env, ffi::OsString, process::Stdio};

use acp_serve::{
    Agent, Completed, Failure, FailureClass, Outcome, PermissionRequest, Server, Stop, Tool, Turn,
};
use acp_vocab::Implementation;
use tokio::{
    io::{AsyncReadExt as _, AsyncWriteExt as _},
    process::Command,
};

/// Bytes of output that are sent at once.
const CHUNK: usize = 4096;

struct Wrap {
    program: OsString,
    args: Vec<OsString>,
}

impl Agent for Wrap {
    fn info(&self) -> Implementation {
        let mut info = Implementation::new("wrap", env!("CARGO_PKG_VERSION"));
        info.title = Some(format!("{} as an agent", self.program.display()).into());
        info
    }

    async fn prompt(&self, turn: Turn) -> Outcome {
        let tool = Tool::new("run")
            .title(format!("Run {}", self.program.display()))
            .execute()
            .pending();
        turn.tool(tool.clone()).await?;
        let permitted = turn
            .request_permission(PermissionRequest::tool(tool))
            .await?;
        if !permitted.is_allowed() {
            turn.tool(Tool::new("run").failed().text("not permitted"))
                .await?;
            return Err(Stop::PolicyDenied);
        }
        turn.tool(Tool::new("run").running()).await?;
        let code = self.run(&turn).await?;
        let ended = Tool::new("run").text(format!("exit code {code}"));
        if code == 0 {
            turn.tool(ended.completed()).await?;
            Ok(Completed::new())
        } else {
            turn.tool(ended.failed()).await?;
            Err(failed("the program failed"))
        }
    }
}

impl Wrap {
    /// Runs the program to its end and streams its output; its exit code.
    async fn run(&self, turn: &Turn) -> Result<i32, Stop> {
        let mut child = Command::new(&self.program)
            .args(&self.args)
            .current_dir(turn.cwd())
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .kill_on_drop(true)
            .spawn()
            .map_err(|_| failed("the program cannot be started"))?;
        let (Some(mut stdin), Some(mut stdout)) = (child.stdin.take(), child.stdout.take()) else {
            return Err(failed("the program has no standard streams"));
        };
        let text = turn.prompt().text();
        let feed = async move {
            // A program that does not read its input is free not to.
            drop(stdin.write_all(text.as_bytes()).await);
        };
        let stream = async {
            let mut bytes = Vec::new();
            let mut chunk = vec![0; CHUNK];
            loop {
                let count = stdout.read(&mut chunk).await.unwrap_or_default();
                bytes.extend_from_slice(chunk.get(..count).unwrap_or_default());
                // Half a character waits for its other half; at the end there is none.
                let whole = if count == 0 {
                    bytes.len()
                } else {
                    whole(&bytes)
                };
                let rest = bytes.split_off(whole);
                turn.say(String::from_utf8_lossy(&bytes)).await?;
                if count == 0 {
                    return Ok::<(), Stop>(());
                }
                bytes = rest;
            }
        };
        // Dropping the child kills it: a cancelled turn takes its program with it.
        tokio::select! {
            () = turn.cancellation().cancelled() => return Err(Stop::Cancelled),
            ((), streamed) = async { tokio::join!(feed, stream) } => streamed?,
        }
        let status = child
            .wait()
            .await
            .map_err(|_| failed("the program was lost"))?;
        Ok(status.code().unwrap_or(-1))
    }
}

/// How many of the bytes are whole characters, or no characters at all.
fn whole(bytes: &[u8]) -> usize {
    match std::str::from_utf8(bytes) {
        Err(error) if error.error_len().is_none() => error.valid_up_to(),
        _ => bytes.len(),
    }
}

fn failed(what: &str) -> Stop {
    Stop::Failed(Failure::new(FailureClass::Tool, what))
}

#[tokio::main(flavor = "current_thread")]
async fn main() {
    let mut words = env::args_os().skip(1);
    let Some(program) = words.next() else {
        return eprint("usage: wrap PROGRAM ARGS...");
    };
    let wrap = Wrap {
        program,
        args: words.collect(),
    };
    if let Err(error) = Server::new(wrap).stdio().await {
        eprint(&error.to_string());
    }
}

#[expect(clippy::print_stderr, reason = "a program may")]
fn eprint(text: &str) {
    eprintln!("wrap: {text}");
}
