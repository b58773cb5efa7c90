//! Which commands are exact, and which are shell lines.

use acp_vocab::{EnvVariable, v1};

use super::{Ordered, is_shell_line, place_of};

#[test]
fn shell_lines_are_told_from_programs() {
    for (command, expected) in [
        ("ls", false),
        ("./run.sh", false),
        ("/usr/bin/env", false),
        ("node-22.1_x+y@z", false),
        ("ls -l", true),
        ("a|b", true),
        ("a&&b", true),
        ("a;b", true),
        ("a>b", true),
        ("$HOME/x", true),
        ("~/x", true),
        ("A=b", true),
        ("a\nb", true),
        ("`a`", true),
        ("*.sh", true),
    ] {
        assert_eq!(is_shell_line(command), expected, "{command:?}");
    }
}

#[test]
fn a_relative_program_is_meant_from_the_working_directory() {
    for (program, expected) in [
        ("ls", "ls"),
        ("./a", "/work/./a"),
        ("bin/a", "/work/bin/a"),
        ("/bin/a", "/bin/a"),
    ] {
        let place = place_of(program, std::path::Path::new("/work"));
        assert_eq!(place, std::path::Path::new(expected));
    }
}

#[track_caller]
fn check(command: &str, args: &[&str], shell: bool, by_shell: bool) {
    let mut asked = v1::CreateTerminalRequest::new("s", command);
    asked.args = args.iter().map(|arg| (*arg).into()).collect();
    let ordered = Ordered::new(&asked, "/", shell).unwrap();
    assert_eq!(ordered.by_shell(), by_shell, "{command:?} {args:?}");
}

#[cfg(unix)]
#[test]
fn a_shell_is_used_where_it_is_allowed_and_needed() {
    let folder = tempfile::tempdir().unwrap();
    let spaced = folder.path().join("a program");
    std::fs::write(&spaced, "").unwrap();
    check("ls -l", &[], true, true);
    check("ls -l", &[], false, false);
    check("ls", &[], true, false);
    // With arguments the vector is exact, whatever it looks like.
    check("ls -l", &["x"], true, false);
    check("a|b", &[""], true, false);
    // A program that is there is that program.
    check(spaced.to_str().unwrap(), &[], true, false);
}

#[test]
fn what_cannot_be_started_is_refused() {
    let refuse = |change: &dyn Fn(&mut v1::CreateTerminalRequest)| {
        let mut asked = v1::CreateTerminalRequest::new("s", "ls");
        change(&mut asked);
        let error = Ordered::new(&asked, "/", true).unwrap_err();
        assert_eq!(error.code, acp_vocab::ErrorCode::INVALID_PARAMS);
    };
    refuse(&|asked| asked.command = "".into());
    refuse(&|asked| asked.command = "a\0b".into());
    refuse(&|asked| asked.args = vec!["a\0b".into()]);
    refuse(&|asked| asked.cwd = Some("work".into()));
    refuse(&|asked| asked.env = vec![EnvVariable::new("", "x")]);
    refuse(&|asked| asked.env = vec![EnvVariable::new("A=B", "x")]);
    refuse(&|asked| asked.env = vec![EnvVariable::new("A", "x\0")]);
}
