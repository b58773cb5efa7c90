//! What is chosen for a session: from flags, from `acp options set` and from the words of a chat.

use acp_harness::thinking::{Axis, Wishes};

use crate::{
    hiargs::Misuse,
    lowargs::Choose,
    safe,
    setup::{Choice, OptionRow, Setup},
};

/// One wish, and how it was typed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Wish {
    /// `effort=high`.
    pub(crate) typed: String,
    pub(crate) wishes: Wishes,
}

/// The wishes of these flags: a model may change what else is offered, so it comes first.
pub(crate) fn wishes(low: &Choose) -> Result<Vec<Wish>, Misuse> {
    let axes = [
        (Axis::Model, &low.model),
        (Axis::Effort, &low.effort),
        (Axis::Mode, &low.mode),
    ];
    let mut all: Vec<Wish> = axes
        .into_iter()
        .filter_map(|(axis, word)| {
            let word = word.as_ref()?;
            Some(Wish {
                typed: format!("{}={word}", axis.as_str()),
                wishes: wish(Wishes::new(), axis, word),
            })
        })
        .collect();
    for pair in &low.set {
        let (id, value) = pair_of(pair)?;
        all.push(Wish {
            typed: pair.clone(),
            wishes: Wishes::new().setting(id, value),
        });
    }
    Ok(all)
}

/// The wishes of `model=opus effort=high fast=true`: an axis by its name, anything else is an option.
pub(crate) fn assignments(words: &[String]) -> Result<Wishes, Misuse> {
    let mut wishes = Wishes::new();
    for word in words {
        let (id, value) = pair_of(word)?;
        wishes = match id.parse::<Axis>() {
            Ok(axis) => wish(wishes, axis, value),
            Err(_) => wishes.setting(id, value),
        };
    }
    Ok(wishes)
}

pub(crate) fn wish(wishes: Wishes, axis: Axis, word: &str) -> Wishes {
    match axis {
        Axis::Model => wishes.model(word),
        Axis::Effort => wishes.effort(word),
        _ => wishes.mode(word),
    }
}

fn pair_of(word: &str) -> Result<(&str, &str), Misuse> {
    match word.split_once('=') {
        Some((id, value)) if !id.is_empty() && !value.is_empty() => Ok((id, value)),
        _ => Err(Misuse::new(format!(
            "{} is no ID=VALUE",
            safe::line(word, 80)
        ))),
    }
}

/// What a session offers, as a table: `>` stands before what is in force.
pub(crate) fn table(setup: &Setup) -> String {
    let mut out = String::new();
    let mut section = |title: &str, values: &[Choice], current: Option<&str>| {
        if values.is_empty() {
            return;
        }
        out.push_str(title);
        out.push('\n');
        for value in values {
            let mark = if Some(value.id.as_str()) == current {
                '>'
            } else {
                ' '
            };
            let id = safe::line(&value.id, 80);
            if value.name == value.id {
                out.push_str(&format!("  {mark} {id}\n"));
            } else {
                out.push_str(&format!(
                    "  {mark} {id:<32}  {}\n",
                    safe::line(&value.name, 60)
                ));
            }
        }
    };
    section("model", &setup.models, setup.current_model.as_deref());
    section("effort", &setup.efforts, setup.current_effort.as_deref());
    section("mode", &setup.modes, setup.current_mode.as_deref());
    let others = setup.options.iter().filter(|option| {
        !matches!(
            option.category.as_deref(),
            Some("model" | "thought_level" | "mode")
        )
    });
    for option in others {
        section(&heading(option), &values(option), option.current.as_deref());
    }
    if out.is_empty() {
        out.push_str("this session offers nothing to choose\n");
    }
    out
}

fn heading(option: &OptionRow) -> String {
    let (id, name) = (safe::line(&option.id, 60), safe::line(&option.name, 60));
    if id == name {
        id
    } else {
        format!("{id}  ({name})")
    }
}

fn values(option: &OptionRow) -> Vec<Choice> {
    if option.kind != "boolean" {
        return option.values.clone();
    }
    ["true", "false"]
        .iter()
        .map(|word| Choice {
            id: (*word).to_owned(),
            name: (*word).to_owned(),
        })
        .collect()
}
