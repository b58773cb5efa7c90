//! What is seen does not depend on the cuts, and nothing but markup is lost.

use proptest::prelude::*;

use super::{LIMIT, Markdown};

/// Each character with the codes that are on.
fn cells(styled: &str) -> Vec<(char, String)> {
    let (mut cells, mut on) = (Vec::new(), String::new());
    let mut rest = styled.chars();
    while let Some(c) = rest.next() {
        if c == '\u{1b}' {
            let code: String = rest.by_ref().skip(1).take_while(|c| *c != 'm').collect();
            on = if code == "0" { String::new() } else { code };
        } else {
            cells.push((c, on.clone()));
        }
    }
    assert_eq!(on, "", "a look is left on");
    cells
}

fn whole(text: &str) -> String {
    let mut markdown = Markdown::new();
    let mut out = markdown.feed(text);
    out.push_str(&markdown.finish());
    out
}

/// Looks are written `{codes:text}`.
#[track_caller]
fn check(input: &str, seen: &str) {
    let (mut out, mut last) = (String::new(), String::new());
    for (c, on) in cells(&whole(input)) {
        if on != last {
            if !last.is_empty() {
                out.push('}');
            }
            if !on.is_empty() {
                out.push_str(&format!("{{{on}:"));
            }
            last = on;
        }
        out.push(c);
    }
    if !last.is_empty() {
        out.push('}');
    }
    assert_eq!(out, seen, "{input:?}");
}

#[test]
fn spans() {
    check("a **bold** b", "a {1:bold} b");
    check("*it*, _it_ and ***both***", "{3:it}, {3:it} and {1;3:both}");
    check("use `a*b*c` now", "use {36:a*b*c} now");
    check("``a`b``", "{36:a`b}");
    check(
        "**`x`** and *a **b** c*",
        "{1;36:x} and {3:a }{1;3:b}{3: c}",
    );
    check("这是**粗体**文字", "这是{1:粗体}文字");
    check("请看[文档](u)。", "请看{4:文档}{2:(u)}。");
    check(
        "see [the **docs**](https://x/a_(b)_c).",
        "see {4:the }{1;4:docs}{2:(https://x/a_(b)_c)}.",
    );
}

#[test]
fn what_only_looks_like_a_span_is_text() {
    for text in [
        "2*3*4 and 2 * 3 * 4",
        "snake_case_name __init__.py",
        "*.rs and *.toml",
        "/usr/_a_/b",
        "\\*no\\* \\`no\\`",
        "[](int x) { f[i](x); }",
        "an *open\nnext* `line\n[a](b\n",
        "#hash and\n####### seven",
        "1.5 and 1234567890. x",
        "-5 +3 ~~x~~",
    ] {
        check(text, text);
    }
}

#[test]
fn blocks() {
    check("# Title `x`\nbody", "{1:# Title }{1;36:x}\nbody");
    check("- a\n  * **b**\n12. c", "{1:-} a\n  {1:*} {1:b}\n{1:12.} c");
    check("- [ ] open\n> said", "{1:-} [ ] open\n{2:>} said");
    check("a\n---\n*** \nb", "a\n{2:---}\n{2:*** }\nb");
    check(
        "```rust\n**x** \n``\n````\n**y**",
        "{2:```rust}\n{2:**x** }\n{2:``}\n{2:````}\n{1:y}",
    );
    check("```x``` *y*", "{36:x} {3:y}");
    check("> ~~~\n> *a*\n*b*", "{2:>} {2:~~~}\n{2:> *a*}\n{3:b}");
}

#[test]
fn what_is_certain_is_seen_at_once() {
    let mut markdown = Markdown::new();
    assert_eq!(markdown.feed("Hello wor"), "Hello wor");
    assert_eq!(markdown.feed("ld **bo"), "ld ");
    assert_eq!(markdown.feed("ld** x"), "\u{1b}[1mbold\u{1b}[0m x");
    assert_eq!(markdown.feed(" `half"), " ");
    assert_eq!(markdown.settle(), "`half");
    assert_eq!(markdown.feed(" more\n"), " more\n");
    assert_eq!(
        markdown.feed("```\ncode"),
        "\u{1b}[2m```\u{1b}[0m\n\u{1b}[2mcode\u{1b}[0m"
    );
    assert_eq!(markdown.finish(), "");
    assert_eq!(markdown.feed("plain"), "plain");
}

#[test]
fn an_endless_span_is_given_out() {
    for open in ["**", "`", "[", "[a](", "```", "--- ", "#", "~"] {
        let text = format!(
            "{open}{}",
            open.chars()
                .next_back()
                .map_or('x', |c| if c == '(' || c == '[' { 'x' } else { c })
                .to_string()
                .repeat(3 * LIMIT)
        );
        check(&text, &text);
    }
}

fn markdown() -> impl Strategy<Value = String> {
    let pieces = vec![
        "*", "**", "_", "`", "``", "```", "~~~", "[", "](", ")", "(", "]", "#", "# ", "- ", "---",
        "> ", "1. ", "1", "\\", " ", "\t", "\n", "\n\n", "a", "word", "ü", "漢", ".",
    ];
    prop::collection::vec(prop::sample::select(pieces), 0..60).prop_map(|pieces| pieces.concat())
}

proptest! {
    #[test]
    fn cuts_are_not_seen(text in prop_oneof![markdown(), any::<String>()], cuts in prop::collection::vec(1_usize..9, 1..20)) {
        let text = crate::safe::text(&text);
        let mut markdown = Markdown::new();
        let mut out = String::new();
        let (mut chars, mut cuts) = (text.chars().peekable(), cuts.iter().cycle());
        while chars.peek().is_some() {
            let piece: String = chars.by_ref().take(cuts.next().copied().unwrap_or(1)).collect();
            out.push_str(&markdown.feed(&piece));
            prop_assert!(markdown.held.len() + markdown.inline.held() < 2 * LIMIT);
            prop_assert!(!piece.ends_with('\n') || markdown.held.len() + markdown.inline.held() == 0);
        }
        out.push_str(&markdown.finish());
        prop_assert_eq!(cells(&out), cells(&whole(&text)));
    }

    /// What is shown is the text without some of `*`, `_`, `` ` ``, `[` and `]`, in the same order.
    #[test]
    fn only_markup_is_lost(text in prop_oneof![markdown(), any::<String>()]) {
        let text = crate::safe::text(&text);
        let styled = cells(&whole(&text));
        let mut shown = styled.iter().map(|(c, _)| *c).peekable();
        for c in text.chars() {
            if shown.peek() == Some(&c) {
                shown.next();
            } else {
                prop_assert!("*_`[]".contains(c), "{:?} is lost", c);
            }
        }
        prop_assert_eq!(shown.next(), None);
    }
}
