//! What an edit leaves as it was.

use std::{collections::BTreeMap, fs};

use super::{Edited, New};

/// The file after an edit.
#[track_caller]
fn edited(before: &str, act: impl FnOnce(&mut Edited<'_>)) -> String {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("deeper/config.toml");
    if !before.is_empty() {
        fs::create_dir(folder.path().join("deeper")).expect("a folder");
        fs::write(&path, before).expect("it is written");
    }
    let mut file = Edited::open(&path).expect("it is fine");
    act(&mut file);
    file.save().expect("it is written");
    fs::read_to_string(&path).expect("it is there")
}

fn add(name: &str) -> impl FnOnce(&mut Edited<'_>) {
    move |file| {
        file.add(&New {
            name,
            command: &["my agent".to_owned(), "--acp".to_owned()],
            env: &BTreeMap::from([("KEY".to_owned(), "a \"b\"".to_owned())]),
            install: None,
        });
    }
}

const WRITTEN: &str = "\
# What I like.
model = \"opus\"   # for now

# Agents of the house.

# The first.
[agents.one]
command = [ 'one' ]

[agents.two]
command = [\"two\"] # as it came
effort = \"high\"
";

#[test]
fn an_agent_is_added_behind_what_is_there() {
    let added = "[agents.mine]\ncommand = [\"my agent\", \"--acp\"]\nenv = { KEY = 'a \"b\"' }\n";
    assert_eq!(edited("", add("mine")), added);
    assert_eq!(edited(WRITTEN, add("mine")), format!("{WRITTEN}\n{added}"));
}

#[test]
fn one_that_is_there_keeps_its_settings() {
    let after = edited(WRITTEN, add("two"));
    assert!(
        after.contains("[\"my agent\", \"--acp\"] # as it came\neffort = \"high\"\n"),
        "{after}"
    );
    assert!(
        after.starts_with(WRITTEN.split_once("[agents.two]").expect("it is there").0),
        "{after}"
    );
}

#[test]
fn names_and_places_of_all_sorts() {
    assert!(edited("", add("my agent")).contains("[agents.\"my agent\"]"));
    let after = edited("agents = { one = { command = [\"one\"] } }\n", add("mine"));
    assert!(
        after.starts_with("agents = { one = { command = [\"one\"] }") && after.contains("mine = {"),
        "{after}"
    );
    let after = edited("agents.one.command = [\"one\"]\n", add("mine"));
    assert!(
        after.contains("agents.one.command = [\"one\"]\n"),
        "{after}"
    );
}

#[test]
fn what_stands_apart_above_a_removed_agent_stays() {
    let after = edited(WRITTEN, |file| file.remove("one"));
    let expected = WRITTEN.replace("# The first.\n[agents.one]\ncommand = [ 'one' ]\n\n", "");
    assert_eq!(after, expected);
    let after = edited(&expected, |file| file.remove("two"));
    assert_eq!(
        after,
        "# What I like.\nmodel = \"opus\"   # for now\n\n# Agents of the house.\n"
    );
    assert_eq!(edited(WRITTEN, |file| file.remove("three")), WRITTEN);
}

#[test]
fn what_cannot_be_used_is_not_edited() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("config.toml");
    fs::write(&path, "[agents.one]\ncommand = 1\n").expect("it is written");
    let misuse = Edited::open(&path).expect_err("a mistake");
    assert!(
        misuse.message.contains(":2: agents.one.command"),
        "{}",
        misuse.message
    );
}

#[cfg(unix)]
#[test]
fn a_new_file_is_the_users_alone_and_an_old_one_keeps_its_mode() {
    use std::os::unix::fs::PermissionsExt as _;
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("config.toml");
    let mode = || {
        fs::metadata(&path)
            .expect("it is there")
            .permissions()
            .mode()
            & 0o777
    };
    let act = || {
        let mut file = Edited::open(&path).expect("it is fine");
        add("mine")(&mut file);
        file.save().expect("it is written");
    };
    act();
    assert_eq!(mode(), 0o600);
    fs::set_permissions(&path, fs::Permissions::from_mode(0o644)).expect("it is changed");
    act();
    assert_eq!(mode(), 0o644);
    let link = folder.path().join("link.toml");
    std::os::unix::fs::symlink(&path, &link).expect("a link");
    let mut file = Edited::open(&link).expect("it is fine");
    file.remove("mine");
    file.save().expect("it is written");
    assert!(
        fs::symlink_metadata(&link)
            .expect("it is there")
            .is_symlink()
    );
    assert_eq!(fs::read_to_string(&path).expect("it is there"), "");
}
