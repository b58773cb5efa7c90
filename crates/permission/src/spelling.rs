//! How rules are written in flags and files.
//!
//! ```text
//! list    = rule { "," rule }          a comma inside a pattern is written \,
//! rule    = kind [ ":" pattern ]       read edit delete move search: a path glob; execute: a command prefix
//!         | "path:" glob | "mcp:" server [ "/" tool ] | "title:" glob | "any"
//! ```

use std::str::FromStr;

use crate::{Kind, Scope, error::SpellingError, shell::ShellLine};

impl FromStr for Scope {
    type Err = SpellingError;

    /// Reads one rule's scope, such as `execute:git *`.
    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let text = text.trim();
        if text.is_empty() {
            return Err(SpellingError::Empty);
        }
        let (word, pattern) = match text.split_once(':') {
            Some((word, pattern)) => (word.trim(), Some(pattern.trim())),
            None => (text, None),
        };
        if let Some("") = pattern {
            return Err(SpellingError::PatternMissing { word: word.into() });
        }
        match (word, pattern) {
            ("any", None) => Ok(Self::any()),
            ("path" | "title" | "mcp", None) => {
                Err(SpellingError::PatternMissing { word: word.into() })
            }
            ("path", Some(glob)) => Ok(Self::any().path(written_out(glob)?)),
            ("title", Some(glob)) => Ok(Self::any().title(glob)),
            ("mcp", Some(name)) => {
                let (server, tool) = name.split_once('/').unwrap_or((name, "*"));
                Ok(Self::mcp(server, tool))
            }
            (word, None) => Kind::from_str(word).map(Self::from),
            (word, Some(pattern)) => of_kind(word, pattern),
        }
    }
}

/// Reads a list of rules.
pub(crate) fn read_list(list: &str) -> Result<Vec<Scope>, SpellingError> {
    split(list).iter().map(|item| item.parse()).collect()
}

fn of_kind(word: &str, pattern: &str) -> Result<Scope, SpellingError> {
    let not_taken = || SpellingError::PatternNotTaken {
        word: word.into(),
        pattern: pattern.into(),
    };
    if word == "any" {
        return Err(not_taken());
    }
    let kind = Kind::from_str(word)?;
    match kind {
        Kind::Execute => Ok(kind.command(one_command(pattern)?)),
        Kind::Read | Kind::Edit | Kind::Delete | Kind::Move | Kind::Search => {
            Ok(kind.path(written_out(pattern)?))
        }
        Kind::Think | Kind::Fetch | Kind::SwitchMode | Kind::Other | Kind::Unknown(_) => {
            Err(not_taken())
        }
    }
}

/// A path pattern that needs nobody to expand it.
fn written_out(pattern: &str) -> Result<&str, SpellingError> {
    if pattern.starts_with(['~', '$', '%']) {
        return Err(SpellingError::NotExpanded {
            pattern: pattern.into(),
        });
    }
    Ok(pattern)
}

/// A command pattern that could match something: the words of one command, not a line.
fn one_command(pattern: &str) -> Result<&str, SpellingError> {
    let line = ShellLine::read(pattern);
    if line.opaque || line.commands.len() > 1 {
        return Err(SpellingError::NotOneCommand {
            pattern: pattern.into(),
        });
    }
    Ok(pattern)
}

/// Splits at commas, except those behind a backslash, which lose it.
pub(crate) fn split(list: &str) -> Vec<String> {
    let mut items = vec![String::new()];
    let mut chars = list.chars().peekable();
    while let Some(c) = chars.next() {
        if c == ',' {
            items.push(String::new());
            continue;
        }
        let c = if c == '\\' {
            chars.next_if_eq(&',').unwrap_or(c)
        } else {
            c
        };
        if let Some(item) = items.last_mut() {
            item.push(c);
        }
    }
    items
}

#[cfg(test)]
mod tests;
