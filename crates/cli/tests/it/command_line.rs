//! Words that are not understood, and help.

use crate::program::acp;

#[test]
fn an_unknown_verb_is_a_mistake_and_never_an_agent() {
    insta::assert_snapshot!(acp(&["statsu"]).all());
    insta::assert_snapshot!(acp(&["runn", "hello", "--", "true"]).all());
}

#[test]
fn an_unknown_flag_is_named() {
    insta::assert_snapshot!(acp(&["run", "hello", "--alow", "read"]).all());
}

#[test]
fn help_is_short_and_complete_help_is_long() {
    insta::assert_snapshot!(acp(&["--help"]).all());
    insta::assert_snapshot!(acp(&["run", "--help"]).all());
    insta::assert_snapshot!(acp(&["run", "--help-all"]).all());
}

#[test]
fn the_version() {
    let ran = acp(&["--version"]);
    assert_eq!(ran.stdout, format!("acp {}\n", env!("CARGO_PKG_VERSION")));
    assert_eq!(acp(&["-V"]).stdout, ran.stdout);
}
