//! What the bytes cost when nothing is done for the user: `bench-floor read|envelope|typed CASE N ORDER BLASTER`.
//!
//! `read` splits lines; `envelope` adds the JSON-RPC members as raw JSON; `typed` adds a visitor that reads the tag
//! first and copies the text into an owned string. No runtime, no bounds, no ids: a floor, not a client.
use bench_runner::{frames::Digest, meter};
use serde::Deserialize;
use serde::de::{Deserializer, IgnoredAny, MapAccess, Visitor};
use serde_json::value::RawValue;
use std::io::{BufRead, Write};
use std::process::{Command, Stdio};

#[global_allocator]
static COUNTING: meter::Counting = meter::Counting;

#[derive(Clone, Copy, PartialEq)]
enum Depth {
    Read,
    Envelope,
    Typed,
}

#[derive(Deserialize)]
struct Envelope<'a> {
    #[serde(borrow, default)]
    id: Option<&'a RawValue>,
    #[serde(borrow, default)]
    method: Option<&'a str>,
    #[serde(borrow, default)]
    params: Option<&'a RawValue>,
    #[serde(borrow, default)]
    result: Option<&'a RawValue>,
}

struct Params {
    session: String,
    text: Option<String>,
}

impl<'de> Deserialize<'de> for Params {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Outer;
        impl<'de> Visitor<'de> for Outer {
            type Value = Params;
            fn expecting(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                f.write_str("params")
            }
            fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Params, A::Error> {
                let mut params = Params { session: String::new(), text: None };
                while let Some(key) = map.next_key::<&str>()? {
                    match key {
                        "sessionId" => params.session = map.next_value()?,
                        "update" => params.text = map.next_value::<Update>()?.0,
                        _ => {
                            map.next_value::<IgnoredAny>()?;
                        }
                    }
                }
                Ok(params)
            }
        }
        deserializer.deserialize_map(Outer)
    }
}

/// The tag is read where it stands, as a client must before it knows what the rest means.
struct Update(Option<String>);

/// What the tag says: a floor that did not look would read a thought as an answer.
#[derive(Clone, Copy, PartialEq)]
enum Kind {
    Text,
    Tool,
    Other,
}

impl<'de> Deserialize<'de> for Kind {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        Ok(match <&str>::deserialize(deserializer)? {
            "agent_message_chunk" => Self::Text,
            "tool_call" | "tool_call_update" => Self::Tool,
            _ => Self::Other,
        })
    }
}

impl<'de> Deserialize<'de> for Update {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Tagged;
        impl<'de> Visitor<'de> for Tagged {
            type Value = Update;
            fn expecting(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                f.write_str("an update")
            }
            fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Update, A::Error> {
                let (mut kind, mut text) = (Kind::Other, None);
                while let Some(key) = map.next_key::<&str>()? {
                    match key {
                        "sessionUpdate" => kind = map.next_value()?,
                        "content" => text = map.next_value::<Content>()?.text,
                        _ => {
                            map.next_value::<IgnoredAny>()?;
                        }
                    }
                }
                Ok(Update(text.filter(|_| kind != Kind::Other)))
            }
        }
        deserializer.deserialize_map(Tagged)
    }
}

/// A text block, or (for the big frames) a list of tool content that holds one.
#[derive(Default)]
struct Content {
    text: Option<String>,
}

impl<'de> Deserialize<'de> for Content {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Block;
        impl<'de> Visitor<'de> for Block {
            type Value = Content;
            fn expecting(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                f.write_str("content")
            }
            fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Content, A::Error> {
                let mut content = Content::default();
                while let Some(key) = map.next_key::<&str>()? {
                    match key {
                        "text" => content.text = Some(map.next_value()?),
                        "content" => content = map.next_value()?,
                        _ => {
                            map.next_value::<IgnoredAny>()?;
                        }
                    }
                }
                Ok(content)
            }
            fn visit_seq<A: serde::de::SeqAccess<'de>>(self, mut seq: A) -> Result<Content, A::Error> {
                let mut content = Content::default();
                while let Some(item) = seq.next_element()? {
                    content = item;
                }
                Ok(content)
            }
        }
        deserializer.deserialize_any(Block)
    }
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let args: Vec<String> = std::env::args().skip(1).collect();
    let [depth, case, count, order, blaster] = args.as_slice() else { return Err("five arguments".into()) };
    let depth = match depth.as_str() {
        "read" => Depth::Read,
        "envelope" => Depth::Envelope,
        _ => Depth::Typed,
    };
    let count: u64 = count.parse()?;
    let mut command = Command::new(blaster);
    match case.as_str() {
        "roundtrip" => command.arg("roundtrip"),
        "big" => command.args(["big", &count.to_string()]),
        _ => command.args(["updates", &count.to_string(), order]),
    };
    let mut child = command.stdin(Stdio::piped()).stdout(Stdio::piped()).spawn()?;
    let mut output = child.stdin.take().ok_or("no stdin")?;
    let mut input = std::io::BufReader::with_capacity(64 * 1024, child.stdout.take().ok_or("no stdout")?);
    let mut line = Vec::new();
    for (id, method) in [(1, "initialize"), (2, "session/new")] {
        writeln!(output, r#"{{"jsonrpc":"2.0","id":{id},"method":"{method}","params":{{}}}}"#)?;
        line.clear();
        input.read_until(b'\n', &mut line)?;
    }
    let meter = meter::Meter::start();
    if case == "roundtrip" {
        let mut micros = Vec::with_capacity(count as usize);
        for i in 0..count {
            let start = std::time::Instant::now();
            writeln!(output, r#"{{"jsonrpc":"2.0","id":{i},"method":"session/set_mode","params":{{"sessionId":"s1","modeId":"a"}}}}"#)?;
            line.clear();
            input.read_until(b'\n', &mut line)?;
            let envelope: Envelope<'_> = serde_json::from_slice(&line)?;
            assert!(envelope.result.is_some());
            micros.push(start.elapsed().as_micros() as u64);
        }
        meter.report(count, (0, 0), Some(meter::percentiles(&mut micros)));
    } else {
        writeln!(output, r#"{{"jsonrpc":"2.0","id":3,"method":"session/prompt","params":{{}}}}"#)?;
        let mut digest = Digest::default();
        let mut frames = 0;
        loop {
            line.clear();
            if input.read_until(b'\n', &mut line)? == 0 {
                break;
            }
            if depth == Depth::Read {
                frames += 1;
                if line.starts_with(br#"{"jsonrpc":"2.0","id""#) {
                    break;
                }
                continue;
            }
            let envelope: Envelope<'_> = serde_json::from_slice(&line)?;
            if envelope.id.is_some() {
                break;
            }
            frames += 1;
            if depth == Depth::Typed && envelope.method == Some("session/update") {
                let params: Params = serde_json::from_str(envelope.params.ok_or("no params")?.get())?;
                assert!(!params.session.is_empty());
                digest.add(&params.text.unwrap_or_default());
            }
        }
        assert!(frames >= count);
        meter.report(count, digest.finish(), None);
    }
    drop(output);
    child.wait()?;
    Ok(())
}
