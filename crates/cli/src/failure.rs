//! From an error to what a person reads, what a record holds, and the number at the end.
//!
//! The sentence is ours and holds numbers, ids and method names. What the agent said stands beside it, under its own name.

use std::time::Duration;

use acp_harness::{
    client::{
        Bound, CallError, ConnectError, ConnectionError, DeadlineError, EndCause, InitializeError,
        RequestError,
    },
    handshake::NegotiationError,
    transport::TransportError,
    vocab::{ErrorCode, ErrorObject, SessionId},
};

use crate::{
    duration,
    exit::Exit,
    hiargs::Misuse,
    login::{self, Login},
    moment::Failure,
    safe,
};

/// How many lines of an agent's stderr are shown.
const STDERR_LINES: usize = 8;

/// Why a run ended without an outcome of its own.
#[derive(Debug)]
pub(crate) struct Broken {
    pub(crate) exit: Exit,
    /// The word in the result record.
    pub(crate) outcome: &'static str,
    pub(crate) failure: Box<Failure>,
}

/// What is known about the agent when something fails.
#[derive(Debug, Clone, Default)]
pub(crate) struct Scene {
    /// The command, for hints.
    pub(crate) command: String,
    /// How the agent is named behind another verb: ` -- COMMAND`, ` -a NAME`.
    pub(crate) tail: String,
    pub(crate) pid: Option<u32>,
    /// Whether its process was still there.
    pub(crate) alive: bool,
    /// The last lines of its stderr.
    pub(crate) stderr: String,
    /// The ways to log in.
    pub(crate) logins: Vec<Login>,
    /// Whether a login was asked of it before, and accepted.
    pub(crate) logged_in: bool,
    /// How many of its requests wait for an answer of ours.
    pub(crate) open_requests: usize,
    /// How long this program stood still because nobody took its output.
    pub(crate) stalled: Duration,
    /// Whether lengths of time are printed.
    pub(crate) times: bool,
}

impl Broken {
    pub(crate) fn new(exit: Exit, outcome: &'static str, message: impl Into<String>) -> Self {
        Self {
            exit,
            outcome,
            failure: Box::new(Failure {
                message: message.into(),
                ..Failure::default()
            }),
        }
    }

    pub(crate) fn hint(mut self, hint: impl Into<String>) -> Self {
        self.failure.hint = Some(hint.into());
        self
    }

    /// A command line that cannot be done.
    pub(crate) fn misuse(misuse: Misuse) -> Self {
        let mut broken = Self::new(Exit::Usage, "usage", misuse.message);
        broken.failure.hint = misuse.hint;
        broken
    }

    /// Something that must not happen.
    pub(crate) fn internal(message: impl Into<String>) -> Self {
        Self::new(Exit::Internal, "internal", message)
            .hint("this is a fault of acp: please report it")
    }

    /// The agent could not be started.
    pub(crate) fn spawn(error: &TransportError, scene: &Scene) -> Self {
        Self::new(Exit::AgentDied, "spawn_failed", error.to_string()).hint(format!(
            "is it installed, and is its directory in PATH? asked for: {}",
            scene.command
        ))
    }

    /// The link could not be driven.
    pub(crate) fn connect(error: &ConnectError) -> Self {
        Self::internal(error.to_string())
    }

    /// There is no agreement.
    pub(crate) fn initialize(error: &InitializeError, scene: &Scene) -> Self {
        match error {
            InitializeError::Negotiation(NegotiationError::Refused { code, said, .. }) => {
                let code = i32::try_from(*code).ok();
                let mut broken = if error.wants_login() {
                    Self::new(Exit::AuthRequired, "auth_required", error.to_string())
                        .hint("log in with the agent's own command first")
                } else if code.is_some_and(is_about_the_protocol) {
                    Self::new(Exit::Protocol, "unsupported_version", error.to_string())
                } else {
                    Self::new(Exit::Failed, "error", error.to_string())
                };
                broken.failure.code = code;
                broken.failure.agent_said = Some(said.to_string()).filter(|said| !said.is_empty());
                broken
            }
            InitializeError::Negotiation(NegotiationError::Ended) => {
                Self::new(Exit::AgentDied, "agent_died", error.to_string())
            }
            InitializeError::Negotiation(_) => {
                Self::new(Exit::Protocol, "unsupported_version", error.to_string())
                    .hint("acp speaks what `acp status` lists; is this an ACP agent?")
            }
            InitializeError::NeedsFreshLink { .. } => {
                Self::new(Exit::Protocol, "unsupported_version", error.to_string())
            }
            InitializeError::Call(error) => Self::call(error, scene),
            error => Self::internal(error.to_string()),
        }
    }

    /// A request brought no result.
    pub(crate) fn request(error: &RequestError, scene: &Scene) -> Self {
        let broken = Self::asked(error, scene);
        if error.wants_login() {
            broken.wanting_login(scene)
        } else {
            broken
        }
    }

    fn asked(error: &RequestError, scene: &Scene) -> Self {
        match error {
            RequestError::NotAdvertised(_) | RequestError::Unsupported { .. } => {
                Self::new(Exit::Usage, "not_advertised", error.to_string())
            }
            RequestError::NotOffered { .. } => {
                Self::new(Exit::Usage, "not_offered", error.to_string())
                    .hint(format!("`acp probe{}` lists what it offers", scene.tail))
            }
            RequestError::NotChosen(error) => {
                // It quotes what the agent offers.
                Self::new(
                    Exit::Usage,
                    "not_offered",
                    safe::line(&error.to_string(), 800),
                )
                .hint(format!(
                    "`acp options list{}` shows what it offers",
                    scene.tail
                ))
            }
            RequestError::NotHonoured {
                chosen, in_force, ..
            } => {
                let instead = match in_force {
                    Some(word) => format!("{} is in force", safe::line(word, 80)),
                    None => String::from("it does not say what is in force"),
                };
                let message = format!(
                    "the agent accepted {} and {instead}",
                    safe::line(chosen, 80)
                );
                Self::new(Exit::Usage, "not_honoured", message)
            }
            RequestError::Call(error) => Self::call(error, scene),
            RequestError::Result { .. } => {
                Self::new(Exit::Protocol, "protocol_error", error.to_string())
            }
            error => Self::internal(error.to_string()),
        }
    }

    /// No session could be opened; this is the stored one that was asked for.
    pub(crate) fn opening(error: &RequestError, stored: Option<&SessionId>, scene: &Scene) -> Self {
        let broken = Self::request(error, scene);
        match stored {
            Some(id) if error.is_session_unavailable(id) => Self {
                exit: Exit::NoSession,
                outcome: "no_session",
                ..broken
            }
            .hint(format!(
                "`acp sessions list{}` lists those that it has",
                scene.tail
            )),
            _ => broken,
        }
    }

    /// A call, or a turn, has no result.
    pub(crate) fn call(error: &CallError, scene: &Scene) -> Self {
        match error {
            CallError::Refused { label, error } => {
                let mut broken = Self::refused(error, &label.to_string());
                broken.failure.method = Some(label.method().to_owned());
                broken.failure.id = label.id().map(ToString::to_string);
                broken
            }
            CallError::Protocol(error) => {
                Self::new(Exit::Protocol, "protocol_error", error.to_string())
            }
            CallError::Deadline(error) => Self::deadline(error, scene),
            CallError::Connection {
                label,
                error: ended,
            } => {
                let mut broken = Self::connection(ended, scene);
                broken.failure.message = error.to_string();
                broken.failure.method = Some(label.method().to_owned());
                broken.failure.id = label.id().map(ToString::to_string);
                broken
            }
            error => Self::internal(error.to_string()),
        }
    }

    /// The agent said no.
    fn refused(error: &ErrorObject, label: &str) -> Self {
        let mut broken = Self::new(
            Exit::Failed,
            "error",
            format!("the agent refused {label} with error {}", error.code),
        );
        broken.said(error);
        broken
    }

    /// A turn that the agent ended with a failure of its own.
    pub(crate) fn ended(failed: Option<&ErrorObject>, wants_login: bool, scene: &Scene) -> Self {
        let message = match failed {
            Some(error) => format!("the agent ended the turn with error {}", error.code),
            None => String::from("the agent ended the turn with a failure"),
        };
        let mut broken = Self::new(Exit::Failed, "failed", message);
        if let Some(error) = failed {
            broken.said(error);
        }
        if wants_login {
            broken.wanting_login(scene)
        } else {
            broken
        }
    }

    fn said(&mut self, error: &ErrorObject) {
        self.failure.code = Some(error.code.0);
        self.failure.agent_said = Some(error.message.to_string()).filter(|said| !said.is_empty());
        self.failure.data.clone_from(&error.data);
    }

    /// The same failure, which a login would have prevented: the ways that there are, and what to type.
    fn wanting_login(mut self, scene: &Scene) -> Self {
        self.exit = Exit::AuthRequired;
        self.outcome = "auth_required";
        self.failure.logins.clone_from(&scene.logins);
        let hint = if scene.logged_in {
            String::from(
                "it accepted the login and wants one all the same; some agents see it only when they are started again",
            )
        } else {
            login::hint(&scene.logins, &scene.tail)
        };
        self.hint(hint)
    }

    /// A bound elapsed: which, in what, and what was seen meanwhile.
    fn deadline(error: &DeadlineError, scene: &Scene) -> Self {
        let ago = |age: Option<Duration>| match age {
            Some(age) if scene.times => format!("{} ago", duration::show(age)),
            Some(_) => String::from("some time ago"),
            None => String::from("never"),
        };
        let bound = match error.bound {
            Bound::Idle => "idle",
            _ => "in all",
        };
        let mut parts = vec![
            format!(
                "timeout after {} {bound} in {}: last frame {}",
                duration::show(error.length),
                error.awaited,
                ago(error.last_frame)
            ),
            format!("last byte {}", ago(error.last_byte)),
            format!("{} lines skipped", error.skipped),
        ];
        parts.push(match (scene.alive, scene.pid) {
            (true, Some(pid)) if scene.times => format!("child alive (pid {pid})"),
            (true, _) => String::from("child alive"),
            (false, _) => String::from("child gone"),
        });
        parts.push(match scene.open_requests {
            0 => String::from("no agent request waiting on us"),
            1 => String::from("1 agent request waiting on us"),
            many => format!("{many} agent requests waiting on us"),
        });
        let ours = error.reading_paused.max(scene.stalled);
        if !ours.is_zero() {
            parts.push(match scene.times {
                true => format!("our own reading stood still for {}", duration::show(ours)),
                false => String::from("our own reading stood still for some time"),
            });
        }
        let mut broken = Self::new(Exit::Timeout, "timeout", parts.join(", "));
        broken.failure.method = Some(error.awaited.method().to_owned());
        broken.failure.id = error.awaited.id().map(ToString::to_string);
        broken.failure.stderr = last_lines(&scene.stderr);
        if was_ours(ours, error.waited, error.last_frame) {
            return broken.hint(
                "the silence was ours, not the agent's: whoever reads the output of acp took it too slowly, and acp read no further",
            );
        }
        broken.hint(match (error.bound, error.last_frame) {
            (Bound::Absolute, Some(age)) if was_working(age, error.length) => {
                String::from("it was still working; a longer --timeout gives it more time")
            }
            (Bound::Absolute, Some(_)) => String::from(
                "it had gone silent before that: network or login trouble is the usual cause; -vv shows the wire",
            ),
            (_, None) => format!(
                "it never answered: network, login or the wrong command? try `acp probe -vv{}`",
                scene.tail
            ),
            _ => String::from("network or login trouble is the usual cause; -vv shows the wire"),
        })
    }

    /// The agent ended, or its output did.
    pub(crate) fn connection(error: &ConnectionError, scene: &Scene) -> Self {
        let (exit, outcome) = match error.cause() {
            EndCause::Protocol(_) => (Exit::Protocol, "protocol_error"),
            EndCause::StoppedReading { .. } => (Exit::Timeout, "timeout"),
            _ => (Exit::AgentDied, "agent_died"),
        };
        let mut broken = Self::new(exit, outcome, error.to_string());
        let stderr = if error.stderr().is_empty() {
            &scene.stderr
        } else {
            error.stderr()
        };
        broken.failure.stderr = last_lines(stderr);
        if outcome == "agent_died" && broken.failure.stderr.is_none() {
            broken.failure.hint = Some(format!(
                "it wrote nothing to stderr; run it by itself to see why: {}",
                scene.command
            ));
        }
        broken
    }
}

/// Whether this answer to `initialize` is about the protocol: it could not be read, was no request, or asked for a version that
/// the agent does not have. Any other error is a failure of the agent.
fn is_about_the_protocol(code: i32) -> bool {
    let codes = [
        ErrorCode::PARSE_ERROR,
        ErrorCode::INVALID_REQUEST,
        ErrorCode::METHOD_NOT_FOUND,
        ErrorCode::INVALID_PARAMS,
        ErrorCode::UNSUPPORTED_VERSION,
    ];
    codes.contains(&ErrorCode(code))
}

fn last_lines(stderr: &str) -> Option<String> {
    let lines: Vec<&str> = stderr
        .lines()
        .filter(|line| !line.trim().is_empty())
        .collect();
    let skip = lines.len().saturating_sub(STDERR_LINES);
    let lines = lines.get(skip..).unwrap_or_default();
    if lines.is_empty() {
        None
    } else {
        Some(lines.join("\n"))
    }
}

/// Whether what was heard last is recent enough to say that the agent was at work when its time
/// was up: within the last quarter of it, and within ten seconds.
fn was_working(last_frame: Duration, length: Duration) -> bool {
    last_frame <= (length / 4).min(Duration::from_secs(10))
}

/// Whether it was this program that made most of the silence, by standing still for `ours`: of all the time, or of that since the last frame.
fn was_ours(ours: Duration, waited: Duration, last_frame: Option<Duration>) -> bool {
    let silence = last_frame.filter(|age| *age >= Duration::from_secs(1));
    !ours.is_zero() && (ours * 2 >= waited || silence.is_some_and(|age| ours * 10 >= age * 9))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn report_01_a_silence_of_our_own_is_not_told_as_the_agents() {
        #[track_caller]
        fn check(ours: u64, waited: u64, last_frame: Option<u64>, expected: bool) {
            let last_frame = last_frame.map(Duration::from_secs);
            let (ours, waited) = (Duration::from_secs(ours), Duration::from_secs(waited));
            assert_eq!(was_ours(ours, waited, last_frame), expected);
        }
        check(0, 60, None, false);
        check(0, 60, Some(60), false);
        check(50, 60, Some(55), true);
        check(50, 60, Some(0), true);
        check(50, 60, None, true);
        check(2, 60, Some(50), false);
        check(2, 60, None, false);
        check(2, 60, Some(3), false);
        check(2, 60, Some(2), true);
        check(2, 60, Some(0), false);
    }

    #[track_caller]
    fn check(last_frame: u64, length: u64, expected: bool) {
        let (last_frame, length) = (Duration::from_secs(last_frame), Duration::from_secs(length));
        assert_eq!(was_working(last_frame, length), expected);
    }

    #[test]
    fn silence_is_not_called_work() {
        check(0, 50, true);
        check(10, 50, true);
        check(48, 50, false);
        check(11, 3600, false);
        check(2, 4, false);
    }
}
