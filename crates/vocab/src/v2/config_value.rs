//! Setting config options.

use crate::{
    id::{SessionConfigId, SessionConfigValueId, SessionId},
    v2::config_option::SessionConfigOption,
    wire::macros::{flat_tagged, wire_struct},
};

wire_struct! {
    /// Params of `session/set_config_option`: one option gets a value.
    pub struct SetSessionConfigOptionRequest: N / S [meta] {
        /// The session.
        required session_id: SessionId = "sessionId": N / S,
        /// The option.
        required config_id: SessionConfigId = "configId": N / S,
        /// The value.
        flattened value: SessionConfigOptionValue = "type": N / S,
    }
    new(session_id: SessionId, config_id: SessionConfigId, value: SessionConfigOptionValue);
}

wire_struct! {
    /// Result of `session/set_config_option`.
    pub struct SetSessionConfigOptionResponse: N / S [meta] {
        /// The options that can be set, all of them, in the agent's order.
        strict_entries config_options: Vec<SessionConfigOption> = "configOptions": N / S,
    }
    new(config_options: Vec<SessionConfigOption>);
}

wire_struct! {
    /// A value for an option of a session that is being set up.
    pub struct InitialSessionConfigOption: N / CU [meta] {
        /// The option.
        required config_id: SessionConfigId = "configId": N / CU,
        /// The value.
        flattened value: SessionConfigOptionValue = "type": N / CU,
    }
    new(config_id: SessionConfigId, value: SessionConfigOptionValue);
}

flat_tagged! {
    /// A value for an option, with its type beside it.
    pub enum SessionConfigOptionValue("type"): N / S {
        /// One of the listed values.
        Id(SessionConfigIdValue) = "id": N / S,
        /// On or off.
        Boolean(SessionConfigBooleanValue) = "boolean": N / S,
    }
}

wire_struct! {
    /// The id of a value.
    pub struct SessionConfigIdValue: N / S [] {
        /// The id.
        required value: SessionConfigValueId = "value": N / S,
    }
    new(value: SessionConfigValueId);
}

wire_struct! {
    /// A boolean value.
    pub struct SessionConfigBooleanValue: N / S [] {
        /// On or off.
        required value: bool = "value": N / S,
    }
    new(value: bool);
}

impl From<&str> for SessionConfigOptionValue {
    fn from(id: &str) -> Self {
        Self::Id(SessionConfigIdValue::new(id))
    }
}

impl From<SessionConfigValueId> for SessionConfigOptionValue {
    fn from(id: SessionConfigValueId) -> Self {
        Self::Id(SessionConfigIdValue::new(id))
    }
}

impl From<bool> for SessionConfigOptionValue {
    fn from(value: bool) -> Self {
        Self::Boolean(SessionConfigBooleanValue::new(value))
    }
}
