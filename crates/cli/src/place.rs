//! Where the files of this program lie, and how a path is shown.

use std::{
    env,
    path::{Path, PathBuf},
};

use crate::safe;

/// The name of the config file of a directory.
pub(crate) const PROJECT: &str = ".acp.toml";

fn set(name: &str) -> Option<PathBuf> {
    env::var_os(name)
        .filter(|value| !value.is_empty())
        .map(PathBuf::from)
}

/// The user's home.
pub(crate) fn home() -> Option<PathBuf> {
    set("HOME")
        .or_else(|| set("USERPROFILE"))
        .filter(|home| home.is_absolute())
}

/// A folder of the user, named by this variable or below home.
fn folder(name: &str, below_home: &str) -> Option<PathBuf> {
    set(name)
        .filter(|base| base.is_absolute())
        .or_else(|| Some(home()?.join(below_home)))
        .map(|base| base.join("acp"))
}

/// The user's config file, and whether somebody named that place: `$ACP_CONFIG`, else `acp/config.toml` below `$XDG_CONFIG_HOME` or
/// `~/.config`.
pub(crate) fn config() -> Option<(PathBuf, bool)> {
    match set("ACP_CONFIG") {
        Some(path) => Some((std::path::absolute(path).ok()?, true)),
        None => {
            folder("XDG_CONFIG_HOME", ".config").map(|folder| (folder.join("config.toml"), false))
        }
    }
}

/// What the user trusts: `acp/trust.json` below `$XDG_STATE_HOME` or `~/.local/state`.
pub(crate) fn trust() -> Option<PathBuf> {
    folder("XDG_STATE_HOME", ".local/state").map(|folder| folder.join("trust.json"))
}

/// A path for people.
pub(crate) fn shown(path: &Path) -> String {
    safe::line(&path.to_string_lossy(), 300)
}
