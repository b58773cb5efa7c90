//! A fenced block of code: where it ends.

/// An open fence, and the line inside of it as far as it was read.
#[derive(Debug)]
pub(super) struct Fence {
    mark: char,
    count: usize,
    quoted: bool,
    line: Line,
}

#[derive(Debug, Clone, Copy)]
enum Line {
    /// Blanks and the marks of a quote, and whether there was such a mark.
    Margin {
        quoted: bool,
    },
    /// As many marks as may close it.
    Marks(usize),
    /// Blanks behind enough marks.
    Tail,
    Code,
}

/// What a character is to the fence.
#[derive(Debug, Clone, Copy)]
pub(super) enum Step {
    /// Part of the block.
    Inside,
    /// The last of the block.
    Ends,
    /// The first behind the block.
    Ended,
}

impl Fence {
    /// Opened by so many of these marks, in a block quote or not.
    pub(super) fn new(mark: char, count: usize, quoted: bool) -> Self {
        Self {
            mark,
            count,
            quoted,
            line: Line::Margin { quoted: false },
        }
    }

    /// The next character. The end of the quote ends the block, too.
    pub(super) fn step(&mut self, c: char) -> Step {
        let is_blank = matches!(c, ' ' | '\t');
        self.line = match self.line {
            Line::Margin { quoted } if self.quoted && !quoted && !is_blank => {
                if c != '>' {
                    return Step::Ended;
                }
                Line::Margin { quoted: true }
            }
            Line::Marks(count) if c == '\n' && count >= self.count => return Step::Ends,
            Line::Tail if c == '\n' => return Step::Ends,
            _ if c == '\n' => Line::Margin { quoted: false },
            margin @ Line::Margin { .. } if is_blank || (self.quoted && c == '>') => margin,
            Line::Margin { .. } if c == self.mark => Line::Marks(1),
            Line::Marks(count) if c == self.mark => Line::Marks(count + 1),
            Line::Marks(count) if is_blank && count >= self.count => Line::Tail,
            Line::Tail if is_blank => Line::Tail,
            _ => Line::Code,
        };
        Step::Inside
    }
}
