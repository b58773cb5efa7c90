//! The table against the command line, files against their mistakes, layers against each other.

use std::{collections::BTreeMap, ffi::OsString, path::Path};

use clap::{Command, CommandFactory as _, ValueEnum as _};

use super::{
    Config,
    environment::{self, misspelt},
    file::File,
    onto,
    origin::Layer,
    table::{Kind, SETTINGS, Setting, Value, find},
};
use crate::lowargs::{Access, Format, Low, When};

/// Flags that are said anew each time, and why.
const NOT_BEFOREHAND: &[(&str, &[&str])] = &[
    (
        "what is asked for",
        &[
            "mcp",
            "then",
            "image",
            "output",
            "load",
            "resume",
            "resume-or-new",
            "unchecked",
        ],
    ),
    ("which of what is stored", &["all", "archived", "most"]),
    ("where", &["cwd"]),
    ("may be secret; an agent's entry has variables", &["env"]),
    (
        "how this one is shown",
        &["json", "quiet", "verbose", "no-timestamps"],
    ),
    ("the layers themselves", &["no-config"]),
    ("help", &["help", "help-all"]),
];

fn verbs() -> Vec<Command> {
    let program = Low::command();
    let verbs = program
        .get_subcommands()
        .filter(|verb| onto::starts_an_agent(verb));
    verbs.cloned().chain([program.clone()]).collect()
}

#[test]
fn every_flag_is_a_setting_or_is_said_anew_each_time() {
    let anew: Vec<&str> = NOT_BEFOREHAND
        .iter()
        .flat_map(|(_, flags)| *flags)
        .copied()
        .collect();
    for verb in verbs() {
        for flag in verb.get_arguments().filter_map(clap::Arg::get_long) {
            assert!(
                find(flag).is_some() != anew.contains(&flag),
                "--{flag} of {}: say in config/table.rs that it may be set beforehand, or here why not",
                verb.get_name()
            );
        }
    }
}

#[test]
fn every_setting_is_a_flag_of_its_kind() {
    for Setting { key, kind, .. } in SETTINGS {
        let mut found = 0;
        for verb in verbs() {
            let Some(arg) = verb.get_arguments().find(|arg| arg.get_long() == Some(key)) else {
                continue;
            };
            found += 1;
            let takes = arg.get_action().takes_values();
            assert_eq!(takes, *kind != Kind::Switch, "{key}");
            let many = matches!(arg.get_action(), clap::ArgAction::Append);
            assert_eq!(many, matches!(kind, Kind::List | Kind::Sum), "{key}");
        }
        assert!(found > 0, "no verb has --{key}");
    }
    let mut keys: Vec<&str> = SETTINGS.iter().map(|setting| setting.key).collect();
    keys.sort_unstable();
    keys.dedup();
    assert_eq!(keys.len(), SETTINGS.len(), "a key has one row");
}

#[test]
fn words_to_choose_from_are_those_of_the_flag() {
    let words = |key| match find(key).map(|setting| setting.kind) {
        Some(Kind::Choice(words)) => words.to_vec(),
        other => panic!("{key} is {other:?}"),
    };
    let values = |all: &[clap::builder::PossibleValue]| -> Vec<String> {
        all.iter()
            .map(|value| value.get_name().to_owned())
            .collect()
    };
    let when: Vec<_> = When::value_variants()
        .iter()
        .filter_map(When::to_possible_value)
        .collect();
    assert_eq!(words("color"), values(&when));
    let form: Vec<_> = Format::value_variants()
        .iter()
        .filter_map(Format::to_possible_value)
        .collect();
    assert_eq!(words("format"), values(&form));
    let access: Vec<_> = Access::value_variants()
        .iter()
        .filter_map(Access::to_possible_value)
        .collect();
    assert_eq!(words("fs"), values(&access));
}

#[test]
fn the_page_lists_what_the_table_lists() {
    let page = include_str!("../../../../docs/config.md");
    for setting in SETTINGS {
        let row = format!(
            "| `{}` | `{}` | {} | {} |",
            setting.key,
            setting.env(),
            setting.expects(),
            setting.help
        );
        assert!(page.contains(&row), "docs/config.md lacks\n{row}");
    }
    let rows = page
        .lines()
        .filter(|line| line.starts_with("| `") && line.contains("| `ACP_"));
    assert_eq!(rows.count(), SETTINGS.len());
}

fn parse(text: &str) -> Result<File, String> {
    File::parse(
        Path::new("/etc/acp/config.toml"),
        text.as_bytes(),
        Layer::User,
    )
    .map_err(|misuse| match misuse.hint {
        Some(hint) => format!("{} ({hint})", misuse.message),
        None => misuse.message,
    })
}

#[track_caller]
fn refused(text: &str, why: &str) {
    let message = parse(text).expect_err(text);
    assert!(message.contains(why), "{message}");
}

#[test]
fn mistakes_are_named_with_file_line_key_and_the_nearest() {
    refused(
        "model = \"x\"\nidle-timout = \"5m\"\n",
        "/etc/acp/config.toml:2: no key is called idle-timout (did you mean idle-timeout?",
    );
    refused("idle_timeout = \"5m\"", "did you mean idle-timeout?");
    refused("quux = 1", "`acp config keys` lists them");
    refused(
        "[agent.mine]\ncommand = [\"a\"]\n",
        "/etc/acp/config.toml:1: agent takes a text, not this table",
    );
    refused(
        "[agents.mine]\ncommand = [\"a\"]\nshell = true\n",
        ":3: no key is called agents.mine.shell",
    );
    refused("[agents.mine]\ncomand = [\"a\"]\n", "did you mean command");
    refused(
        "[agents.mine]\ncolor = \"never\"\n",
        "no key is called agents.mine.color",
    );
    refused(
        "[agents.mine]\ncommand = \"a b\"\n",
        ":2: agents.mine.command takes a list of words, not this string",
    );
    refused(
        "[agents.mine]\ncommand = []\n",
        "agents.mine.command is empty",
    );
    refused(
        "[agents.mine]\ncommand = [\"\"]\n",
        "agents.mine.command is empty",
    );
    refused("[agents.-x]\ncommand = [\"a\"]\n", "begins with `-`");
    refused(
        "[agents.mine]\nenv = { A = 1 }\n",
        ":2: agents.mine.env.A takes a text, not this integer",
    );
    refused("agents = 1", "agents takes a table");
    refused(
        "ask = \"yes\"",
        ":1: ask takes true or false, not this string",
    );
    refused("allow = \"read\"", "allow takes a list of texts");
    refused("allow = [\"read\", 1]", "allow takes a list of texts");
    refused("allow = [\"\"]", "allow takes a list of texts");
    refused("timeout = \"soon\"", "timeout takes a length of time");
    refused("timeout = -5", "timeout takes a length of time");
    refused("protocol = 3", "protocol takes auto, 1, 2");
    refused("color = \"blue\"", "color takes auto, always, never");
    refused("rules = \"\"", "rules takes a file");
    refused("x = [", ":1: ");
    // What stands where it should not may be a secret.
    let message = parse("color = \"sk-secret\"").expect_err("no such colour");
    assert!(!message.contains("sk-secret"), "{message}");
}

#[test]
fn the_first_mistake_is_the_one_that_is_told() {
    refused("zzz = 1\naaa = 1\n", ":1: no key is called zzz");
}

#[test]
fn files_are_found_from_the_folder_of_the_file_that_names_them() {
    let file = parse("rules = \"rules.toml\"\nelicit = \"ask\"\ntools = \"/opt/tools.json\"\n")
        .expect("it is fine");
    let value = |key| {
        file.settings
            .iter()
            .find(|given| given.setting.key == key)
            .map(|given| given.value.clone())
    };
    assert_eq!(
        value("rules"),
        Some(Value::Text("/etc/acp/rules.toml".into()))
    );
    assert_eq!(value("elicit"), Some(Value::Text("ask".into())));
    assert_eq!(value("tools"), Some(Value::Text("/opt/tools.json".into())));
    assert_eq!(
        file.reads(),
        [
            Path::new("/etc/acp/rules.toml"),
            Path::new("/opt/tools.json")
        ]
    );
}

/// What these layers come to for an agent, by key.
#[track_caller]
fn layered(
    files: &[&str],
    vars: &[(&str, &str)],
    agent: Option<&str>,
) -> BTreeMap<&'static str, Value> {
    let vars: BTreeMap<&str, OsString> = vars
        .iter()
        .map(|(name, value)| (*name, OsString::from(value)))
        .collect();
    let config = Config {
        files: files
            .iter()
            .map(|text| parse(text).expect("it is fine"))
            .collect(),
        environment: environment::read(|name| vars.get(name).cloned()).expect("it is fine"),
        notices: Vec::new(),
    };
    let all = config.effective(agent);
    all.into_iter()
        .map(|effective| (effective.setting.key, effective.value))
        .collect()
}

fn text(word: &str) -> Value {
    Value::Text(word.to_owned())
}

fn list(items: &[&str]) -> Value {
    Value::List(items.iter().map(ToString::to_string).collect())
}

#[test]
fn the_higher_layer_wins_and_what_is_forbidden_adds_up() {
    let user = "model = \"small\"\nallow = [\"read\"]\ndeny = [\"execute\"]\n";
    let project = "model = \"large\"\ndeny = [\"edit\"]\nask = true\n";
    let all = layered(
        &[user, project],
        &[
            ("ACP_ALLOW", "read,search\nedit:src/**"),
            ("ACP_DENY", "fetch"),
            ("ACP_EFFORT", ""),
        ],
        None,
    );
    assert_eq!(
        all,
        BTreeMap::from([
            ("model", text("large")),
            ("allow", list(&["read,search", "edit:src/**"])),
            ("deny", list(&["execute", "edit", "fetch"])),
            ("ask", Value::Switch(true)),
        ])
    );
}

#[test]
fn what_is_said_of_an_agent_holds_for_it_alone_and_lies_above_its_own_file() {
    let user = "model = \"any\"\n[agents.claude]\nmodel = \"opus\"\neffort = \"high\"\n[agents.codex]\nmodel = \"gpt\"\n";
    assert_eq!(layered(&[user], &[], None).get("model"), Some(&text("any")));
    let all = layered(&[user], &[], Some("claude"));
    assert_eq!(all.get("model"), Some(&text("opus")));
    assert_eq!(all.get("effort"), Some(&text("high")));
    let all = layered(&[user, "model = \"here\"\n"], &[], Some("claude"));
    assert_eq!(all.get("model"), Some(&text("here")));
    assert_eq!(all.get("effort"), Some(&text("high")));
}

#[test]
fn variables_that_cannot_be_read_are_named() {
    let refused = |name: &str, value: &str| {
        let given = environment::read(|asked| (asked == name).then(|| OsString::from(value)));
        given.expect_err(value).message
    };
    assert_eq!(refused("ACP_ASK", "maybe"), "ACP_ASK takes true or false");
    assert_eq!(
        refused("ACP_COLOR", "blue"),
        "ACP_COLOR takes auto, always, never, not blue"
    );
    assert!(refused("ACP_IDLE_TIMEOUT", "0").contains("ACP_IDLE_TIMEOUT takes a length of time"));
    let on = environment::read(|asked| (asked == "ACP_TERMINAL").then(|| OsString::from("on")));
    assert_eq!(
        on.expect("it is fine")
            .first()
            .map(|given| given.value.clone()),
        Some(Value::Switch(true))
    );
}

#[test]
fn a_variable_that_is_nearly_one_is_named() {
    let said = misspelt([
        "ACP_IDLE_TIMOUT",
        "ACP_MODEL\u{9b}",
        "ACP_MODEL",
        "ACP_CONFIG",
        "ACP_WHATEVER_ELSE",
        "MODEL",
    ]);
    assert_eq!(
        said,
        [
            "ACP_IDLE_TIMOUT is no setting; did you mean ACP_IDLE_TIMEOUT?",
            "ACP_MODEL\\u{9b} is no setting; did you mean ACP_MODEL?",
        ]
    );
}

#[test]
fn numbers_may_be_written_as_numbers() {
    let all = layered(&["protocol = 2\ntimeout = 90\n"], &[], None);
    assert_eq!(all.get("protocol"), Some(&text("2")));
    assert_eq!(all.get("timeout"), Some(&text("90")));
}
