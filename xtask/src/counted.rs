//! The measure of a file: lines that are neither blank nor comment, above its inline tests.

/// Counted lines of one Rust file.
pub(crate) fn counted_lines(text: &str) -> usize {
    let code = above_inline_tests(text);
    let mut in_block = false;
    let mut count = 0;
    for line in code.lines().map(str::trim) {
        if in_block || line.starts_with("/*") {
            in_block = !line.ends_with("*/");
        } else if !line.is_empty() && !line.starts_with("//") {
            count += 1;
        }
    }
    count
}

/// The text above the first inline `#[cfg(test)] mod`; all of it when there is none.
pub(crate) fn above_inline_tests(text: &str) -> &str {
    let mut offset = 0;
    let mut gate = None;
    for line in text.split_inclusive('\n') {
        let trimmed = line.trim();
        if trimmed == "#[cfg(test)]" {
            gate = Some(offset);
        } else if let Some(start) = gate
            && !trimmed.starts_with("#[")
        {
            if trimmed.starts_with("mod ") && trimmed.ends_with('{') {
                return text.get(..start).unwrap_or(text);
            }
            gate = None;
        }
        offset += line.len();
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(text: &str, expected: usize) {
        assert_eq!(counted_lines(text), expected, "{text}");
    }

    #[test]
    fn comments_and_blanks_do_not_count() {
        check(
            "//! doc\n\n// remark\nfn f() {\n    /// doc\n    g(); // tail\n}\n",
            3,
        );
        check("/* one */\n/* two\n three\n*/\nfn f() {}\n", 1);
    }

    #[test]
    fn inline_tests_do_not_count_and_a_test_file_next_door_is_one_line() {
        check(
            "fn f() {}\n#[cfg(test)]\nmod tests {\n    fn g() {}\n}\n",
            1,
        );
        check(
            "fn f() {}\n#[cfg(test)]\n#[expect(dead_code)]\nmod tests {\n}\n",
            1,
        );
        check("#[cfg(test)]\nmod tests;\nfn f() {}\n", 3);
        check("#[cfg(test)]\nuse x;\nfn f() {}\n", 3);
    }
}
