//! Files of the user that are written as a whole.

use std::{
    fs::{self, OpenOptions},
    io::{self, Write as _},
    path::Path,
    process,
};

/// Puts this in the place of a file, whole or not at all, with the mode that the file had, else for its owner alone.
///
/// # Errors
/// It cannot be written.
pub(crate) fn replace(path: &Path, text: &[u8]) -> io::Result<()> {
    // A link is followed: the file behind it is what a person keeps somewhere else.
    let path = &fs::canonicalize(path).unwrap_or_else(|_| path.to_owned());
    let folder = path.parent().unwrap_or_else(|| Path::new("."));
    make_folder(folder)?;
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    let beside = folder.join(format!(".{name}.{}", process::id()));
    let written = (|| {
        let mut options = OpenOptions::new();
        options.write(true).create_new(true);
        #[cfg(unix)]
        std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
        let mut out = options.open(&beside)?;
        out.write_all(text)?;
        if let Ok(before) = fs::metadata(path) {
            out.set_permissions(before.permissions())?;
        }
        out.sync_all()?;
        fs::rename(&beside, path)
    })();
    if written.is_err() {
        // Nothing half-written stays; the first failure is the one that is told.
        drop(fs::remove_file(&beside));
    }
    written
}

#[cfg(unix)]
fn make_folder(folder: &Path) -> io::Result<()> {
    use std::os::unix::fs::DirBuilderExt as _;
    fs::DirBuilder::new()
        .recursive(true)
        .mode(0o700)
        .create(folder)
}

#[cfg(not(unix))]
fn make_folder(folder: &Path) -> io::Result<()> {
    fs::create_dir_all(folder)
}
