//! A script as a real process: one thread, blocking reads and writes, so that an agent that
//! writes does not read, as many real agents behave.

use std::{
    env,
    io::{self, Read, Write},
    path::PathBuf,
    pin::Pin,
    process::{Command, ExitCode, Stdio},
    task::{Context, Poll},
};

use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};

use crate::{peer::Peer, script::Script};

/// The body of a test program that plays the script in its first argument (JSON text, or
/// `@FILE`) over its own standard input and output. With a second argument it writes there, at
/// its end, what it heard, one frame a line. Exit code 70 means that the script failed.
///
/// A crate that wants such a child has a one-line example that calls this, and finds it with
/// [`child_path`].
#[must_use]
pub fn child_main() -> ExitCode {
    match play() {
        Ok(code) => ExitCode::from(code),
        Err(error) => {
            complain(&format!("scripted agent: {error}\n")).ok();
            ExitCode::from(70)
        }
    }
}

/// Where cargo put the example of this name of the crate whose test is running.
///
/// # Errors
/// When the test program's own path is unknown or the example was not built.
pub fn child_path(example: &str) -> io::Result<PathBuf> {
    let test = env::current_exe()?;
    let profile = test
        .parent()
        .and_then(|deps| deps.parent())
        .unwrap_or(&test);
    let path = profile
        .join("examples")
        .join(format!("{example}{}", env::consts::EXE_SUFFIX));
    if path.is_file() {
        Ok(path)
    } else {
        Err(io::Error::new(
            io::ErrorKind::NotFound,
            format!("{} is not built", path.display()),
        ))
    }
}

fn play() -> Result<u8, Box<dyn std::error::Error>> {
    let mut args = env::args().skip(1);
    let text = args.next().ok_or("usage: PROGRAM SCRIPT [HEARD]")?;
    let text = match text.strip_prefix('@') {
        Some(path) => std::fs::read_to_string(path)?,
        None => text,
    };
    let script: Script = serde_json::from_str(&text)?;
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_time()
        .build()?;
    let peer = Peer::new(Blocking(io::stdin()), Blocking(io::stdout()));
    let mut kept = None;
    let played = runtime.block_on(script.play_on(&mut kept, peer, true));
    if let (Some(path), Some(peer)) = (args.next(), kept) {
        let lines: String = peer
            .heard()
            .iter()
            .map(|frame| format!("{frame}\n"))
            .collect();
        std::fs::write(path, lines)?;
    }
    let played = played?;
    Ok(u8::try_from(played.exit.unwrap_or(0))?)
}

pub(crate) fn complain(text: &str) -> io::Result<()> {
    io::stderr().write_all(text.as_bytes())
}

/// Starts a process that holds our standard output and sleeps.
pub(crate) fn leave_orphan(ms: u64) -> io::Result<()> {
    let script = format!(r#"{{"steps":[{{"Silence":{ms}}}]}}"#);
    Command::new(env::current_exe()?)
        .arg(script)
        .stdin(Stdio::null())
        .stdout(Stdio::inherit())
        .stderr(Stdio::null())
        .spawn()
        .map(drop)
}

/// Blocks in `poll`: right for a program that has one thing to do at a time, and wrong anywhere
/// else.
struct Blocking<T>(T);

impl<R: Read + Unpin> AsyncRead for Blocking<R> {
    fn poll_read(
        mut self: Pin<&mut Self>,
        _: &mut Context<'_>,
        buf: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        let count = self.0.read(buf.initialize_unfilled())?;
        buf.advance(count);
        Poll::Ready(Ok(()))
    }
}

impl<W: Write + Unpin> AsyncWrite for Blocking<W> {
    fn poll_write(
        mut self: Pin<&mut Self>,
        _: &mut Context<'_>,
        buf: &[u8],
    ) -> Poll<io::Result<usize>> {
        Poll::Ready(self.0.write(buf))
    }

    fn poll_flush(mut self: Pin<&mut Self>, _: &mut Context<'_>) -> Poll<io::Result<()>> {
        Poll::Ready(self.0.flush())
    }

    fn poll_shutdown(self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        self.poll_flush(cx)
    }
}
