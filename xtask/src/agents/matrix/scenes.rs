//! What is played: a prompt, options of `acp run`, something that happens meanwhile, and what is right.

use std::fmt;

use super::play::{Ran, Stage};
use crate::agents::model::script::{ANSWER, DONE, HELLO, SLOWLY, WEIGHED};

/// What came of a scene.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Verdict {
    Right,
    /// The agent cannot do this, and was not asked to.
    NotOffered,
    /// With what was seen instead.
    Wrong(String),
}

impl fmt::Display for Verdict {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Right => f.write_str("right"),
            Self::NotOffered => f.write_str("not offered"),
            Self::Wrong(why) => write!(f, "WRONG: {why}"),
        }
    }
}

/// What happens while `acp` runs.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Event {
    Nothing,
    /// Somebody presses Ctrl-C when the answer has begun.
    Interrupt,
    /// Every process of the agent is killed when the answer has begun.
    KillAgent,
    /// `acp` is killed when the tool runs.
    KillUs,
}

/// One column of the table.
#[derive(Debug)]
pub(super) struct Scene {
    pub(super) name: &'static str,
    pub(super) prompt: &'static str,
    pub(super) options: &'static [&'static str],
    pub(super) event: Event,
    pub(super) judge: fn(&mut Stage<'_>, &Ran) -> Verdict,
}

impl Scene {
    /// Nobody is killed in it, and no bound elapses.
    pub(super) fn is_recorded(&self) -> bool {
        matches!(self.event, Event::Nothing | Event::Interrupt) && self.name != "silence"
    }
}

/// The command of the scenes with a tool, and the file that it makes.
const TOUCH: &str = "[model:shell echo made > made.txt]";
pub(super) const MADE: &str = "made.txt";
/// A command that never ends, and how to find it in a process list.
const FOREVER: &str = "[model:shell tail -f /dev/null]";
pub(super) const FOREVER_WORDS: &str = "tail -f /dev/null ";
/// Stands for the session of the first scene.
pub(super) const SESSION: &str = "{session}";

/// In order: the first makes the session that the last two take up again.
pub(super) const SCENES: &[Scene] = &[
    Scene {
        name: "text",
        prompt: "[model:text]",
        options: &[],
        event: Event::Nothing,
        judge: |stage, ran| {
            stage.session = ran.session();
            told(ran, HELLO)
        },
    },
    Scene {
        name: "thinking",
        prompt: "[model:think]",
        options: &[],
        event: Event::Nothing,
        judge: |_, ran| {
            let thoughts = ran.texts("thought");
            if thoughts.contains(WEIGHED) {
                told(ran, ANSWER)
            } else {
                Verdict::Wrong(format!("thought {thoughts:?}"))
            }
        },
    },
    Scene {
        name: "allow",
        prompt: TOUCH,
        options: &["--allow", "all"],
        event: Event::Nothing,
        judge: |stage, ran| match decided(stage, ran, "allowed", 0) {
            Verdict::Right => told_last(ran, DONE),
            wrong @ (Verdict::NotOffered | Verdict::Wrong(_)) => wrong,
        },
    },
    Scene {
        name: "deny",
        prompt: TOUCH,
        options: &["--deny", "all"],
        event: Event::Nothing,
        judge: |stage, ran| decided(stage, ran, "denied", 5),
    },
    Scene {
        name: "nobody",
        prompt: TOUCH,
        options: &[],
        event: Event::Nothing,
        judge: |stage, ran| decided(stage, ran, "cancelled", 5),
    },
    Scene {
        name: "cancel",
        prompt: "[model:slow]",
        options: &[],
        event: Event::Interrupt,
        judge: |_, ran| ended(ran, 130, "cancelled"),
    },
    Scene {
        name: "effort",
        prompt: "[model:text]",
        options: &["--effort", "high"],
        event: Event::Nothing,
        judge: |stage, ran| {
            let efforts = stage.model.take_efforts();
            let verdict = told(ran, HELLO);
            let asked = !efforts.is_empty() && efforts.iter().all(|effort| effort == "high");
            if verdict == Verdict::Right && !asked {
                return Verdict::Wrong(format!("the model was asked for {efforts:?}"));
            }
            verdict
        },
    },
    Scene {
        name: "silence",
        prompt: "[model:hang]",
        options: &["--idle-timeout", "20s"],
        event: Event::Nothing,
        judge: |_, ran| ended(ran, 3, "timeout"),
    },
    Scene {
        name: "dies",
        prompt: "[model:slow]",
        options: &[],
        event: Event::KillAgent,
        judge: |_, ran| ended(ran, 7, "agent_died"),
    },
    Scene {
        name: "killed",
        prompt: FOREVER,
        options: &["--allow", "all"],
        event: Event::KillUs,
        judge: |_, ran| match &*ran.survivors {
            [] if ran.event_happened => Verdict::Right,
            [] => Verdict::Wrong(format!("no command ran: {}", ran.seen())),
            left => Verdict::Wrong(format!("left behind: {}", left.join(", "))),
        },
    },
    Scene {
        name: "load",
        prompt: "[model:text]",
        options: &["--load", SESSION],
        event: Event::Nothing,
        judge: |_, ran| told(ran, HELLO),
    },
    Scene {
        name: "resume",
        prompt: "[model:text]",
        options: &["--resume", SESSION],
        event: Event::Nothing,
        judge: |_, ran| told(ran, HELLO),
    },
];

/// A turn that was completed, with this text and no other.
fn told(ran: &Ran, text: &str) -> Verdict {
    spoke(ran, |said| said == text)
}

/// The same, where it says something before the tool, too.
fn told_last(ran: &Ran, text: &str) -> Verdict {
    spoke(ran, |said| said.ends_with(text))
}

fn spoke(ran: &Ran, is_right: impl Fn(&str) -> bool) -> Verdict {
    let verdict = ended(ran, 0, "completed");
    let said = ran.texts("agent_text");
    if verdict == Verdict::Right && !is_right(&said) {
        return Verdict::Wrong(format!("said {said:?}"));
    }
    verdict
}

/// A scene with a question ended as it should, the question was decided so, and the command ran if
/// that was allowed.
fn decided(stage: &Stage<'_>, ran: &Ran, how: &str, code: i32) -> Verdict {
    let word = if code == 0 { "completed" } else { "denied" };
    let verdict = ended(ran, code, word);
    if verdict != Verdict::Right {
        return verdict;
    }
    let made = stage.workspace.join(MADE).exists();
    let questions = ran.result(&format!("/permissions/{how}"));
    if questions.as_ref().is_none_or(|count| *count == 0) {
        return Verdict::Wrong("it did not ask".to_owned());
    }
    if made != (how == "allowed") {
        return Verdict::Wrong(format!("the command ran: {made}"));
    }
    verdict
}

/// The exit code and the outcome; and nobody is left.
fn ended(ran: &Ran, code: i32, outcome: &str) -> Verdict {
    if !ran.survivors.is_empty() {
        return Verdict::Wrong(format!("left behind: {}", ran.survivors.join(", ")));
    }
    match ran.outcome() {
        "not_offered" | "not_advertised" => Verdict::NotOffered,
        seen if seen == outcome && ran.code == Some(code) => Verdict::Right,
        _ => Verdict::Wrong(ran.seen()),
    }
}

/// The answer of a scene with an event has begun.
pub(super) fn has_begun(said: &str) -> bool {
    said.contains(SLOWLY)
}
