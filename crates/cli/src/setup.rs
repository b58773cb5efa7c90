//! What a session offers to choose from: modes, options, models, levels of effort.

use acp_harness::vocab::{self, SessionConfigOptionCategory as Category, v1};
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
    /// Reads the result. What cannot be read is left out: it only decorates.
    pub(crate) fn read(result: &RawValue) -> Self {
        // The members that matter here are read from the spellings of both versions.
        let Ok(result) = vocab::decode::<v1::NewSessionResponse>(result) else {
            return Self::default();
        };
        let mut setup = Self::default();
        if let Some(modes) = result.modes {
            setup.current_mode = Some(modes.current_mode_id.to_string());
            setup.modes = modes
                .available_modes
                .iter()
                .map(|mode| choice(mode.id.as_str(), &mode.name))
                .collect();
        }
        if let Some(models) = result.models {
            setup.current_model = Some(models.current_model_id.to_string());
            setup.models = models
                .available_models
                .iter()
                .map(|model| choice(model.model_id.as_str(), &model.name))
                .collect();
        }
        for option in result.config_options.unwrap_or_default() {
            let row = row(&option);
            match option.category {
                Some(Category::Model) => {
                    (setup.models, setup.current_model) = (row.values.clone(), row.current.clone());
                }
                Some(Category::ThoughtLevel) => {
                    (setup.efforts, setup.current_effort) =
                        (row.values.clone(), row.current.clone());
                }
                Some(Category::Mode) if setup.modes.is_empty() => {
                    (setup.modes, setup.current_mode) = (row.values.clone(), row.current.clone());
                }
                _ => {}
            }
            setup.options.push(row);
        }
        setup
    }
}

fn row(option: &v1::SessionConfigOption) -> OptionRow {
    let (current, values) = match &option.kind {
        v1::SessionConfigKind::Select(select) => {
            let values = match &select.options {
                v1::SessionConfigSelectOptions::Ungrouped(values) => values.iter().collect(),
                v1::SessionConfigSelectOptions::Grouped(groups) => {
                    groups.iter().flat_map(|group| &group.options).collect()
                }
                _ => Vec::new(),
            };
            let values = values
                .into_iter()
                .map(|value| choice(value.value.as_str(), &value.name))
                .collect();
            (Some(select.current_value.to_string()), values)
        }
        v1::SessionConfigKind::Boolean(boolean) => {
            (Some(boolean.current_value.to_string()), Vec::new())
        }
        _ => (None, Vec::new()),
    };
    OptionRow {
        id: option.id.to_string(),
        name: option.name.to_string(),
        category: option
            .category
            .as_ref()
            .map(|category| category.as_str().to_owned()),
        kind: option.kind.tag().to_owned(),
        current,
        values,
    }
}

fn choice(id: &str, name: &str) -> Choice {
    Choice {
        id: id.to_owned(),
        name: name.to_owned(),
    }
}
