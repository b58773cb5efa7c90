//! Efforts that are a part of model ids: choosing one is choosing another whole id.

use crate::{
    Axis,
    error::ChooseError,
    legacy::LegacyList,
    matching,
    model_id::{advertised_effort, model_id_attrs, model_id_base},
    option::ConfigOption,
};

/// Model ids that carry attributes, and how a model is chosen.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum ModelIds<'a> {
    /// By a config option.
    Option(&'a ConfigOption),
    /// From the legacy models.
    Models(&'a LegacyList),
}

impl<'a> ModelIds<'a> {
    pub(crate) fn current(self) -> Option<&'a str> {
        match self {
            Self::Option(option) => option.current(),
            Self::Models(list) => list.current.as_deref(),
        }
    }

    pub(crate) fn values(self) -> impl Iterator<Item = &'a str> {
        let values = match self {
            Self::Option(option) => option.values(),
            Self::Models(list) => &list.values,
        };
        values.iter().map(|value| &*value.value)
    }

    /// The advertised id of the same model with this effort, and otherwise as near to the current one as there is.
    pub(crate) fn with_effort(self, wish: &str, offered: &[&str]) -> Result<&'a str, ChooseError> {
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
