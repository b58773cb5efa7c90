//! What a session offers to choose from, wherever its agent put it.

use serde::Deserialize;
use serde_json::value::RawValue;

use crate::{
    legacy::{LegacyList, WireModels, WireModes},
    option::{ConfigOption, Lenient},
};

/// Most options that are kept of a session; the rest is left out and counted.
pub const MAX_OPTIONS: usize = 1024;

/// The options of one session, of either protocol version and of the time before there were options.
///
/// Read from the result of `session/new`, `session/load` or `session/resume`, and kept up to date by [`update`](Self::update).
/// An axis is looked for among the options by category, then by well-known ids; then among the legacy modes and models;
/// an effort at last among the attributes of model ids.
///
/// # Examples
/// ```
/// use acp_thinking::{Axis, Options};
///
/// let options = Options::read(r#"{"sessionId":"s","configOptions":[
///     {"id":"reasoning_effort","name":"Reasoning","category":"thought_level","type":"select","currentValue":"low",
///      "options":[{"value":"low","name":"Low"},{"value":"High","name":"High"}]}]}"#);
/// let choice = options.choose(Axis::Effort, "high")?;
/// assert_eq!(choice.spelling(), "High"); // the agent's own spelling
/// # Ok::<(), acp_thinking::ChooseError>(())
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Options {
    pub(crate) config: Vec<ConfigOption>,
    pub(crate) modes: Option<LegacyList>,
    pub(crate) models: Option<LegacyList>,
    skipped: usize,
}

/// The members that say what can be chosen, of a result or of an update.
#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct WireOptions<'a> {
    #[serde(borrow, default)]
    config_options: Option<&'a RawValue>,
    #[serde(borrow, default)]
    modes: Option<&'a RawValue>,
    #[serde(borrow, default)]
    models: Option<&'a RawValue>,
    #[serde(borrow, default)]
    current_mode_id: Option<&'a RawValue>,
}

impl Options {
    /// Reads what a session result offers. What cannot be read is left out and counted; a result without any of it, or `null`, offers nothing.
    #[must_use]
    pub fn read(result: &str) -> Self {
        let mut options = Self::default();
        options.update(result);
        options
    }

    /// Takes over what `text` says: the result of `session/set_config_option` or of a session method, or the body of a
    /// `config_option_update` or `current_mode_update`. Lists are complete, so they replace what was known; what `text` does not mention stays.
    ///
    /// Returns whether anything was said.
    pub fn update(&mut self, text: &str) -> bool {
        let Ok(wire) = serde_json::from_str::<Option<WireOptions<'_>>>(text) else {
            self.skipped += 1;
            return false;
        };
        let Some(wire) = wire else { return false };
        let config = self.parse::<Lenient<ConfigOption>>(wire.config_options);
        let modes = self
            .parse::<WireModes>(wire.modes)
            .map(WireModes::into_list);
        let models = self
            .parse::<WireModels>(wire.models)
            .map(WireModels::into_list);
        let mode = self.parse::<Box<str>>(wire.current_mode_id);
        let said = config.is_some() || modes.is_some() || models.is_some() || mode.is_some();
        if let Some(list) = config {
            self.skipped += list.skipped;
            self.config = Vec::new();
            for option in list.items {
                // Ids are unique; of two options with one id the second could never be set.
                let known = self.config.iter().any(|known| known.id == option.id);
                if known || self.config.len() >= MAX_OPTIONS {
                    self.skipped += 1;
                } else {
                    self.config.push(option);
                }
            }
        }
        if let Some((list, skipped)) = modes {
            self.skipped += skipped;
            self.modes = Some(list);
        }
        if let Some((list, skipped)) = models {
            self.skipped += skipped;
            self.models = Some(list);
        }
        if let (Some(mode), Some(modes)) = (mode, &mut self.modes) {
            modes.current = Some(mode);
        }
        said
    }

    fn parse<'a, T: Deserialize<'a>>(&mut self, raw: Option<&'a RawValue>) -> Option<T> {
        let text = raw.map(RawValue::get).filter(|text| *text != "null")?;
        match serde_json::from_str(text) {
            Ok(value) => Some(value),
            Err(_) => {
                self.skipped += 1;
                None
            }
        }
    }

    /// The config options, in the agent's order.
    #[must_use]
    pub fn config(&self) -> &[ConfigOption] {
        &self.config
    }

    /// The legacy modes, if the agent sent any.
    #[must_use]
    pub fn modes(&self) -> Option<&LegacyList> {
        self.modes.as_ref()
    }

    /// The legacy models, if the agent sent any.
    #[must_use]
    pub fn models(&self) -> Option<&LegacyList> {
        self.models.as_ref()
    }

    /// How much could not be read, over all updates.
    #[must_use]
    pub fn skipped(&self) -> usize {
        self.skipped
    }
}
