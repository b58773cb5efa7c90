//! Which file a program's name means, so that errors can say it and `PATH` is searched by one rule
//! on every system.

use std::{
    env,
    ffi::OsStr,
    io,
    path::{Component, Path, PathBuf},
    sync::Arc,
};

use crate::SpawnError;

use super::environment::Environment;

/// The absolute path of `program`.
///
/// A name with a separator is a path, relative to this process's directory (not to the child's). A
/// bare name is searched in the `PATH` that the child will have, or in ours when it will have none.
pub(super) fn resolve(
    program: &OsStr,
    name: &Arc<str>,
    environment: &Environment,
) -> Result<PathBuf, SpawnError> {
    if is_path(program) {
        let path = std::path::absolute(program).map_err(|source| SpawnError::Io {
            program: Arc::clone(name),
            path: PathBuf::from(program),
            source: Arc::new(source),
        })?;
        return match look(&path) {
            Found::Runnable(path) => Ok(path),
            Found::Unfit(reason) => Err(SpawnError::NotExecutable {
                program: Arc::clone(name),
                path,
                reason,
            }),
            Found::Nothing => Err(SpawnError::NotFound {
                program: Arc::clone(name),
                path,
                searched: None,
            }),
        };
    }
    let path_variable = OsStr::new("PATH");
    let directories = environment
        .value(path_variable)
        .or_else(|| env::var_os(path_variable))
        .unwrap_or_default();
    let mut unfit = None;
    let mut searched = 0;
    for directory in
        env::split_paths(&directories).filter(|directory| !directory.as_os_str().is_empty())
    {
        searched += 1;
        let Ok(path) = std::path::absolute(directory.join(program)) else {
            continue;
        };
        match look(&path) {
            Found::Runnable(path) => return Ok(path),
            Found::Unfit(reason) => {
                unfit.get_or_insert((path, reason));
            }
            Found::Nothing => {}
        }
    }
    Err(match unfit {
        Some((path, reason)) => SpawnError::NotExecutable {
            program: Arc::clone(name),
            path,
            reason,
        },
        None => SpawnError::NotFound {
            program: Arc::clone(name),
            path: PathBuf::from(program),
            searched: Some(searched),
        },
    })
}

/// What an error of starting `path` means.
pub(super) fn explain(
    error: io::Error,
    path: PathBuf,
    name: &Arc<str>,
    directory: Option<&Path>,
) -> SpawnError {
    let program = Arc::clone(name);
    if let Some(directory) = directory
        && let Err(source) = check_directory(directory)
    {
        return SpawnError::Directory {
            program,
            directory: directory.into(),
            source: Arc::new(source),
        };
    }
    let reason = if error.kind() == io::ErrorKind::NotFound {
        // The file is there (it was resolved), so what is missing is what runs it.
        Some("names an interpreter that does not exist")
    } else if error.kind() == io::ErrorKind::PermissionDenied {
        Some("may not be executed")
    } else if error.kind() == io::ErrorKind::ExecutableFileBusy {
        Some("is open for writing")
    } else if error.raw_os_error() == Some(NO_EXEC) {
        Some("is no program that this system can run")
    } else {
        None
    };
    match reason {
        Some(reason) => SpawnError::NotExecutable {
            program,
            path,
            reason,
        },
        None => SpawnError::Io {
            program,
            path,
            source: Arc::new(error),
        },
    }
}

/// The error number for a file of a format that cannot be run: `ENOEXEC`, or
/// `ERROR_BAD_EXE_FORMAT`.
const NO_EXEC: i32 = if cfg!(windows) { 193 } else { 8 };

pub(super) fn check_directory(directory: &Path) -> io::Result<()> {
    if std::fs::metadata(directory)?.is_dir() {
        Ok(())
    } else {
        Err(io::ErrorKind::NotADirectory.into())
    }
}

fn is_path(program: &OsStr) -> bool {
    let mut components = Path::new(program).components();
    let first = components.next();
    !(components.next().is_none()
        && matches!(first, Some(Component::Normal(only)) if only == program))
}

enum Found {
    Runnable(PathBuf),
    Unfit(&'static str),
    Nothing,
}

fn look(path: &Path) -> Found {
    candidates(path)
        .into_iter()
        .map(|candidate| match std::fs::metadata(&candidate) {
            Ok(metadata) if metadata.is_dir() => Found::Unfit("is a directory"),
            Ok(metadata) if !may_run(&metadata) => Found::Unfit("is not marked executable"),
            Ok(_) => Found::Runnable(candidate),
            Err(_) => Found::Nothing,
        })
        .reduce(|first, second| {
            if matches!(first, Found::Nothing) {
                second
            } else {
                first
            }
        })
        .unwrap_or(Found::Nothing)
}

#[cfg(unix)]
fn may_run(metadata: &std::fs::Metadata) -> bool {
    std::os::unix::fs::PermissionsExt::mode(&metadata.permissions()) & 0o111 != 0
}

#[cfg(not(unix))]
fn may_run(_: &std::fs::Metadata) -> bool {
    true
}

#[cfg(not(windows))]
fn candidates(path: &Path) -> Vec<PathBuf> {
    vec![path.to_path_buf()]
}

/// On Windows a program's name may leave its extension away: the `.cmd` files of npm are found so.
#[cfg(windows)]
fn candidates(path: &Path) -> Vec<PathBuf> {
    let extensions = env::var_os("PATHEXT").unwrap_or_else(|| ".COM;.EXE;.BAT;.CMD".into());
    let with_extension = |extension: &str| {
        let mut name = path.as_os_str().to_os_string();
        name.push(extension);
        PathBuf::from(name)
    };
    let mut all: Vec<PathBuf> = extensions
        .to_string_lossy()
        .split(';')
        .filter(|one| !one.is_empty())
        .map(with_extension)
        .collect();
    let at = if path.extension().is_some() {
        0
    } else {
        all.len()
    };
    all.insert(at, path.to_path_buf());
    all
}
