//! A host in a few lines: starts the program named by its arguments, shows what it prints, and ends
//! with it.
//!
//! `cargo run --example host -- sh -c 'echo hello'`. Kill it with `SIGKILL` while the program runs:
//! the program and its children are gone, too. The tests do just that.

use acp_transport::{Command, TransportError};

#[tokio::main(flavor = "current_thread")]
async fn main() -> Result<(), TransportError> {
    let mut command = Command::from_argv(std::env::args_os().skip(1)).forward_stderr();
    if std::env::var_os("HOST_WITHOUT_GUARD").is_some() {
        command = command.without_guard();
    }
    let child = command.spawn()?;
    let name = child.handle().name().clone();
    let (mut reader, writer, peer) = child.into_link().into_parts();

    let failed = |source| TransportError::io("reading from", name.clone(), source);
    let mut stdout = tokio::io::stdout();
    tokio::io::copy(&mut reader, &mut stdout)
        .await
        .map_err(failed)?;
    drop(writer);
    let ended = peer.shutdown().await;
    if ended.exit().is_some_and(|exit| !exit.is_success()) {
        return Err(TransportError::ended_while(
            "showing its output",
            "the program",
            ended,
        ));
    }
    Ok(())
}
