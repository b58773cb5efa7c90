//! The words of a chat: commands begin with `/`, everything else is a prompt.

use acp_harness::thinking::Axis;

/// What the commands are.
pub(super) const HELP: &str = "\
/model NAME      use this model; /effort LEVEL and /mode NAME likewise
/set ID=VALUE    set any option of the session
/options         what can be chosen, and what is in force
/allow KINDS     allow once what is of these kinds; /deny KINDS rejects it
/cancel          cancel the turn that runs, as Ctrl-C does
/history         what was said in this chat
/quit            leave; Ctrl-D does it, too
@FILE            send a file as the prompt; //word sends /word to the agent";

/// A line that was typed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Command {
    Nothing,
    Prompt(String),
    Choose(Axis, String),
    Set(Vec<String>),
    Show,
    Allow(String),
    Deny(String),
    Cancel,
    History,
    Help,
    Quit,
    /// Why it is none.
    Unknown(String),
}

impl Command {
    pub(super) fn read(line: &str) -> Self {
        let line = line.trim();
        if line.is_empty() {
            return Self::Nothing;
        }
        let Some(rest) = line.strip_prefix('/') else {
            return Self::Prompt(line.to_owned());
        };
        // The agent has commands of its own.
        if rest.starts_with('/') {
            return Self::Prompt(rest.to_owned());
        }
        let (word, rest) = rest
            .split_once(char::is_whitespace)
            .map_or((rest, ""), |(word, rest)| (word, rest.trim()));
        let needs = |what: &str| Self::Unknown(format!("/{word} takes {what}"));
        match (word, rest) {
            ("model" | "effort" | "mode", "") => Self::Show,
            ("model", name) => Self::Choose(Axis::Model, name.to_owned()),
            ("effort", level) => Self::Choose(Axis::Effort, level.to_owned()),
            ("mode", name) => Self::Choose(Axis::Mode, name.to_owned()),
            ("set", "") => needs("ID=VALUE"),
            ("set", words) => Self::Set(words.split_whitespace().map(ToOwned::to_owned).collect()),
            ("allow" | "deny", "") => needs("kinds, such as read,edit"),
            ("allow", kinds) => Self::Allow(kinds.to_owned()),
            ("deny", kinds) => Self::Deny(kinds.to_owned()),
            ("options", "") => Self::Show,
            ("cancel", "") => Self::Cancel,
            ("history", "") => Self::History,
            ("help" | "?", _) => Self::Help,
            ("quit" | "exit", "") => Self::Quit,
            _ => Self::Unknown(String::from(
                "no such command; /help lists them, and // sends a command to the agent",
            )),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{Axis, Command};

    #[test]
    fn lines_are_commands_or_prompts() {
        let owned = ToOwned::to_owned;
        for (line, command) in [
            ("", Command::Nothing),
            ("  hello ", Command::Prompt(owned("hello"))),
            ("//review it", Command::Prompt(owned("/review it"))),
            (
                "/model opus 4",
                Command::Choose(Axis::Model, owned("opus 4")),
            ),
            ("/effort", Command::Show),
            (
                "/set a=b c=d",
                Command::Set(vec![owned("a=b"), owned("c=d")]),
            ),
            ("/allow read,edit", Command::Allow(owned("read,edit"))),
            ("/quit", Command::Quit),
        ] {
            assert_eq!(Command::read(line), command, "{line}");
        }
        for line in ["/nope", "/set", "/allow", "/quit now", "/"] {
            assert!(matches!(Command::read(line), Command::Unknown(_)), "{line}");
        }
    }
}
