//! The tail against the plain rule: the longest end of the whole text that fits.

use proptest::prelude::*;

use super::Output;

/// What an agent must see of these bytes.
fn rule(bytes: &[u8], limit: usize) -> (String, bool) {
    let text = String::from_utf8_lossy(bytes).into_owned();
    let start = (0..=text.len())
        .find(|at| text.is_char_boundary(*at) && text.len() - at <= limit)
        .unwrap();
    (text[start..].to_owned(), start > 0)
}

#[track_caller]
fn check(chunks: &[&[u8]], limit: usize, running: bool, expected: (&str, bool)) {
    let mut output = Output::new(limit);
    for chunk in chunks {
        output.push(chunk);
    }
    let (text, truncated) = output.text(running);
    assert_eq!((&*text, truncated), expected, "{chunks:?} in {limit}");
}

// 30: with a limit of 0 nothing is kept, and that is said once there is something.
#[test]
fn tails() {
    check(&[], 0, true, ("", false));
    check(&[b"a"], 0, true, ("", true));
    check(&[b"abc"], 3, true, ("abc", false));
    check(&[b"abcd"], 3, true, ("bcd", true));
    check(&[b"ab", b"cd"], 3, true, ("bcd", true));
    check(&["aé".as_bytes()], 2, true, ("é", true));
    check(&["aé".as_bytes()], 1, true, ("", true));
    check(&["é".as_bytes()], 1, true, ("", true));
    check(&["\u{1F600}".as_bytes()], 3, true, ("", true));
    check(&["\u{1F600}".as_bytes()], 4, true, ("\u{1F600}", false));
    check(&["x\u{1F600}y".as_bytes()], 4, true, ("y", true));
}

#[test]
fn a_character_in_the_middle_of_which_it_stands_is_held_back() {
    let face = "\u{1F600}".as_bytes();
    check(&[b"a", &face[..3]], 100, true, ("a", false));
    check(
        &[b"a", &face[..3], &face[3..]],
        100,
        true,
        ("a\u{1F600}", false),
    );
    // Neither the one that is cut off at the front nor the one at the end is seen.
    let faces = "\u{1F600}\u{1F600}\u{1F600}".as_bytes();
    check(&[faces, &face[..3]], 7, true, ("\u{1F600}", true));
    // The rest will never come.
    check(&[b"a", &face[..3]], 100, false, ("a\u{FFFD}", false));
    check(&[b"a\xff"], 100, true, ("a\u{FFFD}", false));
}

proptest! {
    #[test]
    fn the_tail_is_the_end_of_the_whole_text(
        pieces in proptest::collection::vec(
            prop_oneof![
                "[aé\u{20AC}\u{1F600}]{0,6}".prop_map(String::into_bytes),
                proptest::collection::vec(any::<u8>(), 0..6),
            ],
            0..12,
        ),
        cut in 1_usize..9,
        limit in 0_usize..24,
    ) {
        let bytes = pieces.concat();
        let mut output = Output::new(limit);
        let mut printed = Vec::new();
        for chunk in bytes.chunks(cut) {
            output.push(chunk);
            printed.extend_from_slice(chunk);
            // The same of what has come whole.
            let (text, _) = output.text(true);
            let (expected, _) = rule(super::whole(&printed), limit);
            prop_assert_eq!(&*text, expected);
            prop_assert!(output.kept.len() <= limit + 2 * super::CUT);
        }
        let (text, truncated) = output.text(false);
        let (expected, dropped) = rule(&bytes, limit);
        prop_assert_eq!(&*text, expected);
        prop_assert_eq!(truncated, dropped);
    }
}
