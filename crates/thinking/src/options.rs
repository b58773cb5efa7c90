//! What a session offers to choose from, wherever its agent put it.

use std::collections::BTreeSet;

use serde::Deserialize;
use serde_json::value::RawValue;

use crate::{
    Axis,
    choice::{Choice, How},
    error::ChooseError,
    legacy::{LegacyList, WireModels, WireModes},
    level::normalised,
    matching,
    model_id::{advertised_effort, model_id_attrs, model_id_base},
    nearest::nearest,
    option::{ConfigOption, Lenient, Setting},
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
    config: Vec<ConfigOption>,
    modes: Option<LegacyList>,
    models: Option<LegacyList>,
    skipped: usize,
}

/// Where an axis was found.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Source<'a> {
    /// A config option.
    Option(&'a ConfigOption),
    /// The legacy modes.
    Modes(&'a LegacyList),
    /// The legacy models.
    Models(&'a LegacyList),
    /// The attributes of model ids, which are chosen from this.
    ModelIds(ModelIds<'a>),
}

/// Model ids that carry attributes, and how a model is chosen.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum ModelIds<'a> {
    /// By a config option.
    Option(&'a ConfigOption),
    /// From the legacy models.
    Models(&'a LegacyList),
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

    /// Where `axis` is chosen, if it is offered at all.
    #[must_use]
    pub fn source(&self, axis: Axis) -> Option<Source<'_>> {
        if let Some(option) = self.config_for(axis).next() {
            return Some(Source::Option(option));
        }
        match axis {
            Axis::Model => self
                .models
                .as_ref()
                .filter(|list| !list.values.is_empty())
                .map(Source::Models),
            Axis::Mode => self
                .modes
                .as_ref()
                .filter(|list| !list.values.is_empty())
                .map(Source::Modes),
            Axis::Effort => self
                .modes
                .as_ref()
                .filter(|list| list.is_levels())
                .map(Source::Modes)
                .or_else(|| self.effort_in_model_ids().map(Source::ModelIds)),
        }
    }

    /// The spellings that can be chosen for `axis`, in the agent's order.
    #[must_use]
    pub fn offered(&self, axis: Axis) -> Vec<&str> {
        match self.source(axis) {
            None => Vec::new(),
            Some(Source::Option(option)) => option.spellings().collect(),
            Some(Source::Modes(list) | Source::Models(list)) => {
                list.values.iter().map(|value| &*value.value).collect()
            }
            Some(Source::ModelIds(ids)) => {
                let base = ids.current().map(model_id_base);
                let of_model = |id: &&str| base.is_none_or(|base| model_id_base(id) == base);
                let mut seen = BTreeSet::new();
                let efforts = ids.values().filter(of_model).filter_map(advertised_effort);
                efforts.filter(|effort| seen.insert(*effort)).collect()
            }
        }
    }

    /// What is in force for `axis`, as the agent spells it. `None` when it is not offered or the agent does not say.
    #[must_use]
    pub fn in_force(&self, axis: Axis) -> Option<&str> {
        match self.source(axis)? {
            Source::Option(option) => option.current(),
            Source::Modes(list) | Source::Models(list) => list.current.as_deref(),
            Source::ModelIds(ids) => ids.current().and_then(advertised_effort),
        }
    }

    /// Finds what to send so that `axis` becomes `wish`: the exact value, else one that is the same after normalisation or as a [`Level`](crate::Level).
    /// Models are matched exactly only, because two models with nearly the same name are two models.
    ///
    /// # Errors
    /// The axis is not offered, or the value is not; then the nearest and all that are offered are listed.
    pub fn choose(&self, axis: Axis, wish: &str) -> Result<Choice, ChooseError> {
        let wish = wish.trim();
        match self.source(axis).ok_or(ChooseError::NotOffered { axis })? {
            Source::Option(primary) => {
                // Where several options share the axis, one that has the value takes the wish.
                let options: Vec<&ConfigOption> = self.config_for(axis).collect();
                let exact = options
                    .iter()
                    .find(|option| option.spellings().any(|spelling| spelling == wish));
                let matched = exact.map_or_else(
                    || {
                        options
                            .iter()
                            .find(|option| find(axis, option, wish).is_ok())
                    },
                    Some,
                );
                set_option(matched.copied().unwrap_or(primary), axis, wish)
            }
            Source::Modes(list) => {
                let value = matching::find(axis.as_str(), &list.values, wish)?;
                Ok(Choice::new(How::SetMode {
                    mode_id: value.into(),
                }))
            }
            Source::Models(list) => {
                let value = matching::exact(
                    axis.as_str(),
                    list.values.iter().map(|value| &*value.value),
                    wish,
                )?;
                Ok(Choice::new(How::SetModel {
                    model_id: value.into(),
                }))
            }
            Source::ModelIds(ids) => {
                let id = ids.with_effort(wish, &self.offered(axis))?;
                Ok(match ids {
                    ModelIds::Option(option) => {
                        Choice::select(option, id).carrying(advertised_effort(id))
                    }
                    ModelIds::Models(_) => Choice::new(How::SetModel {
                        model_id: id.into(),
                    })
                    .carrying(advertised_effort(id)),
                })
            }
        }
    }

    /// Finds what to send so that the option `id` becomes `wish`. The words `model`, `effort` and `mode` name their axis where no option has that id.
    ///
    /// # Errors
    /// There is no such option, or no such value.
    pub fn set(&self, id: &str, wish: &str) -> Result<Choice, ChooseError> {
        let wish = wish.trim();
        let id = id.trim();
        let exact = self.config.iter().find(|option| *option.id == *id);
        if let (None, Ok(axis)) = (exact, id.parse::<Axis>()) {
            return self.choose(axis, wish);
        }
        let same = |option: &&ConfigOption| normalised(&option.id) == normalised(id);
        let Some(option) = exact.or_else(|| self.config.iter().find(same)) else {
            let ids = self.config.iter().map(|option| &*option.id);
            return Err(ChooseError::UnknownOption {
                wish: id.into(),
                nearest: nearest(id, ids.clone()),
                offered: ids.map(Into::into).collect(),
            });
        };
        let axis = Axis::ALL.into_iter().find(|axis| {
            self.config_for(*axis)
                .any(|of_axis| of_axis.id == option.id)
        });
        // What the option is for decides how strictly its values are compared.
        match axis {
            Some(axis) => set_option(option, axis, wish),
            None => set_option(option, Axis::Mode, wish),
        }
    }

    /// Takes over that the agent accepted `choice`, and what its answer said.
    ///
    /// An answer without a list (`{}`, as `session/set_mode` gives) is a bare yes.
    pub fn settle(&mut self, choice: &Choice, answer: &str) -> Settled {
        if !self.update(answer) {
            self.assume(choice);
            return Settled::Accepted;
        }
        match self.current_of(choice) {
            Some(current) if *current == *choice.sent() => Settled::InForce,
            current => Settled::Differs {
                in_force: current.map(Into::into),
            },
        }
    }

    /// Whether what `choice` would set is in force already.
    #[must_use]
    pub fn is_in_force(&self, choice: &Choice) -> bool {
        self.current_of(choice)
            .is_some_and(|current| *current == *choice.sent())
    }

    fn current_of(&self, choice: &Choice) -> Option<&str> {
        match choice.how() {
            How::SetConfigOption { config_id, .. } => self
                .config
                .iter()
                .find(|option| option.id == *config_id)
                .and_then(ConfigOption::current),
            How::SetMode { .. } => self.modes.as_ref().and_then(|list| list.current.as_deref()),
            How::SetModel { .. } => self
                .models
                .as_ref()
                .and_then(|list| list.current.as_deref()),
        }
    }

    fn assume(&mut self, choice: &Choice) {
        let sent: Box<str> = choice.sent().into();
        match choice.how() {
            How::SetConfigOption { config_id, .. } => {
                if let Some(option) = self
                    .config
                    .iter_mut()
                    .find(|option| option.id == *config_id)
                {
                    match &mut option.setting {
                        Setting::Select { current, .. } => *current = Some(sent),
                        Setting::Boolean { current } => *current = Some(&*sent == "true"),
                        Setting::Unknown { .. } => {}
                    }
                }
            }
            How::SetMode { .. } => self.modes.get_or_insert_default().current = Some(sent),
            How::SetModel { .. } => self.models.get_or_insert_default().current = Some(sent),
        }
    }

    /// The config options for an axis: by category in the agent's order, else by well-known id.
    fn config_for(&self, axis: Axis) -> impl Iterator<Item = &ConfigOption> {
        let usable = move |option: &&ConfigOption| {
            !option.values().is_empty() || (axis == Axis::Effort && option.is_boolean())
        };
        let of_category =
            move |option: &&ConfigOption| option.category.as_deref() == Some(axis.category());
        let by_category = self.config.iter().filter(usable).filter(of_category);
        let none_of_category = !self
            .config
            .iter()
            .filter(usable)
            .any(|option| of_category(&option));
        let ids = if none_of_category { axis.ids() } else { &[] };
        let by_id = ids.iter().flat_map(move |id| {
            self.config
                .iter()
                .filter(usable)
                .filter(|option| normalised(&option.id) == normalised(id))
        });
        by_category.chain(by_id)
    }

    /// Model ids that state an effort, where models can be chosen.
    fn effort_in_model_ids(&self) -> Option<ModelIds<'_>> {
        let ids = match self.source(Axis::Model)? {
            Source::Option(option) => ModelIds::Option(option),
            Source::Models(list) => ModelIds::Models(list),
            Source::Modes(_) | Source::ModelIds(_) => return None,
        };
        let base = ids.current().map(model_id_base);
        let states = |id: &str| {
            advertised_effort(id).is_some() && base.is_none_or(|base| model_id_base(id) == base)
        };
        ids.values().any(states).then_some(ids)
    }
}

fn set_option(option: &ConfigOption, axis: Axis, wish: &str) -> Result<Choice, ChooseError> {
    find(axis, option, wish).map(|spelling| Choice::select(option, spelling))
}

/// What an answer to a choice showed.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Settled {
    /// The answer says that it is in force.
    InForce,
    /// The agent said yes and nothing more.
    Accepted,
    /// The answer says that something else is in force, or that there is no such option any more.
    Differs {
        /// What is in force instead, if anything.
        in_force: Option<Box<str>>,
    },
}

/// The spelling of `wish` among the values of `option`.
fn find<'a>(axis: Axis, option: &'a ConfigOption, wish: &str) -> Result<&'a str, ChooseError> {
    match &option.setting {
        Setting::Select { values, .. } if axis == Axis::Model => {
            matching::exact(&option.id, values.iter().map(|value| &*value.value), wish)
        }
        Setting::Select { values, .. } => matching::find(&option.id, values, wish),
        Setting::Boolean { .. } => matching::boolean(&option.id, wish),
        Setting::Unknown { .. } => Err(ChooseError::UnknownType {
            id: option.id.clone(),
        }),
    }
}

impl<'a> ModelIds<'a> {
    fn current(self) -> Option<&'a str> {
        match self {
            Self::Option(option) => option.current(),
            Self::Models(list) => list.current.as_deref(),
        }
    }

    fn values(self) -> impl Iterator<Item = &'a str> {
        let values = match self {
            Self::Option(option) => option.values(),
            Self::Models(list) => &list.values,
        };
        values.iter().map(|value| &*value.value)
    }

    /// The advertised id of the same model with this effort, and otherwise as near to the current one as there is.
    fn with_effort(self, wish: &str, offered: &[&str]) -> Result<&'a str, ChooseError> {
        let effort = matching::word(Axis::Effort.as_str(), offered, wish)?;
        let current = self.current().unwrap_or_default();
        let mut nearest: Vec<&str> = Vec::new();
        let mut least = usize::MAX;
        let of_model =
            |id: &&str| current.is_empty() || model_id_base(id) == model_id_base(current);
        for id in self
            .values()
            .filter(of_model)
            .filter(|id| advertised_effort(id) == Some(effort))
        {
            let distance = differences(current, id);
            if distance < least {
                (nearest, least) = (Vec::new(), distance);
            }
            if distance == least {
                nearest.push(id);
            }
        }
        match nearest.as_slice() {
            [only] => Ok(only),
            several => Err(ChooseError::Ambiguous {
                what: Axis::Effort.as_str().into(),
                wish: wish.into(),
                candidates: several.iter().map(|id| (*id).into()).collect(),
            }),
        }
    }
}

/// In how many attributes two ids differ.
fn differences(left: &str, right: &str) -> usize {
    let (left, right) = (model_id_attrs(left), model_id_attrs(right));
    let missing = |of: &[(&str, &str)], from: &[(&str, &str)]| {
        of.iter().filter(|attr| !from.contains(attr)).count()
    };
    missing(&left, &right) + missing(&right, &left)
}
