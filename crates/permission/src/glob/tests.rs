//! What globs cover, by table, and that a hostile text does not make them slow.
use super::{PathGlob, is_match};
use crate::place::Place;

#[track_caller]
fn check(pattern: &str, path: &str, expected: bool) {
    let place = Place::of(path, Some("/ws")).unwrap();
    assert_eq!(
        PathGlob::new(pattern)
            .placed(Some("/ws"))
            .unwrap()
            .covers(&place),
        expected,
        "{pattern:?} on {path:?}"
    );
}

#[test]
fn stars_stay_within_a_name() {
    check("src/*.rs", "/ws/src/lib.rs", true);
    check("src/*.rs", "/ws/src/a/lib.rs", false);
    check("src/?.rs", "/ws/src/a.rs", true);
    check("*", "/ws/a", true);
    check("*", "/ws/a/b", false);
}

#[test]
fn double_stars_cross_names() {
    check("src/**", "/ws/src/a/b", true);
    check("src/**/*.rs", "/ws/src/lib.rs", true);
    check("src/**/*.rs", "/ws/src/a/b/lib.rs", true);
    check("**/secret/**", "/ws/a/secret/b", true);
    check("**/secret/**", "/etc/secret/b", false);
    check("/**", "/etc/secret/b", true);
}

#[test]
fn a_plain_last_name_covers_what_lies_below() {
    check(".git", "/ws/.git/config", true);
    check(".git", "/ws/.github", false);
    check("/etc", "/etc/passwd", true);
    check("**/.env", "/ws/a/.env", true);
}

#[test]
fn the_root_itself_is_everything_below_it() {
    check("/", "/etc/passwd", true);
    check(".", "/ws/a", true);
    check(".", "/etc", false);
}

#[test]
fn dots_do_not_fool_it() {
    check("src/**", "/ws/src/../../etc/passwd", false);
    check("src/../lib/**", "/ws/lib/a", true);
}

#[test]
fn titles_are_matched_whole() {
    assert!(is_match("Read *", "Read /etc/hosts"));
    assert!(!is_match("Read", "Read more"));
    assert!(is_match("*", ""));
    assert!(is_match("a*b*c", "a-b-b-c"));
    assert!(!is_match("a*b*c", "a-b-b"));
}

#[test]
fn a_hostile_text_costs_the_product_of_the_lengths_at_most() {
    let pattern = "*a".repeat(30);
    let text = "a".repeat(20_000) + "b";
    assert!(!is_match(&pattern, &text));
}

/// Whether `pattern` can be met by what a shell makes of `word`.
#[track_caller]
fn meets(pattern: &str, word: &str, expected: bool) {
    let pattern_placed = PathGlob::new(pattern).placed(Some("/ws")).unwrap();
    let word_placed = Place::of_pattern(word, Some("/ws")).unwrap();
    assert_eq!(
        pattern_placed.meets(&word_placed),
        expected,
        "{pattern:?} and {word:?}"
    );
}

#[test]
fn words_of_a_shell_meet_patterns() {
    meets("**/.git", ".g*/config", true);
    meets("**/.git", "src/.gi?", true);
    meets("**/.git", "src/*.rs", false);
    meets("**/.git", "*", false);
    meets("**/.git", ".*", true);
    meets("**/.git", "{.git,x}/config", true);
    meets("/home/me/.ssh", "~/.ssh/id", true);
    meets("/home/me/.ssh", "$HOME/.ssh/id", true);
    meets("/home/me/.ssh", "~/src", false);
    meets("/home/me/.ssh", "~", false);
    meets("/home/me/.ssh", "$X", false);
    meets("src/**", "s*/a", true);
    meets("src/**", "lib/*", false);
    meets("**/*.key", "a/$X/b.key", true);
    meets("**/*.key", "a/*.pem", false);
    meets("/etc", "/e*/passwd", true);
}

#[test]
fn a_hostile_word_costs_the_product_of_the_lengths_at_most() {
    meets(&"*a".repeat(30), &("b*".repeat(2_000) + "c"), false);
}

#[test]
fn other_letters_are_the_same_to_some_file_systems() {
    let glob = PathGlob::new("**/.git").placed(Some("/ws")).unwrap();
    let place = Place::of("/WS/.GIT/config", None).unwrap();
    assert!(!glob.covers(&place) && glob.covers_folded(&place));
}

#[test]
fn what_lies_below_a_place() {
    #[track_caller]
    fn check(pattern: &str, place: &str, expected: bool) {
        let glob = PathGlob::new(pattern).placed(Some("/ws")).unwrap();
        let place_of = Place::of(place, Some("/ws")).unwrap();
        assert_eq!(
            glob.lies_below(&place_of),
            expected,
            "{pattern:?} {place:?}"
        );
    }
    check("src/lib.rs", "src", true);
    check("src/lib.rs", "/", true);
    check("src/lib.rs", "lib", false);
    check("src/lib.rs", "src/lib.rs/x", false);
    check("**/.git", ".", true);
    check("**/.git", "a/b", true);
    check("**/.git", "/other", false);
    check("src/*/x", "SRC/a", true);
}

#[test]
fn a_pattern_without_a_root_may_lie_anywhere() {
    let glob = PathGlob::new("**/.git").anywhere();
    assert!(glob.covers(&Place::of("/a/.git/config", None).unwrap()));
    assert!(
        PathGlob::new("secret")
            .anywhere()
            .covers(&Place::of("/a/secret", None).unwrap())
    );
}
