//! `ci`: every gate in order. It prints each gate with its time, goes on after a failure so that
//! one run shows everything, and ends with the summaries of the test runners.

mod gates;
mod node;
mod runner;
mod toolchain;

use std::path::Path;
use std::time::{Duration, Instant};

use anyhow::{Result, bail};

use crate::flags::CiOptions;

/// How one gate ended well.
#[derive(Debug)]
enum Passed {
    /// It ran and found nothing.
    Clean,
    /// It ran tests; these lines are the runner's summary.
    Tested(Vec<String>),
    /// It had nothing to do here, and why.
    Skipped(String),
}

/// One thing that must hold.
struct Gate {
    name: &'static str,
    run: fn(&Path) -> Result<Passed>,
}

/// One line of the report.
struct Row {
    name: &'static str,
    took: Duration,
    ended: Result<Passed>,
}

/// Runs the gates.
pub(crate) fn run(root: &Path, options: &CiOptions) -> Result<()> {
    let chosen: Vec<&Gate> = gates::ALL
        .iter()
        .filter(|gate| is_chosen(gate, options))
        .collect();
    if options.list {
        chosen.iter().for_each(|gate| println!("{}", gate.name));
        return Ok(());
    }
    let mut rows = Vec::new();
    for gate in chosen {
        println!("\n== {} ==", gate.name);
        let row = timed(gate, root);
        println!("{}", line(&row));
        let stop = options.fail_fast && row.ended.is_err();
        rows.push(row);
        if stop {
            break;
        }
    }
    report(&rows)
}

fn is_chosen(gate: &Gate, options: &CiOptions) -> bool {
    options.only.is_empty()
        || options
            .only
            .iter()
            .any(|text| gate.name.contains(text.as_str()))
}

#[expect(
    clippy::disallowed_methods,
    reason = "the report says how long each gate took"
)]
fn timed(gate: &Gate, root: &Path) -> Row {
    let started = Instant::now();
    let ended = (gate.run)(root);
    Row {
        name: gate.name,
        took: started.elapsed(),
        ended,
    }
}

fn line(row: &Row) -> String {
    let seconds = row.took.as_secs_f64();
    match &row.ended {
        Ok(Passed::Skipped(why)) => format!("skipped {:>7.1} s  {}: {why}", seconds, row.name),
        Ok(Passed::Clean | Passed::Tested(_)) => {
            format!("ok      {:>7.1} s  {}", seconds, row.name)
        }
        Err(error) => format!("FAILED  {:>7.1} s  {}: {error:#}", seconds, row.name),
    }
}

fn report(rows: &[Row]) -> Result<()> {
    println!("\n== gates ==");
    rows.iter().for_each(|row| println!("{}", line(row)));
    let total: Duration = rows.iter().map(|row| row.took).sum();
    println!("{} gates in {:.0} s", rows.len(), total.as_secs_f64());
    println!("\n== tests ==");
    // The workspace's own tests come first among the gates and last in the report.
    for row in rows.iter().rev() {
        if let Ok(Passed::Tested(lines)) = &row.ended {
            lines
                .iter()
                .for_each(|line| println!("{}: {line}", row.name));
        }
    }
    let failed: Vec<_> = rows
        .iter()
        .filter(|row| row.ended.is_err())
        .map(|row| row.name)
        .collect();
    if !failed.is_empty() {
        bail!("gates failed: {}", failed.join(", "));
    }
    Ok(())
}
