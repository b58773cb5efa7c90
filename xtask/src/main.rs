//! Project automation: `cargo xtask VERB`. One file (or folder) per verb; `ci` runs them all.
#![expect(
    clippy::print_stdout,
    clippy::print_stderr,
    reason = "a program for developers and CI logs: what it prints is what it is for"
)]

mod agents;
mod ci;
mod counted;
mod fixtures;
mod flags;
mod graph;
mod metadata;
mod process;
mod size;
mod tidy;
mod tree;
mod upstream;

use std::process::ExitCode;

use clap::Parser;
use flags::{Fixtures, Upstream, Verb, Xtask};

fn main() -> ExitCode {
    let root = tree::root();
    let ended = match Xtask::parse().verb {
        Verb::Ci(options) => ci::run(&root, &options),
        Verb::Tidy => tidy::run(&root),
        Verb::Graph => graph::run(&root),
        Verb::Fixtures(Fixtures::Refresh(options)) => fixtures::refresh(&root, &options),
        Verb::Agents(options) => agents::run(&root, &options),
        Verb::Fixtures(Fixtures::Check) => fixtures::check(&root),
        Verb::Upstream(Upstream::Verify) => upstream::verify(&root),
        Verb::Upstream(Upstream::Accept(options)) => {
            upstream::accept(&root, [&options.schema_crate, &options.npm, &options.sdk])
        }
        Verb::Upstream(Upstream::Diff(options)) => upstream::diff(&root, &options),
        Verb::Size => size::run(&root),
    };
    match ended {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("error: {error:#}");
            ExitCode::FAILURE
        }
    }
}
