//! What is said beforehand: layers, trust, mistakes, secrets.

use std::{
    fs,
    path::{Path, PathBuf},
    process::Stdio,
};

use crate::program::{Ran, command};

/// A user with a home, and a directory that came from somebody else.
pub(crate) struct User {
    folder: tempfile::TempDir,
}

impl User {
    pub(crate) fn new() -> Self {
        let user = Self {
            folder: tempfile::tempdir().expect("a folder"),
        };
        fs::create_dir(user.project()).expect("a directory");
        user
    }

    fn root(&self) -> PathBuf {
        fs::canonicalize(self.folder.path()).expect("it is there")
    }

    pub(crate) fn project(&self) -> PathBuf {
        self.root().join("project")
    }

    pub(crate) fn config(&self) -> PathBuf {
        self.root().join("config/acp/config.toml")
    }

    fn trust(&self) -> PathBuf {
        self.root().join("state/acp/trust.json")
    }

    pub(crate) fn says(&self, text: &str) -> &Self {
        write(&self.config(), text);
        self
    }

    fn finds(&self, text: &str) -> &Self {
        write(&self.project().join(".acp.toml"), text);
        self
    }

    /// Runs the program in the directory with these variables; paths are shown from its home.
    pub(crate) fn runs_with(&self, vars: &[(&str, &str)], words: &[&str]) -> Ran {
        let output = command()
            .args(words)
            .current_dir(self.project())
            .env("XDG_CONFIG_HOME", self.root().join("config"))
            .env("XDG_STATE_HOME", self.root().join("state"))
            .env("HOME", self.root())
            .envs(vars.iter().copied())
            .stdin(Stdio::null())
            .output()
            .expect("it runs");
        let text = |bytes: Vec<u8>| {
            let text = String::from_utf8(bytes).expect("UTF-8");
            text.replace(&*self.root().to_string_lossy(), "~")
        };
        Ran {
            code: output.status.code(),
            stdout: text(output.stdout),
            stderr: text(output.stderr),
        }
    }

    pub(crate) fn runs(&self, words: &[&str]) -> Ran {
        self.runs_with(&[], words)
    }

    /// How a run of the demo agent ends, which asks to edit.
    #[track_caller]
    fn ends(&self, flags: &[&str], code: i32) -> Ran {
        let words: Vec<&str> = ["run", "hello"].iter().chain(flags).copied().collect();
        let ran = self.runs(&words);
        assert_eq!(ran.code, Some(code), "{}", ran.all());
        ran
    }
}

fn write(path: &Path, text: &str) {
    fs::create_dir_all(path.parent().expect("a folder")).expect("folders");
    fs::write(path, text).expect("it is written");
}

#[test]
fn a_directory_permits_nothing_until_it_is_trusted_and_nothing_more_once_it_changed() {
    let user = User::new();
    user.ends(&[], 5);
    user.finds("allow = [\"edit\"]\n");
    let ran = user.ends(&[], 5);
    insta::assert_snapshot!("configured-untrusted", ran.stderr);
    assert!(!user.ends(&["-q"], 5).stderr.contains("not trusted"));
    insta::assert_snapshot!("configured-trust", user.runs(&["config", "trust"]).all());
    assert!(!user.ends(&[], 0).stderr.contains("trusted"));
    user.ends(&["--no-config"], 5);
    user.finds("allow = [\"all\"]\n");
    let ran = user.ends(&[], 5);
    assert!(
        ran.stderr.contains("has changed since it was trusted"),
        "{}",
        ran.stderr
    );
    user.finds("allow = [\"edit\"]\n");
    user.ends(&[], 0);
    assert_eq!(
        user.runs(&["config", "untrust"]).stdout,
        "~/project/.acp.toml no longer trusted\n"
    );
    assert_eq!(
        user.runs(&["config", "untrust"]).stdout,
        "~/project/.acp.toml was not trusted\n"
    );
    user.ends(&[], 5);
}

#[test]
fn an_untrusted_file_is_not_even_understood() {
    let user = User::new();
    user.finds("allow = [").says("allow = [\"edit\"]\n");
    user.ends(&[], 0);
    let ran = user.runs(&["config", "trust"]);
    assert_eq!(ran.code, Some(2));
    assert!(
        ran.stderr.contains("~/project/.acp.toml:1"),
        "{}",
        ran.stderr
    );
    assert!(!user.trust().exists());
}

#[cfg(unix)]
#[test]
fn what_is_no_file_keeps_nobody_waiting() {
    let user = User::new();
    let path = user.project().join(".acp.toml");
    let made = std::process::Command::new("mkfifo").arg(&path).status();
    assert!(made.expect("it runs").success());
    let ran = user.ends(&[], 5);
    assert!(
        ran.stderr.contains("it is no regular file"),
        "{}",
        ran.stderr
    );
    assert_eq!(user.runs(&["config", "trust"]).code, Some(2));
}

#[test]
fn what_is_believed_is_shown_whole_and_harmless() {
    let user = User::new();
    let long = "x".repeat(2_000);
    user.finds(&format!(
        "allow = [\"{long}\", \"all\"]\nmodel = \"\\u001b[2K\u{202e}\"\n"
    ));
    let ran = user.runs(&["config", "trust"]);
    assert_eq!(ran.code, Some(0), "{}", ran.stderr);
    assert!(ran.stdout.contains("\"all\"]"), "nothing is cut off");
    assert!(!ran.stdout.contains('\u{1b}') && !ran.stdout.contains('\u{202e}'));
}

#[test]
fn rules_that_a_directory_names_are_trusted_with_it() {
    let user = User::new();
    let rules = user.project().join("rules.toml");
    write(&rules, "version = 1\n[[rules]]\nallow = \"edit\"\n");
    user.finds("rules = \"rules.toml\"\n")
        .runs(&["config", "trust"]);
    user.ends(&[], 0);
    write(&rules, "version = 1\n[[rules]]\nallow = \"any\"\n");
    let ran = user.ends(&[], 5);
    assert!(
        ran.stderr
            .contains("~/project/rules.toml, which it names, has changed"),
        "{}",
        ran.stderr
    );
}

#[test]
fn the_trust_of_one_directory_is_not_the_trust_of_a_link_to_it() {
    let user = User::new();
    user.finds("allow = [\"edit\"]\n")
        .runs(&["config", "trust"]);
    let other = User::new();
    write(
        &other.trust(),
        &fs::read_to_string(user.trust()).expect("it is there"),
    );
    #[cfg(unix)]
    std::os::unix::fs::symlink(
        user.project().join(".acp.toml"),
        other.project().join(".acp.toml"),
    )
    .expect("a link");
    #[cfg(not(unix))]
    other.finds("allow = [\"edit\"]\n");
    other.ends(&[], 5);
}

#[test]
fn flags_win_and_what_is_forbidden_adds_up() {
    let user = User::new();
    user.says("allow = [\"all\"]\n");
    user.ends(&[], 0);
    user.ends(&["--allow", "read"], 5);
    user.says("allow = [\"all\"]\ndeny = [\"edit\"]\n");
    user.ends(&[], 5);
    user.ends(&["--allow", "all", "--deny", "fetch"], 5);
    user.ends(&["--allow", "all", "--no-config"], 0);
    let ran = user.runs_with(&[("ACP_DENY", "fetch")], &["run", "hello"]);
    assert_eq!(ran.code, Some(5), "{}", ran.stderr);
}

#[test]
fn a_switch_is_turned_off_again() {
    let user = User::new();
    user.says("denied-ok = true\n");
    user.ends(&[], 0);
    user.ends(&["--no-denied-ok"], 5);
    user.ends(&["--no-denied-ok", "--denied-ok"], 0);
    let off = user.runs_with(&[("ACP_DENIED_OK", "0")], &["run", "hello"]);
    assert_eq!(off.code, Some(5), "{}", off.stderr);
}

#[test]
fn the_agent_that_is_meant_when_none_is_named() {
    let user = User::new();
    user.says("agent = \"gone\"\n[agents.gone]\ncommand = [\"/nowhere/gone\"]\n[agents.sleeper]\ncommand = [\"/nowhere/sleeper\"]\n");
    let ran = user.ends(&[], 7);
    assert!(ran.stderr.contains("/nowhere/gone"), "{}", ran.stderr);
    let ran = user.ends(&["-a", "sleeper"], 7);
    assert!(ran.stderr.contains("/nowhere/sleeper"), "{}", ran.stderr);
    let ran = user.ends(&["--", "/nowhere/else"], 7);
    assert!(ran.stderr.contains("/nowhere/else"), "{}", ran.stderr);
}

const EVERYTHING: &str = "\
model = \"small\"
idle-timeout = \"5m\"
deny = [\"execute\"]

[agents.mine]
command = [\"my-agent\", \"--acp\"]
env = { MY_KEY = \"sk-secret\" }
model = \"large\"
";

#[test]
fn what_is_in_force_and_where_it_comes_from() {
    let user = User::new();
    user.says(EVERYTHING)
        .finds("effort = \"high\"\ndeny = [\"edit\"]\n");
    user.runs(&["config", "trust"]);
    let vars = [("ACP_IDLE_TIMEOUT", "90s"), ("ACP_ALLOW", "read\nsearch")];
    let show = |words: &[&str]| user.runs_with(&vars, &[&["config", "show"], words].concat());
    let ran = show(&["--origin"]);
    insta::assert_snapshot!("configured-show", ran.all());
    assert!(show(&["-a", "mine"]).stdout.contains("model = \"large\""));
    assert!(
        show(&["--no-config"]).stdout.starts_with("allow = "),
        "files are left out"
    );
    let ran = show(&["--json"]);
    let shown: serde_json::Value = serde_json::from_str(&ran.stdout).expect("JSON");
    assert_eq!(
        shown["settings"]["deny"]["value"],
        serde_json::json!(["execute", "edit"])
    );
    assert_eq!(shown["settings"]["deny"]["from"][1]["layer"], "project");
    assert_eq!(shown["settings"]["allow"]["from"][0]["place"], "ACP_ALLOW");
    for words in [&[][..], &["--json"]] {
        let ran = show(words);
        assert!(
            ran.stdout.contains("MY_KEY") && !ran.stdout.contains("sk-secret"),
            "{}",
            ran.stdout
        );
    }
    let ran = show(&["--secrets"]);
    assert!(ran.stdout.contains("sk-secret"));
    // What it prints could stand in a file.
    user.says(&ran.stdout);
    assert_eq!(
        user.runs(&["config", "show", "--secrets"])
            .stdout
            .lines()
            .next(),
        ran.stdout.lines().next()
    );
}

#[test]
fn where_the_files_are() {
    let user = User::new();
    user.says("").finds("");
    insta::assert_snapshot!("configured-path", user.runs(&["config", "path"]).all());
    user.runs(&["config", "trust"]);
    let ran = user.runs(&["config", "path"]);
    assert!(ran.stdout.contains("project  trusted"), "{}", ran.stdout);
    let ran = user.runs(&["config", "path", "--json"]);
    let rows: serde_json::Value = serde_json::from_str(&ran.stdout).expect("JSON");
    assert_eq!(rows[2]["what"], "trust");
}

#[test]
fn mistakes_are_misuse_and_the_last_record_says_so() {
    let user = User::new();
    user.says("model = \"x\"\nidle-timout = \"5m\"\n");
    let ran = user.ends(&["--json"], 2);
    insta::assert_snapshot!("configured-mistake", ran.stderr);
    let last: serde_json::Value = serde_json::from_str(&ran.stdout).expect("one record");
    assert_eq!(
        (&last["type"], &last["outcome"]),
        (&"result".into(), &"usage".into())
    );
    let message = last["error"]["message"].as_str().expect("a message");
    assert!(ran.stderr.contains(message), "{message}");
    user.says("");
    let ran = user.runs_with(&[("ACP_TIMEOUT", "soon")], &["probe"]);
    assert_eq!(ran.code, Some(2));
    assert!(
        ran.stderr.starts_with("acp: ACP_TIMEOUT takes"),
        "{}",
        ran.stderr
    );
    // Verbs that need no configuration are not kept from work by a broken one.
    user.says("model = ");
    for words in [
        &["status"][..],
        &["config", "path"],
        &["config", "keys"],
        &["--version"],
    ] {
        assert_eq!(user.runs(words).code, Some(0), "{words:?}");
    }
}

#[test]
fn what_can_be_set_is_listed() {
    insta::assert_snapshot!(
        "configured-keys",
        User::new().runs(&["config", "keys"]).stdout
    );
}
