//! One thing that can be set in a session, as the agent offers it.
//!
//! It is read from the text and not by the types of one version, because agents mix them: `id` where v2 says `configId`, no `type`, no `name`,
//! a current value of `null`. What can be understood is kept, the rest is left out and counted.

use serde::{
    Deserialize,
    de::{Deserializer, Error as _, IgnoredAny},
};
use serde_json::value::RawValue;

/// A configuration option (ACP v1 section 7.5, v2 section 9.7).
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct ConfigOption {
    /// Its id. v1 writes it as `id`, v2 as `configId`; both are read.
    pub id: Box<str>,
    /// What it is called. Display text.
    pub name: Box<str>,
    /// What it is for: `model`, `thought_level`, `mode`, or anything else.
    pub category: Option<Box<str>>,
    /// What it can be.
    pub setting: Setting,
}

/// What an option can be, and is.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Setting {
    /// One of some values.
    Select {
        /// The value in force, if the agent says it.
        current: Option<Box<str>>,
        /// The values, in the agent's order; those of groups one after the other.
        values: Vec<OptionValue>,
    },
    /// On or off.
    Boolean {
        /// Which, if the agent says it.
        current: Option<bool>,
    },
    /// Of a type that is not known here. It is listed and cannot be set.
    Unknown {
        /// The type as stated.
        kind: Box<str>,
    },
}

/// A value of a select.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct OptionValue {
    /// What is sent.
    pub value: Box<str>,
    /// What it is called. Display text.
    pub name: Box<str>,
    /// What its group is called, if it is in one. Display text.
    pub group: Option<Box<str>>,
}

impl OptionValue {
    /// A value outside any group.
    #[must_use]
    pub fn new(value: &str, name: &str) -> Self {
        Self {
            value: value.into(),
            name: name.into(),
            group: None,
        }
    }
}

impl ConfigOption {
    /// The values that can be sent, as they are spelled; `true` and `false` for a boolean option.
    pub fn spellings(&self) -> impl Iterator<Item = &str> {
        let (values, booleans): (&[OptionValue], &[&str]) = match &self.setting {
            Setting::Select { values, .. } => (values, &[]),
            Setting::Boolean { .. } => (&[], &["true", "false"]),
            Setting::Unknown { .. } => (&[], &[]),
        };
        values
            .iter()
            .map(|value| &*value.value)
            .chain(booleans.iter().copied())
    }

    /// The value in force, as it is spelled.
    #[must_use]
    pub fn current(&self) -> Option<&str> {
        match &self.setting {
            Setting::Select { current, .. } => current.as_deref(),
            Setting::Boolean { current } => current.map(|on| if on { "true" } else { "false" }),
            Setting::Unknown { .. } => None,
        }
    }

    pub(crate) fn values(&self) -> &[OptionValue] {
        match &self.setting {
            Setting::Select { values, .. } => values,
            Setting::Boolean { .. } | Setting::Unknown { .. } => &[],
        }
    }

    pub(crate) fn is_boolean(&self) -> bool {
        matches!(self.setting, Setting::Boolean { .. })
    }
}

/// Most items that are kept of a list; the rest is left out and counted.
pub const MAX_VALUES: usize = 16 * 1024;

/// A list whose bad items are left out and counted, as the protocol wants it for these lists.
#[derive(Debug)]
pub(crate) struct Lenient<T> {
    pub(crate) items: Vec<T>,
    pub(crate) skipped: usize,
}

impl<T> Default for Lenient<T> {
    fn default() -> Self {
        Self {
            items: Vec::new(),
            skipped: 0,
        }
    }
}

impl<'de, T: Deserialize<'de>> Deserialize<'de> for Lenient<T> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let raw: Vec<&'de RawValue> = Vec::deserialize(deserializer)?;
        let mut list = Self::default();
        for item in raw {
            match serde_json::from_str(item.get()) {
                Ok(item) if list.items.len() < MAX_VALUES => list.items.push(item),
                Ok(_) | Err(_) => list.skipped += 1,
            }
        }
        Ok(list)
    }
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct WireOption<'a> {
    id: Option<Box<str>>,
    config_id: Option<Box<str>>,
    name: Option<Box<str>>,
    #[serde(default, deserialize_with = "word_or_none")]
    category: Option<Box<str>>,
    #[serde(rename = "type", default, deserialize_with = "word_or_none")]
    kind: Option<Box<str>>,
    #[serde(borrow, default)]
    current_value: Option<&'a RawValue>,
    options: Option<Lenient<WireValue>>,
}

/// A value, or a group of values. A group holds no groups, so reading it has an end.
#[derive(Deserialize)]
struct WireValue {
    value: Option<Box<str>>,
    name: Option<Box<str>>,
    options: Option<Lenient<WireGrouped>>,
}

#[derive(Deserialize)]
struct WireGrouped {
    value: Box<str>,
    name: Option<Box<str>>,
}

/// A text; anything else counts as absent.
fn word_or_none<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<Box<str>>, D::Error> {
    #[derive(Deserialize)]
    #[serde(untagged)]
    enum Word {
        Text(Box<str>),
        Else(IgnoredAny),
    }
    Ok(match Word::deserialize(deserializer)? {
        Word::Text(text) => Some(text),
        Word::Else(IgnoredAny) => None,
    })
}

impl<'de> Deserialize<'de> for ConfigOption {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let wire = WireOption::deserialize(deserializer)?;
        let current = wire.current_value.map(RawValue::get);
        let kind = wire
            .kind
            .as_deref()
            .or_else(|| wire.options.as_ref().map(|_| "select"));
        let setting = match kind {
            Some("select") => Setting::Select {
                current: current.and_then(|text| serde_json::from_str(text).ok()),
                values: flat(wire.options.unwrap_or_default().items),
            },
            Some("boolean") => Setting::Boolean {
                current: current.and_then(|text| serde_json::from_str(text).ok()),
            },
            kind => Setting::Unknown {
                kind: kind.unwrap_or_default().into(),
            },
        };
        let Some(id) = wire.config_id.or(wire.id) else {
            return Err(D::Error::missing_field("configId"));
        };
        Ok(Self {
            name: wire.name.unwrap_or_else(|| id.clone()),
            id,
            category: wire.category,
            setting,
        })
    }
}

/// The values in order; those of groups one after the other.
fn flat(values: Vec<WireValue>) -> Vec<OptionValue> {
    let mut all = Vec::new();
    for WireValue {
        value,
        name,
        options,
    } in values
    {
        match (value, options) {
            (Some(value), _) => all.push(named(value, name, None)),
            (None, Some(group)) => {
                all.extend(
                    group
                        .items
                        .into_iter()
                        .map(|item| named(item.value, item.name, name.clone())),
                );
            }
            (None, None) => {}
        }
    }
    all
}

fn named(value: Box<str>, name: Option<Box<str>>, group: Option<Box<str>>) -> OptionValue {
    OptionValue {
        name: name.unwrap_or_else(|| value.clone()),
        value,
        group,
    }
}
