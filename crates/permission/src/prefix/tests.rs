//! What a command prefix covers (to allow) and touches (to deny), by table.
use super::CommandPrefix;
use crate::Command;

/// `allow`: the prefix covers the whole line. `deny`: the prefix is touched somewhere.
#[track_caller]
fn check(prefix: &str, line: &str, allow: bool, deny: bool) {
    let prefix = CommandPrefix::new(prefix);
    let command = Command::line(line);
    assert_eq!(
        (prefix.covers(&command, false), prefix.touches(&command)),
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
    assert!(prefix.covers(&Command::argv(&["git", "log; rm x"]), false));
    assert!(!prefix.covers(&Command::argv(&["bash", "-lc", "git log; rm x"]), false));
    assert!(prefix.covers(&Command::argv(&["bash", "-lc", "git log"]), false));
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

#[test]
fn a_comment_does_not_swallow_a_command() {
    check("git", "git status # it's\nrm -rf /\n# '", false, true);
    check("rm", "git status # it's\nrm -rf /\n# '", false, true);
    check("cargo test", "# Run them\ncargo test", true, true);
}

#[test]
fn denials_see_other_letters_and_options_in_between() {
    check("rm", "RM -rf x", false, true);
    check("rm", "/bin/Rm x", false, true);
    check("del", "DEL.EXE x", false, true);
    check("git push", "git -C . push", false, true);
    check("git push", "git --no-pager -c a=b push origin", false, true);
    check("git push", "git commit -m push", false, false);
    check("git push", "git log push", false, false);
    check("git push -f", "git push origin -f", false, false);
    check("git push -f", "git push --no-verify -f", false, true);
    check("rm", "su root -c 'rm x'", false, true);
    check("/bin/rm", "rm x", false, true);
}

#[test]
fn a_shell_that_is_not_the_systems_own_may_do_anything() {
    let prefix = CommandPrefix::new("git");
    for (shell, allowed) in [
        ("bash", true),
        ("/bin/bash", true),
        ("./bash", false),
        ("/tmp/bash", false),
        ("/bin/../tmp/bash", false),
        (r"C:\Windows\System32\cmd.exe", true),
        (r"C:\work\cmd.exe", false),
    ] {
        let flag = if shell.ends_with("exe") { "/C" } else { "-c" };
        let command = Command::argv(&[shell, flag, "git log"]);
        assert_eq!(prefix.covers(&command, false), allowed, "{shell}");
        assert!(prefix.touches(&command), "{shell}");
    }
}

#[test]
fn a_program_that_is_a_line_is_only_refused() {
    let command = Command::argv(&["git status; rm -rf /", "x"]);
    assert!(!CommandPrefix::new("git*").covers(&command, false));
    assert!(CommandPrefix::new("rm").touches(&command));
}

#[test]
fn a_line_for_windows_must_mean_the_same_to_every_shell() {
    let git = CommandPrefix::new("git");
    for (line, plain) in [
        ("git status", true),
        (r#"git commit -m "a b""#, true),
        ("git log ' & del x & '", false),
        (r"git log \& del x", false),
        ("git log ^& del x", false),
    ] {
        assert_eq!(git.covers(&Command::line(line), true), plain, "{line}");
        let by_cmd = Command::argv(&["cmd", "/c", line]);
        assert_eq!(git.covers(&by_cmd, false), plain, "cmd /c {line}");
    }
    let npm = CommandPrefix::new("npm test");
    assert!(npm.covers(&Command::argv(&["npm", "test", "a & del x"]), false));
    assert!(!npm.covers(&Command::argv(&["npm", "test", "a & del x"]), true));
}

#[test]
fn of_several_commands_none_is_covered_and_each_is_refused() {
    let both = Command::any_of(&[Command::line("ls"), Command::line("rm x")]);
    assert!(!CommandPrefix::new("ls").covers(&both, false));
    assert!(CommandPrefix::new("rm").touches(&both));
}

#[test]
fn options_without_end_are_passed_over_to_a_bound() {
    let line = format!("sudo {}", "git - ".repeat(20_000));
    check("git push", &line, false, false);
}
