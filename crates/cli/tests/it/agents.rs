//! Agents by their names, and the config file.

use std::{fs, path::Path};

use crate::{
    configured::User,
    program::{agents as scripted, command},
};

/// Runs it with this config file.
fn with_config(config: &str, words: &[&str]) -> (Option<i32>, String, String) {
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("config.toml");
    fs::write(&file, config).expect("it is written");
    let output = command()
        .args(words)
        .env("ACP_CONFIG", &file)
        .current_dir(scripted())
        .stdin(std::process::Stdio::null())
        .output()
        .expect("it runs");
    let text = |bytes: &[u8]| {
        let text = String::from_utf8(bytes.to_vec()).expect("UTF-8");
        text.replace(&*file.to_string_lossy(), "CONFIG")
    };
    (
        output.status.code(),
        text(&output.stdout),
        text(&output.stderr),
    )
}

const MINE: &str =
    "[agents.mine]\ncommand = [\"sh\", \"agent.sh\", \"whole\"]\nenv = { A = \"b\" }\n";

#[test]
fn an_agent_of_the_config_file_is_run_by_its_name() {
    let (code, stdout, stderr) =
        with_config(MINE, &["run", "hello", "-a", "mine", "--allow", "all"]);
    assert_eq!(code, Some(0), "{stderr}");
    assert!(!stdout.is_empty());
    let (code, stdout, _) = with_config(MINE, &["agents", "--json"]);
    let rows: serde_json::Value = serde_json::from_str(&stdout).expect("JSON");
    let rows = rows.as_array().expect("a list");
    assert_eq!(code, Some(0));
    let mine = rows.iter().find(|row| row["name"] == "mine").expect("mine");
    assert_eq!(mine["configured"], true);
    assert!(
        mine["path"]
            .as_str()
            .is_some_and(|path| Path::new(path).is_absolute())
    );
    assert!(
        rows.iter()
            .any(|row| row["name"] == "claude" && row["install"].is_string())
    );
}

#[test]
fn mistakes_are_misuse_and_say_where() {
    let (code, _, stderr) = with_config(MINE, &["run", "hello", "-a", "mien"]);
    insta::assert_snapshot!("agents-unknown", format!("exit {code:?}\n{stderr}"));
    let (code, _, stderr) = with_config("[agents.x]\ncommand = \"a b\"\n", &["agents"]);
    insta::assert_snapshot!("agents-config", format!("exit {code:?}\n{stderr}"));
    let (code, _, stderr) = with_config("", &["agents", "which"]);
    insta::assert_snapshot!("agents-which", format!("exit {code:?}\n{stderr}"));
    let (code, _, _) = with_config("", &["run", "x", "-a", "claude", "--", "sh"]);
    assert_eq!(code, Some(2), "a name and a command at once");
}

#[test]
fn which_says_where_it_is_or_how_to_get_it() {
    let here = "[agents.here]\ncommand = [\"/bin/sh\"]\n";
    let (code, stdout, _) = with_config(here, &["agents", "which", "here"]);
    assert_eq!(code, Some(0));
    assert!(stdout.contains("path     /bin/sh"), "{stdout}");
    let gone = "[agents.gone]\ncommand = [\"no-such-program-at-all\"]\ninstall = \"build it\"\n";
    let (code, stdout, _) = with_config(gone, &["agents", "which", "gone"]);
    assert_eq!(code, Some(1));
    assert!(stdout.contains("install  build it"), "{stdout}");
}

const COMMENTED: &str = "\
# Mine.
model = \"opus\"  # the large one

[agents.claude]
effort = \"high\"
";

#[test]
fn an_agent_is_given_a_name_and_the_name_is_taken_back() {
    let user = User::new();
    user.says(COMMENTED);
    let script = scripted().join("agent.sh").display().to_string();
    let add = [
        "agents", "add", "mine", "--env", "A=b c", "--", "sh", &script, "whole",
    ];
    let ran = user.runs(&add);
    assert_eq!(ran.code, Some(0), "{}", ran.all());
    assert!(ran.stdout.starts_with("added mine: sh "), "{}", ran.stdout);
    assert!(
        ran.stdout.ends_with("next: acp doctor -a mine\n"),
        "{}",
        ran.stdout
    );
    let text = fs::read_to_string(user.config()).expect("it is there");
    assert!(
        text.starts_with(COMMENTED),
        "what was there is as it was: {text}"
    );
    let ran = user.runs(&[
        "run",
        "hello",
        "-a",
        "mine",
        "--allow",
        "all",
        "--no-config",
    ]);
    assert_eq!(ran.code, Some(2), "{}", ran.all());
    user.says(&text.replace("model = \"opus\"", ""));
    let ran = user.runs(&["run", "hello", "-a", "mine", "--allow", "all"]);
    assert_eq!(ran.code, Some(0), "{}", ran.all());

    user.says("[agents.mine]\neffort = \"high\"\n");
    assert_eq!(
        user.runs(&add).code,
        Some(0),
        "only how it is started is in the way"
    );
    user.says(&text);
    insta::assert_snapshot!("agents-add-again", user.runs(&add).all());
    let ran = user.runs(&["agents", "add", "mine", "--replace", "--", "/opt/mine"]);
    assert!(
        ran.stdout.contains("! its program is not here"),
        "{}",
        ran.stdout
    );
    let text = fs::read_to_string(user.config()).expect("it is there");
    assert_eq!(
        text,
        format!("{COMMENTED}\n[agents.mine]\ncommand = [\"/opt/mine\"]\n")
    );
    assert_eq!(user.runs(&["agents", "remove", "mine"]).code, Some(0));
    assert_eq!(
        fs::read_to_string(user.config()).expect("it is there"),
        COMMENTED
    );
    let ran = user.runs(&["agents", "remove", "mine"]);
    assert_eq!(ran.code, Some(2));
    insta::assert_snapshot!(
        "agents-remove-built-in",
        user.runs(&["agents", "remove", "codex"]).all()
    );
}

#[test]
fn words_that_have_no_meaning_are_refused() {
    let user = User::new();
    for words in [
        &["add", "x"][..],
        &["add", "--", "x"],
        &["add", "-x", "--", "x"],
        &["add", "x", "--timeout", "5s", "--", "x"],
        &["add", "x", "--env", "A", "--", "x"],
        &["list", "--", "x"],
        &["list", "--replace"],
        &["which", "claude", "--install", "x"],
        &["doctor", "claude", "--", "x"],
        &["remove"],
    ] {
        let ran = user.runs(&[&["agents"], words].concat());
        assert_eq!(ran.code, Some(2), "{words:?}: {}", ran.all());
    }
    assert!(!user.config().exists());
}
