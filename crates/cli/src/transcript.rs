//! A recorded conversation, read back line by line: which side said what.
//!
//! Three shapes are read: what `--record` writes, lines with `dir` and `frame`, and bare messages, whose side is told by what they say.

use std::{
    collections::BTreeSet,
    io::{self, BufRead},
};

use acp_harness::{
    permission::Side,
    vocab::{CLIENT_METHODS, RequestId},
};
use serde::Deserialize;
use serde_json::value::RawValue;

/// Longest line of a recording: a frame at the bound of the wire, as a text within a text.
const MAX_LINE: u64 = 160 << 20;

/// What was read of a recording.
#[derive(Debug, Default, PartialEq, Eq)]
pub(crate) struct Read {
    /// Lines that were messages.
    pub(crate) messages: usize,
    /// Lines that were neither messages nor notes.
    pub(crate) strange: usize,
}

/// Any line of a recording.
#[derive(Deserialize)]
struct Line<'a> {
    r#type: Option<String>,
    dir: Option<String>,
    raw: Option<String>,
    frame: Option<String>,
    jsonrpc: Option<String>,
    method: Option<String>,
    id: Option<RequestId>,
    #[serde(borrow)]
    result: Option<&'a RawValue>,
}

/// Reads a recording to its end.
///
/// # Errors
/// It cannot be read, or a line is longer than any that is written.
pub(crate) fn read(
    mut recording: impl BufRead,
    mut take: impl FnMut(Side, &str),
) -> io::Result<Read> {
    let mut read = Read::default();
    let mut asked = BTreeSet::new();
    let mut bytes = Vec::new();
    loop {
        bytes.clear();
        let mut bounded = io::Read::take(&mut recording, MAX_LINE);
        if bounded.read_until(b'\n', &mut bytes)? == 0 {
            return Ok(read);
        }
        if bytes.len() as u64 == MAX_LINE {
            return Err(io::Error::other("a line is longer than 160 MiB"));
        }
        let text = String::from_utf8_lossy(&bytes);
        let text = text.trim();
        let Ok(line) = serde_json::from_str::<Line<'_>>(text) else {
            read.strange += usize::from(!text.is_empty());
            continue;
        };
        match message(&line, text, &mut asked) {
            Some((side, message)) => {
                read.messages += 1;
                take(side, &message);
            }
            // The header, notes, noise, stderr, the end.
            None if line.r#type.is_some() || line.dir.is_some() => {}
            None => read.strange += 1,
        }
    }
}

/// The message in a line, and whose it is. `asked`: the ids of the agent's requests among bare messages.
fn message(line: &Line<'_>, text: &str, asked: &mut BTreeSet<RequestId>) -> Option<(Side, String)> {
    if line.jsonrpc.is_some() {
        return Some((side(line, asked), text.to_owned()));
    }
    let side = match line.dir.as_deref()? {
        "a2c" | "in" => Side::Agent,
        "c2a" | "out" => Side::Client,
        _ => return None,
    };
    if line.r#type.as_deref().is_some_and(|kind| kind != "frame") {
        return None;
    }
    // One that is not UTF-8, and stands in base64, is no message either.
    let message = line.raw.clone().or_else(|| line.frame.clone())?;
    Some((side, message))
}

/// Whose a bare message is. What the agent calls is the client's to answer; an answer with an outcome is one to a permission.
fn side(line: &Line<'_>, asked: &mut BTreeSet<RequestId>) -> Side {
    match &line.method {
        Some(method)
            if CLIENT_METHODS
                .iter()
                .any(|known| known.method.name() == method) =>
        {
            asked.extend(line.id.clone());
            Side::Agent
        }
        Some(_) => Side::Client,
        None => {
            let has_outcome = line
                .result
                .is_some_and(|result| result.get().contains("\"outcome\""));
            let answers = line.id.as_ref().is_some_and(|id| asked.contains(id));
            if answers && (has_outcome || line.result.is_none()) {
                line.id.as_ref().map(|id| asked.remove(id));
                Side::Client
            } else {
                Side::Agent
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{Read, Side, read};

    #[track_caller]
    fn check(recording: &str, expected: &[(Side, &str)], strange: usize) {
        let mut found = Vec::new();
        let came = read(recording.as_bytes(), |side, line| {
            found.push((side, line.to_owned()));
        });
        let expected: Vec<_> = expected
            .iter()
            .map(|(side, line)| (*side, (*line).to_owned()))
            .collect();
        assert_eq!(found, expected);
        let messages = expected.len();
        assert_eq!(came.expect("readable"), Read { messages, strange });
    }

    #[test]
    fn what_record_writes() {
        check(
            concat!(
                r#"{"type":"acp-trace","v":1,"argv0":"a","protocol":null,"warning":"may contain secrets"}"#,
                "\n",
                r#"{"seq":0,"type":"frame","dir":"c2a","raw":"{\"id\":1}"}"#,
                "\n",
                r#"{"seq":1,"type":"noise","dir":"a2c","why":"x","bytes":1,"raw":"x"}"#,
                "\n",
                r#"{"seq":2,"type":"frame","dir":"a2c","raw_b64":"//79"}"#,
                "\n",
                r#"{"seq":3,"type":"frame","dir":"a2c","raw":"{\"id\":2}"}"#,
                "\n",
                r#"{"seq":4,"type":"stderr","raw":"{}"}"#,
            ),
            &[(Side::Client, r#"{"id":1}"#), (Side::Agent, r#"{"id":2}"#)],
            0,
        );
    }

    #[test]
    fn lines_with_a_direction() {
        check(
            "{\"dir\":\"note\",\"t\":1,\"frame\":\"{}\"}\n{\"dir\":\"out\",\"t\":2,\"frame\":\"a\"}\n\n{\"dir\":\"in\",\"t\":3,\"frame\":\"b\"}\n",
            &[(Side::Client, "a"), (Side::Agent, "b")],
            0,
        );
    }

    #[test]
    fn bare_messages_tell_their_side() {
        let lines = [
            (
                Side::Client,
                r#"{"jsonrpc":"2.0","id":0,"method":"initialize","params":{}}"#,
            ),
            (
                Side::Agent,
                r#"{"jsonrpc":"2.0","id":0,"result":{"protocolVersion":1}}"#,
            ),
            (
                Side::Agent,
                r#"{"jsonrpc":"2.0","id":0,"method":"session/request_permission","params":{}}"#,
            ),
            (
                Side::Agent,
                r#"{"jsonrpc":"2.0","id":0,"result":{"stopReason":"end_turn"}}"#,
            ),
            (
                Side::Client,
                r#"{"jsonrpc":"2.0","id":0,"result":{"outcome":{"outcome":"cancelled"}}}"#,
            ),
            (
                Side::Agent,
                r#"{"jsonrpc":"2.0","method":"session/update","params":{}}"#,
            ),
            (
                Side::Client,
                r#"{"jsonrpc":"2.0","method":"session/cancel","params":{}}"#,
            ),
        ];
        let text: Vec<&str> = lines.iter().map(|(_, line)| *line).collect();
        check(&text.join("\n"), &lines, 0);
    }

    #[test]
    fn what_is_no_recording_is_counted() {
        check("hello\n{\"a\":1}\n[1]\n", &[], 3);
    }
}
