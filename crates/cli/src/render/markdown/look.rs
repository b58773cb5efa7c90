//! What a character looks like, and the escape sequences for it.

/// A set of looks.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Look(u8);

impl Look {
    pub(super) const PLAIN: Self = Self(0);
    pub(super) const BOLD: Self = Self(1);
    pub(super) const DIM: Self = Self(2);
    pub(super) const ITALIC: Self = Self(4);
    pub(super) const UNDERLINE: Self = Self(8);
    pub(super) const CODE: Self = Self(16);

    /// Each look and its number in an escape sequence.
    const CODES: [(Self, &'static str); 5] = [
        (Self::BOLD, "1"),
        (Self::DIM, "2"),
        (Self::ITALIC, "3"),
        (Self::UNDERLINE, "4"),
        (Self::CODE, "36"),
    ];

    /// Both.
    pub(super) fn and(self, other: Self) -> Self {
        Self(self.0 | other.0)
    }
}

/// Text on its way to the terminal. It ends as it began: with no look on.
#[derive(Debug)]
pub(super) struct Canvas {
    out: String,
    on: Look,
}

impl Canvas {
    pub(super) fn new(capacity: usize) -> Self {
        Self {
            out: String::with_capacity(capacity),
            on: Look::PLAIN,
        }
    }

    /// One character.
    pub(super) fn put(&mut self, c: char, look: Look) {
        self.turn(look);
        self.out.push(c);
    }

    /// A piece of text.
    pub(super) fn put_text(&mut self, text: &str, look: Look) {
        if !text.is_empty() {
            self.turn(look);
            self.out.push_str(text);
        }
    }

    /// What was put, with every look off at its end.
    pub(super) fn into_text(mut self) -> String {
        self.turn(Look::PLAIN);
        self.out
    }

    fn turn(&mut self, look: Look) {
        if self.on == look {
            return;
        }
        if self.on != Look::PLAIN {
            self.out.push_str("\u{1b}[0m");
        }
        let mut lead = "\u{1b}[";
        for (one, code) in Look::CODES {
            if look.0 & one.0 != 0 {
                self.out.push_str(lead);
                self.out.push_str(code);
                lead = ";";
            }
        }
        if look != Look::PLAIN {
            self.out.push('m');
        }
        self.on = look;
    }
}
