//! `acp completions`: the script for a shell, made from the same definition that parses the command line.

use std::io::Write as _;

use clap::CommandFactory as _;

use crate::{exit::Exit, lowargs::Completions, lowargs::Low};

/// Prints the script.
pub(crate) fn completions(args: &Completions) -> std::io::Result<Exit> {
    let mut script = Vec::new();
    clap_complete::generate(args.shell, &mut Low::command(), "acp", &mut script);
    std::io::stdout().lock().write_all(&script)?;
    Ok(Exit::Ok)
}
