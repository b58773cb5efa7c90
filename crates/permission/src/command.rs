//! The command that a request wants to run.

use crate::shell::{self, ShellLine};

/// A command, as a line for a shell or as words that no shell reads.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Command {
    text: Box<str>,
    form: Form,
    /// It is not known what would be started, so no allowing rule covers it.
    doubtful: bool,
}

/// Who reads the text.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Form {
    /// A shell.
    Line,
    /// A shell of Windows, whose quotes are not those of the others.
    WindowsLine,
    /// Nobody: words that are passed as they are.
    Argv(Vec<Box<str>>),
}

impl Command {
    /// A line for a shell.
    #[must_use]
    pub fn line(text: &str) -> Self {
        Self::of(text, Form::Line)
    }

    /// A program and its arguments. `["sh", "-c", line]` and its like are read as the line.
    ///
    /// A shell that is not the system's own (`./sh -c ls`) may do anything, and a program that is itself a line (`["ls; rm x"]`) will be
    /// read by one: both are only ever refused, never covered.
    #[must_use]
    pub fn argv<W: AsRef<str>>(words: &[W]) -> Self {
        let words: Vec<&str> = words.iter().map(AsRef::as_ref).collect();
        match words.as_slice() {
            [shell, flag, line] if is_shell(shell) && is_line_flag(flag) => {
                let form = if is_windows_shell(shell) {
                    Form::WindowsLine
                } else {
                    Form::Line
                };
                Self {
                    doubtful: !is_systems_own(shell),
                    ..Self::of(line, form)
                }
            }
            [program, ..] if is_a_line(program) => Self {
                doubtful: true,
                ..Self::line(&words.join(" "))
            },
            words => Self::of(
                &words.join(" "),
                Form::Argv(words.iter().map(|word| Box::from(*word)).collect()),
            ),
        }
    }

    /// Several commands of which it is not known which one is meant: each can be refused, none is covered.
    pub(crate) fn any_of(commands: &[Self]) -> Self {
        let texts: Vec<&str> = commands.iter().map(Self::text).collect();
        Self {
            doubtful: true,
            ..Self::line(&texts.join("\n"))
        }
    }

    fn of(text: &str, form: Form) -> Self {
        Self {
            text: text.into(),
            form,
            doubtful: false,
        }
    }

    /// The command as one text, for showing and for comparing.
    #[must_use]
    pub fn text(&self) -> &str {
        &self.text
    }

    /// Every word of the line that could be a path, and what stands behind `=` in one.
    pub(crate) fn words(&self) -> Vec<String> {
        with_values(self.read().commands.into_iter().flatten())
    }

    /// Those of its words that a shell expands before they are paths.
    pub(crate) fn patterns(&self) -> Vec<String> {
        with_values(self.read().patterns)
    }

    pub(crate) fn read(&self) -> ShellLine {
        match &self.form {
            Form::Line | Form::WindowsLine => ShellLine::read(&self.text),
            Form::Argv(words) => ShellLine {
                commands: vec![words.iter().map(|word| word.to_string()).collect()],
                ..ShellLine::default()
            },
        }
    }

    /// As [`read`](Self::read), and opaque where it is not known for certain what would be started. `on_windows`: any shell may read it there.
    pub(crate) fn read_strictly(&self, on_windows: bool) -> ShellLine {
        let mut line = self.read();
        line.opaque |= self.doubtful;
        line.opaque |= match &self.form {
            Form::Line => on_windows && !shell::is_plain(&self.text),
            Form::WindowsLine => !shell::is_plain(&self.text),
            // `.cmd` files are run by a shell whoever starts them.
            Form::Argv(words) => on_windows && !words.iter().all(|word| shell::is_plain(word)),
        };
        line
    }
}

fn with_values(words: impl IntoIterator<Item = String>) -> Vec<String> {
    let values = |word: String| {
        let value = word.split_once('=').map(|(_, value)| value.to_owned());
        std::iter::once(word).chain(value)
    };
    words.into_iter().flat_map(values).collect()
}

/// The last name of a program's path, without the ending that Windows adds.
pub(crate) fn program_name(program: &str) -> &str {
    let name = program.rsplit(['/', '\\']).next().unwrap_or(program);
    name.rsplit_once('.')
        .filter(|(_, ending)| {
            ["exe", "cmd", "bat", "com"]
                .iter()
                .any(|known| ending.eq_ignore_ascii_case(known))
        })
        .map_or(name, |(name, _)| name)
}

pub(crate) fn is_shell(program: &str) -> bool {
    let name = program_name(program).to_ascii_lowercase();
    matches!(
        name.as_str(),
        "sh" | "bash" | "zsh" | "dash" | "ash" | "ksh" | "mksh" | "fish" | "csh" | "tcsh"
    ) || is_windows_shell(program)
}

fn is_windows_shell(program: &str) -> bool {
    let name = program_name(program);
    ["cmd", "powershell", "pwsh"]
        .iter()
        .any(|known| name.eq_ignore_ascii_case(known))
}

/// Found by its name, or where systems keep their shells: not a file that the agent may have written.
fn is_systems_own(shell: &str) -> bool {
    const PLACES: [&str; 6] = [
        "/bin/",
        "/usr/bin/",
        "/usr/local/bin/",
        "/opt/homebrew/bin/",
        "/run/current-system/sw/bin/",
        "c:/windows/system32/",
    ];
    let path = shell.replace('\\', "/");
    !path.contains('/')
        || PLACES.iter().any(|place| {
            path.get(..place.len())
                .is_some_and(|start| start.eq_ignore_ascii_case(place))
                && !path.contains("/..")
        })
}

/// `-c`, also with other letters before it (`-lc`), and the words of Windows for it.
fn is_line_flag(flag: &str) -> bool {
    let letters = flag
        .strip_prefix('-')
        .filter(|letters| letters.chars().all(|c| c.is_ascii_alphabetic()));
    letters.is_some_and(|letters| letters.len() <= 3 && letters.ends_with('c'))
        || flag.eq_ignore_ascii_case("/c")
        || flag.eq_ignore_ascii_case("-Command")
}

/// A "program" that only a shell could make sense of.
fn is_a_line(program: &str) -> bool {
    program.contains(|c: char| c.is_whitespace() || ";|&<>$`(){}".contains(c))
}
