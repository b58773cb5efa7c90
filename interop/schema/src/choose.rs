//! Who decides what a generated value looks like.

use serde_json::{Value, json};

/// Answers the questions that come up while a value is built. The first of several possibilities
/// is always the plainest.
pub trait Choose {
    /// One of `count` possibilities.
    fn pick(&mut self, count: usize) -> usize;

    /// Whether something that may be left out is there.
    fn there(&mut self) -> bool;

    /// How many items a list has.
    fn many(&mut self) -> usize;

    /// Any text.
    fn text(&mut self) -> String {
        const TEXTS: [&str; 10] = [
            "x",
            "",
            " a b ",
            "line\nbreak\ttab",
            "\"quoted\" \\ /",
            "\u{e9}\u{4e2d}\u{1f600}",
            "\u{0}\u{1f}\u{7f}\u{2028}",
            "null",
            "_unheard",
            "/work/file.rs",
        ];
        TEXTS[self.pick(TEXTS.len())].to_owned()
    }

    /// Any JSON, no deeper than that.
    fn json(&mut self, depth: usize) -> Value {
        match self.pick(if depth == 0 { 6 } else { 8 }) {
            0 => json!({}),
            1 => json!(self.text()),
            2 => json!(true),
            3 => json!(7),
            4 => json!(-0.5),
            5 => Value::Null,
            6 => (0..self.many()).map(|_| self.json(depth - 1)).collect(),
            _ => self.object(depth - 1),
        }
    }

    /// Any JSON object.
    fn object(&mut self, depth: usize) -> Value {
        Value::Object(
            (0..self.many())
                .map(|_| (self.text(), self.json(depth)))
                .collect(),
        )
    }
}

/// Leaves out what may be left out and takes the plainest of everything.
#[derive(Clone, Copy, Debug)]
pub struct Least;

impl Choose for Least {
    fn pick(&mut self, _count: usize) -> usize {
        0
    }

    fn there(&mut self) -> bool {
        false
    }

    fn many(&mut self) -> usize {
        0
    }
}

/// Has everything, and of several possibilities the one whose turn it is.
#[derive(Clone, Copy, Debug)]
pub struct Most(
    /// The turn.
    pub usize,
);

impl Choose for Most {
    fn pick(&mut self, count: usize) -> usize {
        self.0 % count
    }

    fn there(&mut self) -> bool {
        true
    }

    fn many(&mut self) -> usize {
        2
    }
}

/// Takes what was drawn; once that is used up, the plainest of everything.
#[derive(Clone, Copy, Debug)]
pub struct Drawn<'d>(
    /// What was drawn.
    pub &'d [u16],
);

impl Choose for Drawn<'_> {
    fn pick(&mut self, count: usize) -> usize {
        let Some((first, rest)) = self.0.split_first() else {
            return 0;
        };
        self.0 = rest;
        usize::from(*first) % count
    }

    fn there(&mut self) -> bool {
        self.pick(2) == 1
    }

    fn many(&mut self) -> usize {
        self.pick(4)
    }
}
