//! The command that a request wants to run, and patterns over commands.

use crate::shell::{KEYWORDS, ShellLine, is_assignment};

/// A command, as a line for a shell or as words that no shell reads.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Command {
    text: Box<str>,
    /// Words that are passed as they are; `None` for a line that a shell reads.
    argv: Option<Vec<Box<str>>>,
}

impl Command {
    /// A line for a shell.
    #[must_use]
    pub fn line(text: &str) -> Self {
        Self {
            text: text.into(),
            argv: None,
        }
    }

    /// A program and its arguments. `["sh", "-c", line]` and its like are read as the line.
    #[must_use]
    pub fn argv<W: AsRef<str>>(words: &[W]) -> Self {
        let words: Vec<&str> = words.iter().map(AsRef::as_ref).collect();
        match words.as_slice() {
            [shell, flag, line] if is_shell(shell) && is_line_flag(flag) => Self::line(line),
            words => Self {
                text: words.join(" ").into(),
                argv: Some(words.iter().map(|word| Box::from(*word)).collect()),
            },
        }
    }

    /// The command as one text, for showing and for comparing.
    #[must_use]
    pub fn text(&self) -> &str {
        &self.text
    }

    /// Every word of the line that could be a path, and what stands behind `=` in one.
    pub(crate) fn words(&self) -> Vec<String> {
        let words = self.read().commands.into_iter().flatten();
        words
            .flat_map(|word| {
                let value = word.split_once('=').map(|(_, value)| value.to_owned());
                std::iter::once(word).chain(value)
            })
            .collect()
    }

    fn read(&self) -> ShellLine {
        match &self.argv {
            None => ShellLine::read(&self.text),
            Some(words) => ShellLine {
                commands: vec![words.iter().map(|word| word.to_string()).collect()],
                opaque: false,
            },
        }
    }
}

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

    /// Every command of the line begins with the prefix, and nothing in the line is left unsaid.
    pub(crate) fn covers(&self, command: &Command) -> bool {
        if self.words.is_empty() {
            return true;
        }
        let line = command.read();
        !line.opaque
            && !line.commands.is_empty()
            && line
                .commands
                .iter()
                .all(|words| self.begins(words, str::eq))
    }

    /// Some command of the line begins with the prefix, also behind `sudo`, `env`, `xargs`, `sh -c` and the like, and by its full path.
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
        if self.begins(words, |word, program| word == program_name(program))
            || self.begins(words, str::eq)
        {
            return true;
        }
        if depth == 0 || !starts_another(program_name(program)) {
            return false;
        }
        // A program that starts another: its command may stand at any later word, or be one word that holds a whole line.
        (1..words.len()).any(|at| {
            let rest = words.get(at..).unwrap_or_default();
            let nested = rest
                .first()
                .filter(|word| word.contains(char::is_whitespace));
            self.begins(rest, |word, program| word == program_name(program))
                || nested.is_some_and(|line| {
                    ShellLine::read(line)
                        .commands
                        .iter()
                        .any(|words| self.touches_words(words, depth - 1))
                })
        })
    }

    /// Whether `words` begin with the prefix; `is_program` compares the first word where it is written without a wildcard.
    fn begins(&self, words: &[String], is_program: impl Fn(&str, &str) -> bool) -> bool {
        self.words.len() <= words.len()
            && self
                .words
                .iter()
                .zip(words)
                .enumerate()
                .all(|(at, (pattern, word))| {
                    (at == 0 && is_program(pattern, word)) || crate::glob::is_match(pattern, word)
                })
    }
}

/// How many lines within lines are looked into.
const MAX_NESTING: u8 = 4;

/// The last name of a program's path, without the ending that Windows adds.
fn program_name(program: &str) -> &str {
    let name = program.rsplit(['/', '\\']).next().unwrap_or(program);
    name.strip_suffix(".exe").unwrap_or(name)
}

fn is_shell(program: &str) -> bool {
    matches!(
        program_name(program),
        "sh" | "bash" | "zsh" | "dash" | "ksh" | "fish" | "cmd" | "powershell" | "pwsh"
    )
}

/// `-c`, also with other letters before it (`-lc`), and the words of Windows for it.
fn is_line_flag(flag: &str) -> bool {
    let letters = flag
        .strip_prefix('-')
        .filter(|letters| letters.chars().all(|c| c.is_ascii_alphabetic()));
    letters.is_some_and(|letters| letters.len() <= 3 && letters.ends_with('c'))
        || ["/c", "/C", "-Command"].contains(&flag)
}

fn starts_another(program: &str) -> bool {
    const STARTERS: [&str; 19] = [
        "sudo", "doas", "env", "nohup", "nice", "ionice", "time", "timeout", "exec", "eval",
        "command", "builtin", "xargs", "stdbuf", "setsid", "find", "watch", "busybox", "start",
    ];
    is_shell(program) || STARTERS.contains(&program)
}

#[cfg(test)]
mod tests;
