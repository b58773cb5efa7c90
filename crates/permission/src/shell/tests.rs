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

#[test]
fn a_comment_hides_nothing() {
    // The quote in the comment must not swallow the next line.
    check("git status # it's\nrm -rf /\n# '", "?git,status/rm,-rf,/");
    check("# Run the tests\ncargo test # all of them", "cargo,test");
    check("git log # ; rm x", "?git,log");
    check("git log a#b", "git,log,a#b");
    check("echo `ls # x` y", "?echo/ls/y");
}

#[test]
fn where_shells_disagree_it_is_opaque() {
    check(
        r"git log 'x\'' ; rm y ; echo '",
        r"?git,log,x\ ; rm y ; echo ",
    );
    check(r#""gi\t" x"#, r"gi\t,x");
    check(r#""a\"b" "\$x""#, r#"a"b,$x"#);
    check("git status\0; rm", "?git,status/rm");
}

#[test]
fn words_that_a_shell_expands_are_listed() {
    let patterns = |line: &str| ShellLine::read(line).patterns.join(" ");
    assert_eq!(
        patterns(r#"cat ~/x .g* "$HOME/y" a{b,c} if=~/z '*' \* "~" a~ "?""#),
        "~/x .g* $HOME/y a{b,c} if=~/z"
    );
}

#[test]
fn plain_is_what_no_shell_reads_otherwise() {
    for line in ["git status -s", r#"git commit -m "a b""#, r"type C:\a\b"] {
        assert!(super::is_plain(line), "{line}");
    }
    for line in [
        "git status & del x",
        "git log ' & del x & '",
        r#"git log "\" & del x"#,
        r#"git log "\" x"#,
        "git %x%",
        "git ^& x",
        "git $x",
        "git log\nx",
    ] {
        assert!(!super::is_plain(line), "{line}");
    }
}
