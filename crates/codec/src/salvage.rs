//! The id of a reply whose line no reader of JSON accepts.
//!
//! Python agents print `NaN`, hand-written ones leave control characters in strings, some cut a
//! character in half. If the reply to a pending request is such a line, the request has to end
//! with an error now instead of at its deadline. So a line that failed is looked at once more by
//! a lexer that knows only strings, brackets and commas.

use std::str;

use acp_vocab::RequestId;

use crate::id::read_reply_id;

/// The id of a reply, if the line is one object from its first byte to its last, has a readable
/// `id`, a `result` or an `error`, and no `method`.
pub(crate) fn salvage(line: &[u8]) -> Option<RequestId> {
    let mut lexer = Lexer { line, at: 0 };
    let mut id = None;
    let mut has_outcome = false;
    lexer.expect(b'{')?;
    loop {
        lexer.skip_space();
        let name = lexer.string()?;
        lexer.skip_space();
        lexer.expect(b':')?;
        let value = lexer.value()?;
        match name {
            b"id" => id = Some(value),
            b"result" | b"error" => has_outcome = true,
            b"method" if value != b"null" => return None,
            _ => {}
        }
        match lexer.eat()? {
            b'}' => break,
            b',' => {}
            _ => return None,
        }
        lexer.skip_space();
        if lexer.peek() == Some(b'}') {
            // A trailing comma.
            lexer.eat();
            break;
        }
    }
    if lexer.at != line.len() || !has_outcome {
        return None;
    }
    read_reply_id(str::from_utf8(id?).ok()?)
}

struct Lexer<'a> {
    line: &'a [u8],
    at: usize,
}

impl<'a> Lexer<'a> {
    fn peek(&self) -> Option<u8> {
        self.line.get(self.at).copied()
    }

    fn eat(&mut self) -> Option<u8> {
        let byte = self.peek()?;
        self.at += 1;
        Some(byte)
    }

    fn expect(&mut self, byte: u8) -> Option<()> {
        (self.eat()? == byte).then_some(())
    }

    fn skip_space(&mut self) {
        while self.peek().is_some_and(|byte| byte.is_ascii_whitespace()) {
            self.at += 1;
        }
    }

    /// What stands between the quotes of a string, whatever it is.
    fn string(&mut self) -> Option<&'a [u8]> {
        self.expect(b'"')?;
        let start = self.at;
        loop {
            match self.eat()? {
                b'"' => return self.line.get(start..self.at - 1),
                b'\\' => self.at += 1,
                _ => {}
            }
        }
    }

    /// Everything up to the comma or bracket that ends a member's value, without white space.
    fn value(&mut self) -> Option<&'a [u8]> {
        let start = self.at;
        let mut depth = 0usize;
        loop {
            match self.peek()? {
                b'"' => {
                    self.string()?;
                    continue;
                }
                b'{' | b'[' => depth += 1,
                b',' if depth == 0 => break,
                b'}' | b']' => match depth.checked_sub(1) {
                    Some(less) => depth = less,
                    None => break,
                },
                _ => {}
            }
            self.at += 1;
        }
        Some(self.line.get(start..self.at)?.trim_ascii())
    }
}
