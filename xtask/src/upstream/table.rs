//! `docs/upstream-lock.md`: one row for each module, kept by people but for the last column.

use std::collections::BTreeSet;

use anyhow::{Result, bail};

use super::definition::hash;
use super::lock::Lock;

/// Where it stands.
pub(super) const FILE: &str = "docs/upstream-lock.md";

/// One row: `| module | spec | definitions | SDK | hash |`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Row {
    /// Path of a module, or of a folder with a `/` at its end.
    pub(super) module: String,
    /// What it claims.
    pub(super) claims: Claims,
    /// Hash of all of it.
    pub(super) hash: String,
    /// Number of its line, from 0.
    pub(super) line: usize,
}

/// The upstream texts that one module answers to.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct Claims {
    /// Definitions, as `v1/Name`.
    pub(super) definitions: BTreeSet<String>,
    /// Definitions whose prose says how to behave, as `v1/Name`.
    pub(super) prose: BTreeSet<String>,
    /// Source files of the official SDK.
    pub(super) files: BTreeSet<String>,
}

/// Reads every row.
pub(super) fn rows(text: &str) -> Result<Vec<Row>> {
    let mut rows = Vec::new();
    for (line, content) in text.lines().enumerate() {
        if !content.starts_with("| `crates/") {
            continue;
        }
        let cells: Vec<&str> = content.split('|').map(str::trim).collect();
        let ["", module, _spec, definitions, sdk, hash, ""] = cells.as_slice() else {
            bail!("{FILE}:{}: a row has five cells", line + 1);
        };
        rows.push(Row {
            module: unquoted(module),
            claims: Claims::read(definitions, sdk),
            hash: unquoted(hash),
            line,
        });
    }
    Ok(rows)
}

impl Claims {
    /// Definitions read as `v1: A, B; v2: C; prose v2: D`, files as a list.
    fn read(definitions: &str, sdk: &str) -> Self {
        let mut claims = Self::default();
        for group in definitions.split(';') {
            let Some((head, names)) = group.split_once(':') else {
                continue;
            };
            let head = head.trim();
            let (head, into) = match head.strip_prefix("prose ") {
                Some(head) => (head, &mut claims.prose),
                None => (head, &mut claims.definitions),
            };
            for protocol in head.split('+').map(str::trim) {
                let names = names
                    .split(',')
                    .map(str::trim)
                    .filter(|name| !name.is_empty());
                into.extend(names.map(|name| format!("{protocol}/{name}")));
            }
        }
        claims.files.extend(
            sdk.split(',')
                .map(unquoted)
                .filter(|path| path.ends_with(".rs")),
        );
        claims
    }

    /// The hash of a row, and what of it no package has.
    pub(super) fn hash(&self, lock: &Lock) -> (String, Vec<String>) {
        let mut text = String::new();
        let mut unknown = Vec::new();
        let mut line = |name: &str, found: &[Option<&str>]| {
            if found.iter().all(Option::is_none) {
                unknown.push(name.to_owned());
            }
            for found in found {
                text.push_str(&format!("{name} {}\n", found.unwrap_or("-")));
            }
        };
        let (schema, npm) = (&lock.schema_crate.hashes, &lock.npm.hashes);
        for name in &self.definitions {
            let shape =
                |hashes: &'_ str| hashes.rsplit_once(' ').map(|(shape, _)| shape.to_owned());
            let found =
                [schema.get(name), npm.get(name)].map(|found| found.and_then(|all| shape(all)));
            line(name, &[found[0].as_deref(), found[1].as_deref()]);
        }
        for name in &self.prose {
            let prose =
                |hashes: &'_ str| hashes.rsplit_once(' ').map(|(_, prose)| prose.to_owned());
            let found =
                [schema.get(name), npm.get(name)].map(|found| found.and_then(|all| prose(all)));
            line(
                &format!("prose {name}"),
                &[found[0].as_deref(), found[1].as_deref()],
            );
        }
        for path in &self.files {
            line(path, &[lock.sdk.hashes.get(path).map(String::as_str)]);
        }
        let hash = if text.is_empty() {
            "own".to_owned()
        } else {
            hash(&text)
        };
        (hash, unknown)
    }
}

/// The text with the hash column of every row written anew.
pub(super) fn with_hashes(text: &str, lock: &Lock) -> Result<String> {
    let rows = rows(text)?;
    let mut lines: Vec<String> = text.lines().map(str::to_owned).collect();
    for row in rows {
        let (hash, _) = row.claims.hash(lock);
        if let Some(line) = lines.get_mut(row.line)
            && let Some(head) = line.trim_end().trim_end_matches('|').rfind('|')
        {
            line.truncate(head);
            line.push_str(&format!("| `{hash}` |"));
        }
    }
    Ok(lines.join("\n") + "\n")
}

fn unquoted(cell: &str) -> String {
    cell.trim().trim_matches('`').to_owned()
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use super::super::lock::Pin;
    use super::*;

    const TEXT: &str = "# Title\n\n| module | spec | definitions | SDK | hash |\n|---|---|---|---|---|\n\
        | `crates/a/src/b.rs` | x | v1+v2: A, B; prose v2: A | `src/s.rs` | `old` |\n\
        | `crates/a/src/own.rs` | - | - | - | `own` |\n";

    fn lock() -> Lock {
        let pin = |hashes: &[(&str, &str)]| Pin {
            package: String::new(),
            version: String::new(),
            hashes: hashes
                .iter()
                .map(|(a, b)| ((*a).to_owned(), (*b).to_owned()))
                .collect::<BTreeMap<_, _>>(),
        };
        Lock {
            schema_crate: pin(&[("v1/A", "1 1 t"), ("v2/A", "2 2 t"), ("v1/B", "3 - t")]),
            npm: pin(&[("v1/A", "1 1 t")]),
            sdk: pin(&[("src/s.rs", "9")]),
        }
    }

    #[test]
    fn a_row_says_what_it_claims() {
        let rows = rows(TEXT).unwrap();
        let claims = &rows[0].claims;
        let names: Vec<_> = claims.definitions.iter().map(String::as_str).collect();
        assert_eq!(names, ["v1/A", "v1/B", "v2/A", "v2/B"]);
        assert!(claims.prose.contains("v2/A"));
        assert!(claims.files.contains("src/s.rs"));
        assert_eq!(rows[1].claims, Claims::default());
    }

    #[test]
    fn what_no_package_has_is_named() {
        let (_, unknown) = rows(TEXT).unwrap()[0].claims.hash(&lock());
        assert_eq!(unknown, ["v2/B"]);
    }

    #[test]
    fn a_hash_moves_with_any_of_its_texts() {
        let hash = |lock: &Lock| rows(TEXT).unwrap()[0].claims.hash(lock).0;
        let old = lock();
        for (pick, name, text) in [
            (0, "v1/A", "5 1 t"),
            (1, "v2/A", "2 2 u"),
            (2, "src/s.rs", "8"),
        ] {
            let mut new = old.clone();
            let pin = [&mut new.npm, &mut new.schema_crate, &mut new.sdk];
            pin[pick].hashes.insert(name.to_owned(), text.to_owned());
            assert_ne!(hash(&new), hash(&old), "{name}");
        }
    }

    #[test]
    fn only_the_hash_column_is_written() {
        let written = with_hashes(TEXT, &lock()).unwrap();
        assert!(written.contains("| `own` |\n"));
        let again = with_hashes(&written, &lock()).unwrap();
        assert_eq!(written, again);
        let (hash, _) = rows(TEXT).unwrap()[0].claims.hash(&lock());
        assert_eq!(written, TEXT.replace("`old`", &format!("`{hash}`")));
    }
}
