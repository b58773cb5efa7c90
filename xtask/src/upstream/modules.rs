//! The modules that the map is about, and the types that each declares.

use std::collections::BTreeSet;
use std::path::Path;

use anyhow::Result;

use crate::tree;

/// Crates whose every module answers to some upstream text, or says that it answers to none.
const MAPPED: &[&str] = &[
    "vocab",
    "codec",
    "handshake",
    "permission",
    "thinking",
    "session",
    "transport",
    "client",
    "serve",
];

/// Where the types of the schema live.
const WORDS: &str = "crates/vocab/src/";

/// One module.
#[derive(Debug, Clone)]
pub(super) struct Module {
    /// Its path from the root.
    pub(super) path: String,
    /// Names of the types that it declares.
    pub(super) declares: BTreeSet<String>,
}

impl Module {
    /// A module with this text.
    pub(super) fn new(path: String, text: &str) -> Self {
        Self {
            path,
            declares: declared(text),
        }
    }

    /// Whether its types are those of the schema.
    pub(super) fn holds_words(&self) -> bool {
        self.path.starts_with(WORDS)
    }

    /// The protocol versions whose types it holds.
    pub(super) fn protocols(&self) -> &'static [&'static str] {
        match self.path.strip_prefix(WORDS).unwrap_or("") {
            path if path.starts_with("v1/") => &["v1"],
            path if path.starts_with("v2/") => &["v2"],
            _ => &["v1", "v2"],
        }
    }
}

/// Every module of the mapped crates that holds more than a list of modules.
pub(super) fn all(root: &Path) -> Result<Vec<Module>> {
    let mut found = Vec::new();
    for name in MAPPED {
        let folder = format!("crates/{name}/src");
        if !root.join(&folder).is_dir() {
            continue;
        }
        for file in tree::text_files(&root.join(&folder))? {
            if file.is_rust() && !file.is_test() && !matches!(file.stem(), "lib" | "mod" | "error")
            {
                found.push(Module::new(format!("{folder}/{}", file.path), &file.text));
            }
        }
    }
    Ok(found)
}

/// Names after `struct`, `enum` and `type`, also inside a declaring macro.
fn declared(text: &str) -> BTreeSet<String> {
    let code = text
        .lines()
        .filter(|line| !line.trim_start().starts_with("//"));
    let words = code.flat_map(|line| {
        line.split(|char: char| !char.is_alphanumeric() && char != '_')
            .filter(|word| !word.is_empty())
    });
    let mut names = BTreeSet::new();
    let mut declares = false;
    for word in words {
        if declares && word.starts_with(char::is_uppercase) {
            names.insert(word.to_owned());
        }
        declares = matches!(word, "struct" | "enum" | "type");
    }
    names
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn types_are_found_where_they_are_declared() {
        let text = "/// struct Prose\nwire_struct! {\n  pub struct A: S / S [meta] {}\n}\n\
            pub enum B<'a> {}\ntype C = D;\nuse x::E;";
        let module = Module::new("crates/vocab/src/v1/a.rs".to_owned(), text);
        let names: Vec<_> = module.declares.iter().map(String::as_str).collect();
        assert_eq!(names, ["A", "B", "C"]);
        assert_eq!(module.protocols(), ["v1"]);
    }
}
