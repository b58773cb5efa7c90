//! Markdown as it streams in, styled for a terminal.
//!
//! Text comes in pieces cut anywhere, and what a person sees does not depend on the cuts. What is certain is given out at once; a
//! span that may still become emphasis, code or a link is held until it is decided, at the latest at the end of its line or after
//! [`LIMIT`] bytes. An undecided span is text.
//!
//! Nothing is lost and nothing is added but looks. The only characters that are not shown are the `*`, `_` and backticks around a
//! span that was closed, and the brackets around the text of a link. `#`, `>`, markers of lists, fences and rules stay.
//!
//! The text must be safe for a terminal before it comes here ([`crate::safe`]). Every piece given out ends with all looks off.

mod fence;
mod inline;
mod look;

use self::{
    fence::{Fence, Step},
    inline::Inline,
    look::{Canvas, Look},
};

/// How many bytes of an undecided span are held, at most.
const LIMIT: usize = 4_096;

/// A message as far as it was read.
#[derive(Debug)]
pub(crate) struct Markdown {
    block: Block,
    /// The undecided beginning of a line.
    held: String,
    inline: Inline,
    fence: Option<Fence>,
    /// Whether the line is in a block quote.
    quoted: bool,
}

#[derive(Debug, Clone, Copy)]
enum Block {
    /// Where a block may begin.
    Start,
    /// Marks that may begin one.
    Marks { mark: char, count: usize },
    /// Digits that may number an item.
    Number,
    /// Blanks behind what is a rule if nothing follows.
    Rule,
    /// What stands behind an opening fence.
    Info { mark: char, count: usize },
    /// Text.
    Line,
}

impl Markdown {
    pub(crate) fn new() -> Self {
        Self {
            block: Block::Start,
            held: String::new(),
            inline: Inline::new(Look::PLAIN),
            fence: None,
            quoted: false,
        }
    }

    /// The next piece of the message, and as much of it as is certain.
    pub(crate) fn feed(&mut self, text: &str) -> String {
        let mut canvas = Canvas::new(text.len() + self.held.len() + 16);
        for c in text.chars() {
            self.step(c, &mut canvas);
        }
        canvas.into_text()
    }

    /// Gives out what is undecided: something else has to be shown now. The message goes on.
    pub(crate) fn settle(&mut self) -> String {
        let mut canvas = Canvas::new(self.held.len());
        if !self.held.is_empty() {
            self.is_text(&mut canvas);
        }
        self.inline.end(&mut canvas);
        canvas.into_text()
    }

    /// Gives out the end of the message; what comes next is another one.
    pub(crate) fn finish(&mut self) -> String {
        let mut canvas = Canvas::new(self.held.len());
        if self.fence.is_none() {
            self.end_line(&mut canvas);
        }
        *self = Self::new();
        canvas.into_text()
    }

    fn step(&mut self, c: char, canvas: &mut Canvas) {
        if let Some(fence) = &mut self.fence {
            let step = fence.step(c);
            if matches!(step, Step::Ends | Step::Ended) {
                self.fence = None;
            }
            if !matches!(step, Step::Ended) {
                let look = if c == '\n' { Look::PLAIN } else { Look::DIM };
                return canvas.put(c, look);
            }
        }
        if c == '\n' {
            self.end_line(canvas);
            return canvas.put(c, Look::PLAIN);
        }
        match self.block {
            Block::Start => self.start(c, canvas),
            Block::Marks { mark, count } => self.mark(mark, count, c, canvas),
            Block::Number => {
                let is_full = self.held.ends_with(['.', ')']);
                if is_full && is_blank(c) {
                    self.begin(Look::BOLD, Block::Start, canvas);
                    canvas.put(c, Look::PLAIN);
                } else if !is_full
                    && (matches!(c, '.' | ')') || (c.is_ascii_digit() && self.held.len() < 9))
                {
                    self.held.push(c);
                } else {
                    self.text(c, canvas);
                }
            }
            Block::Rule if is_blank(c) => self.held.push(c),
            Block::Info { mark, .. } if mark == '~' || c != '`' => self.held.push(c),
            Block::Rule | Block::Info { .. } => self.text(c, canvas),
            Block::Line => self.inline.push(c, canvas),
        }
        if self.held.len() >= LIMIT {
            self.is_text(canvas);
        }
    }

    fn start(&mut self, c: char, canvas: &mut Canvas) {
        match c {
            ' ' | '\t' => canvas.put(c, Look::PLAIN),
            '>' => {
                self.quoted = true;
                canvas.put(c, Look::DIM);
            }
            '#' | '-' | '+' | '*' | '_' | '`' | '~' => {
                self.held.push(c);
                self.block = Block::Marks { mark: c, count: 1 };
            }
            '0'..='9' => {
                self.held.push(c);
                self.block = Block::Number;
            }
            _ => self.text(c, canvas),
        }
    }

    fn mark(&mut self, mark: char, count: usize, c: char, canvas: &mut Canvas) {
        match (mark, count) {
            _ if c == mark => {
                self.held.push(c);
                self.block = Block::Marks {
                    mark,
                    count: count + 1,
                };
            }
            ('#', 1..=6) if is_blank(c) => {
                self.inline.base = Look::BOLD;
                self.begin(Look::BOLD, Block::Line, canvas);
                canvas.put(c, Look::BOLD);
            }
            ('-' | '+' | '*', 1) if is_blank(c) => {
                self.begin(Look::BOLD, Block::Start, canvas);
                canvas.put(c, Look::PLAIN);
            }
            ('-' | '*' | '_', 3..) if is_blank(c) => {
                self.held.push(c);
                self.block = Block::Rule;
            }
            ('`' | '~', 3..) => {
                self.held.push(c);
                self.block = Block::Info { mark, count };
            }
            _ => self.text(c, canvas),
        }
    }

    /// What is held is decided and gets this look.
    fn begin(&mut self, look: Look, next: Block, canvas: &mut Canvas) {
        canvas.put_text(&self.held, look);
        self.held.clear();
        self.block = next;
    }

    /// What is held begins no block.
    fn is_text(&mut self, canvas: &mut Canvas) {
        for c in std::mem::take(&mut self.held).chars() {
            self.inline.push(c, canvas);
        }
        self.block = Block::Line;
    }

    fn text(&mut self, c: char, canvas: &mut Canvas) {
        self.is_text(canvas);
        self.inline.push(c, canvas);
    }

    fn end_line(&mut self, canvas: &mut Canvas) {
        match self.block {
            Block::Marks {
                mark: mark @ ('`' | '~'),
                count: count @ 3..,
            }
            | Block::Info { mark, count } => {
                self.fence = Some(Fence::new(mark, count, self.quoted));
                self.begin(Look::DIM, Block::Start, canvas);
            }
            Block::Marks {
                mark: '-' | '*' | '_',
                count: 3..,
            }
            | Block::Rule => self.begin(Look::DIM, Block::Start, canvas),
            _ => self.is_text(canvas),
        }
        self.inline.end(canvas);
        self.inline.base = Look::PLAIN;
        self.block = Block::Start;
        self.quoted = false;
    }
}

fn is_blank(c: char) -> bool {
    matches!(c, ' ' | '\t')
}

#[cfg(test)]
mod tests;
