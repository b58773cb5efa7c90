//! What is served and what is not, path by path; lines; races with symbolic links.

#![cfg(unix)]

use std::{
    fs,
    os::unix::fs::{PermissionsExt, symlink},
    path::{Path, PathBuf},
    sync::atomic::{AtomicBool, Ordering},
};

use proptest::prelude::*;

use super::{fault::Fault, read::Lines, read::read, root::Root, write::write};
use crate::scope::SessionPlace;

const MOST: u64 = 1024;

/// A root with files inside and a secret outside.
struct Yard {
    folder: tempfile::TempDir,
    root: Root,
}

impl Yard {
    fn new() -> Self {
        let folder = tempfile::tempdir().unwrap();
        let at = |path: &str| folder.path().join(path);
        for dir in ["root/sub/deep", "root/other", "rooted", "outside"] {
            fs::create_dir_all(at(dir)).unwrap();
        }
        for (file, text) in [
            ("root/a.txt", "one\ntwo\r\nthree"),
            ("root/sub/b.txt", "below"),
            ("root/other/c.txt", "beside"),
            ("rooted/secret", "secret"),
            ("outside/secret", "secret"),
        ] {
            fs::write(at(file), text).unwrap();
        }
        fs::write(at("root/binary"), [0xff, 0xfe, b'a']).unwrap();
        fs::write(at("root/latin"), b"ok\ncaf\xe9\n").unwrap();
        fs::write(at("root/large"), vec![b'x'; 2048]).unwrap();
        for (target, link) in [
            ("sub/b.txt", "root/inside-link"),
            ("sub", "root/inside-dir"),
            ("../outside/secret", "root/escape"),
            ("../outside", "root/escape-dir"),
            ("../../outside/secret", "root/sub/escape-from-below"),
            ("sub/../../outside/secret", "root/escape-by-detour"),
            ("sub/../a.txt", "root/stays-inside"),
            ("nowhere", "root/dangling"),
            ("../outside/new", "root/dangling-escape"),
            ("loop-b", "root/loop-a"),
            ("loop-a", "root/loop-b"),
            ("../root/a.txt", "root/out-and-in"),
            ("../other/c.txt", "root/sub/to-other"),
            ("/proc/self/root", "root/magic"),
        ] {
            symlink(target, at(link)).unwrap();
        }
        symlink(at("outside/secret"), at("root/absolute-escape")).unwrap();
        symlink(at("root"), at("alias")).unwrap();
        let fifo = at("root/fifo");
        rustix::fs::mkfifoat(rustix::fs::CWD, &fifo, 0o600.into()).unwrap();
        let root = Root::open(&at("root")).unwrap();
        Self { folder, root }
    }

    fn at(&self, path: &str) -> PathBuf {
        self.folder.path().join(path)
    }

    fn read(&self, path: &Path, line: Option<u32>, limit: Option<u32>) -> Result<String, Fault> {
        let (dir, below) = self.root.find(path, None)?;
        read(&dir, &below, Lines::new(line, limit), MOST)
    }

    fn write(&self, path: &str, text: &str) -> Result<(), Fault> {
        let (dir, below) = self.root.find(&self.at(path), None)?;
        write(&dir, &below, text.as_bytes(), MOST)
    }

    /// Nothing but the wanted files: a temporary one would be seen.
    fn names(&self, path: &str) -> Vec<String> {
        let mut names: Vec<_> = fs::read_dir(self.at(path))
            .unwrap()
            .map(|entry| entry.unwrap().file_name().into_string().unwrap())
            .collect();
        names.sort();
        names
    }
}

#[test]
fn what_is_read_and_what_is_not() {
    let yard = Yard::new();
    let whole = "one\ntwo\r\nthree";
    for (path, expected) in [
        ("root/a.txt", Ok(whole)),
        ("root/./a.txt", Ok(whole)),
        ("root//a.txt", Ok(whole)),
        ("alias/a.txt", Err(Fault::Outside)),
        ("root/sub/b.txt", Ok("below")),
        ("root/inside-link", Ok("below")),
        ("root/inside-dir/b.txt", Ok("below")),
        ("root/stays-inside", Ok(whole)),
        ("root/nothing", Err(Fault::Missing)),
        ("root/no/where", Err(Fault::Missing)),
        ("root/a.txt/below-a-file", Err(Fault::Missing)),
        ("root/dangling", Err(Fault::Missing)),
        ("root", Err(Fault::NotAFile)),
        ("root/sub", Err(Fault::NotAFile)),
        ("root/fifo", Err(Fault::NotAFile)),
        ("root/loop-a", Err(Fault::NotAFile)),
        ("root/binary", Err(Fault::NotText)),
        ("root/large", Err(Fault::TooLong { limit: MOST })),
        ("root/../root/a.txt", Err(Fault::Outside)),
        ("root/sub/../a.txt", Err(Fault::Outside)),
        ("root/../outside/secret", Err(Fault::Outside)),
        ("outside/secret", Err(Fault::Outside)),
        ("rooted/secret", Err(Fault::Outside)),
        ("root/escape", Err(Fault::Outside)),
        ("root/escape-dir/secret", Err(Fault::Outside)),
        ("root/sub/escape-from-below", Err(Fault::Outside)),
        ("root/escape-by-detour", Err(Fault::Outside)),
        ("root/dangling-escape", Err(Fault::Outside)),
        ("root/absolute-escape", Err(Fault::Outside)),
        ("root/out-and-in", Err(Fault::Outside)),
        ("root/magic/etc/hostname", Err(Fault::Outside)),
        ("root/a\0b", Err(Fault::Malformed)),
    ] {
        let read = yard.read(&yard.at(path), None, None);
        assert_eq!(read.as_deref(), expected.as_ref().copied(), "{path:?}");
    }
    for path in ["a.txt", "./a.txt", "", "~/a.txt"] {
        assert_eq!(
            yard.read(Path::new(path), None, None),
            Err(Fault::Relative),
            "{path:?}"
        );
    }
}

#[test]
fn a_root_behind_a_link_is_known_by_both_names() {
    let yard = Yard::new();
    let root = Root::open(&yard.at("alias")).unwrap();
    for path in ["alias/a.txt", "root/a.txt"] {
        assert!(root.find(&yard.at(path), None).is_ok(), "{path}");
    }
}

// 12: line 0 is line 1, behind the end and with a limit of 0 there is nothing.
#[test]
fn lines_are_counted_from_one() {
    let yard = Yard::new();
    for (line, limit, expected) in [
        (None, None, "one\ntwo\r\nthree"),
        (Some(0), None, "one\ntwo\r\nthree"),
        (Some(1), None, "one\ntwo\r\nthree"),
        (Some(0), Some(1), "one\n"),
        (Some(1), Some(1), "one\n"),
        (Some(2), Some(1), "two\r\n"),
        (Some(2), None, "two\r\nthree"),
        (Some(3), Some(1), "three"),
        (Some(3), Some(9), "three"),
        (Some(4), None, ""),
        (Some(4), Some(1), ""),
        (Some(u32::MAX), Some(u32::MAX), ""),
        (None, Some(0), ""),
        (Some(2), Some(0), ""),
        (None, Some(2), "one\ntwo\r\n"),
    ] {
        let read = yard.read(&yard.at("root/a.txt"), line, limit);
        assert_eq!(read.as_deref(), Ok(expected), "{line:?} {limit:?}");
    }
    // Of a file that is not all text its text can be read.
    let latin = yard.at("root/latin");
    assert_eq!(yard.read(&latin, None, Some(1)).as_deref(), Ok("ok\n"));
    assert_eq!(yard.read(&latin, Some(2), None), Err(Fault::NotText));
    // A missing file is missing whatever is asked of it.
    let missing = yard.at("root/nothing");
    assert_eq!(yard.read(&missing, None, Some(0)), Err(Fault::Missing));
}

#[test]
fn bounds_of_what_is_read() {
    let yard = Yard::new();
    let at = yard.at("root/lines");
    fs::write(&at, "0123456789abcde\n".repeat(2048)).unwrap();
    let long = Err(Fault::TooLong { limit: MOST });
    for (line, limit, expected) in [
        (None, Some(64), Ok(1024)),
        (None, Some(65), long),
        (None, None, long),
        (Some(500), Some(1), Ok(16)),
        (Some(1024), Some(1), Ok(16)),
        // Behind 16 times the bound nothing is looked for.
        (Some(1025), Some(1), long),
        (Some(5000), None, long),
    ] {
        let read = yard.read(&at, line, limit).map(|text| text.len());
        assert_eq!(read, expected, "{line:?} {limit:?}");
    }
}

#[test]
fn what_is_written_and_what_is_not() {
    let yard = Yard::new();
    let old = fs::read(yard.at("outside/secret")).unwrap();
    for (path, expected) in [
        ("root/a.txt", Ok(())),
        ("root/new.txt", Ok(())),
        ("root/made/on/the/way.txt", Ok(())),
        ("root/inside-dir/new.txt", Ok(())),
        ("root/inside-dir/made/new.txt", Ok(())),
        ("root/inside-link", Ok(())),
        ("root", Err(Fault::NotAFile)),
        ("root/sub", Err(Fault::NotAFile)),
        ("root/dangling", Err(Fault::NotAFile)),
        ("root/dangling-escape", Err(Fault::Outside)),
        ("root/escape", Err(Fault::Outside)),
        ("root/escape-dir/secret", Err(Fault::Outside)),
        ("root/escape-dir/new", Err(Fault::Outside)),
        ("root/escape-dir/new/dir/file", Err(Fault::Outside)),
        ("root/absolute-escape", Err(Fault::Outside)),
        ("root/sub/../new", Err(Fault::Outside)),
        ("root/../outside/new", Err(Fault::Outside)),
        ("outside/new", Err(Fault::Outside)),
        ("rooted/new", Err(Fault::Outside)),
        ("root/b\0", Err(Fault::Malformed)),
    ] {
        assert_eq!(yard.write(path, "line\r\nnext\n"), expected, "{path:?}");
        if expected.is_ok() {
            assert_eq!(fs::read_to_string(yard.at(path)).unwrap(), "line\r\nnext\n");
        }
    }
    assert_eq!(
        fs::read_to_string(yard.at("root/sub/b.txt")).unwrap(),
        "line\r\nnext\n",
        "the target of a link inside, and not the link, is replaced"
    );
    assert!(
        fs::symlink_metadata(yard.at("root/inside-link"))
            .unwrap()
            .is_symlink()
    );
    assert_eq!(fs::read(yard.at("outside/secret")).unwrap(), old);
    assert_eq!(yard.names("outside"), ["secret"]);
    assert!(
        yard.names("root")
            .iter()
            .all(|name| !name.starts_with(".acp-"))
    );
    let large = "x".repeat(2048);
    assert_eq!(
        yard.write("root/new.txt", &large),
        Err(Fault::TooLong { limit: MOST })
    );
    assert!(yard.write("root/fifo", "x").is_err());
}

#[test]
fn permissions_are_kept() {
    let yard = Yard::new();
    let at = yard.at("root/a.txt");
    for mode in [0o600, 0o640, 0o755] {
        fs::set_permissions(&at, fs::Permissions::from_mode(mode)).unwrap();
        yard.write("root/a.txt", "x").unwrap();
        assert_eq!(
            fs::metadata(&at).unwrap().permissions().mode() & 0o7777,
            mode
        );
    }
}

#[test]
fn what_lets_a_program_run_as_somebody_else_is_not_kept() {
    let yard = Yard::new();
    let at = yard.at("root/a.txt");
    for mode in [0o4755, 0o2755, 0o6755, 0o1644] {
        fs::set_permissions(&at, fs::Permissions::from_mode(mode)).unwrap();
        yard.write("root/a.txt", "x").unwrap();
        assert_eq!(
            fs::metadata(&at).unwrap().permissions().mode() & 0o7777,
            mode & 0o777
        );
    }
}

// Whatever it is, it is not waited for, and it stays.
#[test]
fn what_is_no_file_is_neither_read_nor_replaced() {
    use std::os::unix::{fs::FileTypeExt, net::UnixListener};

    let yard = Yard::new();
    let _socket = UnixListener::bind(yard.at("root/socket")).unwrap();
    for path in ["root/fifo", "root/socket", "root/sub", "root"] {
        let read = yard.read(&yard.at(path), None, None);
        assert_eq!(read, Err(Fault::NotAFile), "read {path}");
        assert_eq!(yard.write(path, "x"), Err(Fault::NotAFile), "write {path}");
    }
    // A pipe with a reader can be opened, and is none the better for it.
    let fifo = fs::OpenOptions::new()
        .read(true)
        .write(true)
        .open(yard.at("root/fifo"))
        .unwrap();
    assert_eq!(yard.write("root/fifo", "x"), Err(Fault::NotAFile));
    assert_eq!(
        yard.read(&yard.at("root/fifo"), None, None),
        Err(Fault::NotAFile)
    );
    drop(fifo);
    let kind = |path| fs::metadata(yard.at(path)).unwrap().file_type();
    assert!(kind("root/fifo").is_fifo() && kind("root/socket").is_socket());
    // The devices and the files of the system that have no end, or no size.
    let system = Root::open(Path::new("/")).unwrap();
    for (path, fault) in [
        ("/dev/zero", Fault::NotAFile),
        ("/dev/tty", Fault::NotAFile),
        ("/proc/self/mem", Fault::System(std::io::ErrorKind::Other)),
    ] {
        let (dir, below) = system.find(Path::new(path), None).unwrap();
        let read = read(&dir, &below, Lines::new(None, None), MOST);
        let refused = match (&read, fault) {
            (Err(Fault::System(_)), Fault::System(_)) => true,
            (Err(found), expected) => *found == expected,
            (Ok(_), _) => false,
        };
        assert!(refused, "{path}: {read:?}");
    }
    let (dir, below) = system.find(Path::new("/proc/self/status"), None).unwrap();
    let status = read(&dir, &below, Lines::new(None, Some(1)), MOST).unwrap();
    assert!(status.starts_with("Name:"), "{status}");
}

#[test]
fn a_file_without_end_costs_no_more_than_its_bound() {
    let yard = Yard::new();
    let file = fs::File::create(yard.at("root/sparse")).unwrap();
    file.set_len(1 << 40).unwrap();
    for (line, limit) in [
        (None, None),
        (Some(2), None),
        (None, Some(1)),
        (Some(9), Some(9)),
    ] {
        let read = yard.read(&yard.at("root/sparse"), line, limit);
        assert_eq!(
            read,
            Err(Fault::TooLong { limit: MOST }),
            "{line:?} {limit:?}"
        );
    }
}
#[test]
fn a_read_only_file_is_not_replaced() {
    let yard = Yard::new();
    let at = yard.at("root/a.txt");
    fs::set_permissions(&at, fs::Permissions::from_mode(0o444)).unwrap();
    // Whoever may write everything may write this.
    let may = fs::OpenOptions::new().write(true).open(&at).is_ok();
    assert_eq!(yard.write("root/a.txt", "x").is_ok(), may);
}

#[test]
fn a_session_is_kept_to_its_directories() {
    let yard = Yard::new();
    let text = |path: PathBuf| path.to_str().unwrap().to_owned();
    let place = SessionPlace::new(
        &text(yard.at("root/sub")),
        &[text(yard.at("root/other")).into()],
    );
    let check = |place: &SessionPlace, path: &str, expected: Result<&str, Fault>| {
        let read = yard
            .root
            .find(&yard.at(path), Some(place))
            .and_then(|(dir, below)| read(&dir, &below, Lines::new(None, None), MOST));
        assert_eq!(read.as_deref(), expected.as_ref().copied(), "{path}");
    };
    check(&place, "root/sub/b.txt", Ok("below"));
    check(&place, "root/other/c.txt", Ok("beside"));
    check(&place, "root/a.txt", Err(Fault::Outside));
    check(&place, "outside/secret", Err(Fault::Outside));
    check(&place, "root/sub/escape-from-below", Err(Fault::Outside));
    // Inside the root, and yet outside of the session.
    check(&place, "root/inside-link", Err(Fault::Outside));
    check(&place, "root/sub/to-other", Err(Fault::Outside));
    // A session around the root, at the root, beside it, and nowhere.
    let around = SessionPlace::new(&text(yard.at("")), &[]);
    check(&around, "root/sub/b.txt", Ok("below"));
    check(&around, "outside/secret", Err(Fault::Outside));
    let same = SessionPlace::new(&text(yard.at("root")), &[]);
    check(&same, "root/sub/b.txt", Ok("below"));
    let beside = SessionPlace::new(&text(yard.at("outside")), &[]);
    check(&beside, "root/sub/b.txt", Err(Fault::Outside));
    check(&beside, "outside/secret", Err(Fault::Outside));
    // A directory of the session that is a link out of the root.
    let escape = SessionPlace::new(&text(yard.at("root/escape-dir")), &[]);
    check(&escape, "root/escape-dir/secret", Err(Fault::Outside));
}

// A directory, and a file, that change places with a link to the outside, over and over, in one
// step, while they are used.
#[cfg(target_os = "linux")]
#[test]
fn a_swapped_path_leads_nowhere() {
    use rustix::fs::{CWD, RenameFlags, renameat_with};

    let yard = Yard::new();
    let stop = AtomicBool::new(false);
    let pairs = [
        (yard.at("root/swap"), yard.at("root/swap-link")),
        (yard.at("root/leaf"), yard.at("root/leaf-link")),
    ];
    fs::create_dir(yard.at("root/swap")).unwrap();
    fs::write(yard.at("root/swap/secret"), "fine").unwrap();
    fs::write(yard.at("root/leaf"), "fine").unwrap();
    symlink("../outside", yard.at("root/swap-link")).unwrap();
    symlink("../outside/secret", yard.at("root/leaf-link")).unwrap();
    let swap = || {
        for (path, link) in &pairs {
            renameat_with(CWD, path, CWD, link, RenameFlags::EXCHANGE).unwrap();
        }
    };
    // Each side of a swap, one after the other.
    for path in ["root/swap/secret", "root/leaf"] {
        assert_eq!(yard.read(&yard.at(path), None, None).unwrap(), "fine");
    }
    swap();
    for path in ["root/swap/secret", "root/leaf"] {
        let fault = yard.read(&yard.at(path), None, None).unwrap_err();
        assert!(matches!(fault, Fault::Outside), "{path}: {fault:?}");
    }
    // Then as fast as it goes.
    std::thread::scope(|scope| {
        scope.spawn(|| {
            while !stop.load(Ordering::Relaxed) {
                swap();
            }
        });
        for round in 0..1000 {
            for path in ["root/swap/secret", "root/leaf"] {
                // Which side of a swap a read meets is chance; what it may bring is not.
                if let Ok(text) = yard.read(&yard.at(path), None, None) {
                    assert_eq!(text, "fine", "round {round}");
                }
                // Writing waits for the disk.
                if round % 16 == 0 {
                    yard.write(path, "fine").ok();
                    yard.write("root/swap/new/file", "fine").ok();
                }
            }
        }
        stop.store(true, Ordering::Relaxed);
    });
    assert_eq!(yard.names("outside"), ["secret"]);
    let secret = fs::read_to_string(yard.at("outside/secret")).unwrap();
    assert_eq!(secret, "secret");
}

// A reader sees the old text or the new one, never a part.
#[test]
fn a_write_is_seen_whole_or_not_at_all() {
    let yard = Yard::new();
    let (old, new) = ("o".repeat(1000), "n".repeat(1000));
    yard.write("root/whole", &old).unwrap();
    std::thread::scope(|scope| {
        let writer = scope.spawn(|| {
            for round in 0..50 {
                let text = if round % 2 == 0 { &new } else { &old };
                yard.write("root/whole", text).unwrap();
            }
        });
        while !writer.is_finished() {
            let read = yard.read(&yard.at("root/whole"), None, None).unwrap();
            assert!(read == old || read == new);
        }
    });
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(48))]

    // Pages of any size, put together, are the file; so no line is lost or read twice.
    #[test]
    fn pages_put_together_are_the_file(
        text in "([a-zé\u{1F600}]{0,6}(\n|\r\n|\r)){0,8}[a-z]{0,3}",
        page in 1_u32..5,
    ) {
        let yard = Yard::new();
        yard.write("root/pages", &text).unwrap();
        let mut whole = String::new();
        let mut line = 1;
        loop {
            let part = yard.read(&yard.at("root/pages"), Some(line), Some(page)).unwrap();
            if part.is_empty() {
                break;
            }
            whole.push_str(&part);
            line += page;
        }
        prop_assert_eq!(whole, text);
    }
}
