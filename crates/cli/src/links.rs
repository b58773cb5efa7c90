//! Where a path really leads, on the file system that the agent works on, too.
//!
//! Nothing is opened: a rule about `src/**` must not be led out of it by a link that lies there, and a file that is yet to be written is as
//! good as one that is there. Between the decision and the deed a link can still be changed; rules are a guard, not a sandbox.

use std::{
    fs, io,
    path::{Component, Path, PathBuf},
};

/// Most links that are followed on the way, as in the kernel.
const MAX_LINKS: usize = 40;

/// Where an absolute path leads: every link in it followed, what is not there taken as it is written. `None` where that cannot be told.
pub(crate) fn real(path: &str) -> Option<String> {
    let path = Path::new(path);
    let real = match fs::canonicalize(path) {
        Ok(real) => real,
        Err(_) => walk(path)?,
    };
    real.into_os_string().into_string().ok()
}

/// Goes down name by name, as far as there is anything.
fn walk(path: &Path) -> Option<PathBuf> {
    let mut here = PathBuf::new();
    // What is still to be walked, the next on top.
    let mut ahead: Vec<PathBuf> = names(path);
    let mut links = 0;
    while let Some(name) = ahead.pop() {
        match name.components().next()? {
            Component::Prefix(_) | Component::RootDir => here.push(&name),
            Component::CurDir => {}
            // What is behind us is real, so this is where it says.
            Component::ParentDir => {
                here.pop();
            }
            Component::Normal(name) => {
                let next = here.join(name);
                match fs::symlink_metadata(&next) {
                    Ok(data) if data.file_type().is_symlink() => {
                        links += 1;
                        if links > MAX_LINKS {
                            return None;
                        }
                        let target = fs::read_link(&next).ok()?;
                        if target.is_absolute() {
                            here = PathBuf::new();
                        }
                        ahead.extend(names(&target));
                    }
                    Ok(_) => here = next,
                    Err(error) if is_absent(&error) => here = next,
                    Err(_) => return None,
                }
            }
        }
    }
    Some(here)
}

/// The names of a path, the last first.
fn names(path: &Path) -> Vec<PathBuf> {
    let mut names: Vec<PathBuf> = path
        .components()
        .map(|name| PathBuf::from(name.as_os_str()))
        .collect();
    names.reverse();
    names
}

fn is_absent(error: &io::Error) -> bool {
    matches!(
        error.kind(),
        io::ErrorKind::NotFound | io::ErrorKind::NotADirectory
    )
}

#[cfg(all(test, unix))]
mod tests {
    use std::{fs, os::unix::fs::symlink};

    use super::real;

    #[test]
    fn links_are_followed_to_what_is_there_and_to_what_is_not() {
        let dir = tempfile::tempdir().expect("a directory");
        let root = fs::canonicalize(dir.path()).expect("real");
        fs::create_dir_all(root.join("src/a")).expect("made");
        fs::create_dir_all(root.join("out/deep")).expect("made");
        symlink("../out/deep", root.join("src/link")).expect("linked");
        symlink(root.join("out/unborn"), root.join("src/dangling")).expect("linked");
        symlink("loop", root.join("src/loop")).expect("linked");
        let check = |path: &str, expected: Option<&str>| {
            let path = format!("{}/{path}", root.display());
            let expected = expected.map(|name| format!("{}/{name}", root.display()));
            assert_eq!(real(&path), expected, "{path}");
        };
        check("src/a", Some("src/a"));
        check("src/a/new.txt", Some("src/a/new.txt"));
        check("src/link/new.txt", Some("out/deep/new.txt"));
        check("src/link/../secret", Some("out/secret"));
        check("src/nothing/../a", Some("src/a"));
        // Whoever writes there makes the file that it points to.
        check("src/dangling", Some("out/unborn"));
        check("src/dangling/x", Some("out/unborn/x"));
        check("src/loop/x", None);
    }
}
