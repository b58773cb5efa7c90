//! From an error to what a person reads, what a record holds, and the number at the end.
//!
//! The sentence is ours and holds numbers, ids and method names. What the agent said stands beside it, under its own name.

mod ending;
mod refusal;

use std::{sync::Arc, time::Duration};

use acp_harness::{
    client::{Bound, CallError, ConnectError, DeadlineError, RequestError},
    handshake::{Agreement, GateError},
    transport::{SpawnError, TransportError},
    vocab::{Method, SessionId},
};

use self::ending::last_lines;
use crate::{aliases, duration, exit::Exit, hiargs::Misuse, login::Login, moment::Failure, safe};

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
    pub(crate) agreement: Option<Arc<Agreement>>,
}

impl Scene {
    /// Whether the agent has advertised a method.
    fn can(&self, method: Method) -> bool {
        let agreement = self.agreement.as_ref();
        agreement.is_some_and(|agreement| agreement.require(method).is_ok())
    }
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
        let missing = match error {
            TransportError::Spawn(SpawnError::NotFound { program, .. }) => Some(&**program),
            _ => None,
        };
        let hint = match missing.and_then(aliases::install) {
            Some(install) => format!("it is installed so: {install}"),
            None => format!(
                "is it installed, and is its directory in PATH? asked for: {}",
                scene.command
            ),
        };
        Self::new(Exit::AgentDied, "spawn_failed", error.to_string()).hint(hint)
    }

    /// The link could not be driven.
    pub(crate) fn connect(error: &ConnectError) -> Self {
        Self::internal(error.to_string())
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
        let Some(id) = stored else { return broken };
        if error.is_session_unavailable(id) {
            let broken = Self {
                exit: Exit::NoSession,
                outcome: "no_session",
                ..broken
            };
            return if scene.can(Method::SESSION_LIST) {
                broken.hint(format!(
                    "`acp sessions list{}` lists those that it has",
                    scene.tail
                ))
            } else {
                broken
            };
        }
        let RequestError::NotAdvertised(GateError::NotAdvertised { method, .. }) = error else {
            return broken;
        };
        let (other, flag, verb) = if *method == Method::SESSION_RESUME {
            (Method::SESSION_LOAD, "--load", "load")
        } else {
            (Method::SESSION_RESUME, "--resume", "resume")
        };
        if scene.can(other) {
            broken.hint(format!("it can {verb} a session instead: {flag}"))
        } else {
            broken
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
                "it never answered: network, login or the wrong command? try `acp doctor{}`",
                scene.tail
            ),
            _ => String::from("network or login trouble is the usual cause; -vv shows the wire"),
        })
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
