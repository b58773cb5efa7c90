//! The project's text files: found by walking, so that a tarball works as well as a clone.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result};

/// Folders that hold what was built or fetched, never what was written.
const SKIPPED: &[&str] = &[
    ".git",
    "target",
    "node_modules",
    "artifacts",
    "corpus-local",
];

/// One text file of the project.
#[derive(Debug, Clone)]
pub(crate) struct TextFile {
    /// Path from the root, with `/` on every platform.
    pub(crate) path: String,
    /// What it says.
    pub(crate) text: String,
    /// Whether a module above it declares it for tests alone.
    for_tests: bool,
}

impl TextFile {
    /// A file with this text.
    pub(crate) fn new(path: impl Into<String>, text: impl Into<String>) -> Self {
        Self {
            path: path.into(),
            text: text.into(),
            for_tests: false,
        }
    }

    /// Whether this is Rust source.
    pub(crate) fn is_rust(&self) -> bool {
        self.path.ends_with(".rs")
    }

    /// Whether this file exists for tests, examples or benches alone.
    pub(crate) fn is_test(&self) -> bool {
        self.for_tests || self.is_in_test_folder()
    }

    fn is_in_test_folder(&self) -> bool {
        self.path
            .split('/')
            .any(|part| matches!(part, "tests" | "tests.rs" | "benches" | "examples"))
    }

    /// The last component of the path, without its extension.
    pub(crate) fn stem(&self) -> &str {
        let name = self.path.rsplit('/').next().unwrap_or(&self.path);
        name.split('.').next().unwrap_or(name)
    }
}

/// The root of the project.
pub(crate) fn root() -> PathBuf {
    let here = Path::new(env!("CARGO_MANIFEST_DIR"));
    here.parent().unwrap_or(here).to_path_buf()
}

/// Every UTF-8 file below `root`, in order of path.
pub(crate) fn text_files(root: &Path) -> Result<Vec<TextFile>> {
    let mut found = Vec::new();
    walk(root, "", &mut found)?;
    found.sort_by(|a, b| a.path.cmp(&b.path));
    let for_tests: BTreeSet<String> = found.iter().flat_map(test_modules).collect();
    for file in &mut found {
        file.for_tests = for_tests.contains(&file.path);
    }
    Ok(found)
}

/// Paths of the files that this one declares under `#[cfg(test)]`.
fn test_modules(file: &TextFile) -> Vec<String> {
    let folder = match file.path.rsplit_once('/') {
        Some((folder, "lib.rs" | "main.rs" | "mod.rs")) => folder,
        _ => file.path.strip_suffix(".rs").unwrap_or(""),
    };
    let lines = file.text.lines().zip(file.text.lines().skip(1));
    let names = lines.filter(|(gate, _)| file.is_rust() && gate.trim() == "#[cfg(test)]");
    let names = names.filter_map(|(_, line)| line.trim().strip_prefix("mod ")?.strip_suffix(';'));
    names.map(|name| format!("{folder}/{name}.rs")).collect()
}

fn walk(folder: &Path, prefix: &str, found: &mut Vec<TextFile>) -> Result<()> {
    let entries = fs::read_dir(folder).with_context(|| format!("reading {}", folder.display()))?;
    for entry in entries {
        let entry = entry?;
        let name = entry.file_name();
        let Some(name) = name.to_str() else { continue };
        let path = if prefix.is_empty() {
            name.to_owned()
        } else {
            format!("{prefix}/{name}")
        };
        let kind = entry.file_type()?;
        if kind.is_dir() {
            if !SKIPPED.contains(&name) {
                walk(&entry.path(), &path, found)?;
            }
        } else if kind.is_file() {
            let bytes = fs::read(entry.path()).with_context(|| format!("reading {path}"))?;
            if let Ok(text) = String::from_utf8(bytes) {
                found.push(TextFile::new(path, text));
            }
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn built_and_fetched_folders_are_not_the_project() {
        let folder = tempfile::tempdir().unwrap();
        for path in ["a/src/lib.rs", "target/x.rs", "a/node_modules/y.js", "z.md"] {
            let path = folder.path().join(path);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(path, "text").unwrap();
        }
        fs::write(folder.path().join("image"), [0xff, 0xfe]).unwrap();
        let paths: Vec<_> = text_files(folder.path())
            .unwrap()
            .into_iter()
            .map(|file| file.path)
            .collect();
        assert_eq!(paths, ["a/src/lib.rs", "z.md"]);
    }

    #[test]
    fn a_module_for_tests_is_a_test() {
        let folder = tempfile::tempdir().unwrap();
        for (path, text) in [
            ("a/lib.rs", "#[cfg(test)]\nmod testing;\nmod b;\n"),
            ("a/b.rs", "#[cfg(test)]\nmod table;\n"),
            ("a/b/table.rs", ""),
            ("a/testing.rs", ""),
        ] {
            let path = folder.path().join(path);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(path, text).unwrap();
        }
        let tests: Vec<_> = text_files(folder.path())
            .unwrap()
            .into_iter()
            .filter(TextFile::is_test)
            .map(|file| file.path)
            .collect();
        assert_eq!(tests, ["a/b/table.rs", "a/testing.rs"]);
    }
}
