//! The members of a raw input, by what they are called.
//!
//! `file_path`, `filePath` and `FilePath` are one name here: agents spell it each in their own way, and what is not found cannot be refused.

use std::collections::BTreeMap;

use serde::Deserialize;
use serde_json::value::RawValue;

use crate::command::Command;

const COMMAND: [&str; 9] = [
    "command",
    "cmd",
    "commandline",
    "shellcommand",
    "bashcommand",
    "terminalcommand",
    "cmdline",
    "script",
    COMMANDS,
];
/// The one whose list is several lines and not the words of one.
const COMMANDS: &str = "commands";
const PATHS: [&str; 27] = [
    "path",
    "paths",
    "file",
    "files",
    "filepath",
    "filepaths",
    "filename",
    "filenames",
    "absolutepath",
    "abspath",
    "targetfile",
    "targetpath",
    "notebookpath",
    "oldpath",
    "newpath",
    "oldfilepath",
    "newfilepath",
    "source",
    "destination",
    "sourcepath",
    "destinationpath",
    "outputpath",
    "directory",
    "directorypath",
    "dir",
    "dirpath",
    "relativepath",
];
/// Objects whose member names are paths, or lists of objects with paths.
const CHANGES: [&str; 2] = ["changes", "filechanges"];
/// Where the input proper lies one level down.
const WITHIN: [&str; 8] = [
    "arguments",
    "args",
    "input",
    "params",
    "parameters",
    "toolinput",
    "edits",
    "operations",
];

/// How many levels are looked into.
const MAX_DEPTH: u8 = 4;

/// One text or several.
#[derive(Deserialize)]
#[serde(untagged)]
enum Words {
    One(String),
    Many(Vec<String>),
}

/// The members of one object, each under its name in small letters and without `_` and `-`.
pub(crate) struct Members<'a>(Vec<(String, &'a RawValue)>);

impl<'a> Members<'a> {
    /// `None` for what is no object.
    pub(crate) fn of(input: &'a RawValue) -> Option<Self> {
        let members = serde_json::from_str::<BTreeMap<String, &RawValue>>(input.get()).ok()?;
        let members = members.into_iter();
        Some(Self(
            members.map(|(name, value)| (plain(&name), value)).collect(),
        ))
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Whether each is called as one of these lists says.
    pub(crate) fn are_all_of(&self, lists: &[&[&str]]) -> bool {
        self.0
            .iter()
            .all(|(name, _)| lists.iter().any(|list| list.contains(&name.as_str())))
    }

    /// Those of these names that say anything, in the order of the names.
    fn named(
        &self,
        names: &'static [&'static str],
    ) -> impl Iterator<Item = (&'static str, &'a RawValue)> {
        names.iter().flat_map(|wanted| {
            self.0
                .iter()
                .filter(move |(name, value)| name == wanted && value.get() != "null")
                .map(|(_, value)| (*wanted, *value))
        })
    }

    /// The first text under one of these names.
    pub(crate) fn word(&self, names: &'static [&'static str]) -> Option<String> {
        self.named(names).find_map(|(_, value)| read(value))
    }

    /// The command. One of a shape that we cannot read is still a command: its JSON stands for it, and no prefix covers that.
    /// Several that are not the same are one of which it is not known what it is.
    pub(crate) fn command(&self) -> Option<Command> {
        let mut found: Vec<Command> = Vec::new();
        for command in self.commands(MAX_DEPTH) {
            if !found.iter().any(|known| known.text() == command.text()) {
                found.push(command);
            }
        }
        match found.as_slice() {
            [] => None,
            [command] => Some(command.clone()),
            several => Some(Command::any_of(several)),
        }
    }

    fn commands(&self, depth: u8) -> Vec<Command> {
        let args: Vec<String> = self
            .named(&["args"])
            .find_map(|(_, value)| read(value))
            .unwrap_or_default();
        let mut found: Vec<Command> = self
            .named(&COMMAND)
            .filter_map(|(name, value)| match read(value) {
                Some(Words::One(verb)) if self.is_editor_verb(&verb) => None,
                Some(Words::One(line)) if args.is_empty() => Some(Command::line(&line)),
                Some(Words::One(program)) => {
                    let words: Vec<String> = std::iter::once(program).chain(args.clone()).collect();
                    Some(Command::argv(&words))
                }
                Some(Words::Many(lines)) if name == COMMANDS => {
                    Some(Command::line(&lines.join("\n")))
                }
                Some(Words::Many(words)) => Some(Command::argv(&words)),
                None => Some(Command::line(value.get())),
            })
            .collect();
        for within in self.within(depth) {
            found.extend(within.commands(depth - 1));
        }
        found
    }

    /// Editor tools name their action `command` as well: `{"command":"view","path":...}`.
    fn is_editor_verb(&self, verb: &str) -> bool {
        matches!(
            verb,
            "view" | "create" | "str_replace" | "insert" | "undo_edit"
        ) && self.named(&["path"]).next().is_some()
    }

    /// The paths, and whether there is one that cannot be read.
    pub(crate) fn paths(&self) -> (Vec<Box<str>>, bool) {
        let mut found = Found::default();
        self.add_paths(&mut found, MAX_DEPTH);
        (found.paths, found.elsewhere)
    }

    fn add_paths(&self, found: &mut Found, depth: u8) {
        for (_, value) in self.named(&PATHS) {
            found.take(value, depth);
        }
        for (_, value) in self.named(&CHANGES) {
            match serde_json::from_str::<BTreeMap<String, &RawValue>>(value.get()) {
                Ok(changed) => found.paths.extend(changed.into_keys().map(Into::into)),
                Err(_) => found.take(value, depth),
            }
        }
        for within in self.within(depth) {
            within.add_paths(found, depth - 1);
        }
    }

    /// The objects one level down, where the input proper may lie.
    fn within(&self, depth: u8) -> Vec<Self> {
        if depth == 0 {
            return Vec::new();
        }
        self.named(&WITHIN)
            .flat_map(|(_, value)| match Self::of(value) {
                Some(members) => vec![members],
                None => serde_json::from_str::<Vec<&RawValue>>(value.get())
                    .unwrap_or_default()
                    .into_iter()
                    .filter_map(Self::of)
                    .collect(),
            })
            .collect()
    }
}

/// A name without what only tells one spelling from another.
pub(crate) fn plain(name: &str) -> String {
    name.replace(['_', '-'], "").to_lowercase()
}

#[derive(Default)]
struct Found {
    paths: Vec<Box<str>>,
    elsewhere: bool,
}

impl Found {
    /// What stands under the name of a path: a text, a list, objects with paths of their own. What is none of these may be any path.
    fn take(&mut self, value: &RawValue, depth: u8) {
        match read(value) {
            Some(Words::One(path)) => self.paths.push(path.into()),
            Some(Words::Many(paths)) => self.paths.extend(paths.into_iter().map(Into::into)),
            None => self.take_nested(value, depth),
        }
    }

    fn take_nested(&mut self, value: &RawValue, depth: u8) {
        let text = value.get();
        if matches!(text, "true" | "false") || text.starts_with(|c: char| c.is_ascii_digit()) {
            return;
        }
        let Some(depth) = depth.checked_sub(1) else {
            self.elsewhere = true;
            return;
        };
        if let Some(members) = Members::of(value) {
            let before = self.paths.len();
            members.add_paths(self, depth);
            self.elsewhere |= self.paths.len() == before;
        } else if let Ok(values) = serde_json::from_str::<Vec<&RawValue>>(text) {
            for value in values {
                self.take(value, depth);
            }
        } else {
            self.elsewhere = true;
        }
    }
}

fn read<'de, T: Deserialize<'de>>(value: &'de RawValue) -> Option<T> {
    serde_json::from_str(value.get()).ok()
}
