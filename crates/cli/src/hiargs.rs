//! What the words of `run` and `probe` mean: checked, read and resolved before anything is started.

mod misuse;
mod prompt;
mod started;

use std::io::{self, IsTerminal as _};

use acp_harness::{
    permission::{Decision, Rules},
    vocab::ContentBlock,
};

pub(crate) use self::{
    misuse::Misuse,
    prompt::prompt,
    started::{Agent, Bound, Started, Stored, agent, variable},
};
use crate::{
    image,
    lowargs::{Chat, Run},
    standing::{self, Standing},
};

/// One run.
#[derive(Debug)]
pub(crate) struct Plan {
    pub(crate) started: Started,
    pub(crate) prompt: String,
    /// What is sent after it, one turn after the other.
    pub(crate) then: Vec<String>,
    pub(crate) rules: Standing,
    /// Whether a person can be asked.
    pub(crate) person: bool,
    pub(crate) denied_ok: bool,
    /// Blocks that go out behind the prompt.
    pub(crate) images: Vec<ContentBlock>,
}

impl Plan {
    /// Reads what was typed for a talk: a person is there, and prompts come later.
    pub(crate) fn of_chat(low: &Chat) -> Result<Self, Misuse> {
        let started = Started::new(&low.start)?
            .opening(&low.choose, &low.reopen, &low.tools)?
            .serving(&low.services)?;
        let (rules, _) = standing::standing(
            &low.allow,
            &low.deny,
            low.decide.rules.as_deref(),
            &started.cwd,
            false,
            Decision::Ask,
        )?;
        Ok(Self {
            rules,
            person: true,
            denied_ok: true,
            images: Vec::new(),
            prompt: String::new(),
            then: Vec::new(),
            started,
        })
    }

    /// Reads what was typed.
    pub(crate) fn new(low: &Run) -> Result<Self, Misuse> {
        let started = Started::new(&low.start)?
            .opening(&low.choose, &low.reopen, &low.tools)?
            .serving(&low.services)?;
        let has_policy =
            !low.allow.is_empty() || !low.deny.is_empty() || low.decide.rules.is_some();
        let names_asking = low.ask || low.decide.rules.is_some();
        let at_terminal = io::stderr().is_terminal() && (names_asking || io::stdin().is_terminal());
        let (rules, otherwise) = standing::standing(
            &low.allow,
            &low.deny,
            low.decide.rules.as_deref(),
            &started.cwd,
            low.ask,
            if has_policy {
                Decision::Cancel
            } else {
                Decision::Ask
            },
        )?;
        let asks = otherwise == Decision::Ask || rules.asks();
        Ok(Self {
            rules,
            person: (asks && at_terminal)
                || (started.services.asks_person() && io::stderr().is_terminal()),
            denied_ok: low.denied_ok,
            images: low
                .image
                .iter()
                .map(|path| image::block(path))
                .collect::<Result<_, _>>()?,
            prompt: prompt(&low.prompt)?,
            then: low
                .then
                .iter()
                .map(|typed| prompt(typed))
                .collect::<Result<_, _>>()?,
            started,
        })
    }
}

/// The rules of `--allow` and `--deny`.
pub(crate) fn rules(allow: &[String], deny: &[String]) -> Result<Rules, Misuse> {
    // `all` is what people type; `any` is what the rule is called.
    let words = |lists: &[String]| {
        lists
            .iter()
            .map(|list| {
                if list == "all" {
                    String::from("any")
                } else {
                    list.clone()
                }
            })
            .collect::<Vec<_>>()
    };
    Rules::from_flags(&words(deny), &[], &words(allow)).map_err(|error| {
        Misuse::new(format!("--allow or --deny cannot be read: {error}"))
            .hint("kinds: read, edit, delete, move, search, execute, think, fetch, switch_mode, other, all")
    })
}
