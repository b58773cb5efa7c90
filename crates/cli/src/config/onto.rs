//! The layers put under the flags of one command line.
//!
//! The command line is read twice: first to learn which verb it is, which agent and what was typed, then with the layers as the
//! defaults of the flags. So whatever clap checks about a flag it checks alike, and what was typed wins.

use std::ffi::OsString;

use clap::{
    Arg, ArgAction, ArgMatches, Command, CommandFactory as _, FromArgMatches as _,
    parser::ValueSource,
};

use super::{
    Config,
    table::{Kind, SETTINGS, Setting, Value},
};
use crate::{hiargs::Misuse, lowargs::Low};

/// Why a command line is not understood.
#[derive(Debug)]
pub(crate) enum Mistake {
    /// The words themselves.
    Words(clap::Error),
    /// What was said beforehand.
    Layers(Misuse),
}

impl From<clap::Error> for Mistake {
    fn from(error: clap::Error) -> Self {
        Self::Words(error)
    }
}

impl From<Misuse> for Mistake {
    fn from(misuse: Misuse) -> Self {
        Self::Layers(misuse)
    }
}

/// Understands a command line, with what was said beforehand where its verb has a use for it.
pub(crate) fn read(args: &[OsString]) -> Result<(Low, Config), Mistake> {
    let typed = program().try_get_matches_from(args)?;
    let mut low = Low::from_arg_matches(&typed)?;
    if !low.verb.wants_config() {
        return Ok((low, Config::default()));
    }
    let config = Config::load(!low.global.no_config)?;
    let Some((verb, words)) = typed.subcommand() else {
        return Ok((low, config));
    };
    if program()
        .find_subcommand(verb)
        .is_none_or(|verb| !starts_an_agent(verb))
    {
        return Ok((low, config));
    }
    let names_command = is_typed(words, "agent");
    let agent = match words.get_one::<String>("alias") {
        _ if names_command => None,
        Some(name) => Some(name.clone()),
        None => config.agent(),
    };
    let mut program = program();
    for effective in config.effective(agent.as_deref()) {
        let setting = effective.setting;
        let is_settled = (setting.key == "agent" && names_command)
            || (setting.kind == Kind::Switch && is_typed(words, &negation(setting)));
        if !is_settled {
            program = under(program, verb, setting, &effective.value);
        }
    }
    let matches = program.try_get_matches_from(args)?;
    let mut low = Low::from_arg_matches(&matches)?;
    for effective in config.effective(agent.as_deref()) {
        if let (Kind::Sum, Value::List(items)) = (effective.setting.kind, effective.value)
            && is_typed(words, effective.setting.key)
            && let Some(typed) = low.verb.denied()
        {
            typed.splice(0..0, items);
        }
    }
    Ok((low, config))
}

/// The program, with a hidden flag that takes back each switch that a layer may have turned on.
fn program() -> Command {
    let program = Low::command();
    let verbs: Vec<String> = program
        .get_subcommands()
        .filter(|verb| starts_an_agent(verb))
        .map(|verb| verb.get_name().to_owned())
        .collect();
    verbs.into_iter().fold(program, |program, verb| {
        program.mut_subcommand(verb, |verb| {
            SETTINGS
                .iter()
                .filter(|setting| setting.kind == Kind::Switch)
                .fold(verb, |verb, setting| match id(&verb, setting) {
                    None => verb,
                    Some(id) => verb.arg(
                        Arg::new(negation(setting))
                            .long(negation(setting))
                            .action(ArgAction::SetTrue)
                            .overrides_with(id)
                            .hide(true),
                    ),
                })
        })
    })
}

fn negation(setting: &Setting) -> String {
    format!("no-{}", setting.key)
}

/// Whether a verb starts an agent, and so has the flags to say how.
pub(crate) fn starts_an_agent(verb: &Command) -> bool {
    verb.get_arguments().any(|arg| arg.get_id() == "alias")
}

/// The name that clap knows the flag of this setting by.
fn id(command: &Command, setting: &Setting) -> Option<String> {
    command
        .get_arguments()
        .find(|arg| arg.get_long() == Some(setting.key))
        .map(|arg| arg.get_id().to_string())
}

fn is_typed(words: &ArgMatches, id: &str) -> bool {
    // What a verb does not have was not typed.
    words.try_contains_id(id).is_ok() && words.value_source(id) == Some(ValueSource::CommandLine)
}

/// The program with this value where nothing was typed.
fn under(program: Command, verb: &str, setting: &Setting, value: &Value) -> Command {
    let defaults: Vec<OsString> = match value {
        Value::Switch(on) => vec![on.to_string().into()],
        Value::Text(text) => vec![text.into()],
        Value::List(items) => items.iter().map(OsString::from).collect(),
    };
    let set = move |arg: Arg| arg.default_values(defaults);
    match id(&program, setting) {
        Some(id) => program.mut_arg(id, set),
        None => program.mut_subcommand(verb, |verb| match id(&verb, setting) {
            Some(id) => verb.mut_arg(id, set),
            None => verb,
        }),
    }
}
