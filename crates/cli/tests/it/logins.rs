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
    let set = logins(&["run", "hello"], &["--env", "ACP_TEST_KEY=sk-secret"]);
    assert!(
        set.stderr.contains(
            "check ACP_TEST_KEY (set); get it at https://keys.example/new; acp auth login env"
        ),
        "{}",
        set.stderr
    );
    assert!(!set.all().contains("sk-secret"), "{}", set.all());
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
