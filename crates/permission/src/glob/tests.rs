//! What globs cover, by table, and that a hostile text does not make them slow.
use super::{PathGlob, is_match};
use crate::place::Place;

#[track_caller]
fn check(pattern: &str, path: &str, expected: bool) {
    let place = Place::of(path, Some("/ws")).unwrap();
    assert_eq!(
        PathGlob::new(pattern).covers(&place, Some("/ws")),
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
