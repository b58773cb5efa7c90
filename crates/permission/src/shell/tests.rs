//! How command lines are cut, by table.
use super::ShellLine;

/// Commands are joined by `/`, words by `,`; a leading `?` says opaque.
#[track_caller]
fn check(line: &str, expected: &str) {
    let read = ShellLine::read(line);
    let commands: Vec<String> = read.commands.iter().map(|words| words.join(",")).collect();
    let shown = format!(
        "{}{}",
        if read.opaque { "?" } else { "" },
        commands.join("/")
    );
    assert_eq!(shown, expected, "{line:?}");
}

#[test]
fn words_and_quotes() {
    check("git  status", "git,status");
    check(r#"git commit -m "a b" 'c;d'"#, "git,commit,-m,a b,c;d");
    check(r"echo a\ b \; c", "echo,a b,;,c");
    check("echo a\\\nb", "echo,ab");
    check("'rm' ''", "rm,");
    check("", "");
    // Other white space is no separator to a shell: this is one word.
    check("git\u{a0}status", "git\u{a0}status");
}

#[test]
fn every_command_of_a_line_is_listed() {
    check("git add . && git commit", "git,add,./git,commit");
    check("a;b|c&d||e\nf\rg", "a/b/c/d/e/f/g");
}

#[test]
fn what_is_not_spelled_out_is_opaque() {
    check("echo $(rm -rf x)", "?echo/rm,-rf,x");
    check("echo \"a $(rm x) b\"", "?echo,a /rm,x/ b");
    check("echo `rm x`", "?echo/rm,x");
    check("(rm x)", "?rm,x");
    check("echo hi > hi.txt", "?echo,hi,hi.txt");
    check("cat < a", "?cat,a");
    check("diff <(rm x)", "?diff/rm,x");
    check("git 'status", "?git,status");
    check("git \\", "?git");
    check("$'rm' x", "?$rm,x");
    check("x )", "?x");
}

#[test]
fn a_first_word_that_is_not_the_program_is_opaque() {
    check("LD_PRELOAD=x git status", "?LD_PRELOAD=x,git,status");
    check("if rm x", "?if,rm,x");
    check("{ rm x; }", "?{,rm,x/}");
    check("git a=b", "git,a=b");
}

#[test]
fn variables_and_globs_are_only_arguments() {
    check("git add $FILES *.rs", "git,add,$FILES,*.rs");
}
