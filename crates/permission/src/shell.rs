//! A command line, read far enough to say what it starts.
//!
//! `git status; rm -rf /` begins with `git`. So a line is cut into its commands, and whatever could run or write something that is not spelled out
//! (substitution, redirection, a subshell, an open quote) makes the line *opaque*: an allowing rule never covers it.
//! The reading is that of a POSIX shell; it is a guard around rules, not a sandbox.

/// What a line would start, as far as can be read without running it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct ShellLine {
    /// Each command's words with their quotes taken off, in order; substituted commands count too.
    pub(crate) commands: Vec<Vec<String>>,
    /// The words among them that a shell would expand (`~/x`, `.g*`, `$HOME/x`), as they are written.
    pub(crate) patterns: Vec<String>,
    /// Something in it is not spelled out.
    pub(crate) opaque: bool,
}

impl ShellLine {
    pub(crate) fn read(text: &str) -> Self {
        let mut reader = Reader::default();
        let mut chars = text.chars().peekable();
        while let Some(c) = chars.next() {
            reader.take(c, &mut chars);
        }
        reader.finish()
    }
}

/// Whether every shell, those of Windows too, reads `text` as the words of one command: no character that any of them gives a meaning to.
///
/// To `cmd` a single quote is a letter and `&` within it separates; to PowerShell a backslash is a letter. So their lines are only judged where there is nothing to disagree about.
pub(crate) fn is_plain(text: &str) -> bool {
    !text.contains(|c: char| c.is_control() && c != '\t' || "&|;<>(){}[]$%^!'`#\n".contains(c))
        && !text.contains("\\\"")
}

/// What encloses the character at hand.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Inside {
    Single,
    Double,
    Parens,
    Backticks,
}

#[derive(Debug, Default)]
struct Reader {
    line: ShellLine,
    words: Vec<String>,
    /// The word being read; `None` between words, so that `''` is a word too.
    word: Option<String>,
    /// A shell would expand something in that word.
    expands: bool,
    inside: Vec<Inside>,
}

type Chars<'a> = std::iter::Peekable<std::str::Chars<'a>>;

impl Reader {
    fn take(&mut self, c: char, rest: &mut Chars<'_>) {
        match (self.inside.last(), c) {
            (Some(Inside::Single), '\'') | (Some(Inside::Double), '"') => {
                self.inside.pop();
            }
            (Some(Inside::Single), c) => {
                // fish reads `\'` within single quotes as a quote, others as the end.
                self.line.opaque |= c == '\\' && rest.peek() == Some(&'\'');
                self.push(c);
            }
            (Some(Inside::Double), '\\')
                if !matches!(rest.peek(), Some('$' | '`' | '"' | '\\' | '\n')) =>
            {
                self.push(c);
            }
            (_, '\\') => match rest.next() {
                Some('\n') => {}
                Some(next) => self.push(next),
                None => self.line.opaque = true,
            },
            (_, '\0') => self.line.opaque = true,
            (Some(Inside::Backticks), '`') | (Some(Inside::Parens), ')') => {
                self.inside.pop();
                self.end_command();
            }
            (_, '`') => self.substitute(Inside::Backticks),
            (_, '$') if rest.peek() == Some(&'(') => {
                rest.next();
                self.substitute(Inside::Parens);
            }
            (Some(Inside::Double), c) => {
                self.expands |= c == '$';
                self.push(c);
            }
            (_, '#') if self.word.is_none() => self.comment(rest),
            (_, '$') if matches!(rest.peek(), Some('\'' | '"')) => {
                self.line.opaque = true;
                self.push(c);
            }
            (_, '\'') => self.quote(Inside::Single),
            (_, '"') => self.quote(Inside::Double),
            (_, '(') => self.substitute(Inside::Parens),
            (_, ')') => {
                self.line.opaque = true;
                self.end_command();
            }
            (_, '<' | '>') => {
                self.line.opaque = true;
                self.end_word();
            }
            (_, ';' | '|' | '&' | '\n' | '\r') => self.end_command(),
            (_, ' ' | '\t') => self.end_word(),
            (_, c) => {
                self.expands |= matches!(c, '*' | '?' | '[' | '{' | '$')
                    || (c == '~' && self.word.as_ref().is_none_or(|word| word.ends_with('=')));
                self.push(c);
            }
        }
    }

    fn push(&mut self, c: char) {
        self.word.get_or_insert_default().push(c);
    }

    fn quote(&mut self, kind: Inside) {
        self.word.get_or_insert_default();
        self.inside.push(kind);
    }

    /// Passes over the rest of a line. An interactive zsh knows no comments, so one that holds more than words leaves the line unsaid.
    fn comment(&mut self, rest: &mut Chars<'_>) {
        let in_backticks = self.inside.last() == Some(&Inside::Backticks);
        let ends = |c: &char| *c == '\n' || *c == '\r' || (in_backticks && *c == '`');
        while let Some(c) = rest.next_if(|c| !ends(c)) {
            self.line.opaque |= !(c.is_alphanumeric() || " \t,.:-_/=+@#".contains(c));
        }
    }

    /// A command within the command: it is listed as one of its own.
    fn substitute(&mut self, kind: Inside) {
        self.line.opaque = true;
        self.end_command();
        self.inside.push(kind);
    }

    fn end_word(&mut self) {
        let expands = std::mem::take(&mut self.expands);
        if let Some(word) = self.word.take() {
            self.line.opaque |= self.words.is_empty() && is_prefix_word(&word);
            if expands {
                self.line.patterns.push(word.clone());
            }
            self.words.push(word);
        }
    }

    fn end_command(&mut self) {
        self.end_word();
        if !self.words.is_empty() {
            self.line.commands.push(std::mem::take(&mut self.words));
        }
    }

    fn finish(mut self) -> ShellLine {
        self.end_command();
        self.line.opaque |= !self.inside.is_empty();
        self.line
    }
}

/// A first word that is not the program: an assignment (`LD_PRELOAD=x git`), a brace, a keyword that takes a command.
fn is_prefix_word(word: &str) -> bool {
    is_assignment(word) || KEYWORDS.contains(&word) || word.starts_with('{')
}

pub(crate) const KEYWORDS: [&str; 12] = [
    "!", "{", "}", "if", "then", "elif", "else", "while", "until", "do", "for", "case",
];

/// `NAME=value` in front of a command.
pub(crate) fn is_assignment(word: &str) -> bool {
    word.split_once('=').is_some_and(|(name, _)| {
        let name = name.strip_suffix('+').unwrap_or(name);
        !name.is_empty()
            && !name.starts_with(|c: char| c.is_ascii_digit())
            && name.chars().all(|c| c.is_ascii_alphanumeric() || c == '_')
    })
}

#[cfg(test)]
mod tests;
