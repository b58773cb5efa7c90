//! `upstream verify` and `upstream accept`.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::Path;

use anyhow::{Context, Result, bail};

use super::definition::hash;
use super::lock::{Lock, Pin, hashes};
use super::{map, modules, packages, pins, table};

/// Recomputes everything; fails on a mismatch and when a package cannot be had.
pub(crate) fn run(root: &Path) -> Result<()> {
    let missing = verify(root)?;
    if !missing.is_empty() {
        bail!("not recomputed: {}", missing.join("; "));
    }
    Ok(())
}

/// Recomputes what can be had here. Fails on a mismatch; returns what could not be had.
pub(crate) fn verify(root: &Path) -> Result<Vec<String>> {
    let lock = Lock::read(root)?;
    let text = map_text(root)?;
    let mut faults = map::faults(root, &text, &modules::all(root)?, &lock)?;
    faults.extend(pins::fault(root, &lock)?);
    let mut missing = Vec::new();
    for (pin, found) in [
        (
            &lock.schema_crate,
            packages::of_crate(root, &lock.schema_crate.version),
        ),
        (&lock.npm, packages::of_npm(root, &lock.npm.version)),
    ] {
        match found {
            Ok(definitions) => faults.extend(mismatches(pin, &hashes(&definitions))),
            Err(error) => missing.push(format!("{error:#}")),
        }
    }
    let files: BTreeSet<String> = lock.sdk.hashes.keys().cloned().collect();
    match sdk_hashes(root, &lock.sdk.version, &files) {
        Ok(found) => faults.extend(mismatches(&lock.sdk, &found)),
        Err(error) => missing.push(format!("{error:#}")),
    }
    faults
        .iter()
        .for_each(|fault| println!("upstream: {fault}"));
    missing
        .iter()
        .for_each(|missing| println!("upstream: not recomputed: {missing}"));
    println!(
        "upstream: {} definitions of {} {}, {} of {} {}, {} files of {} {}",
        lock.schema_crate.hashes.len(),
        lock.schema_crate.package,
        lock.schema_crate.version,
        lock.npm.hashes.len(),
        lock.npm.package,
        lock.npm.version,
        lock.sdk.hashes.len(),
        lock.sdk.package,
        lock.sdk.version,
    );
    if !faults.is_empty() {
        bail!("{} faults", faults.len());
    }
    Ok(missing)
}

/// Writes the lock, and the pins that the program shows, anew from the packages at the pinned (or given) versions.
pub(crate) fn accept(root: &Path, versions: [&str; 3]) -> Result<()> {
    let [schema_crate, npm, sdk] = versions;
    let text = map_text(root)?;
    let mut files = BTreeSet::new();
    for row in table::rows(&text)? {
        files.extend(row.claims.files);
    }
    let pin = |package: &str, version: &str, hashes| Pin {
        package: package.to_owned(),
        version: version.to_owned(),
        hashes,
    };
    let crate_hashes = hashes(&packages::of_crate(root, schema_crate)?);
    let lock = Lock {
        schema_crate: pin(packages::CRATE, schema_crate, crate_hashes),
        npm: pin(packages::NPM, npm, hashes(&packages::of_npm(root, npm)?)),
        sdk: pin(packages::SDK, sdk, sdk_hashes(root, sdk, &files)?),
    };
    lock.write(root)?;
    pins::write(root, &lock)?;
    let text = map::updated(root, &text, &modules::all(root)?, &lock)?;
    fs::write(root.join(table::FILE), table::with_hashes(&text, &lock)?)?;
    Ok(())
}

fn map_text(root: &Path) -> Result<String> {
    let path = root.join(table::FILE);
    fs::read_to_string(path).with_context(|| format!("reading {}", table::FILE))
}

fn mismatches(pin: &Pin, found: &BTreeMap<String, String>) -> Vec<String> {
    let names: BTreeSet<&String> = pin.hashes.keys().chain(found.keys()).collect();
    let differs = |name: &&String| pin.hashes.get(*name) != found.get(*name);
    let fault = |name: &String| {
        let committed = pin.hashes.get(name).map_or("nothing", String::as_str);
        let found = found.get(name).map_or("nothing", String::as_str);
        format!(
            "{} {}: {name} is {found}, the lock says {committed}",
            pin.package, pin.version
        )
    };
    names.into_iter().filter(differs).map(fault).collect()
}

fn sdk_hashes(
    root: &Path,
    version: &str,
    files: &BTreeSet<String>,
) -> Result<BTreeMap<String, String>> {
    let folder = packages::sdk_sources(root, version)?;
    let mut found = BTreeMap::new();
    for path in files {
        if let Ok(text) = fs::read_to_string(folder.join(path)) {
            found.insert(path.clone(), hash(&text.replace("\r\n", "\n")));
        }
    }
    Ok(found)
}
