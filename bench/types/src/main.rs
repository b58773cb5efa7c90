//! Typed `session/update` params: our types against the official ones, on the same bytes.
//!
//! `cargo run --release -p bench-types`. Three things are timed for each side:
//! - `from bytes`: `serde_json::from_slice` on both sides, so that ours checks the syntax first and reads then.
//! - `from text`: params as a connection has them, text that is known to be JSON because the line has been taken apart.
//!   Our side is `acp_vocab::decode`, theirs `serde_json::from_str`.
//! - `write`: into a buffer that is used again.
//!
//! Every side runs in short turns, one after the other, and its fastest turn counts: what else the machine does only
//! ever adds time. It exits with 1 when a bar is missed; the bars are about `from text`.
use acp_vocab::v1::SessionNotification as Ours;
use agent_client_protocol_schema::v1::SessionNotification as Official;
use bench_runner::meter;
use serde_json::{Value, value::RawValue};
use std::{hint::black_box, time::Instant};

#[global_allocator]
static COUNTING: meter::Counting = meter::Counting;

/// How many turns each side gets.
const TURNS: usize = 200;

/// How long a turn takes, roughly.
const TURN_NANOS: u128 = 1_000_000;

/// What one operation costs.
#[derive(Clone, Copy, Debug)]
struct Cost {
    nanos: f64,
    allocations: f64,
    bytes: f64,
}

/// Runs an operation often enough to take one turn.
fn turn(times: u32, operation: &mut dyn FnMut()) -> Cost {
    let (calls, bytes) = meter::allocations();
    let start = Instant::now();
    for _ in 0..times {
        operation();
    }
    let nanos = start.elapsed().as_nanos() as f64;
    let (calls, bytes) = (meter::allocations().0 - calls, meter::allocations().1 - bytes);
    let times = f64::from(times);
    Cost { nanos: nanos / times, allocations: calls as f64 / times, bytes: bytes as f64 / times }
}

/// How often an operation runs in one turn.
fn times(operation: &mut dyn FnMut()) -> u32 {
    let mut times = 1;
    loop {
        let start = Instant::now();
        for _ in 0..times {
            operation();
        }
        if start.elapsed().as_nanos() * 4 > TURN_NANOS {
            return times * 4;
        }
        times *= 2;
    }
}

/// The fastest turn of each operation, all in turns.
fn measure<const N: usize>(mut operations: [&mut dyn FnMut(); N]) -> [Cost; N] {
    let counts = operations.each_mut().map(|operation| times(&mut **operation));
    let mut best = [Cost { nanos: f64::INFINITY, allocations: 0.0, bytes: 0.0 }; N];
    for _ in 0..TURNS {
        for ((operation, times), best) in operations.iter_mut().zip(counts).zip(&mut best) {
            let cost = turn(times, &mut **operation);
            if cost.nanos < best.nanos {
                *best = cost;
            }
        }
    }
    best
}

/// Params of `session/update` with a text that makes them that long.
fn filled(size: usize, params: impl Fn(&str) -> String) -> String {
    let text = "the quick brown fox jumps over the lazy dog 0123456789 ".repeat(size / 55 + 1);
    let empty = params("").len();
    params(&text[..size.saturating_sub(empty)])
}

fn cases() -> Vec<(&'static str, String, Option<f64>)> {
    let chunk = |tag_first: bool| {
        move |text: &str| {
            let tag = r#""sessionUpdate":"agent_message_chunk""#;
            let content = format!(r#""content":{{"type":"text","text":"{text}"}}"#);
            let update = if tag_first { format!("{tag},{content}") } else { format!("{content},{tag}") };
            format!(r#"{{"sessionId":"sess_0123456789abcdef","update":{{{update}}}}}"#)
        }
    };
    let content_last = |text: &str| {
        format!(
            r#"{{"sessionId":"sess_0123456789abcdef","update":{{"content":{{"text":"{text}","type":"text"}},"sessionUpdate":"agent_message_chunk"}}}}"#
        )
    };
    let code = r#"fn main() {\n    println!(\"hello \\u00e9\");\n}\n\n"#.repeat(4);
    let call = r#"{"sessionId":"sess_0123456789abcdef","update":{"sessionUpdate":"tool_call","toolCallId":"toolu_01A09q90qw90lq917835lq9","title":"Read src/main.rs","kind":"read","status":"pending","locations":[{"path":"/work/src/main.rs","line":12}],"rawInput":{"file_path":"/work/src/main.rs","offset":0,"limit":200}}}"#;
    let update = r#"{"sessionId":"sess_0123456789abcdef","update":{"sessionUpdate":"tool_call_update","toolCallId":"toolu_01A09q90qw90lq917835lq9","status":"completed","content":[{"type":"content","content":{"type":"text","text":"```\nfn main() {}\n```"}},{"type":"diff","path":"/work/src/main.rs","oldText":"fn main() {}\n","newText":"fn main() {\n    run();\n}\n"}],"rawOutput":{"ok":true,"lines":[1,2,3]}}}"#;
    let plan = r#"{"sessionId":"sess_0123456789abcdef","update":{"sessionUpdate":"plan","entries":[{"content":"Read the code","priority":"high","status":"completed"},{"content":"Write the test","priority":"medium","status":"in_progress"},{"content":"Fix the bug","priority":"medium","status":"pending"},{"content":"Run everything","priority":"low","status":"pending"}]}}"#;
    vec![
        ("chunk, tag first", filled(200, chunk(true)), Some(2.2)),
        ("chunk, tag last", filled(200, chunk(false)), Some(1.5)),
        ("chunk, both tags last", filled(200, content_last), Some(1.5)),
        ("chunk, escapes", chunk(true)(&code), None),
        ("tool_call", call.to_owned(), None),
        ("tool_call_update", update.to_owned(), None),
        ("plan", plan.to_owned(), None),
    ]
}

/// Prints both sides and gives how many times faster ours is.
fn rows(what: &str, official: Cost, ours: Cost) -> f64 {
    let ratio = official.nanos / ours.nanos;
    let line = |side: &str, cost: Cost| {
        let Cost { nanos, allocations, bytes } = cost;
        format!("    {what:<10} {side:<8} {nanos:8.1} ns {allocations:6.1} allocations {bytes:7.0} bytes")
    };
    println!("{}", line("official", official));
    println!("{}   {ratio:5.2} x", line("ours", ours));
    ratio
}

fn main() {
    let mut missed = Vec::new();
    for (name, text, bar) in cases() {
        let bytes = text.as_bytes();
        let ours: Ours = serde_json::from_slice(bytes).expect("our type reads the params");
        let official: Official = serde_json::from_slice(bytes).expect("the official type reads the params");
        let echo = |text: String| serde_json::from_str::<Value>(&text).expect("what is written is JSON");
        let (one, other) = (serde_json::to_string(&ours), serde_json::to_string(&official));
        assert_eq!(echo(one.expect("writing works")), echo(other.expect("writing works")), "both sides read all of {name}");

        let raw: &RawValue = serde_json::from_str(&text).expect("the params are JSON");
        let [whole, official_whole, read, official_read] = measure([
            &mut || drop(black_box(serde_json::from_slice::<Ours>(black_box(bytes)))),
            &mut || drop(black_box(serde_json::from_slice::<Official>(black_box(bytes)))),
            &mut || drop(black_box(acp_vocab::decode::<Ours>(black_box(raw)))),
            &mut || drop(black_box(serde_json::from_str::<Official>(black_box(raw.get())))),
        ]);
        let (mut buffer, mut buffer_too) = (Vec::new(), Vec::new());
        let [write, official_write] = measure([
            &mut || {
                buffer.clear();
                serde_json::to_writer(&mut buffer, black_box(&ours)).expect("writing works");
            },
            &mut || {
                buffer_too.clear();
                serde_json::to_writer(&mut buffer_too, black_box(&official)).expect("writing works");
            },
        ]);
        println!("{name}, {} bytes", bytes.len());
        rows("from bytes", official_whole, whole);
        let ratio = rows("from text", official_read, read);
        rows("write", official_write, write);
        if let Some(bar) = bar.filter(|bar| ratio < *bar) {
            missed.push(format!("{name}: {ratio:.2} x, the bar is {bar} x"));
        }
    }
    for miss in &missed {
        println!("MISSED {miss}");
    }
    std::process::exit(i32::from(!missed.is_empty()));
}
