//! Where paths lie, by table.
use super::Place;
use crate::glob::PlacedGlob;

#[track_caller]
fn check(path: &str, root: Option<&str>, expected: Option<&str>) {
    let shown = Place::of(path, root)
        .map(|place| format!("{}/{}", place.prefix(), place.names().join("/")));
    assert_eq!(shown.as_deref(), expected, "{path:?} below {root:?}");
}

#[test]
fn unix_paths_lose_dots_and_doubled_slashes() {
    check("/a//b/./c/", None, Some("/a/b/c"));
    check("/a/b/../c", None, Some("/a/c"));
    check("/../../etc", None, Some("/etc"));
    check("/", None, Some("/"));
    check(r"/a\b", None, Some(r"/a\b"));
}

#[test]
fn relative_paths_lie_below_the_root() {
    check("src/lib.rs", Some("/ws"), Some("/ws/src/lib.rs"));
    check("./src/../../etc/passwd", Some("/ws"), Some("/etc/passwd"));
    check("src/lib.rs", None, None);
    check("src/lib.rs", Some("ws"), None);
}

#[test]
fn what_others_would_expand_lies_nowhere() {
    for path in [
        "~/x",
        "~root/x",
        "$HOME/x",
        "%APPDATA%/x",
        "file:///etc/passwd",
        "C:x",
        "",
        "a\0b",
        "/a\0b",
        r"\x",
    ] {
        check(path, Some("/ws"), None);
    }
}

#[test]
fn windows_paths_are_folded() {
    check(r"C:\Work\A\..\B", None, Some("c:/work/b"));
    check("c:/Work/b.", None, Some("c:/work/b"));
    check(r"\\?\C:\x", None, Some("c:/x"));
    check(r"\\Host\Share\a\..\..\..\b", None, Some("//host/share/b"));
    check(r"\\Host", None, None);
    check(r"Src\..\..\X", Some(r"C:\Work"), Some("c:/x"));
}

#[test]
fn inside_is_by_whole_names() {
    let root = PlacedGlob::below(Place::of("/ws", None).unwrap());
    let inside = |path: &str| Place::of(path, Some("/ws")).is_some_and(|place| root.covers(&place));
    assert!(inside("/ws") && inside("/ws/a") && inside("a/b"));
    assert!(!inside("/wsx") && !inside("../x") && !inside("/ws/../etc"));
}

#[test]
fn what_a_tool_might_trim_lies_nowhere() {
    for path in [
        " /etc/passwd",
        "/etc/passwd ",
        "src/a\n",
        "\tsrc",
        "/a\u{7f}b",
        "\u{a0}/etc",
    ] {
        check(path, Some("/ws"), None);
    }
    check("/a b/c", None, Some("/a b/c"));
}

#[test]
fn names_that_windows_reads_as_others_lie_nowhere() {
    for path in [
        r"C:\work\GIT~1\config",
        r"C:\work\.git::$INDEX_ALLOCATION\config",
        r"C:\work\a.txt:stream",
        r"C:\work\...\x",
        r"C:\work\. \x",
    ] {
        check(path, None, None);
    }
    check(r"C:\work\a~b", None, Some("c:/work/a~b"));
    check("/work/GIT~1", None, Some("/work/GIT~1"));
}

#[test]
fn words_that_a_shell_expands_may_lie_anywhere() {
    #[track_caller]
    fn check(word: &str, expected: &str) {
        let place = Place::of_pattern(word, Some("/ws")).unwrap();
        assert_eq!(place.names().join("/"), expected, "{word}");
    }
    check("~/x", "**/x");
    check("$HOME/x", "**/x");
    check("a/$X/y", "ws/a/**/y");
    check("a/*.rs", "ws/a/*.rs");
    check("/etc/p?sswd", "etc/p?sswd");
}
