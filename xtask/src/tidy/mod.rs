//! `tidy`: the house rules that no compiler checks. Every rule is a function from facts to findings.

mod files;
mod licences;
mod manifests;
mod reasons;
mod traps;
mod words;

use std::path::Path;
use std::{fmt, fs};

use anyhow::{Context, Result, bail};

use crate::{metadata, tree};

/// One broken rule, and where.
#[derive(Debug, Clone, PartialEq, Eq)]
struct Finding {
    place: String,
    says: String,
}

impl Finding {
    fn new(place: impl Into<String>, says: impl Into<String>) -> Self {
        Self {
            place: place.into(),
            says: says.into(),
        }
    }
}

impl fmt::Display for Finding {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.place, self.says)
    }
}

/// Checks every rule, prints what is broken, and fails when anything is.
pub(crate) fn run(root: &Path) -> Result<()> {
    let files = tree::text_files(root)?;
    let members = metadata::members(root)?;
    let lock = metadata::whole_lock(root)?;
    let mut findings: Vec<Finding> = files.iter().flat_map(files::check).collect();
    findings.extend(files.iter().flat_map(words::check));
    findings.extend(
        members
            .packages
            .iter()
            .flat_map(|package| manifests::check(root, package)),
    );
    findings.extend(lock.packages.iter().filter_map(licences::check));
    let read =
        |file| fs::read_to_string(root.join(file)).with_context(|| format!("reading {file}"));
    findings.extend(reasons::check(
        &read("Cargo.toml")?,
        &read(reasons::REASONS)?,
    ));
    findings.extend(traps::check(&files));
    for finding in &findings {
        println!("tidy: {finding}");
    }
    let packages = lock.packages.len();
    println!("tidy: {} files and {packages} packages read", files.len());
    if !findings.is_empty() {
        bail!("{} findings", findings.len());
    }
    Ok(())
}
