//! What a session offers to choose from: modes, options, models, levels of effort.

use acp_harness::thinking::{Axis, ConfigOption, OptionValue, Options, Setting, Source};
use serde::Serialize;
use serde_json::value::RawValue;

/// What the result that opened a session lists.
#[derive(Debug, Default, Serialize)]
pub(crate) struct Setup {
    pub(crate) modes: Vec<Choice>,
    pub(crate) current_mode: Option<String>,
    pub(crate) options: Vec<OptionRow>,
    /// The models, wherever they are listed: in an option, or as older agents do it.
    pub(crate) models: Vec<Choice>,
    pub(crate) current_model: Option<String>,
    /// The levels of effort, in the agent's own spelling.
    pub(crate) efforts: Vec<Choice>,
    pub(crate) current_effort: Option<String>,
}

/// One value.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub(crate) struct Choice {
    pub(crate) id: String,
    pub(crate) name: String,
}

/// One option.
#[derive(Debug, Serialize)]
pub(crate) struct OptionRow {
    pub(crate) id: String,
    pub(crate) name: String,
    pub(crate) category: Option<String>,
    /// `select`, `boolean`, or what the agent calls it.
    pub(crate) kind: String,
    pub(crate) current: Option<String>,
    pub(crate) values: Vec<Choice>,
}

impl Setup {
    /// Reads the result of a session that was opened. What cannot be read is left out: it only decorates.
    pub(crate) fn read(result: &RawValue) -> Self {
        Self::of(&Options::read(result.get()))
    }

    /// What is known by now.
    pub(crate) fn of(options: &Options) -> Self {
        let listed = |axis| {
            let values = match options.source(axis) {
                Some(Source::Option(option)) => values(option),
                Some(Source::Modes(list) | Source::Models(list)) => {
                    list.values.iter().map(named).collect()
                }
                _ => options
                    .offered(axis)
                    .into_iter()
                    .map(|word| choice(word, word))
                    .collect(),
            };
            (values, options.in_force(axis).map(ToOwned::to_owned))
        };
        let (modes, current_mode) = listed(Axis::Mode);
        let (models, current_model) = listed(Axis::Model);
        let (efforts, current_effort) = listed(Axis::Effort);
        Self {
            modes,
            current_mode,
            models,
            current_model,
            efforts,
            current_effort,
            options: options.config().iter().map(row).collect(),
        }
    }
}

fn row(option: &ConfigOption) -> OptionRow {
    OptionRow {
        id: option.id.to_string(),
        name: option.name.to_string(),
        category: option.category.as_ref().map(ToString::to_string),
        kind: match &option.setting {
            Setting::Select { .. } => String::from("select"),
            Setting::Boolean { .. } => String::from("boolean"),
            Setting::Unknown { kind } => kind.to_string(),
            _ => String::new(),
        },
        current: option.current().map(ToOwned::to_owned),
        values: values(option),
    }
}

fn values(option: &ConfigOption) -> Vec<Choice> {
    match &option.setting {
        Setting::Select { values, .. } => values.iter().map(named).collect(),
        _ => Vec::new(),
    }
}

fn named(value: &OptionValue) -> Choice {
    choice(&value.value, &value.name)
}

fn choice(id: &str, name: &str) -> Choice {
    Choice {
        id: id.to_owned(),
        name: name.to_owned(),
    }
}
