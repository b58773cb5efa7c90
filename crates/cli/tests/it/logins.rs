//! Logging in: what an agent wants of a person, and a login that is a command in the terminal.

use serde_json::Value;

use crate::{
    program::{Ran, acp_in, agents},
    records::records,
};

/// Runs a verb on an agent with three ways to log in.
fn logins(words: &[&str], flags: &[&str]) -> Ran {
    let tail = ["--", "sh", "agent.sh", "logins"];
    acp_in(&agents(), &[words, flags, &tail].concat(), "")
}

#[test]
fn report_16_the_list_says_what_each_way_needs() {
    insta::assert_snapshot!("auth-list", logins(&["auth", "list"], &[]).all());
    let flags = ["--env", "ACP_TEST_KEY=sk-secret", "--json"];
    let ran = logins(&["auth", "list"], &flags);
    assert!(!ran.all().contains("sk-secret"), "{}", ran.all());
    let records = records(&ran);
    let list = records
        .iter()
        .find(|record| record["type"] == "auth")
        .map(|record| record["data"].clone())
        .expect("a list");
    let variables = |index: usize, name: &str| list[0]["variables"][index][name].clone();
    assert_eq!(
        (variables(0, "name"), variables(0, "is_set")),
        (Value::from("ACP_TEST_KEY"), Value::from(true))
    );
    assert_eq!(
        (variables(1, "optional"), variables(1, "is_set")),
        (Value::from(true), Value::from(false))
    );
    assert_eq!(list[0]["link"], "https://keys.example/new");
    assert_eq!(list[1]["terminal"], true);
}

#[test]
fn report_16_a_failure_names_what_is_missing() {
    insta::assert_snapshot!("logins-needed", logins(&["run", "hello"], &[]).all());
    let ran = logins(&["run", "hello"], &["--json"]);
    let last = records(&ran).pop().expect("a result");
    assert_eq!(last["outcome"], "auth_required");
    let logins_of = &last["error"]["logins"];
    assert_eq!(logins_of[0]["variables"][0]["name"], "ACP_TEST_KEY");
    assert_eq!(
        logins_of[1]["next"],
        "acp auth login tty -- sh agent.sh logins"
    );
    // The login itself: why it failed stands beside what was missing.
    insta::assert_snapshot!(
        "login-without-key",
        logins(&["auth", "login", "env"], &[]).all()
    );
    let given = ["--env", "ACP_TEST_KEY=sk-secret"];
    let ran = logins(&["auth", "login", "env"], &given);
    assert_eq!(
        ran.all(),
        "exit 0\n--- stdout\nlogged in\n--- stderr\n● unknown · ACP v1\n✓ completed\n"
    );
}

#[test]
fn a_login_for_a_person_needs_one() {
    insta::assert_snapshot!("no-terminal", logins(&["auth", "login", "tty"], &[]).all());
    insta::assert_snapshot!(
        "auth-tty",
        logins(&["run", "hello"], &["--auth", "tty"]).all()
    );
}

#[cfg(target_os = "linux")]
mod in_a_terminal {
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
            "auth login tty --timeout 2s --color never --env ACP_TEST_PID={} -- sh agent.sh logins",
            pid.display()
        );
        let seen = screen_of(&words, &agents(), &[]);
        assert_eq!(seen.code, Some(3), "{}", seen.screen);
        assert!(
            seen.screen
                .contains("the login command did not end within 2.0s"),
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
}
