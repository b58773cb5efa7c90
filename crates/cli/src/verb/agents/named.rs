//! Names for commands, given and taken back in the user's config file.

use std::{collections::BTreeMap, ffi::OsString, path::PathBuf};

use serde_json::json;

use super::Said;
use crate::{
    aliases,
    config::{
        Config,
        edit::{Edited, New},
    },
    exit::Exit,
    hiargs::{self, Misuse},
    lowargs::Agents,
    place, program, safe,
};

fn file() -> Result<PathBuf, Misuse> {
    place::config()
        .map(|(path, _)| path)
        .ok_or_else(|| Misuse::new("there is no place for a config file: HOME is not set"))
}

fn utf8(word: &OsString) -> Result<String, Misuse> {
    let text = word.to_str().map(ToOwned::to_owned);
    text.ok_or_else(|| Misuse::new("a config file holds UTF-8, and this command is none"))
}

/// Gives a command a name.
pub(super) fn add(low: &Agents, name: &str) -> Result<Said, Misuse> {
    if name.is_empty() || name.starts_with('-') || name.chars().any(char::is_control) {
        return Err(Misuse::new(format!("{} is no name", safe::line(name, 80))));
    }
    let command = low.argv.iter().map(utf8).collect::<Result<Vec<_>, _>>()?;
    if command.first().is_none_or(String::is_empty) {
        return Err(Misuse::new("its program is empty"));
    }
    let mut env = BTreeMap::new();
    for typed in &low.env {
        let (name, value) = hiargs::variable(typed)?;
        env.insert(utf8(&name)?, utf8(&value)?);
    }
    let path = file()?;
    let mut file = Edited::open(&path)?;
    let replaced = file.starts(name);
    if replaced && !low.replace {
        return Err(Misuse::new(format!(
            "{} says how {} is started already",
            place::shown(&path),
            safe::line(name, 80)
        ))
        .hint("--replace replaces its command; `acp agents remove` takes all of it out"));
    }
    file.add(&New {
        name,
        command: &command,
        env: &env,
        install: low.install.as_deref(),
    });
    file.save()?;
    let shown = safe::line(name, 80);
    let mut text = format!(
        "added {shown}: {}\n  in {}\n",
        safe::line(&command.join(" "), 300),
        place::shown(&path)
    );
    if is_open(&path) && !env.is_empty() {
        text.push_str("  ! others may read that file, and its variables with it\n");
    }
    if command
        .first()
        .is_some_and(|name| program::find(name).is_none())
    {
        text.push_str("  ! its program is not here\n");
    }
    text.push_str(&format!("  next: acp doctor -a {shown}\n"));
    Ok(Said {
        text,
        json: serde_json::to_string(
            &json!({ "name": name, "command": command, "path": path, "replaced": replaced }),
        ),
        exit: Exit::Ok,
    })
}

/// Takes a name back.
pub(super) fn remove(config: &Config, name: &str) -> Result<Said, Misuse> {
    let path = file()?;
    let mut file = Edited::open(&path)?;
    if !file.has(name) {
        let alias = aliases::find(config, name)?;
        let shown = safe::line(name, 80);
        return Err(match alias.origin {
            Some(origin) => Misuse::new(format!(
                "{shown} stands at {origin}, and not in the user's file"
            ))
            .hint("take it out there"),
            None => Misuse::new(format!("{shown} is built in and cannot be removed")).hint(
                format!("`acp agents add {shown} -- COMMAND` puts another in its place"),
            ),
        });
    }
    file.remove(name);
    file.save()?;
    Ok(Said {
        text: format!(
            "removed {}\n  from {}\n",
            safe::line(name, 80),
            place::shown(&path)
        ),
        json: serde_json::to_string(&json!({ "name": name, "path": path, "removed": true })),
        exit: Exit::Ok,
    })
}

/// Whether others may read it.
#[cfg(unix)]
fn is_open(path: &std::path::Path) -> bool {
    use std::os::unix::fs::PermissionsExt as _;
    std::fs::metadata(path).is_ok_and(|data| data.permissions().mode() & 0o044 != 0)
}

#[cfg(not(unix))]
fn is_open(_: &std::path::Path) -> bool {
    false
}
