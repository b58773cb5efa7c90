//! What a login needs of the person: variables, a page to get a key from, a command to run.
//!
//! Everything is read out of the method as it was sent, and what cannot be read is not there: it only explains. The texts are
//! the agent's: make them safe before a terminal sees them.

use std::collections::BTreeMap;

use serde::Deserialize;
use serde_json::value::RawValue;

use crate::{auth::AuthMethod, capabilities::member};

/// How many variables, arguments or values of one method are read.
const MOST: usize = 64;

/// A variable in the agent's environment that a login of the type `env_var` reads.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct AuthVariable {
    /// Its name; never its value, which this library does not look at.
    pub name: Box<str>,
    /// A short label.
    pub label: Option<Box<str>>,
    /// Whether the login works without it.
    pub optional: bool,
}

/// A command that logs in, run by a person in a terminal.
#[derive(Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct AuthCommand {
    /// The program, where the method names one of its own; `None` for the agent's own command.
    pub program: Option<Box<str>>,
    /// Arguments, behind those of the agent's own command where it is that one.
    pub args: Vec<Box<str>>,
    /// Variables that are laid over the environment.
    pub env: Vec<(Box<str>, Box<str>)>,
}

impl std::fmt::Debug for AuthCommand {
    /// Without arguments and values: both may be secret.
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("AuthCommand")
            .field("args", &self.args.len())
            .field("env", &self.env.len())
            .finish_non_exhaustive()
    }
}

impl AuthMethod {
    /// The variables that the login reads: of the type `env_var`, a draft that agents still send, as a list `vars` or as one
    /// `varName`. Empty for every other method.
    #[must_use]
    pub fn variables(&self) -> Vec<AuthVariable> {
        #[derive(Deserialize)]
        struct Listed {
            name: Box<str>,
            #[serde(default)]
            label: Option<Box<str>>,
            #[serde(default)]
            optional: Option<bool>,
        }
        if self.text("type").as_deref() != Some("env_var") {
            return Vec::new();
        }
        let listed = items(member(&self.raw, "vars"))
            .unwrap_or_default()
            .into_iter()
            .filter_map(|item| {
                let listed: Listed = serde_json::from_str(item.get()).ok()?;
                Some(AuthVariable {
                    name: listed.name,
                    label: listed.label,
                    optional: listed.optional.unwrap_or(false),
                })
            });
        let alone = ["varName", "var_name"].into_iter().find_map(|name| {
            Some(AuthVariable {
                name: self.text(name)?,
                label: None,
                optional: false,
            })
        });
        let mut variables: Vec<AuthVariable> = listed.chain(alone).collect();
        variables.retain(|variable| !variable.name.is_empty());
        variables.truncate(MOST);
        variables
    }

    /// Where a person gets what the login needs, where the method says it.
    #[must_use]
    pub fn link(&self) -> Option<Box<str>> {
        self.text("link").filter(|link| !link.is_empty())
    }

    /// The command of a login of the type `terminal`: the agent's own, with these arguments and variables (v1 section 5.2, v2
    /// section 8). `None` for every other method, and where a part of it cannot be read: a command with a hole in it is
    /// another command.
    ///
    /// v1 writes the variables as an object and v2 as a list; both are read in both.
    #[must_use]
    pub fn command(&self) -> Option<AuthCommand> {
        if self.text("type").as_deref() != Some("terminal") {
            return None;
        }
        Some(AuthCommand {
            program: None,
            args: arguments(member(&self.raw, "args"))?,
            env: environment(member(&self.raw, "env"))?,
        })
    }

    /// A command that the method only tells about, in `_meta["terminal-auth"]`, as agents did before there was a type for it.
    /// It names a program of its own; it is for showing to a person, who may want to run it.
    #[must_use]
    pub fn told_command(&self) -> Option<AuthCommand> {
        let told = member(member(&self.raw, "_meta")?, "terminal-auth")?;
        let program = member(told, "command")?;
        Some(AuthCommand {
            program: Some(serde_json::from_str(program.get()).ok()?),
            args: arguments(member(told, "args"))?,
            env: environment(member(told, "env"))?,
        })
    }

    fn text(&self, name: &str) -> Option<Box<str>> {
        member(&self.raw, name).and_then(|value| serde_json::from_str(value.get()).ok())
    }
}

/// The items of a list; none when it is absent or null, `None` when it is no list or too long to be meant.
fn items(list: Option<&RawValue>) -> Option<Vec<&RawValue>> {
    let Some(list) = list else {
        return Some(Vec::new());
    };
    let items: Option<Vec<&RawValue>> = serde_json::from_str(list.get()).ok()?;
    let items = items.unwrap_or_default();
    (items.len() <= MOST).then_some(items)
}

fn arguments(list: Option<&RawValue>) -> Option<Vec<Box<str>>> {
    let texts = items(list)?.into_iter();
    texts
        .map(|item| {
            let text: Box<str> = serde_json::from_str(item.get()).ok()?;
            (!text.contains('\0')).then_some(text)
        })
        .collect()
}

fn environment(value: Option<&RawValue>) -> Option<Vec<(Box<str>, Box<str>)>> {
    #[derive(Deserialize)]
    struct Variable {
        name: Box<str>,
        value: Box<str>,
    }
    let object: Option<BTreeMap<Box<str>, Box<str>>> =
        value.and_then(|value| serde_json::from_str(value.get()).ok());
    let variables: Vec<(Box<str>, Box<str>)> = match object {
        Some(object) => object.into_iter().collect(),
        None => {
            let variables = items(value)?.into_iter().map(|item| {
                let variable: Variable = serde_json::from_str(item.get()).ok()?;
                Some((variable.name, variable.value))
            });
            variables.collect::<Option<_>>()?
        }
    };
    // What no environment can hold is another hole.
    let fits = |(name, value): &(Box<str>, Box<str>)| {
        !name.is_empty() && !name.contains(['=', '\0']) && !value.contains('\0')
    };
    (variables.len() <= MOST && variables.iter().all(fits)).then_some(variables)
}
