//! Where each axis is found: among the options by category, by well-known ids, in the legacy lists, in the ids of models.

use std::collections::BTreeSet;

use crate::{
    Axis, Options,
    legacy::LegacyList,
    level::normalised,
    model_id::{advertised_effort, model_id_base},
    model_ids::ModelIds,
    option::ConfigOption,
};

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

impl Options {
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

    /// The config options for an axis: by category in the agent's order, else by well-known id.
    pub(crate) fn config_for(&self, axis: Axis) -> impl Iterator<Item = &ConfigOption> {
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
        // A choice of levels says more than a switch, wherever either stands.
        let mut options: Vec<&ConfigOption> = by_category.chain(by_id).collect();
        options.sort_by_key(|option| option.is_boolean());
        options.into_iter()
    }

    /// Model ids that state an effort, where models can be chosen.
    fn effort_in_model_ids(&self) -> Option<ModelIds<'_>> {
        let ids = match self.source(Axis::Model)? {
            Source::Option(option) => ModelIds::Option(option),
            Source::Models(list) => ModelIds::Models(list),
            Source::Modes(_) | Source::ModelIds(_) => return None,
        };
        // Which model it is must be known, or be the only one: an effort never changes the model.
        let base = match ids.current() {
            Some(current) => model_id_base(current),
            None => {
                let base = model_id_base(ids.values().next()?);
                if ids.values().any(|id| model_id_base(id) != base) {
                    return None;
                }
                base
            }
        };
        let states = |id: &str| advertised_effort(id).is_some() && model_id_base(id) == base;
        ids.values().any(states).then_some(ids)
    }
}
