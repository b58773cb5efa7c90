//! The blasting agent: answers what a client must ask, then floods, pings or asks as told.
use crate::frames::{TagOrder, big_line, chunk_line};
use std::io::{BufRead, BufWriter, Read, Write};
use std::time::Instant;

/// What the agent does when it is prompted.
#[derive(Clone, Copy, Debug)]
pub enum Scene {
    /// This many small updates, in this version of the protocol.
    Updates(u64, TagOrder, u8),
    /// Nothing: the client measures `session/set_mode`.
    Roundtrip,
    /// This many sequential permission requests; their latency goes to the report file.
    Permission(u64),
    /// This many updates of 1 MiB.
    Big(u64),
}

impl Scene {
    /// Reads `updates N first|last|named|v2`, `roundtrip`, `permission N`, `big N`.
    #[must_use]
    pub fn parse(args: &[String]) -> Option<Self> {
        let number = |i: usize| args.get(i).and_then(|n| n.parse().ok());
        Some(match args.first()?.as_str() {
            "updates" => match args.get(2).map(String::as_str) {
                Some("last") => Self::Updates(number(1)?, TagOrder::Last, 1),
                Some("named") => Self::Updates(number(1)?, TagOrder::Named, 1),
                Some("v2") => Self::Updates(number(1)?, TagOrder::Named, 2),
                _ => Self::Updates(number(1)?, TagOrder::First, 1),
            },
            "roundtrip" => Self::Roundtrip,
            "permission" => Self::Permission(number(1)?),
            "big" => Self::Big(number(1)?),
            _ => return None,
        })
    }
}

/// Serves one client until its input ends.
///
/// # Errors
/// The pipe's.
pub fn serve(scene: Scene, input: impl Read, output: impl Write) -> std::io::Result<()> {
    let mut input = std::io::BufReader::with_capacity(64 * 1024, input);
    let mut output = BufWriter::with_capacity(64 * 1024, output);
    // Rendered before anybody asks: the agent's own cost stays out of the picture.
    let blast: Vec<u8> = match scene {
        Scene::Updates(count, order, _) => lines(count, |i| chunk_line(i, order)),
        Scene::Big(_) => lines(1, big_line),
        Scene::Roundtrip | Scene::Permission(_) => Vec::new(),
    };
    let second = matches!(scene, Scene::Updates(_, _, 2));
    let mut line = String::new();
    loop {
        line.clear();
        if input.read_line(&mut line)? == 0 {
            return Ok(());
        }
        let (Some(method), Some(id)) = (text_of(&line, "\"method\":"), raw_of(&line, "\"id\":")) else { continue };
        let id = id.to_owned();
        let result = match method {
            "initialize" if second => {
                r#"{"protocolVersion":2,"info":{"name":"blaster","version":"0"},"capabilities":{"session":{}}}"#.to_owned()
            }
            "initialize" => r#"{"protocolVersion":1,"agentCapabilities":{}}"#.to_owned(),
            "session/new" if second => r#"{"sessionId":"s1"}"#.to_owned(),
            "session/new" => {
                r#"{"sessionId":"s1","modes":{"currentModeId":"a","availableModes":[{"id":"a","name":"A"},{"id":"b","name":"B"}]}}"#.to_owned()
            }
            "session/prompt" => {
                match scene {
                    Scene::Updates(..) => output.write_all(&blast)?,
                    Scene::Big(count) => {
                        // The frames differ in their number alone.
                        let (head, tail) = blast.split_at(number_at(&blast));
                        for i in 0..count {
                            output.write_all(head)?;
                            write!(output, "{i:08}")?;
                            output.write_all(tail.get(8..).unwrap_or_default())?;
                        }
                    }
                    Scene::Permission(count) => ask(count, &mut input, &mut output)?,
                    Scene::Roundtrip => {}
                }
                if second { r#"{"messageId":"u1"}"# } else { r#"{"stopReason":"end_turn"}"# }.to_owned()
            }
            _ => "{}".to_owned(),
        };
        writeln!(output, r#"{{"jsonrpc":"2.0","id":{id},"result":{result}}}"#)?;
        if second && method == "session/prompt" {
            writeln!(output, "{IDLE}")?;
        }
        output.flush()?;
    }
}

/// What ends a turn of version 2, behind the answer to its prompt.
const IDLE: &str = r#"{"jsonrpc":"2.0","method":"session/update","params":{"sessionId":"s1","update":{"sessionUpdate":"state_update","state":"idle","stopReason":"end_turn"}}}"#;

/// Where the eight digits of a big frame's number stand.
fn number_at(line: &[u8]) -> usize {
    line.windows(9).position(|window| window == b"00000000 ").unwrap_or_default()
}

fn lines(count: u64, line: impl Fn(u64) -> String) -> Vec<u8> {
    let mut bytes = Vec::new();
    for i in 0..count {
        bytes.extend_from_slice(line(i).as_bytes());
        bytes.push(b'\n');
    }
    bytes
}

fn ask(count: u64, input: &mut impl BufRead, output: &mut impl Write) -> std::io::Result<()> {
    let mut micros = Vec::new();
    let mut line = String::new();
    for i in 0..count {
        let start = Instant::now();
        writeln!(
            output,
            r#"{{"jsonrpc":"2.0","id":{i},"method":"session/request_permission","params":{{"sessionId":"s1","toolCall":{{"toolCallId":"t{i}","title":"edit","kind":"edit"}},"options":[{{"optionId":"y","name":"Yes","kind":"allow_once"}},{{"optionId":"n","name":"No","kind":"reject_once"}}]}}}}"#
        )?;
        output.flush()?;
        line.clear();
        if input.read_line(&mut line)? == 0 || !line.contains("\"y\"") {
            return Err(std::io::Error::other(format!("permission {i} was not granted: {line}")));
        }
        micros.push(start.elapsed().as_micros() as u64);
    }
    if let Ok(path) = std::env::var("BLASTER_REPORT") {
        let (p50, p99) = crate::meter::percentiles(&mut micros);
        std::fs::write(path, format!("{p50} {p99}"))?;
    }
    Ok(())
}

/// The raw JSON scalar behind the first occurrence of `key`. The clients' lines hold no nested `id` or `method`.
fn raw_of<'a>(line: &'a str, key: &str) -> Option<&'a str> {
    let rest = line.get(line.find(key)? + key.len()..)?.trim_start();
    let end = if rest.starts_with('"') { rest.get(1..)?.find('"')? + 2 } else { rest.find([',', '}'])? };
    rest.get(..end)
}

fn text_of<'a>(line: &'a str, key: &str) -> Option<&'a str> {
    raw_of(line, key)?.strip_prefix('"')?.strip_suffix('"')
}
