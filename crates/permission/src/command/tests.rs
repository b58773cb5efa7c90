//! What a command prefix covers (to allow) and touches (to deny), by table.
use super::{Command, CommandPrefix};

/// `allow`: the prefix covers the whole line. `deny`: the prefix is touched somewhere.
#[track_caller]
fn check(prefix: &str, line: &str, allow: bool, deny: bool) {
    let prefix = CommandPrefix::new(prefix);
    let command = Command::line(line);
    assert_eq!(
        (prefix.covers(&command), prefix.touches(&command)),
        (allow, deny),
        "{:?} on {line:?}",
        prefix.text()
    );
}

#[test]
fn a_prefix_is_of_whole_words() {
    check("git", "git status", true, true);
    check("git *", "git", true, true);
    check("git status", "git status -s", true, true);
    check("git status", "git stash", false, false);
    check("rm", "rmdir x", false, false);
    check("npm run test:*", "npm run test:unit", true, true);
    check("*", "anything > goes", true, true);
}

#[test]
fn every_command_of_the_line_must_be_covered() {
    check("git", "git add . && git commit -m 'a; b'", true, true);
    check("git", "git status; rm -rf /", false, true);
    check("git", "git log | sh", false, true);
    check("git", "git log\nrm x", false, true);
}

#[test]
fn what_is_not_spelled_out_is_not_allowed() {
    for line in [
        "git $(rm x)",
        "git `rm x`",
        "git log > /etc/passwd",
        "GIT_PAGER=rm git log",
        "git 'log",
        "(git log)",
        "git log <(x)",
    ] {
        check("git", line, false, true);
    }
    check("git", "", false, false);
}

#[test]
fn denials_look_through_wrappers() {
    for line in [
        "/bin/rm -rf /",
        "sudo -u root rm x",
        "env A=1 rm x",
        "A=1 rm x",
        "sh -c 'cd x; rm y'",
        "find . -exec rm {} ;",
        "echo $(rm x)",
        "if rm x; then y; fi",
        "ls | xargs rm",
        "bash -lc \"sudo rm x\"",
        "rm.exe x",
    ] {
        check("rm", line, false, true);
    }
    check("rm", "git rm x", false, false);
    check("rm", "echo rm", false, false);
}

#[test]
fn allowing_takes_the_program_as_written() {
    check("git", "/tmp/git status", false, true);
    check("/usr/bin/git", "/usr/bin/git status", true, true);
}

#[test]
fn words_without_a_shell_are_not_cut() {
    let prefix = CommandPrefix::new("git");
    assert!(prefix.covers(&Command::argv(&["git", "log; rm x"])));
    assert!(!prefix.covers(&Command::argv(&["bash", "-lc", "git log; rm x"])));
    assert!(prefix.covers(&Command::argv(&["bash", "-lc", "git log"])));
    assert!(CommandPrefix::new("rm").touches(&Command::argv(&["sudo", "rm", "x"])));
}

#[test]
fn nesting_ends() {
    let mut line = String::from("rm x");
    for _ in 0..40 {
        line = format!("sh -c '{}'", line.replace('\'', "'\\''"));
        if line.len() > 1 << 16 {
            break;
        }
    }
    assert!(!CommandPrefix::new("nothing").touches(&Command::line(&line)));
}
