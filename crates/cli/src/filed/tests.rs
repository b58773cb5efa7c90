//! Files of rules: what is read, on which line, and what is refused.

use super::Filed;

#[track_caller]
fn refused(text: &str, is_json: bool, line: Option<usize>, why: &str) {
    let fault = Filed::parse(text, is_json).expect_err(text);
    assert_eq!((fault.line, fault.why.as_str()), (line, why));
    assert!(!why.contains("hunter2"), "{why}");
}

#[test]
fn a_mistake_is_named_with_its_line_and_no_value_is_quoted() {
    refused(
        "version = 1\nversoin = 2\n",
        false,
        Some(2),
        "unknown field `versoin`, expected one of `version`, `otherwise`, `root`, `trust_titles`, `rules`",
    );
    refused(
        "\nversion = \"hunter2\"\n",
        false,
        Some(2),
        "invalid type, expected u32",
    );
    refused(
        "{\"version\":\n\"hunter2\"}",
        true,
        Some(2),
        "invalid type, expected u32",
    );
    refused(
        "{\"version\":2}",
        true,
        None,
        "rules of version 2 are not known here; this program reads version 1",
    );
    let two = "rule 2 must hold exactly one of allow, deny and ask; it holds 2";
    refused(
        "version = 1\n[[rules]]\nallow = \"read\"\n[[rules]]\nallow = \"a\"\ndeny = \"b\"\n",
        false,
        Some(4),
        two,
    );
    refused(
        "{\"version\":1,\"rules\":[{\"allow\":\"read\"},\n\n{\"allow\":\"a\",\"deny\":\"b\"}]}",
        true,
        Some(3),
        two,
    );
    refused(
        "version = 1\n\n[[rules]]\nallow = \"raed\"\n",
        false,
        Some(3),
        "rule 1: `raed` is no kind of tool; known are read, edit, delete, move, search, execute, think, fetch, switch_mode, other, mcp, path, title and any",
    );
}

#[track_caller]
fn lines(text: &str, is_json: bool, expected: &[usize]) {
    let filed = Filed::parse(text, is_json).expect("it is fine");
    let found: Vec<usize> = (1..=filed.rules.iter().count())
        .filter_map(|rule| filed.line(rule))
        .collect();
    assert_eq!(found, expected, "{text}");
    assert_eq!(
        (filed.line(0), filed.line(expected.len() + 1)),
        (None, None)
    );
}

#[test]
fn every_rule_has_its_line() {
    let toml = r#"version = 1
# a comment
[[rules]]
deny = "execute:rm,execute:git push"

[[rules]]
allow = [
  "read",
  "edit:a,b",
]
[[rules]]
ask = "any"
"#;
    lines(toml, false, &[4, 4, 8, 9, 12]);
    lines(
        "version = 1\nrules = [\n{ allow = 'read' },\n{ deny = ['any'] }]\n",
        false,
        &[3, 4],
    );
    lines(
        "{\"version\":1,\n\"rules\":[{\"deny\":\"edit,read\"},\n{\"allow\":[\"fetch\",\n\"any\"]}]}",
        true,
        &[2, 2, 3, 4],
    );
    lines("version = 1\n", false, &[]);
}
