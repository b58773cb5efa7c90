//! Where a path lies. Paths are compared only after lexical normalisation, because `src/../../etc/passwd` starts with `src/`.
//!
//! Lexical means that no file system is asked: a symbolic link inside a directory may still lead out of it.
//! What cannot be placed without knowing more (`~`, `$HOME`, a URI, a relative path without a root, a name that a tool might trim or Windows
//! reads as another) is placed nowhere, and nowhere is inside nothing.

/// A normalised path: where it starts and the names below that start. Never holds `.`, `..` or an empty name.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Place {
    /// Empty on Unix, `c:` for a drive, `//server/share` for a network share.
    prefix: String,
    names: Vec<String>,
}

impl Place {
    /// Places `path`; a relative one below `root`. `None` when it cannot be known where it lies.
    pub(crate) fn of(path: &str, root: Option<&str>) -> Option<Self> {
        if let Some(place) = Self::absolute(path) {
            return Some(place);
        }
        if !is_plainly_relative(path) {
            return None;
        }
        let mut place = Self::absolute(root?)?;
        let windows = !place.prefix.is_empty();
        place.descend(path, windows)?;
        Some(place)
    }

    /// Places a word that a shell expands: names with `$` in them, and a `~` in front, stand for any names.
    pub(crate) fn of_pattern(word: &str, root: Option<&str>) -> Option<Self> {
        let mut names = word.split('/').map(|name| match name {
            name if name.contains('$') => "**",
            name => name,
        });
        if word.starts_with(['~', '$']) {
            names.next();
            let rest: Vec<&str> = std::iter::once("**").chain(names).collect();
            return Self::absolute(&format!("/{}", rest.join("/")));
        }
        let path: Vec<&str> = names.collect();
        Self::of(&path.join("/"), root)
    }

    pub(crate) fn names(&self) -> &[String] {
        &self.names
    }

    pub(crate) fn prefix(&self) -> &str {
        &self.prefix
    }

    /// Whether it is a place on Windows.
    pub(crate) fn is_windows(&self) -> bool {
        !self.prefix.is_empty()
    }

    /// As a file system sees it that does not tell `A` from `a`.
    pub(crate) fn folded(&self) -> Self {
        Self {
            prefix: self.prefix.clone(),
            names: self.names.iter().map(|name| name.to_lowercase()).collect(),
        }
    }

    /// The path of some names below its start.
    pub(crate) fn written(&self, names: &[String]) -> String {
        format!("{}/{}", self.prefix, names.join("/"))
    }

    /// Goes further down.
    pub(crate) fn append(&mut self, names: &[String]) {
        self.names.extend_from_slice(names);
    }

    fn absolute(path: &str) -> Option<Self> {
        if !is_exact(path) {
            return None;
        }
        let bare = path.strip_prefix(r"\\?\").unwrap_or(path);
        if let Some((drive, rest)) = split_drive(bare) {
            let mut place = Self {
                prefix: drive,
                names: Vec::new(),
            };
            place.descend(rest, true)?;
            return Some(place);
        }
        if let Some(rest) = bare.strip_prefix(r"\\") {
            let mut parts = rest.splitn(3, ['\\', '/']);
            let (server, share) = (parts.next()?, parts.next()?);
            if server.is_empty() || share.is_empty() {
                return None;
            }
            let prefix = format!("//{server}/{share}").to_lowercase();
            let mut place = Self {
                prefix,
                names: Vec::new(),
            };
            place.descend(parts.next().unwrap_or_default(), true)?;
            return Some(place);
        }
        let rest = path.strip_prefix('/')?;
        let mut place = Self {
            prefix: String::new(),
            names: Vec::new(),
        };
        place.descend(rest, false)?;
        Some(place)
    }

    /// Walks down `path`, going up at `..` and never above the start. Windows names are folded: its file systems do not tell `A` from `a`.
    /// `None` at a name that Windows may read as another: a short one (`GIT~1`), a stream (`a:b`), one of dots and blanks only.
    fn descend(&mut self, path: &str, windows: bool) -> Option<()> {
        let separators: &[char] = if windows { &['/', '\\'] } else { &['/'] };
        for name in path.split(separators) {
            match name {
                "" | "." => {}
                ".." => {
                    self.names.pop();
                }
                name if windows => {
                    let bare = name.trim_end_matches(['.', ' ']);
                    let short = bare
                        .split('~')
                        .skip(1)
                        .any(|rest| rest.starts_with(|c: char| c.is_ascii_digit()));
                    if bare.is_empty() || bare.contains(':') || short {
                        return None;
                    }
                    self.names.push(bare.to_lowercase());
                }
                name => self.names.push(name.to_owned()),
            }
        }
        Some(())
    }
}

/// `C:\x` or `C:/x`, split behind the colon. `C:x` is relative to a directory that nobody told us.
fn split_drive(path: &str) -> Option<(String, &str)> {
    let (drive, rest) = path.split_at_checked(2)?;
    let letter = drive.strip_suffix(':')?;
    let named = letter.starts_with(|c: char| c.is_ascii_alphabetic());
    (named && rest.starts_with(['/', '\\'])).then(|| (drive.to_ascii_lowercase(), rest))
}

/// Relative beyond doubt: nothing that a shell, a URI reader or Windows would read as a start of its own.
fn is_plainly_relative(path: &str) -> bool {
    let first = path.split(['/', '\\']).next().unwrap_or_default();
    !path.is_empty()
        && is_exact(path)
        && !path.starts_with(['~', '$', '%', '\\'])
        && !first.contains(':')
}

/// Nothing around it or in it that a tool might take off before it opens the path.
fn is_exact(path: &str) -> bool {
    path.trim() == path && !path.contains(char::is_control)
}

#[cfg(test)]
mod tests;
