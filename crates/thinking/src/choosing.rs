//! From a wish to a choice that the session offers.

use crate::{
    Axis, Options, Source,
    choice::{Choice, How},
    error::ChooseError,
    level::normalised,
    matching,
    model_id::advertised_effort,
    model_ids::ModelIds,
    nearest::nearest,
    option::{ConfigOption, Setting},
};

impl Options {
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
}

fn set_option(option: &ConfigOption, axis: Axis, wish: &str) -> Result<Choice, ChooseError> {
    find(axis, option, wish).map(|spelling| Choice::select(option, spelling))
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
