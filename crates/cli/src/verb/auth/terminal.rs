//! A login that is a command of the agent's: a person answers it in this terminal.

use acp_harness::handshake::AuthCommand;

use crate::{
    exit::Exit, failure::Broken, hiargs::Started, login::ran, safe, signal::Signal, start::word,
    talk::Talk,
};

/// Runs the command to its end. Whoever interrupts it interrupts us.
///
/// It is the agent's own command with the arguments and variables of the method, word by word: no shell reads it.
pub(super) async fn log_in(
    talk: &mut Talk,
    started: &Started,
    method: &str,
    command: Option<&AuthCommand>,
) -> Result<Option<Signal>, Broken> {
    let Some(command) = command else {
        return Err(Broken::new(
            Exit::Protocol,
            "protocol_error",
            format!(
                "the login {} is a command, and the agent does not say it in a form that can be run",
                safe::line(method, 60)
            ),
        ));
    };
    let shown = ran(command, &started.agent);
    if !person::is_there() {
        return Err(Broken::new(
            Exit::AuthRequired,
            "no_terminal",
            format!(
                "the login {} is a command that a person answers, and there is no terminal here",
                safe::line(method, 60)
            ),
        )
        .hint(format!(
            "in a terminal: acp auth login {}{}\nit runs: {shown}",
            word(method),
            talk.tail
        )));
    }
    talk.enter("login");
    talk.say_what_runs(&shown);
    person::answers(talk, started, command).await
}

#[cfg(unix)]
mod person {
    use std::{
        io::{self, IsTerminal as _},
        time::Duration,
    };

    use acp_harness::{
        handshake::AuthCommand,
        transport::{Exit as Exited, Grace},
    };
    use rustix::{process::getpgrp, termios::tcgetpgrp};
    use tokio::time::timeout;

    use crate::{
        duration,
        exit::Exit,
        failure::Broken,
        hiargs::{Bound, Started},
        signal::Signal,
        start,
        talk::Talk,
    };

    /// How long a person may take, when no bound is named.
    const PATIENCE: Duration = Duration::from_secs(600);
    /// The command gets SIGTERM at once when it has to go, and a moment for its last words.
    const GRACE: Grace = Grace::new(Duration::ZERO, Duration::from_secs(2));
    const SIGINT: i32 = 2;

    /// Whether somebody reads what it prints, and can answer: from the background nobody can be asked.
    pub(super) fn is_there() -> bool {
        let is_ours = || tcgetpgrp(io::stdin()).is_ok_and(|foreground| foreground == getpgrp());
        io::stdin().is_terminal() && io::stderr().is_terminal() && is_ours()
    }

    pub(super) async fn answers(
        talk: &mut Talk,
        started: &Started,
        command: &AuthCommand,
    ) -> Result<Option<Signal>, Broken> {
        let run = command.env.iter().fold(
            start::command(started)?.args(command.args.iter().map(|argument| &**argument)),
            |run, (name, value)| run.env(&**name, &**value),
        );
        let child = run
            .share_terminal()
            .grace(GRACE)
            .spawn()
            .map_err(|error| Broken::spawn(&error, &talk.scene()))?;
        talk.agent = Some(child.handle().clone());
        let ended = match started.absolute {
            Bound::Lifted => child.ended().await,
            Bound::Default => within(PATIENCE, child.ended()).await?,
            Bound::Of(length) => within(length, child.ended()).await?,
        };
        let how = match ended.exit() {
            Some(Exited::Code(0)) => return Ok(None),
            Some(Exited::Signal(SIGINT) | Exited::Code(130)) => {
                return Ok(Some(Signal::Interrupt));
            }
            Some(Exited::Code(status)) => format!("with exit status {status}"),
            Some(Exited::Signal(signal)) => format!("by signal {signal}"),
            _ => String::from("and nobody knows how"),
        };
        Err(Broken::new(
            Exit::AuthRequired,
            "login_failed",
            format!("the login command ended {how}: nobody is logged in by it"),
        ))
    }

    async fn within<T>(length: Duration, ended: impl Future<Output = T>) -> Result<T, Broken> {
        timeout(length, ended).await.map_err(|_| {
            Broken::new(
                Exit::Timeout,
                "timeout",
                format!(
                    "the login command did not end within {}",
                    duration::show(length)
                ),
            )
            .hint("a longer --timeout gives it more time")
        })
    }
}

#[cfg(not(unix))]
mod person {
    use acp_harness::handshake::AuthCommand;

    use crate::{failure::Broken, hiargs::Started, signal::Signal, talk::Talk};

    /// A terminal is shared on Unix alone: elsewhere a person is told what to run.
    pub(super) fn is_there() -> bool {
        false
    }

    pub(super) async fn answers(
        _: &mut Talk,
        _: &Started,
        _: &AuthCommand,
    ) -> Result<Option<Signal>, Broken> {
        Err(Broken::internal("there is no terminal to share"))
    }
}
