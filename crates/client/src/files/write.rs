//! Writing a text file: beside the old one, then in its place.

use std::{
    ffi::OsStr,
    hash::{BuildHasher, Hasher, RandomState},
    io::{self, Write},
    path::{Path, PathBuf},
};

use cap_std::fs::{Dir, File, OpenOptions, Permissions};

use super::{fault::Fault, read::no_wait, root::open_dir};

/// How often a name for the new file is made up.
const TRIES: usize = 16;

/// Puts a file with this text in the place of `path`.
pub(super) fn write(dir: &Dir, path: &Path, text: &[u8], most: u64) -> Result<(), Fault> {
    if text.len() as u64 > most {
        return Err(Fault::TooLong { limit: most });
    }
    let place = real_place(dir, path)?;
    let name = place.file_name().ok_or(Fault::NotAFile)?;
    let parent = open_dir(dir, place.parent().unwrap_or_else(|| Path::new("")))?;
    let permissions = permissions_of(&parent, name)?;
    let (mut file, beside) = create(&parent, permissions.as_ref())?;
    let filled = fill(&mut file, text, permissions);
    drop(file);
    let placed = filled.and_then(|()| parent.rename(&beside, &parent, name));
    placed.map_err(|error| {
        parent.remove_file(&beside).ok();
        error.into()
    })
}

/// Where the file is or will be, below `dir`, with no symbolic link as its last part. Missing
/// directories are made.
fn real_place(dir: &Dir, path: &Path) -> Result<PathBuf, Fault> {
    if path.file_name().is_none() {
        return Err(Fault::NotAFile);
    }
    match dir.canonicalize(path) {
        Ok(place) => Ok(place),
        Err(error) if error.kind() == io::ErrorKind::NotFound => {
            if dir.symlink_metadata(path).is_ok() {
                // A symbolic link to nothing: what it should become is nobody's to say.
                return Err(Fault::NotAFile);
            }
            if let Some(parent) = path.parent()
                && !parent.as_os_str().is_empty()
            {
                dir.create_dir_all(parent)?;
            }
            Ok(path.to_path_buf())
        }
        Err(error) => Err(error.into()),
    }
}

/// The permissions of the file that will be replaced, if there is one. It has to be a regular file,
/// and one that may be written.
fn permissions_of(parent: &Dir, name: &OsStr) -> Result<Option<Permissions>, Fault> {
    let opened = parent.open_with(name, no_wait(OpenOptions::new().write(true)));
    let file = match opened {
        Ok(file) => file,
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
        Err(error) => return Err(error.into()),
    };
    let metadata = file.metadata()?;
    if metadata.is_file() {
        Ok(Some(plain(metadata.permissions())))
    } else {
        Err(Fault::NotAFile)
    }
}

/// Without the bits that let a program run as somebody else: what is new in the file has not earned
/// them, and the system takes them off a file that is written as well.
fn plain(permissions: Permissions) -> Permissions {
    #[cfg(unix)]
    let permissions = {
        use cap_std::fs::PermissionsExt;
        Permissions::from_mode(permissions.mode() & 0o777)
    };
    permissions
}

/// A new file under a name of its own, never readable by more people than the old one.
fn create(parent: &Dir, permissions: Option<&Permissions>) -> Result<(File, PathBuf), Fault> {
    let mut options = OpenOptions::new();
    options.write(true).create_new(true);
    #[cfg(unix)]
    if let Some(permissions) = permissions {
        use cap_std::fs::{OpenOptionsExt, PermissionsExt};
        options.mode(permissions.mode());
    }
    #[cfg(not(unix))]
    let _ = permissions;
    for _ in 0..TRIES {
        // The keys of a hasher are random: nobody can put something there ahead of us.
        let random = RandomState::new().build_hasher().finish();
        let name = PathBuf::from(format!(".acp-{random:016x}"));
        match parent.open_with(&name, &options) {
            Ok(file) => return Ok((file, name)),
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {}
            Err(error) => return Err(error.into()),
        }
    }
    Err(Fault::System(io::ErrorKind::AlreadyExists))
}

fn fill(file: &mut File, text: &[u8], permissions: Option<Permissions>) -> io::Result<()> {
    file.write_all(text)?;
    if let Some(permissions) = permissions {
        file.set_permissions(permissions)?;
    }
    file.sync_all()
}
