//! Real processes. Everything is waited for by an event: a line, the end of a pipe, an exit.

mod owned;
mod shutdown;
mod spawn;
#[cfg(target_os = "linux")]
mod survivors;

use std::time::Duration;

use acp_transport::{Child, Command, Grace, Reader};
use tokio::io::{AsyncBufReadExt, AsyncReadExt, BufReader};

use crate::soon;

/// A shell script as an agent, with grace periods that a test can wait for.
fn script(text: &str) -> Command {
    Command::new("sh")
        .args(["-c", text])
        .grace(Grace::new(millis(150), millis(150)))
}

fn start(text: &str) -> Child {
    script(text).spawn().unwrap()
}

const fn millis(count: u64) -> Duration {
    Duration::from_millis(count)
}

/// The lines of an agent's output.
struct Lines(BufReader<Reader>);

impl Lines {
    fn of(reader: Reader) -> Self {
        Self(BufReader::new(reader))
    }

    async fn next(&mut self) -> String {
        let mut line = String::new();
        soon(self.0.read_line(&mut line)).await.unwrap();
        line.trim_end().to_owned()
    }

    /// Everything up to the end, which comes when the last holder of the pipe is dead.
    async fn rest(mut self) -> String {
        let mut rest = String::new();
        soon(self.0.read_to_string(&mut rest)).await.unwrap();
        rest
    }
}
