//! What a terminal would act on is shown.

use proptest::prelude::*;

use super::{acts, line, text};

#[track_caller]
fn check(input: &str, shown: &str) {
    assert_eq!(text(input), shown);
}

#[test]
fn escape_sequences_are_shown() {
    check("\u{1b}[2J\u{1b}]0;title\u{7}", "\\x1b[2J\\x1b]0;title\\x07");
    check("\u{9b}31mred", "\\u{9b}31mred");
    check("safe/\u{202e}txt.exe", "safe/\\u{202e}txt.exe");
    check(
        "a\u{2066}b\u{2069}\u{200f}",
        "a\\u{2066}b\\u{2069}\\u{200f}",
    );
    check("\u{e0041}tag\u{200b}", "\\u{e0041}tag\\u{200b}");
    check("del\u{7f}back\u{8}", "del\\x7fback\\x08");
}

#[test]
fn lines_stay_and_returns_go() {
    check("a\r\nb\tc\n", "a\nb\tc\n");
    check("rm -rf /\rls", "rm -rf /\\rls");
    check("größe 漢字 👍", "größe 漢字 👍");
}

#[test]
fn one_line_is_one_line() {
    assert_eq!(line("a\nb\tc\n", 20), "a⏎b c");
    assert_eq!(line("äöüß", 3), "äöü…");
    assert_eq!(line("\u{1b}[1m", 10), "\\x1b[1m");
}

proptest! {
    /// Whatever comes, nothing that a terminal acts on gets through, but newlines and tabs.
    #[test]
    fn nothing_acts(input in any::<String>(), extra in prop::collection::vec(prop::sample::select(vec!['\u{1b}', '\u{9b}', '\r', '\n', '\u{202e}', '\u{7}', 'x']), 0..20)) {
        let input: String = input.chars().chain(extra).collect();
        prop_assert!(!text(&input).chars().any(|c| acts(c) && c != '\n' && c != '\t'));
        prop_assert!(!line(&input, 1_000).chars().any(acts));
    }

    /// Harmless text is passed on as it is.
    #[test]
    fn harmless_text_is_untouched(input in "[a-zA-Z0-9 äöü漢\n\t]*") {
        prop_assert_eq!(text(&input), input.clone());
    }
}
