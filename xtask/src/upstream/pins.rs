//! The pins that the program shows (`acp status`): a file beside its sources, written from the lock
//! and compared with it, so that the program cannot name a version that nobody read.

use std::fs;
use std::path::Path;

use anyhow::{Context, Result};

use super::lock::Lock;

/// Where it stands. It is part of the package, which the lock in `docs` is not.
pub(super) const FILE: &str = "crates/cli/upstream.lock";

/// What is wrong with the committed file, if anything is.
pub(super) fn fault(root: &Path, lock: &Lock) -> Result<Option<String>> {
    let found = fs::read_to_string(root.join(FILE)).with_context(|| format!("reading {FILE}"))?;
    Ok(difference(&found, lock))
}

/// Writes it from the lock.
pub(super) fn write(root: &Path, lock: &Lock) -> Result<()> {
    fs::write(root.join(FILE), text(lock)).with_context(|| format!("writing {FILE}"))
}

fn difference(found: &str, lock: &Lock) -> Option<String> {
    let expected = text(lock);
    let is_odd = |line: &&str| !expected.lines().any(|other| other == *line);
    let odd = found.lines().find(is_odd).unwrap_or("too little");
    (found != expected)
        .then(|| format!("{FILE} is not what the lock says: {odd}; `accept` writes it"))
}

fn text(lock: &Lock) -> String {
    let mut pins: Vec<String> = [&lock.npm, &lock.schema_crate, &lock.sdk]
        .iter()
        .map(|pin| format!("{} {}\n", pin.package, pin.version))
        .collect();
    pins.sort();
    format!(
        "# Written by `cargo xtask upstream accept`: package, version.\n{}",
        pins.concat()
    )
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use super::super::lock::Pin;
    use super::*;

    fn lock(version: &str) -> Lock {
        let pin = |package: &str| Pin {
            package: package.to_owned(),
            version: version.to_owned(),
            hashes: BTreeMap::new(),
        };
        Lock {
            schema_crate: pin("schema"),
            npm: pin("@a/npm"),
            sdk: pin("sdk"),
        }
    }

    #[test]
    fn the_file_says_what_the_lock_says() {
        let written = text(&lock("1.0"));
        assert!(written.ends_with("@a/npm 1.0\nschema 1.0\nsdk 1.0\n"));
        assert_eq!(difference(&written, &lock("1.0")), None);
        let moved = difference(&written, &lock("1.1")).unwrap();
        assert!(moved.contains("@a/npm 1.0"), "{moved}");
        let short = difference(&written.replace("sdk 1.0\n", ""), &lock("1.0")).unwrap();
        assert!(short.contains("too little"), "{short}");
    }
}
