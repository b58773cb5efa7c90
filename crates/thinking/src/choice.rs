//! What to send, to choose something.

use acp_vocab::{Method, ProtocolVersion};
use serde::Serialize;
use serde_json::value::{RawValue, to_raw_value};

use crate::option::ConfigOption;

/// A choice that the agent offers, ready to be sent. Made by [`Options`](crate::Options), so it never holds a value that was not advertised.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Choice {
    how: How,
    spelling: Box<str>,
}

/// By which method a choice is made.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum How {
    /// `session/set_config_option`.
    SetConfigOption {
        /// The option's id, sent as `configId` in both versions.
        config_id: Box<str>,
        /// The value.
        value: ConfigValue,
    },
    /// `session/set_mode` (v1, legacy).
    SetMode {
        /// The mode.
        mode_id: Box<str>,
    },
    /// `session/set_model`: removed from the protocol, and still understood by the agents that list models.
    SetModel {
        /// The model.
        model_id: Box<str>,
    },
}

/// The value of a config option.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum ConfigValue {
    /// One of the advertised values.
    Id(Box<str>),
    /// On or off.
    Boolean(bool),
}

impl Choice {
    pub(crate) fn new(how: How) -> Self {
        let spelling = sent(&how).into();
        Self { how, spelling }
    }

    pub(crate) fn select(option: &ConfigOption, spelling: &str) -> Self {
        let value = if option.is_boolean() {
            ConfigValue::Boolean(spelling == "true")
        } else {
            ConfigValue::Id(spelling.into())
        };
        Self::new(How::SetConfigOption {
            config_id: option.id.clone(),
            value,
        })
    }

    /// Says what is chosen where that is a part only of what is sent.
    pub(crate) fn carrying(mut self, part: Option<&str>) -> Self {
        if let Some(part) = part {
            self.spelling = part.into();
        }
        self
    }

    /// By which method it is made.
    #[must_use]
    pub fn how(&self) -> &How {
        &self.how
    }

    /// What is chosen, in the agent's own spelling.
    #[must_use]
    pub fn spelling(&self) -> &str {
        &self.spelling
    }

    /// The value as it is sent. It is [`spelling`](Self::spelling), except where an effort is chosen by a whole model id.
    #[must_use]
    pub fn sent(&self) -> &str {
        sent(&self.how)
    }

    /// Whether both set the same thing, whatever they set it to.
    pub(crate) fn sets_the_same(&self, other: &Self) -> bool {
        match (&self.how, &other.how) {
            (
                How::SetConfigOption {
                    config_id: left, ..
                },
                How::SetConfigOption {
                    config_id: right, ..
                },
            ) => left == right,
            (How::SetMode { .. }, How::SetMode { .. })
            | (How::SetModel { .. }, How::SetModel { .. }) => true,
            (How::SetConfigOption { .. } | How::SetMode { .. } | How::SetModel { .. }, _) => false,
        }
    }

    /// The method to call.
    #[must_use]
    pub fn method(&self) -> Method {
        match self.how {
            How::SetConfigOption { .. } => Method::SESSION_SET_CONFIG_OPTION,
            How::SetMode { .. } => Method::SESSION_SET_MODE,
            How::SetModel { .. } => Method::SESSION_SET_MODEL,
        }
    }

    /// The params of the call. v2 names the type of every value; v1 names only a boolean.
    ///
    /// # Examples
    /// ```
    /// use acp_thinking::{Axis, Options};
    /// use acp_vocab::{Method, ProtocolVersion};
    ///
    /// let options = Options::read(r#"{"configOptions":[{"configId":"effort","type":"select","options":[{"value":"high"}]}]}"#);
    /// let choice = options.choose(Axis::Effort, "high")?;
    /// assert_eq!(choice.method(), Method::SESSION_SET_CONFIG_OPTION);
    /// let params = choice.params(ProtocolVersion::V2, "s1");
    /// assert_eq!(params.get(), r#"{"sessionId":"s1","configId":"effort","type":"id","value":"high"}"#);
    /// # Ok::<(), acp_thinking::ChooseError>(())
    /// ```
    #[must_use]
    #[expect(
        clippy::missing_panics_doc,
        reason = "texts and a flag under fixed names always encode"
    )]
    pub fn params(&self, version: ProtocolVersion, session_id: &str) -> Box<RawValue> {
        let is_v1 = version == ProtocolVersion::V1;
        let how = match &self.how {
            How::SetConfigOption {
                config_id,
                value: ConfigValue::Id(value),
            } => WireHow::Id {
                config_id,
                kind: (!is_v1).then_some("id"),
                value,
            },
            How::SetConfigOption {
                config_id,
                value: ConfigValue::Boolean(value),
            } => WireHow::Boolean {
                config_id,
                kind: "boolean",
                value: *value,
            },
            How::SetMode { mode_id } => WireHow::Mode { mode_id },
            How::SetModel { model_id } => WireHow::Model { model_id },
        };
        to_raw_value(&WireParams { session_id, how }).expect("params always encode")
    }
}

fn sent(how: &How) -> &str {
    match how {
        How::SetConfigOption {
            value: ConfigValue::Id(value),
            ..
        } => value,
        How::SetConfigOption {
            value: ConfigValue::Boolean(true),
            ..
        } => "true",
        How::SetConfigOption {
            value: ConfigValue::Boolean(false),
            ..
        } => "false",
        How::SetMode { mode_id } => mode_id,
        How::SetModel { model_id } => model_id,
    }
}

#[derive(Serialize)]
struct WireParams<'a> {
    #[serde(rename = "sessionId")]
    session_id: &'a str,
    #[serde(flatten)]
    how: WireHow<'a>,
}

#[derive(Serialize)]
#[serde(untagged, rename_all_fields = "camelCase")]
enum WireHow<'a> {
    Id {
        config_id: &'a str,
        #[serde(rename = "type", skip_serializing_if = "Option::is_none")]
        kind: Option<&'static str>,
        value: &'a str,
    },
    Boolean {
        config_id: &'a str,
        #[serde(rename = "type")]
        kind: &'static str,
        value: bool,
    },
    Mode {
        mode_id: &'a str,
    },
    Model {
        model_id: &'a str,
    },
}
