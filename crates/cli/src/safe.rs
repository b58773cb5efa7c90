//! An agent's text on its way to a terminal: control and escape sequences are shown, never executed.
//!
//! A terminal acts on more than ESC: C1 controls are escape sequences in one character, a lone carriage return overwrites what a
//! person has just read, and bidirectional overrides make a path look like another one. All of them are written out, as `\x1b` or
//! `\u{202e}`. Newlines and tabs stay in running text and are shown where one line is expected.

use std::borrow::Cow;
use std::fmt::Write as _;

/// Running text: newlines and tabs stay, a carriage return before a newline goes.
pub(crate) fn text(text: &str) -> Cow<'_, str> {
    if !text.chars().any(|c| acts(c) && c != '\n' && c != '\t') {
        return Cow::Borrowed(text);
    }
    let mut out = String::with_capacity(text.len() + 16);
    let mut rest = text.chars().peekable();
    while let Some(c) = rest.next() {
        match c {
            '\n' | '\t' => out.push(c),
            '\r' if rest.peek() == Some(&'\n') => {}
            c if acts(c) => show(c, &mut out),
            c => out.push(c),
        }
    }
    Cow::Owned(out)
}

/// One line of at most `limit` characters: newlines are shown too, and what is cut is marked.
pub(crate) fn line(text: &str, limit: usize) -> String {
    let mut out = String::new();
    for (index, c) in text.trim_end().chars().enumerate() {
        if index == limit {
            out.push('…');
            break;
        }
        match c {
            '\n' => out.push('⏎'),
            '\t' => out.push(' '),
            c if acts(c) => show(c, &mut out),
            c => out.push(c),
        }
    }
    out
}

/// Whether a terminal may act on the character instead of showing it.
pub(crate) fn acts(c: char) -> bool {
    c.is_control()
        || matches!(c,
            // marks, embeddings, overrides and isolates of bidirectional text
            '\u{061c}' | '\u{200e}' | '\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}'
            // line and paragraph separators, and characters that are there and not seen
            | '\u{2028}' | '\u{2029}' | '\u{200b}' | '\u{2060}' | '\u{feff}' | '\u{fff9}'..='\u{fffb}' | '\u{e0000}'..='\u{e007f}')
}

fn show(c: char, out: &mut String) {
    let code = u32::from(c);
    // Writing to a string does not fail.
    let _: std::fmt::Result = match c {
        '\r' => out.write_str("\\r"),
        '\0'..='\u{7f}' => write!(out, "\\x{code:02x}"),
        _ => write!(out, "\\u{{{code:x}}}"),
    };
}

#[cfg(test)]
mod tests;
