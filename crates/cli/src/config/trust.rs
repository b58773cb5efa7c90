//! Which files of directories the user trusts: by path and by content, so that a file that changed is asked about again.
//!
//! What such a file names for reading (rules, tools, answers) decides as much as the file itself, so the seal covers it, too.

use std::{
    collections::BTreeMap,
    fs, io,
    path::{Path, PathBuf},
};

use serde::{Deserialize, Serialize};
use sha2::{Digest as _, Sha256};

use super::{
    file::{self, File},
    replace,
};

/// The version of the store.
const VERSION: u32 = 1;

/// What was trusted, by path.
#[derive(Debug, Default, Serialize, Deserialize)]
pub(crate) struct Store {
    v: u32,
    trusted: BTreeMap<String, Seal>,
}

/// What a file held when it was trusted.
#[derive(Debug, PartialEq, Eq, Serialize, Deserialize)]
struct Seal {
    sha256: String,
    /// The files that it names for reading, and what they held.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    reads: BTreeMap<String, String>,
}

/// Whether a file may be believed.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Verdict {
    Trusted,
    /// Nobody ever trusted it.
    Unknown,
    /// It was trusted, and this file is not what it was then.
    Changed(PathBuf),
}

impl Store {
    /// Reads it. Where there is none nothing is trusted.
    ///
    /// # Errors
    /// It cannot be read, is not understood, or others than the user could have written it.
    pub(crate) fn load(path: &Path) -> io::Result<Self> {
        let bytes = match file::read(path) {
            Ok(bytes) => bytes,
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(Self::default()),
            Err(error) => return Err(error),
        };
        if is_open(path)? {
            return Err(io::Error::new(
                io::ErrorKind::PermissionDenied,
                "others may write it",
            ));
        }
        let store: Self = serde_json::from_slice(&bytes).map_err(|_| not_understood())?;
        if store.v == VERSION {
            Ok(store)
        } else {
            Err(not_understood())
        }
    }

    /// Whether this file, which holds these bytes, is trusted.
    pub(crate) fn judge(&self, path: &Path, bytes: &[u8]) -> Verdict {
        let Some(seal) = path.to_str().and_then(|path| self.trusted.get(path)) else {
            return Verdict::Unknown;
        };
        if seal.sha256 != hash(bytes) {
            return Verdict::Changed(path.to_owned());
        }
        let changed = seal.reads.iter().find(|(path, then)| {
            file::read(Path::new(path)).map_or(true, |bytes| hash(&bytes) != **then)
        });
        match changed {
            Some((path, _)) => Verdict::Changed(PathBuf::from(path)),
            None => Verdict::Trusted,
        }
    }

    /// Trusts it as it is now; what is gone is forgotten.
    ///
    /// # Errors
    /// The path is not UTF-8, or a file that it names cannot be read: the path and why.
    pub(crate) fn trust(
        &mut self,
        path: &Path,
        bytes: &[u8],
        file: &File,
    ) -> Result<(), (PathBuf, io::Error)> {
        let name = |path: &Path| match path.to_str() {
            Some(text) => Ok(text.to_owned()),
            None => Err((path.to_owned(), io::Error::other("its path is not UTF-8"))),
        };
        let mut reads = BTreeMap::new();
        for path in file.reads() {
            let bytes = file::read(path).map_err(|error| (path.to_owned(), error))?;
            reads.insert(name(path)?, hash(&bytes));
        }
        self.trusted.retain(|path, _| Path::new(path).is_file());
        let sha256 = hash(bytes);
        self.trusted.insert(name(path)?, Seal { sha256, reads });
        Ok(())
    }

    /// Trusts it no longer; whether it was trusted.
    pub(crate) fn forget(&mut self, path: &Path) -> bool {
        path.to_str()
            .is_some_and(|path| self.trusted.remove(path).is_some())
    }

    /// Writes it, whole or not at all, for the user alone.
    ///
    /// # Errors
    /// It cannot be written.
    pub(crate) fn save(&mut self, path: &Path) -> io::Result<()> {
        self.v = VERSION;
        let mut text = serde_json::to_vec_pretty(self)?;
        text.push(b'\n');
        replace::replace(path, &text)
    }
}

/// Whether others than the user could have written it.
#[cfg(unix)]
fn is_open(path: &Path) -> io::Result<bool> {
    use std::os::unix::fs::PermissionsExt as _;
    Ok(fs::metadata(path)?.permissions().mode() & 0o022 != 0)
}

#[cfg(not(unix))]
fn is_open(_: &Path) -> io::Result<bool> {
    Ok(false)
}

fn not_understood() -> io::Error {
    io::Error::new(io::ErrorKind::InvalidData, "it is not understood")
}

fn hash(bytes: &[u8]) -> String {
    Sha256::digest(bytes)
        .iter()
        .map(|byte| format!("{byte:02x}"))
        .collect()
}

#[cfg(test)]
mod tests;
