//! A file of rules: TOML, or JSON where its name ends in `.json`, with the line of each rule.

mod lines;

use std::{fs, io::Read as _, path::Path};

use acp_harness::permission::{Decision, Rules, RulesFile};

use crate::{hiargs::Misuse, safe};

/// How much of a file of rules is read.
const MAX_BYTES: u64 = 64 << 10;

/// What a file says.
#[derive(Debug, Clone)]
pub(crate) struct Filed {
    /// The rules; relative patterns lie below the root that the file names, if it names one.
    pub(crate) rules: Rules,
    /// What it decides where none of its rules matches, if it says so.
    pub(crate) otherwise: Option<Decision>,
    /// Whether it names a root.
    has_root: bool,
    /// The line of each rule, in order.
    lines: Vec<usize>,
}

/// Why a file is no file of rules, and on which line, where that is known.
#[derive(Debug)]
pub(crate) struct Fault {
    pub(crate) line: Option<usize>,
    pub(crate) why: String,
}

impl Filed {
    /// Reads what `--rules` names. Relative patterns lie below each session's directory, unless it names a root.
    pub(crate) fn read(path: &Path) -> Result<Self, Misuse> {
        let unusable = |why: &str| {
            Misuse::new(format!(
                "--rules {} cannot be used: {}",
                safe::line(&path.to_string_lossy(), 200),
                safe::line(why, 300)
            ))
        };
        let text = text(path).map_err(|why| unusable(&why))?;
        Self::parse(&text, is_json(path)).map_err(|fault| {
            unusable(&match fault.line {
                Some(line) => format!("line {line}: {}", fault.why),
                None => fault.why,
            })
        })
    }

    /// Reads a text.
    pub(crate) fn parse(text: &str, is_json: bool) -> Result<Self, Fault> {
        let file: RulesFile = if is_json {
            serde_json::from_str(text).map_err(|error| {
                let said = error.to_string();
                let said = said.split(" at line ").next().unwrap_or_default();
                Fault {
                    line: Some(error.line()),
                    why: without_value(said),
                }
            })?
        } else {
            toml::from_str(text).map_err(|error| Fault {
                line: Some(lines::of(text, error.span().map_or(0, |span| span.start))),
                why: without_value(error.message()),
            })?
        };
        let has_root = file.root.is_some();
        let word = file.otherwise.clone();
        let lines = lines::Lines::read(text, is_json, &file);
        let rules = Rules::try_from(file).map_err(|error| Fault {
            line: lines.of_fault(&error),
            why: error.to_string(),
        })?;
        // The conversion has refused every other word.
        let otherwise = word.as_deref().map(|word| match word {
            "allow" => Decision::AllowOnce,
            "deny" => Decision::Deny,
            "ask" => Decision::Ask,
            _ => Decision::Cancel,
        });
        Ok(Self {
            rules,
            otherwise,
            has_root,
            lines: lines.of_rules,
        })
    }

    /// With relative patterns below `root`, unless the file names a root.
    pub(crate) fn rooted(mut self, root: &Path) -> Self {
        if !self.has_root {
            self.rules = self.rules.rooted(root);
        }
        self
    }

    /// The line of a rule, counted from 1.
    pub(crate) fn line(&self, rule: usize) -> Option<usize> {
        self.lines.get(rule.checked_sub(1)?).copied()
    }
}

/// The text of a file of rules, within its bound.
pub(crate) fn text(path: &Path) -> Result<String, String> {
    let mut bytes = Vec::new();
    fs::File::open(path)
        .and_then(|file| file.take(MAX_BYTES + 1).read_to_end(&mut bytes))
        .map_err(|error| error.to_string())?;
    if bytes.len() as u64 > MAX_BYTES {
        return Err(String::from("more than 64 KiB"));
    }
    String::from_utf8(bytes).map_err(|_| String::from("it is not UTF-8"))
}

/// Whether a file is JSON, by its name.
pub(crate) fn is_json(path: &Path) -> bool {
    path.extension()
        .is_some_and(|extension| extension.eq_ignore_ascii_case("json"))
}

/// What a parser says, without the value that it quotes: whoever names the wrong file must not find its contents in a log.
fn without_value(said: &str) -> String {
    let said = said.lines().next().unwrap_or_default();
    match (said.split_once(": "), said.rsplit_once(", expected ")) {
        (Some((what, _)), Some((_, expected))) if what.starts_with("invalid ") => {
            format!("{what}, expected {expected}")
        }
        _ => said.to_owned(),
    }
}

#[cfg(test)]
mod tests;
