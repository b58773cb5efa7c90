//! Modes, which config options have superseded.

use crate::{
    id::{SessionId, SessionModeId},
    wire::macros::wire_struct,
};

wire_struct! {
    /// The modes of a session and the one it is in. Superseded by config options.
    pub struct SessionModeState: S / N [meta] {
        /// The mode that it is in.
        required current_mode_id: SessionModeId = "currentModeId": S / N,
        /// The modes that there are.
        entries available_modes: Vec<SessionMode> = "availableModes": S / N,
    }
    new(current_mode_id: SessionModeId, available_modes: Vec<SessionMode>);
}

wire_struct! {
    /// A mode that a session can be in.
    pub struct SessionMode: S / N [meta] {
        /// The id.
        required id: SessionModeId = "id": S / N,
        /// The name.
        required name: Box<str> = "name": S / N,
        /// A longer explanation to show.
        lenient description: Option<Box<str>> = "description": S / N,
    }
    new(id: SessionModeId, name: Box<str>);
}

wire_struct! {
    /// Params of `session/set_mode`, which puts a session in a mode.
    pub struct SetSessionModeRequest: S / N [meta] {
        /// The session.
        required session_id: SessionId = "sessionId": S / N,
        /// The mode.
        required mode_id: SessionModeId = "modeId": S / N,
    }
    new(session_id: SessionId, mode_id: SessionModeId);
}

wire_struct! {
    /// Result of `session/set_mode`.
    pub struct SetSessionModeResponse: S / N [meta null] {
    }
    new();
}

wire_struct! {
    /// The agent changed the mode.
    pub struct CurrentModeUpdate: S / N [meta] {
        /// The mode that it is in.
        required current_mode_id: SessionModeId = "currentModeId": S / N,
    }
    new(current_mode_id: SessionModeId);
}
