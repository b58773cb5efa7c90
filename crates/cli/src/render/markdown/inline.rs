//! What stands within a line: emphasis, code and links.
//!
//! From the character that may open a span until it is decided, the text is held; it never outlives its line.

use super::{
    LIMIT,
    look::{Canvas, Look},
};

/// A line as far as it was read.
#[derive(Debug)]
pub(super) struct Inline {
    /// What all of the line looks like.
    pub(super) base: Look,
    state: State,
    /// The undecided span, with what opened it.
    held: String,
    /// The character before the undecided span.
    before: Option<char>,
    /// Whether the next character is taken literally.
    escaped: bool,
}

#[derive(Debug, Clone, Copy)]
enum State {
    Plain,
    /// Marks that may open a span.
    Opening {
        mark: char,
        count: usize,
    },
    /// Emphasis; the last `run` characters are marks that may close it.
    Emphasis {
        mark: char,
        count: usize,
        run: usize,
    },
    /// Code; the last `run` characters are backticks.
    Code {
        ticks: usize,
        run: usize,
    },
    /// The text of a link.
    Label,
    /// Behind the text of a link.
    Labelled,
    /// The address of a link, in this many parentheses.
    Target {
        depth: usize,
    },
}

impl Inline {
    pub(super) fn new(base: Look) -> Self {
        Self {
            base,
            state: State::Plain,
            held: String::new(),
            before: None,
            escaped: false,
        }
    }

    /// The next character of the line.
    pub(super) fn push(&mut self, c: char, canvas: &mut Canvas) {
        let state = self.state;
        match state {
            State::Plain => self.plain(c, canvas),
            State::Opening { mark, count } if c == mark => {
                let count = count + 1;
                self.hold(c, State::Opening { mark, count });
            }
            State::Opening { mark: '`', count } => {
                let ticks = count;
                self.hold(c, State::Code { ticks, run: 0 });
            }
            State::Opening { mark, count } if self.opens(mark, count, c) => {
                let run = 0;
                self.hold(c, State::Emphasis { mark, count, run });
            }
            State::Emphasis { mark, count, run } if c == mark => {
                let run = run + 1;
                self.hold(c, State::Emphasis { mark, count, run });
            }
            State::Code { ticks, run } if c == '`' => {
                let run = run + 1;
                self.hold(c, State::Code { ticks, run });
            }
            State::Emphasis { .. } | State::Code { .. } if self.close(Some(c), canvas) => {
                self.plain(c, canvas);
            }
            State::Emphasis { mark, count, .. } => {
                let run = 0;
                self.hold(c, State::Emphasis { mark, count, run });
            }
            State::Code { ticks, .. } => self.hold(c, State::Code { ticks, run: 0 }),
            State::Label if c == ']' && self.held.len() > 1 => self.hold(c, State::Labelled),
            State::Label if c != ']' && c != '[' => self.hold(c, State::Label),
            State::Labelled if c == '(' => self.hold(c, State::Target { depth: 1 }),
            State::Target { depth: 1 } if c == ')' => {
                self.hold(c, State::Plain);
                self.link(canvas);
            }
            State::Target { depth } => {
                let depth = match c {
                    '(' => depth + 1,
                    ')' => depth - 1,
                    _ => depth,
                };
                self.hold(c, State::Target { depth });
            }
            State::Opening { .. } | State::Label | State::Labelled => {
                self.give_up(canvas);
                self.plain(c, canvas);
            }
        }
        if self.held.len() >= LIMIT {
            self.give_up(canvas);
        }
    }

    /// Nothing follows: what is closed is a span, what is undecided is text.
    pub(super) fn end(&mut self, canvas: &mut Canvas) {
        if !self.close(None, canvas) {
            self.give_up(canvas);
        }
        self.before = None;
        self.escaped = false;
    }

    /// How many bytes are undecided.
    #[cfg(test)]
    pub(super) fn held(&self) -> usize {
        self.held.len()
    }

    fn plain(&mut self, c: char, canvas: &mut Canvas) {
        let is_literal = std::mem::take(&mut self.escaped);
        match c {
            '*' | '_' | '`' if !is_literal => {
                return self.hold(c, State::Opening { mark: c, count: 1 });
            }
            '[' if !is_literal && !self.before.is_some_and(|c| c.is_ascii_alphanumeric()) => {
                return self.hold(c, State::Label);
            }
            '\\' => self.escaped = !is_literal,
            _ => {}
        }
        canvas.put(c, self.base);
        self.before = Some(c);
    }

    fn hold(&mut self, c: char, state: State) {
        self.held.push(c);
        self.state = state;
    }

    /// The undecided span is no span.
    fn give_up(&mut self, canvas: &mut Canvas) {
        canvas.put_text(&self.held, self.base);
        self.forget();
    }

    fn forget(&mut self) {
        self.before = self.held.chars().next_back().or(self.before);
        self.held.clear();
        self.state = State::Plain;
    }

    /// Whether these marks open emphasis between what is before them and this character.
    fn opens(&self, mark: char, count: usize, next: char) -> bool {
        let most = if mark == '*' { 3 } else { 1 };
        let before = self.before;
        count <= most
            && !next.is_whitespace()
            && !before.is_some_and(|c| is_word(mark, c) || "/\\*_.=-".contains(c))
    }

    /// Ends the span if the marks at its end close it.
    fn close(&mut self, next: Option<char>, canvas: &mut Canvas) -> bool {
        let (size, look) = match self.state {
            State::Code { ticks, run } if run == ticks => (ticks, Look::CODE),
            State::Emphasis { mark, count, run } if run == count => {
                let last = self.inside(count).chars().next_back();
                if last.is_none_or(|c| c.is_whitespace() || c == '\\')
                    || next.is_some_and(|c| is_word(mark, c))
                {
                    return false;
                }
                let look = match count {
                    1 => Look::ITALIC,
                    2 => Look::BOLD,
                    _ => Look::BOLD.and(Look::ITALIC),
                };
                (count, look)
            }
            _ => return false,
        };
        let (inside, look) = (self.inside(size), self.base.and(look));
        if matches!(self.state, State::Code { .. }) {
            canvas.put_text(inside, look);
        } else {
            Self::draw(inside, look, canvas);
        }
        self.forget();
        true
    }

    /// What is held, without this many marks at both ends.
    fn inside(&self, size: usize) -> &str {
        let end = self.held.len().saturating_sub(size);
        self.held.get(size..end).unwrap_or_default()
    }

    /// A whole link: its text, then its address.
    fn link(&mut self, canvas: &mut Canvas) {
        let (label, target) = self.held.split_once(']').unwrap_or_default();
        let label = label.strip_prefix('[').unwrap_or(label);
        Self::draw(label, self.base.and(Look::UNDERLINE), canvas);
        canvas.put_text(target, Look::DIM);
        self.forget();
    }

    /// Spans within a span. What is inside one kind has no closing marks of that kind, so that this goes only a few levels deep.
    fn draw(text: &str, base: Look, canvas: &mut Canvas) {
        let mut inner = Self::new(base);
        for c in text.chars() {
            inner.push(c, canvas);
        }
        inner.end(canvas);
    }
}

/// Whether the character continues a word, so that a mark next to it is part of the word: `2*3*4`, `snake_case`.
///
/// Writing without spaces between words has emphasis in the middle of what looks like one.
fn is_word(mark: char, c: char) -> bool {
    c.is_ascii_alphanumeric() || (mark == '_' && c.is_alphanumeric())
}
