//! `upstream verify` and `upstream accept`.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::Path;

use anyhow::{Context, Result, bail};

use super::definition::hash;
use super::lock::{Lock, Pin, hashes};
use super::{packages, table};
use crate::tree;

/// Crates whose every module answers to some upstream text, or says that it answers to none.
const MAPPED: &[&str] = &[
    "vocab",
    "codec",
    "handshake",
    "permission",
    "thinking",
    "session",
    "client",
    "serve",
];

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
    let mut faults = map_faults(root, &lock)?;
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

/// Writes the lock anew from the packages at the pinned (or given) versions.
pub(crate) fn accept(root: &Path, versions: [&str; 3]) -> Result<()> {
    let [schema_crate, npm, sdk] = versions;
    let text = fs::read_to_string(root.join(table::FILE))?;
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
    fs::write(root.join(table::FILE), table::with_hashes(&text, &lock)?)?;
    Ok(())
}

/// What is wrong between the map, the modules and the lock, without any package.
fn map_faults(root: &Path, lock: &Lock) -> Result<Vec<String>> {
    let text = fs::read_to_string(root.join(table::FILE))
        .with_context(|| format!("reading {}", table::FILE))?;
    let rows = table::rows(&text)?;
    let mut faults = Vec::new();
    let mut claimed = BTreeSet::new();
    for row in &rows {
        let (hash, unknown) = row.claims.hash(lock);
        faults.extend(
            unknown
                .iter()
                .map(|name| format!("{}: no package has {name}", row.module)),
        );
        if hash != row.hash {
            faults.push(format!(
                "{}: hash is {hash}, the row says {}",
                row.module, row.hash
            ));
        }
        if !root.join(&row.module).exists() {
            faults.push(format!(
                "{}: a row for a module that is not there",
                row.module
            ));
        }
        claimed.extend(row.claims.definitions.iter().cloned());
    }
    for name in lock
        .schema_crate
        .hashes
        .keys()
        .chain(lock.npm.hashes.keys())
    {
        if claimed.insert(name.clone()) {
            faults.push(format!("no row claims {name}"));
        }
    }
    for module in modules(root)? {
        if !rows.iter().any(|row| covers(&row.module, &module)) {
            faults.push(format!("{module}: no row"));
        }
    }
    Ok(faults)
}

fn covers(row: &str, module: &str) -> bool {
    row == module || (row.ends_with('/') && module.starts_with(row))
}

/// Source files of the mapped crates that hold more than a list of modules.
fn modules(root: &Path) -> Result<Vec<String>> {
    let mut found = Vec::new();
    for name in MAPPED {
        let folder = format!("crates/{name}/src");
        if !root.join(&folder).is_dir() {
            continue;
        }
        for file in tree::text_files(&root.join(&folder))? {
            if file.is_rust() && !file.is_test() && !matches!(file.stem(), "lib" | "mod" | "error")
            {
                found.push(format!("{folder}/{}", file.path));
            }
        }
    }
    Ok(found)
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
