//! What real agents still say and no schema has any more.
//!
//! Agents of the time before config options list their models beside the modes of a session and
//! let a client pick one by `session/set_model`; some tell who is logged in by
//! `_auth/status_update`. The words are here, apart from the protocol's own, so that a host can
//! serve such agents and everybody can see what is no part of any published version. The member
//! `models` of the results that set a session up is the third of these words.

use crate::{
    id::SessionId,
    method::table::rows,
    method::{Gate, Method, MethodKind, MethodSpec, Receiver},
    stability::Stability,
    version::ProtocolVersion,
    wire::macros::{id, wire_struct},
};

/// The methods that are in no schema.
pub const LEGACY_METHODS: &[MethodSpec] = rows! {
    Agent V1 SESSION_SET_MODEL: Request(SetSessionModelRequest) -> SetSessionModelResponse,
        Stability::Legacy, Gate::SessionState("models");
    Client V1 LEGACY_AUTH_STATUS_UPDATE: Notification(LegacyAuthStatusUpdate),
        Stability::Legacy, Gate::Baseline;
};

id! {
    /// A model of an agent, in the agent's own spelling.
    pub struct ModelId: L / N;
}

wire_struct! {
    /// The models of a session and the one that is used.
    pub struct SessionModelState: L / N [meta] {
        /// The model in use.
        required current_model_id: ModelId = "currentModelId": L / N,
        /// The models that there are.
        entries available_models: Vec<ModelInfo> = "availableModels": L / N,
    }
    new(current_model_id: ModelId, available_models: Vec<ModelInfo>);
}

wire_struct! {
    /// A model.
    pub struct ModelInfo: L / N [meta] {
        /// Its id.
        required model_id: ModelId = "modelId": L / N,
        /// Its name.
        required name: Box<str> = "name": L / N,
        /// A longer explanation to show.
        lenient description: Option<Box<str>> = "description": L / N,
    }
    new(model_id: ModelId, name: Box<str>);
}

wire_struct! {
    /// Params of `session/set_model`, which picks a model.
    pub struct SetSessionModelRequest: L / N [meta] {
        /// The session.
        required session_id: SessionId = "sessionId": L / N,
        /// The model.
        required model_id: ModelId = "modelId": L / N,
    }
    new(session_id: SessionId, model_id: ModelId);
}

wire_struct! {
    /// Result of `session/set_model`.
    pub struct SetSessionModelResponse: L / N [meta null] {}
    new();
}

wire_struct! {
    /// Params of `_auth/status_update`: who is logged in.
    pub struct LegacyAuthStatusUpdate: L / N [meta] {
        /// Who it is.
        required auth_status: LegacyAuthStatus = "authStatus": L / N,
    }
    new(auth_status: LegacyAuthStatus);
}

wire_struct! {
    /// Who is logged in, for display.
    pub struct LegacyAuthStatus: L / N [meta] {
        /// The kind of login; `none` when nobody is.
        required kind: Box<str> = "kind": L / N,
        /// The line to show.
        lenient label: Option<Box<str>> = "label": L / N,
        /// More to show.
        lenient detail: Option<Box<str>> = "detail": L / N,
    }
    new(kind: Box<str>);
}
