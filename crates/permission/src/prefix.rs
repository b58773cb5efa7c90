//! The words that a command begins with: what a rule over commands is about.

use crate::{
    command::{Command, is_shell, program_name},
    glob::{includes, is_match},
    shell::{KEYWORDS, ShellLine, is_assignment},
};

/// The words that a command begins with, such as `git push`. Each word may hold `*` and `?`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct CommandPrefix {
    text: Box<str>,
    words: Vec<String>,
}

impl CommandPrefix {
    /// Reads a prefix; a last word `*` adds nothing, for a prefix goes on by itself.
    pub(crate) fn new(text: &str) -> Self {
        let mut words: Vec<String> = text.split_whitespace().map(str::to_owned).collect();
        if words.last().is_some_and(|word| word == "*") {
            words.pop();
        }
        Self {
            text: text.into(),
            words,
        }
    }

    pub(crate) fn text(&self) -> &str {
        &self.text
    }

    /// Whether every command that begins as `other` says begins as this says.
    pub(crate) fn includes(&self, other: &Self) -> bool {
        self.words.len() <= other.words.len()
            && self
                .words
                .iter()
                .zip(&other.words)
                .all(|(wider, narrower)| includes(wider, narrower))
    }

    /// Every command of the line begins with the prefix, and nothing in the line is left unsaid.
    pub(crate) fn covers(&self, command: &Command, on_windows: bool) -> bool {
        if self.words.is_empty() {
            return true;
        }
        let line = command.read_strictly(on_windows);
        !line.opaque
            && !line.commands.is_empty()
            && line.commands.iter().all(|words| self.begins(words))
    }

    /// Some command of the line begins with the prefix, also behind `sudo`, `env`, `xargs`, `sh -c` and the like, by its full path,
    /// in other letters (`RM` is `rm` to some file systems), and with options between the words (`git -C x push`).
    pub(crate) fn touches(&self, command: &Command) -> bool {
        self.words.is_empty()
            || command
                .read()
                .commands
                .iter()
                .any(|words| self.touches_words(words, MAX_NESTING))
    }

    fn touches_words(&self, words: &[String], depth: u8) -> bool {
        let start = words
            .iter()
            .take_while(|word| is_assignment(word) || KEYWORDS.contains(&word.as_str()))
            .count();
        let words = words.get(start..).unwrap_or_default();
        let Some(program) = words.first() else {
            return false;
        };
        if self.begins_loosely(words) {
            return true;
        }
        if depth == 0 || !starts_another(program) {
            return false;
        }
        // A program that starts another: its command may stand at any later word, or be one word that holds a whole line.
        (1..words.len()).any(|at| {
            let rest = words.get(at..).unwrap_or_default();
            let nested = rest
                .first()
                .filter(|word| word.contains(char::is_whitespace));
            self.begins_loosely(rest)
                || nested.is_some_and(|line| {
                    ShellLine::read(line)
                        .commands
                        .iter()
                        .any(|words| self.touches_words(words, depth - 1))
                })
        })
    }

    /// Word by word, as written.
    fn begins(&self, words: &[String]) -> bool {
        self.words.len() <= words.len()
            && self
                .words
                .iter()
                .zip(words)
                .all(|(pattern, word)| is_match(pattern, word))
    }

    /// As [`begins`](Self::begins), by the program's name alone, and past options and their values.
    fn begins_loosely(&self, words: &[String]) -> bool {
        let (Some((program, wanted)), Some((first, rest))) =
            (self.words.split_first(), words.split_first())
        else {
            return false;
        };
        let fold = |word: &str| word.to_lowercase();
        let is_program = is_match(&fold(program), &fold(first))
            || is_match(&fold(program_name(program)), &fold(program_name(first)));
        if !is_program {
            return false;
        }
        // How many of the wanted words can have been met, for each way of reading what was passed over as an option or its value.
        let (mut met, mut after_option) = (vec![0], Vec::new());
        for word in rest.iter().take(self.words.len() + MAX_PASSED_OVER) {
            if met.is_empty() && after_option.is_empty() {
                return false;
            }
            let mut next = Vec::new();
            let mut next_after_option = Vec::new();
            for at in met.iter().chain(&after_option).copied() {
                match wanted.get(at) {
                    None => return true,
                    Some(pattern) if is_match(pattern, word) => next.push(at + 1),
                    Some(_) => {}
                }
                if word.starts_with('-') {
                    next_after_option.push(at);
                }
            }
            next.append(&mut after_option);
            for states in [&mut next, &mut next_after_option] {
                states.sort_unstable();
                states.dedup();
            }
            (met, after_option) = (next, next_after_option);
        }
        met.iter()
            .chain(&after_option)
            .any(|at| *at == wanted.len())
    }
}

/// How many lines within lines are looked into.
const MAX_NESTING: u8 = 4;

/// How many words are passed over as options and their values.
const MAX_PASSED_OVER: usize = 16;

fn starts_another(program: &str) -> bool {
    const STARTERS: [&str; 36] = [
        "sudo", "doas", "pkexec", "su", "runuser", "env", "nohup", "nice", "ionice", "chrt",
        "taskset", "time", "timeout", "exec", "eval", "command", "builtin", "coproc", "trap",
        "xargs", "parallel", "stdbuf", "setsid", "unshare", "nsenter", "chroot", "flock", "script",
        "strace", "ltrace", "find", "fd", "watch", "entr", "busybox", "start",
    ];
    let name = program_name(program);
    is_shell(program)
        || STARTERS
            .iter()
            .any(|known| name.eq_ignore_ascii_case(known))
}

#[cfg(test)]
mod tests;
