//! Lines on their way to stdout: how they are cut, ended, numbered and doubled.

use std::io::{self, Write as _};

use super::script::{Ids, Wire};

/// Writes to stdout. Nothing is held back: what was written is in the pipe.
#[derive(Debug)]
pub(crate) struct Output {
    wire: Wire,
    /// Answers that wait to be sent together.
    held: Vec<String>,
}

impl Output {
    /// Writes in this way.
    pub(crate) fn new(wire: Wire) -> Self {
        Self {
            wire,
            held: Vec::new(),
        }
    }

    /// One message.
    pub(crate) fn message(&mut self, json: &str) -> io::Result<()> {
        let newline = self.wire.newline.as_deref().unwrap_or("\n");
        let prefix = self.wire.prefix.as_deref().unwrap_or_default();
        let json = if self.wire.pretty {
            pretty(json)
        } else {
            json.to_owned()
        };
        self.bytes(format!("{prefix}{json}{newline}").as_bytes())
    }

    /// An answer: `outcome` is the member `result` or `error`, with its name.
    pub(crate) fn answer(&mut self, id: &str, outcome: &str) -> io::Result<()> {
        let id = match self.wire.ids {
            Ids::Same => id.to_owned(),
            Ids::Null => String::from("null"),
            Ids::String => format!("\"{}\"", id.trim_matches('"')),
            Ids::Float => format!("{id}.5"),
            Ids::Other => id
                .parse::<i64>()
                .map_or_else(|_| String::from("\"other\""), |id| (id + 100).to_string()),
        };
        let members = [
            ("jsonrpc", String::from(r#""jsonrpc":"2.0""#)),
            ("id", format!("\"id\":{id}")),
            ("outcome", outcome.to_owned()),
        ];
        let without = self.wire.without.as_deref();
        let members: Vec<String> = members
            .into_iter()
            .filter(|(name, _)| Some(*name) != without)
            .map(|(_, member)| member)
            .collect();
        let json = format!("{{{}}}", members.join(","));
        if let Some(size) = self.wire.batch {
            self.held.push(json);
            if self.held.len() < size {
                return Ok(());
            }
            let all = std::mem::take(&mut self.held).join(",");
            return self.message(&format!("[{all}]"));
        }
        self.message(&json)?;
        if self.wire.twice {
            self.message(&json)?;
        }
        Ok(())
    }

    /// Bytes as they stand, in as many writes as the wire wants.
    pub(crate) fn bytes(&self, bytes: &[u8]) -> io::Result<()> {
        let mut out = io::stdout().lock();
        let mut rest = bytes;
        while !rest.is_empty() {
            let at = self.cut(rest);
            let (piece, left) = rest.split_at_checked(at).unwrap_or((rest, &[]));
            out.write_all(piece)?;
            out.flush()?;
            rest = left;
        }
        Ok(())
    }

    /// How many bytes the next write takes.
    fn cut(&self, rest: &[u8]) -> usize {
        let whole = self
            .wire
            .chunk
            .map_or(rest.len(), |chunk| chunk.clamp(1, rest.len()));
        if !self.wire.split_characters {
            return whole;
        }
        // After the first byte of the next character that has more than one.
        rest.iter()
            .skip(1)
            .position(|byte| *byte >= 0xC0)
            .map_or(whole, |at| whole.min(at + 2))
    }
}

/// The same JSON over several lines.
fn pretty(json: &str) -> String {
    serde_json::from_str::<serde_json::Value>(json)
        .and_then(|value| serde_json::to_string_pretty(&value))
        .unwrap_or_else(|_| json.to_owned())
}

#[cfg(test)]
mod tests {
    use super::{Output, Wire};

    #[track_caller]
    fn check(wire: Wire, text: &str, pieces: &[usize]) {
        let output = Output::new(wire);
        let mut rest = text.as_bytes();
        let mut cuts = Vec::new();
        while !rest.is_empty() {
            let at = output.cut(rest);
            cuts.push(at);
            rest = &rest[at..];
        }
        assert_eq!(cuts, pieces, "{text}");
    }

    #[test]
    fn where_a_line_is_cut() {
        check(Wire::default(), "abc", &[3]);
        let chunk = |size| Wire {
            chunk: Some(size),
            ..Wire::default()
        };
        check(chunk(1), "abc", &[1, 1, 1]);
        check(chunk(2), "abc", &[2, 1]);
        check(chunk(0), "ab", &[1, 1]);
        let split = Wire {
            split_characters: true,
            ..Wire::default()
        };
        // The cut is behind the first byte of each character that has more than one.
        check(split.clone(), "aéb", &[2, 2]);
        check(split.clone(), "é🙂", &[3, 3]);
        check(split, "plain", &[5]);
    }
}
