//! The working directory of a session: where the client says, and nowhere that the host program
//! did not mean.

use std::{
    io,
    path::{Path, PathBuf},
};

use acp_vocab::ErrorObject;

use crate::refusal::{internal, invalid};

/// Which directories sessions may work in.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
#[non_exhaustive]
pub enum Workspaces {
    /// Any that exists.
    #[default]
    Any,
    /// This one and what is below it, after symbolic links were followed.
    Below(PathBuf),
}

impl Workspaces {
    /// Checks a working directory and returns its canonical path.
    ///
    /// It must be absolute, exist, be a directory, and lie where the policy says. All faults look
    /// the same to a client that is not allowed there.
    pub(crate) async fn admit(&self, cwd: &str) -> Result<PathBuf, ErrorObject> {
        let path = PathBuf::from(cwd);
        if !path.is_absolute() {
            return Err(invalid("cwd must be an absolute path"));
        }
        let policy = self.clone();
        let found = tokio::task::spawn_blocking(move || policy.resolve(&path)).await;
        match found {
            Ok(Ok(path)) => Ok(path),
            Ok(Err(_)) => Err(invalid("cwd is not a directory that sessions may work in")),
            Err(_) => Err(internal("cwd could not be checked")),
        }
    }

    fn resolve(&self, path: &Path) -> io::Result<PathBuf> {
        let path = path.canonicalize()?;
        if !path.is_dir() {
            return Err(io::ErrorKind::NotADirectory.into());
        }
        match self {
            Self::Any => Ok(path),
            Self::Below(root) if path.starts_with(root.canonicalize()?) => Ok(path),
            Self::Below(_) => Err(io::ErrorKind::PermissionDenied.into()),
        }
    }
}
