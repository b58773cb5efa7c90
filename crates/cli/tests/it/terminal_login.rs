//! A login that is a command of the agent's, answered by a person on a terminal.

#![cfg(target_os = "linux")]

use std::{fs, path::Path};

use crate::{program::agents, terminal::screen_of};

/// Logs in on a terminal, with these flags; gives what was seen, and the folder of the state.
fn log_in(flags: &str, typed: &[(&str, &str)]) -> (crate::terminal::Seen, tempfile::TempDir) {
    let folder = tempfile::tempdir().expect("a folder");
    let state = folder.path().join("logged-in");
    let words = format!(
        "auth login tty {flags} --color never --env ACP_TEST_STATE={} -- sh agent.sh logins",
        state.display()
    );
    let seen = screen_of(&words, &agents(), typed);
    (seen, folder)
}

#[test]
fn a_person_logs_in_and_a_fresh_agent_proves_it() {
    let (seen, folder) = log_in("", &[("me and you: ", "sesame\n")]);
    assert_eq!(seen.code, Some(0), "{}", seen.screen);
    let said = |text: &str| assert!(seen.screen.contains(text), "{text}: {}", seen.screen);
    said("running: ACP_TEST_WHO='me and you' sh agent.sh logins --login");
    said("welcome\n");
    said("logged in (a session can be opened)\n");
    assert!(folder.path().join("logged-in").exists());
}

#[test]
fn a_login_that_fails_or_changes_nothing_is_none() {
    for (word, why) in [
        ("guess", "the login command ended with exit status 3"),
        ("nothing", "ended well, and the agent still wants a login"),
    ] {
        let (seen, _folder) = log_in("", &[("me and you: ", &format!("{word}\n"))]);
        assert_eq!(seen.code, Some(6), "{}", seen.screen);
        assert!(seen.screen.contains(why), "{}", seen.screen);
    }
}

/// Ctrl-C is for the command that asks, and ends us with it.
#[test]
fn an_interrupt_ends_it() {
    let (seen, _folder) = log_in("", &[("me and you: ", "\u{3}")]);
    assert_eq!(seen.code, Some(130), "{}", seen.screen);
    // Also while something runs below it, which then ends, too.
    let (seen, _folder) = log_in("", &[("me and you: ", "lasting\n"), ("lasting", "\u{3}")]);
    assert_eq!(seen.code, Some(130), "{}", seen.screen);
}

/// Whoever reads a secret turns the echo off: a terminal that nobody sees typing on is not left behind.
#[test]
fn the_terminal_is_left_as_it_was() {
    let folder = tempfile::tempdir().expect("a folder");
    let state = folder.path().join("logged-in");
    let words = format!(
        "auth login tty --color never --env ACP_TEST_STATE={} -- sh agent.sh logins; stty -a",
        state.display()
    );
    let seen = screen_of(&words, &agents(), &[("me and you: ", "secret\n")]);
    assert!(seen.screen.contains("by signal 9"), "{}", seen.screen);
    let mut modes = seen.screen.split_whitespace();
    assert!(modes.any(|mode| mode == "echo"), "{}", seen.screen);
}

/// Ctrl-Z would leave nobody to wake it: it does nothing.
#[test]
fn a_stop_does_not_stop_it() {
    let (seen, _folder) = log_in("", &[("me and you: ", "\u{1a}"), ("^Z", "sesame\n")]);
    assert_eq!(seen.code, Some(0), "{}", seen.screen);
}

#[test]
fn a_bound_ends_it_and_what_it_started() {
    let folder = tempfile::tempdir().expect("a folder");
    let pid = folder.path().join("pid");
    let words = format!(
        "auth login tty --timeout 6s --color never --env ACP_TEST_PID={} -- sh agent.sh logins",
        pid.display()
    );
    let seen = screen_of(&words, &agents(), &[]);
    assert_eq!(seen.code, Some(3), "{}", seen.screen);
    assert!(
        seen.screen
            .contains("the login command did not end within 6.0s"),
        "{}",
        seen.screen
    );
    // Its number was written by the last of them to start: the login command.
    let pid = fs::read_to_string(pid).expect("it started");
    assert!(
        !Path::new("/proc").join(pid.trim()).exists(),
        "process {} is still there",
        pid.trim()
    );
}
