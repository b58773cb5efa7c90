//! Choose a model, a mode or a reasoning effort on any agent, always in the agent's own spelling.
#![doc = include_str!("../README.md")]

mod axis;
mod choice;
mod choosing;
mod error;
mod legacy;
mod level;
mod matching;
mod model_id;
mod model_ids;
mod nearest;
mod option;
mod options;
mod settling;
mod source;
mod wishes;

pub use axis::{Axis, UnknownAxis};
pub use choice::{Choice, ConfigValue, How};
pub use error::ChooseError;
pub use legacy::LegacyList;
pub use level::{Level, normalised};
pub use model_id::{EFFORT_KEYS, advertised_effort, model_id_attrs, model_id_base};
pub use model_ids::ModelIds;
pub use option::{ConfigOption, MAX_VALUES, OptionValue, Setting};
pub use options::{MAX_OPTIONS, Options};
pub use settling::Settled;
pub use source::Source;
pub use wishes::Wishes;
