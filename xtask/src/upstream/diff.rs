//! `upstream diff`: another version against the pinned one, module by module.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::Path;

use anyhow::Result;

use super::definition::{Definition, Definitions};
use super::lock::Lock;
use super::{changes, packages, table};
use crate::flags::{DiffOptions, Package};

/// Prints what changed and which module to look at again.
pub(crate) fn run(root: &Path, options: &DiffOptions) -> Result<()> {
    let lock = Lock::read(root)?;
    let from = options.from.unwrap_or(options.package);
    let pinned = match from {
        Package::Crate => &lock.schema_crate,
        Package::Npm => &lock.npm,
    };
    let old = fetch(root, from, &pinned.version)?;
    let new = fetch(root, options.package, &options.to)?;
    let rows = table::rows(&fs::read_to_string(root.join(table::FILE))?)?;
    println!(
        "{} {} -> {} {}",
        pinned.package,
        pinned.version,
        name(options.package),
        options.to
    );
    let mut regions: BTreeMap<String, Vec<String>> = BTreeMap::new();
    let names: BTreeSet<&String> = old.keys().chain(new.keys()).collect();
    let mut count = 0;
    for name in names {
        let lines = describe(name, old.get(name), new.get(name), options.prose);
        if lines.is_empty() {
            continue;
        }
        count += 1;
        let owners = rows
            .iter()
            .filter(|row| row.claims.definitions.contains(name));
        let owners: Vec<_> = owners.map(|row| row.module.clone()).collect();
        let region = if owners.is_empty() {
            "(no module yet)".to_owned()
        } else {
            owners.join(", ")
        };
        regions.entry(region).or_default().extend(lines);
    }
    for (region, lines) in &regions {
        println!("\n{region}");
        lines.iter().for_each(|line| println!("  {line}"));
    }
    println!(
        "\n{count} definitions changed, in {} regions",
        regions.len()
    );
    Ok(())
}

fn name(package: Package) -> &'static str {
    match package {
        Package::Crate => packages::CRATE,
        Package::Npm => packages::NPM,
    }
}

fn fetch(root: &Path, package: Package, version: &str) -> Result<Definitions> {
    match package {
        Package::Crate => packages::of_crate(root, version),
        Package::Npm => packages::of_npm(root, version),
    }
}

/// The lines about one definition; none when nothing that counts changed.
fn describe(
    name: &str,
    old: Option<&Definition>,
    new: Option<&Definition>,
    prose: bool,
) -> Vec<String> {
    let channel = |definition: &Definition| {
        if definition.stable.is_some() {
            "stable"
        } else {
            "unstable"
        }
    };
    match (old, new) {
        (None, None) => Vec::new(),
        (None, Some(new)) => vec![format!("{name}: new, {}", channel(new))],
        (Some(old), None) => vec![format!("{name}: gone, was {}", channel(old))],
        (Some(old), Some(new)) => {
            let mut lines = Vec::new();
            if channel(old) != channel(new) {
                lines.push(format!("{name}: {} -> {}", channel(old), channel(new)));
            }
            let full = changes::between(&old.full, &new.full);
            if let (Some(old), Some(new)) = (&old.stable, &new.stable) {
                let stable = changes::between(old, new);
                let only_stable = stable.iter().filter(|change| !full.contains(change));
                lines.extend(only_stable.map(|change| format!("{name} (stable) {change}")));
            }
            lines.extend(full.iter().map(|change| format!("{name} {change}")));
            if prose && lines.is_empty() && old.text != new.text {
                lines.push(format!("{name}: prose only"));
            }
            lines
        }
    }
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use super::*;

    fn definition(full: Value, stable: Option<Value>, text: &str) -> Definition {
        Definition {
            full,
            stable,
            text: text.to_owned(),
        }
    }

    #[track_caller]
    fn check(old: Option<Definition>, new: Option<Definition>, expected: &[&str]) {
        assert_eq!(describe("v1/X", old.as_ref(), new.as_ref(), true), expected);
    }

    #[test]
    fn a_definition_comes_goes_and_becomes_stable() {
        let unstable = definition(json!({}), None, "");
        let stable = definition(json!({}), Some(json!({})), "");
        check(None, Some(unstable.clone()), &["v1/X: new, unstable"]);
        check(Some(stable.clone()), None, &["v1/X: gone, was stable"]);
        check(Some(unstable), Some(stable), &["v1/X: unstable -> stable"]);
    }

    #[test]
    fn a_member_becomes_stable() {
        let full = json!({"a": 1, "b": 2});
        check(
            Some(definition(full.clone(), Some(json!({"a": 1})), "")),
            Some(definition(full.clone(), Some(full), "")),
            &["v1/X (stable) + /b: 2"],
        );
    }

    #[test]
    fn prose_is_told_apart() {
        check(
            Some(definition(json!(1), None, "old")),
            Some(definition(json!(1), None, "new")),
            &["v1/X: prose only"],
        );
    }
}
