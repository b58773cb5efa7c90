//! The directory that is served, and the way to a path below it.

use std::{
    fmt, io,
    path::{Component, Path, PathBuf},
};

use cap_std::{ambient_authority, fs::Dir};

use crate::scope::SessionPlace;

use super::fault::Fault;

/// An open directory and the spellings of its path.
pub(super) struct Root {
    dir: Dir,
    spelled: Spellings,
}

/// A path as it was given, and as the system spells it: agents use either.
struct Spellings {
    given: PathBuf,
    real: Option<PathBuf>,
}

impl Spellings {
    fn of(path: &Path) -> Self {
        Self {
            given: path.to_path_buf(),
            real: std::fs::canonicalize(path).ok(),
        }
    }

    fn each(&self) -> impl Iterator<Item = &Path> {
        std::iter::once(&self.given)
            .chain(&self.real)
            .map(PathBuf::as_path)
    }

    /// What is left of a path below this one, when it lies there by its words.
    fn below<'a>(&self, path: &'a Path) -> Option<&'a Path> {
        self.each().find_map(|root| path.strip_prefix(root).ok())
    }
}

impl Root {
    pub(super) fn open(path: &Path) -> io::Result<Self> {
        let given = std::path::absolute(path)?;
        Ok(Self {
            dir: Dir::open_ambient_dir(&given, ambient_authority())?,
            spelled: Spellings::of(&given),
        })
    }

    /// The directory to start from, and the path below it. With a `place` that is the session's
    /// directory that holds the path, opened below the root.
    pub(super) fn find(
        &self,
        path: &Path,
        place: Option<&SessionPlace>,
    ) -> Result<(Dir, PathBuf), Fault> {
        if !path.is_absolute() {
            return Err(Fault::Relative);
        }
        if path.components().any(|part| part == Component::ParentDir) {
            return Err(Fault::Outside);
        }
        let below = self.spelled.below(path).ok_or(Fault::Outside)?;
        let Some(place) = place else {
            return Ok((self.dir.try_clone()?, below.to_path_buf()));
        };
        place
            .roots()
            .find_map(|root| self.find_within(Path::new(root), path, below))
            .unwrap_or(Err(Fault::Outside))
    }

    /// The same within a directory of the session; `None` when the path is not below that.
    fn find_within(
        &self,
        root: &Path,
        path: &Path,
        below: &Path,
    ) -> Option<Result<(Dir, PathBuf), Fault>> {
        let session = Spellings::of(root);
        let inner = session.below(path)?;
        let at = session.each().find_map(|root| self.spelled.below(root));
        Some(match at {
            Some(at) => open_dir(&self.dir, at).map(|dir| (dir, inner.to_path_buf())),
            // The root lies below the session's directory: all of it is the session's.
            None => self
                .dir
                .try_clone()
                .map(|dir| (dir, below.to_path_buf()))
                .map_err(Fault::from),
        })
    }
}

/// Opens a directory below another one, which may be that one itself.
pub(super) fn open_dir(dir: &Dir, path: &Path) -> Result<Dir, Fault> {
    let opened = if path.as_os_str().is_empty() {
        dir.try_clone()
    } else {
        dir.open_dir(path)
    };
    opened.map_err(Fault::from)
}

impl fmt::Debug for Root {
    /// Without the path: debug output ends in logs.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Root").finish_non_exhaustive()
    }
}
