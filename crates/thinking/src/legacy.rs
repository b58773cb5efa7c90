//! What agents offered before config options: a list of modes and a list of models, each with a method of its own to choose one.

use serde::Deserialize;

use crate::{
    level::Level,
    option::{Lenient, OptionValue},
};

/// Modes or models of the old sort.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct LegacyList {
    /// Which is in force, if the agent says it.
    pub current: Option<Box<str>>,
    /// Those that there are, in the agent's order.
    pub values: Vec<OptionValue>,
}

impl LegacyList {
    /// Whether these modes are levels of thinking under another name, as those of some agents are:
    /// every one of them is a word for how hard to think, and at least two are levels.
    pub(crate) fn is_levels(&self) -> bool {
        let word = |value: &OptionValue| value.value.to_lowercase();
        let levels = self
            .values
            .iter()
            .filter(|value| Level::of(&value.value).is_some())
            .count();
        let others = ["minimal", "max", "ultra", "auto", "default"];
        levels >= 2
            && self.values.iter().all(|value| {
                Level::of(&value.value).is_some() || others.contains(&word(value).as_str())
            })
    }
}

/// `modes` of a session result (ACP v1 section 7.4).
#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct WireModes {
    current_mode_id: Option<Box<str>>,
    #[serde(default)]
    available_modes: Lenient<WireMode>,
}

#[derive(Deserialize)]
struct WireMode {
    id: Box<str>,
    name: Option<Box<str>>,
}

/// `models` of a session result: removed from the protocol, and still sent.
#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct WireModels {
    current_model_id: Option<Box<str>>,
    #[serde(default)]
    available_models: Lenient<WireModel>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct WireModel {
    model_id: Box<str>,
    name: Option<Box<str>>,
}

impl WireModes {
    /// The list, and how many items of it could not be read.
    pub(crate) fn into_list(self) -> (LegacyList, usize) {
        let items = self
            .available_modes
            .items
            .into_iter()
            .map(|mode| (mode.id, mode.name));
        (
            LegacyList {
                current: self.current_mode_id,
                values: values(items),
            },
            self.available_modes.skipped,
        )
    }
}

impl WireModels {
    /// The list, and how many items of it could not be read.
    pub(crate) fn into_list(self) -> (LegacyList, usize) {
        let items = self
            .available_models
            .items
            .into_iter()
            .map(|model| (model.model_id, model.name));
        (
            LegacyList {
                current: self.current_model_id,
                values: values(items),
            },
            self.available_models.skipped,
        )
    }
}

fn values(items: impl Iterator<Item = (Box<str>, Option<Box<str>>)>) -> Vec<OptionValue> {
    items
        .map(|(id, name)| OptionValue::new(&id, name.as_deref().unwrap_or(&id)))
        .collect()
}
