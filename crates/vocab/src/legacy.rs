//! What real agents still say and no schema has any more.
//!
//! Agents of the time before config options list their models beside the modes of a session and
//! let a client pick one by `session/set_model`; some tell who is logged in by
//! `_auth/status_update`. The words are here, apart from the protocol's own, so that a host can
//! serve such agents and everybody can see what is no part of any published version.

use crate::method::{Gate, Method, MethodKind, MethodSpec, Receiver, table::rows};
use crate::{stability::Stability, version::ProtocolVersion};

/// The methods that are in no schema.
pub const LEGACY_METHODS: &[MethodSpec] = rows! {
    Agent V1 SESSION_SET_MODEL: Request(SetSessionModelRequest) -> SetSessionModelResponse,
        Stability::Legacy, Gate::SessionState("models");
    Client V1 LEGACY_AUTH_STATUS_UPDATE: Notification(LegacyAuthStatusUpdate),
        Stability::Legacy, Gate::Baseline;
};
