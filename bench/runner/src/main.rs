//! `cargo run --release -p bench-runner --bin bench [-- CASE ...] [--rounds N] [--quick]`: every case, both sides and the floor,
//! in processes of their own, round robin, medians; prints our figure, theirs, the ratio and the bar.
use bench_runner::frames::{big_text, chunk_text, expected};
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::Command;

type Figures = BTreeMap<String, f64>;

/// One row of the table: what runs, how often, and what it must reach.
struct Case {
    name: &'static str,
    args: [&'static str; 3],
    pipe: bool,
    floor: &'static [&'static str],
}

impl Case {
    /// The official client speaks version 2 through another API; only ours is measured on it.
    fn clients(&self) -> &'static [&'static str] {
        if self.args[2] == "v2" { &["ours"] } else { &["ours", "sdk"] }
    }
}

const CASES: &[Case] = &[
    Case { name: "updates, child", args: ["updates", "200000", "first"], pipe: false, floor: &["read", "envelope", "typed"] },
    Case { name: "updates, child, tag last", args: ["updates", "200000", "last"], pipe: false, floor: &["typed"] },
    Case { name: "updates, child, version 2", args: ["updates", "200000", "v2"], pipe: false, floor: &["typed"] },
    Case { name: "updates, pipe", args: ["updates", "200000", "first"], pipe: true, floor: &[] },
    Case { name: "round trips, child", args: ["roundtrip", "20000", "-"], pipe: false, floor: &["envelope"] },
    Case { name: "round trips, pipe", args: ["roundtrip", "20000", "-"], pipe: true, floor: &[] },
    Case { name: "permissions, child", args: ["permission", "10000", "-"], pipe: false, floor: &[] },
    Case { name: "permissions, pipe", args: ["permission", "10000", "-"], pipe: true, floor: &[] },
    Case { name: "1 MiB frames, child", args: ["big", "200", "-"], pipe: false, floor: &["read", "envelope", "typed"] },
    Case { name: "1 MiB frames, pipe", args: ["big", "200", "-"], pipe: true, floor: &[] },
    Case { name: "slow consumer, 200k", args: ["slow", "200000", "first"], pipe: false, floor: &[] },
    Case { name: "slow consumer, 600k", args: ["slow", "600000", "first"], pipe: false, floor: &[] },
];

fn main() {
    let args: Vec<String> = std::env::args().skip(1).collect();
    let flag = |name: &str| args.iter().position(|arg| arg == name);
    let quick = flag("--quick").is_some();
    let rounds: usize = flag("--rounds").and_then(|i| args.get(i + 1)?.parse().ok()).unwrap_or(if quick { 1 } else { 3 });
    let wanted: Vec<&String> = args.iter().take_while(|arg| !arg.starts_with("--")).collect();
    let bin = build();
    println!("| case | side | frames/s | frames/CPU s | CPU us/frame | allocs | bytes | p50 us | p99 us | idle MiB | peak MiB |");
    println!("|---|---|---|---|---|---|---|---|---|---|---|");
    let mut ratios = Vec::new();
    for case in CASES {
        if !wanted.is_empty() && !wanted.iter().any(|word| case.name.contains(word.as_str())) {
            continue;
        }
        if quick && case.args[0] == "slow" {
            continue;
        }
        let mut sides: BTreeMap<&str, Vec<Figures>> = BTreeMap::new();
        let rounds = if case.args[0] == "slow" { 1 } else { rounds };
        for _ in 0..rounds {
            for side in case.clients().iter().chain(case.floor) {
                sides.entry(side).or_default().push(run(&bin, side, case, quick));
            }
        }
        for side in case.clients().iter().chain(case.floor) {
            print_row(case, side, &sides[side]);
        }
        ratios.push(ratio(case, &sides));
    }
    if wanted.is_empty() || wanted.iter().any(|word| *word == "agent") {
        ratios.push(agents(&bin, if quick { 20_000 } else { 200_000 }, rounds));
    }
    println!();
    for line in ratios {
        println!("{line}");
    }
}

fn build() -> PathBuf {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).parent().expect("bench/").to_owned();
    // One package a build: cargo unifies the features of what it builds together.
    for package in ["bench-runner", "bench-floor", "bench-ours", "bench-sdk"] {
        let status = Command::new(std::env::var("CARGO").unwrap_or_else(|_| "cargo".into()))
            .args(["build", "--release", "--quiet", "-p", package])
            .current_dir(&root)
            .status()
            .expect("cargo runs");
        assert!(status.success(), "{package} does not build");
    }
    root.join("target/release")
}

fn run(bin: &Path, side: &str, case: &Case, quick: bool) -> Figures {
    let [kind, count, order] = case.args;
    let count = if quick { (count.parse::<u64>().expect("a number") / 10).to_string() } else { count.to_owned() };
    let report = std::env::temp_dir().join(format!("acp-bench-{}", std::process::id()));
    let peer = if case.pipe { "pipe".into() } else { bin.join("blaster") };
    let mut command = match side {
        "ours" | "sdk" => Command::new(bin.join(format!("bench-{side}"))),
        depth => {
            let mut command = Command::new(bin.join("bench-floor"));
            command.arg(depth);
            command
        }
    };
    command.args([kind, &count, order]).arg(peer).env("BLASTER_REPORT", &report);
    let output = command.output().expect("the side starts");
    let text = String::from_utf8_lossy(&output.stdout);
    assert!(output.status.success(), "{side} failed in {}: {}", case.name, String::from_utf8_lossy(&output.stderr));
    let mut figures: Figures = BTreeMap::new();
    let mut hash = String::new();
    for (key, value) in text.split_whitespace().filter_map(|pair| pair.split_once('=')) {
        if key == "hash" {
            value.clone_into(&mut hash);
        }
        figures.insert(key.to_owned(), value.parse().unwrap_or_default());
    }
    if let Ok(latency) = std::fs::read_to_string(&report) {
        for (key, value) in ["p50", "p99"].iter().zip(latency.split_whitespace()) {
            figures.insert((*key).to_owned(), value.parse().unwrap_or_default());
        }
        std::fs::remove_file(&report).expect("the report goes");
    }
    let text_of: Option<fn(u64) -> String> = match (side, kind) {
        ("read" | "envelope", _) => None,
        (_, "updates" | "slow") => Some(chunk_text),
        (_, "big") => Some(big_text),
        _ => None,
    };
    if let Some(text_of) = text_of {
        let (frames, wanted) = expected(text_of, count.parse().expect("a number"));
        assert_eq!((figures["count"] as u64, hash.as_str()), (frames, wanted.to_string().as_str()), "{side} lost something in {}", case.name);
    }
    figures
}

/// The other end: an agent that floods a fast reader, with our acknowledged writes against their unacknowledged ones.
fn agents(bin: &Path, count: u64, rounds: usize) -> String {
    let wanted = expected(chunk_text, count);
    let mut sides: BTreeMap<&str, Vec<Figures>> = BTreeMap::new();
    for _ in 0..rounds {
        for side in ["ours", "sdk"] {
            let start = || bench_runner::reader::Reader::start(&bin.join(format!("bench-{side}-agent"))).expect("the agent starts");
            let flooded = start().flood(count).expect("the flood is read");
            assert_eq!(flooded.digest, wanted, "{side}'s agent lost something");
            // Ours closes a connection that asks much and prompts nothing, so there is a prompt first.
            let mut reader = start();
            reader.flood(1).expect("the first prompt is answered");
            let (p50, p99) = reader.ping(count / 10).expect("the answers are read");
            sides.entry(side).or_default().push(BTreeMap::from([
                ("frames".to_owned(), count as f64),
                ("wall".to_owned(), flooded.wall),
                ("cpu".to_owned(), flooded.cpu),
                ("peak".to_owned(), flooded.peak as f64),
                ("p50".to_owned(), p50 as f64),
                ("p99".to_owned(), p99 as f64),
            ]));
        }
    }
    let case = Case { name: "agent, updates", args: ["agent", "", ""], pipe: false, floor: &[] };
    for side in ["ours", "sdk"] {
        print_row(&case, side, &sides[side]);
    }
    let of = |side: &str, key: &str| median(&sides[side], key);
    format!(
        "agent, updates: {:.1}x less CPU than theirs; round trip p50 {:.2} of theirs",
        of("sdk", "cpu") / of("ours", "cpu"),
        of("ours", "p50") / of("sdk", "p50")
    )
}

fn median(runs: &[Figures], key: &str) -> f64 {
    let mut values: Vec<f64> = runs.iter().filter_map(|run| run.get(key).copied()).collect();
    values.sort_by(f64::total_cmp);
    values.get(values.len() / 2).copied().unwrap_or_default()
}

fn print_row(case: &Case, side: &str, runs: &[Figures]) {
    let of = |key: &str| median(runs, key);
    let frames = of("frames");
    println!(
        "| {} | {side} | {:.0} | {:.0} | {:.2} | {:.1} | {:.0} | {:.0} | {:.0} | {:.1} | {:.1} |",
        case.name,
        frames / of("wall"),
        frames / of("cpu"),
        of("cpu") / frames * 1e6,
        of("allocs") / frames,
        of("bytes") / frames,
        of("p50"),
        of("p99"),
        of("idle") / 1024.0,
        of("peak") / 1024.0,
    );
}

fn ratio(case: &Case, sides: &BTreeMap<&str, Vec<Figures>>) -> String {
    let of = |side: &str, key: &str| sides.get(side).map_or(f64::NAN, |runs| median(runs, key));
    let cpu = of("sdk", "cpu") / of("ours", "cpu");
    match case.args[0] {
        "updates" => {
            let mut line = format!("{}: ", case.name);
            if sides.contains_key("sdk") {
                line += &format!("{cpu:.1}x their frames per CPU second; ");
            }
            if sides.contains_key("typed") {
                line += &format!("{:.2}x the typed floor's CPU; ", of("ours", "cpu") / of("typed", "cpu"));
            }
            line + &format!("{:.1} allocations an update", of("ours", "allocs") / of("ours", "frames"))
        }
        "big" => format!("{}: {:.2}x their throughput", case.name, of("sdk", "wall") / of("ours", "wall")),
        "slow" => format!(
            "{}: {:.1} MiB over idle, theirs {:.1}",
            case.name,
            (of("ours", "peak") - of("ours", "idle")) / 1024.0,
            (of("sdk", "peak") - of("sdk", "idle")) / 1024.0
        ),
        _ => format!("{}: p50 {:.2} of theirs, {cpu:.1}x less CPU", case.name, of("ours", "p50") / of("sdk", "p50")),
    }
}
