//! The map against the modules and the lock: what is wrong, and how it is brought up to date.

use std::collections::BTreeSet;
use std::path::Path;

use anyhow::Result;

use super::lock::Lock;
use super::modules::Module;
use super::table::{self, Row};

/// Definitions that we hold as something else than a type of that name: the routing lists are the
/// method table, extensions are raw, and an error is an `ErrorObject`.
const NO_TYPE: &[&str] = &[
    "AgentNotification",
    "AgentRequest",
    "AgentResponse",
    "ClientNotification",
    "ClientRequest",
    "ClientResponse",
    "Error",
    "ErrorData",
    "ExtNotification",
    "ExtRequest",
    "ExtResponse",
    "ProxyNotification",
    "ProxyRequest",
    "ProxyResponse",
];

/// What is wrong, without any package.
pub(super) fn faults(
    root: &Path,
    text: &str,
    modules: &[Module],
    lock: &Lock,
) -> Result<Vec<String>> {
    let rows = table::rows(text)?;
    let mut faults = Vec::new();
    for row in &rows {
        let (hash, unknown) = row.claims.hash(lock);
        let place = &row.module;
        faults.extend(
            unknown
                .iter()
                .map(|name| format!("{place}: no package has {name}")),
        );
        if hash != row.hash {
            faults.push(format!(
                "{place}: hash is {hash}, the row says {}",
                row.hash
            ));
        }
        if !root.join(place).exists() {
            faults.push(format!("{place}: a row for a module that is not there"));
        }
        if let Some(module) = modules.iter().find(|module| module.path == *place) {
            faults.extend(false_claims(row, module));
        }
    }
    faults.extend(
        unclaimed(&rows, lock)
            .iter()
            .map(|name| format!("no row claims {name}")),
    );
    let without = modules.iter().filter(|module| !is_covered(&rows, module));
    faults.extend(without.map(|module| format!("{}: no row", module.path)));
    Ok(faults)
}

/// Definitions that a row claims and whose type its module does not declare.
fn false_claims(row: &Row, module: &Module) -> Vec<String> {
    let claims = row
        .claims
        .definitions
        .iter()
        .filter(|_| module.holds_words());
    let undeclared = claims.filter(|claim| {
        let name = claim.rsplit('/').next().unwrap_or(claim);
        !NO_TYPE.contains(&name) && !module.declares.contains(name)
    });
    undeclared
        .map(|claim| format!("{}: claims {claim} and declares no such type", row.module))
        .collect()
}

fn unclaimed(rows: &[Row], lock: &Lock) -> BTreeSet<String> {
    let mut names: BTreeSet<String> = lock.schema_crate.hashes.keys().cloned().collect();
    names.extend(lock.npm.hashes.keys().cloned());
    for row in rows {
        names.retain(|name| !row.claims.definitions.contains(name));
    }
    names
}

fn is_covered(rows: &[Row], module: &Module) -> bool {
    rows.iter().any(|row| {
        row.module == module.path
            || (row.module.ends_with('/') && module.path.starts_with(&row.module))
    })
}

/// The map with a row for every module and none for those that are gone. A new row claims the
/// types that its module declares and that no other row claims; the rest of it is for a person.
pub(super) fn updated(root: &Path, text: &str, modules: &[Module], lock: &Lock) -> Result<String> {
    let mut lines: Vec<String> = text.lines().map(str::to_owned).collect();
    let gone: Vec<Row> = table::rows(text)?
        .into_iter()
        .filter(|row| !root.join(&row.module).exists())
        .collect();
    for row in gone.iter().rev() {
        lines.remove(row.line);
    }
    for module in modules {
        let rows = table::rows(&lines.join("\n"))?;
        if is_covered(&rows, module) {
            continue;
        }
        let open = unclaimed(&rows, lock);
        let mut groups = Vec::new();
        for protocol in module.protocols().iter().filter(|_| module.holds_words()) {
            let names = module
                .declares
                .iter()
                .filter(|name| open.contains(&format!("{protocol}/{name}")));
            let names: Vec<&str> = names.map(String::as_str).collect();
            if !names.is_empty() {
                groups.push(format!("{protocol}: {}", names.join(", ")));
            }
        }
        let claims = if groups.is_empty() {
            "-".to_owned()
        } else {
            groups.join("; ")
        };
        let line = format!("| `{}` | - | {claims} | - | `own` |", module.path);
        lines.insert(place(&rows, &module.path, lines.len()), line);
    }
    Ok(lines.join("\n") + "\n")
}

/// In order of path within its crate, behind its crate, or at the end.
fn place(rows: &[Row], path: &str, end: usize) -> usize {
    let crate_of = |path: &str| path.split('/').nth(1).unwrap_or("").to_owned();
    let same = || {
        rows.iter()
            .filter(|row| crate_of(&row.module) == crate_of(path))
    };
    let before = same()
        .find(|row| row.module.as_str() > path)
        .map(|row| row.line);
    let behind = same()
        .next_back()
        .or_else(|| rows.last())
        .map(|row| row.line + 1);
    before.or(behind).unwrap_or(end)
}

#[cfg(test)]
mod tests {
    use super::super::lock::Pin;
    use super::*;

    const TEXT: &str = "| `crates/vocab/src/a.rs` | - | v1: A | - | `own` |\n\
        | `crates/vocab/src/c.rs` | - | v1: C | - | `own` |\n\
        | `crates/client/src/` | - | - | - | `own` |\n";

    fn lock() -> Lock {
        let pin = |names: &[&str]| Pin {
            package: String::new(),
            version: String::new(),
            hashes: names
                .iter()
                .map(|name| ((*name).to_owned(), "1 1 1".to_owned()))
                .collect(),
        };
        Lock {
            schema_crate: pin(&["v1/A", "v1/B"]),
            npm: pin(&["v1/C"]),
            sdk: pin(&[]),
        }
    }

    /// A root with these modules, each with its text.
    fn house(modules: &[(&str, &str)]) -> (tempfile::TempDir, Vec<Module>) {
        let root = tempfile::tempdir().unwrap();
        let modules = modules.iter().map(|(path, text)| {
            let file = root.path().join(path);
            std::fs::create_dir_all(file.parent().unwrap()).unwrap();
            std::fs::write(file, text).unwrap();
            Module::new((*path).to_owned(), text)
        });
        let modules = modules.collect();
        (root, modules)
    }

    #[test]
    fn every_kind_of_fault_is_named() {
        let (root, modules) = house(&[
            ("crates/vocab/src/a.rs", "struct A;"),
            ("crates/vocab/src/b.rs", "struct B;"),
            ("crates/vocab/src/c.rs", "struct Other;"),
            ("crates/client/src/x.rs", ""),
        ]);
        let faults = faults(root.path(), TEXT, &modules, &lock()).unwrap();
        let faults: Vec<_> = faults
            .iter()
            .filter(|fault| !fault.contains("hash is"))
            .map(String::as_str)
            .collect();
        assert_eq!(
            faults,
            [
                "crates/vocab/src/c.rs: claims v1/C and declares no such type",
                "no row claims v1/B",
                "crates/vocab/src/b.rs: no row",
            ]
        );
    }

    #[test]
    fn accepting_adds_and_removes_rows() {
        let (root, modules) = house(&[
            ("crates/vocab/src/a.rs", "struct A;"),
            ("crates/vocab/src/b.rs", "struct B; struct A;"),
            ("crates/codec/src/x.rs", "struct A;"),
            ("crates/client/src/x.rs", ""),
        ]);
        let new = updated(root.path(), TEXT, &modules, &lock()).unwrap();
        let cells: Vec<_> = new
            .lines()
            .map(|line| line.split(" | - | ").take(2).collect::<Vec<_>>())
            .collect();
        assert_eq!(
            cells,
            [
                ["| `crates/vocab/src/a.rs`", "v1: A"],
                ["| `crates/vocab/src/b.rs`", "v1: B"],
                ["| `crates/client/src/`", "-"],
                ["| `crates/codec/src/x.rs`", "-"],
            ]
        );
    }
}
