//! Looking sessions up.

use crate::{
    id::SessionId, v1::config_option::SessionConfigOption, v1::mode::SessionModeState,
    wire::macros::wire_struct,
};

wire_struct! {
    /// Result of `session/list`.
    pub struct ListSessionsResponse: S / N [meta] {
        /// The sessions.
        entries sessions: Vec<SessionInfo> = "sessions": S / N,
        /// Where the next page starts; absent on the last.
        lenient next_cursor: Option<Box<str>> = "nextCursor": S / N,
    }
    new(sessions: Vec<SessionInfo>);
}

wire_struct! {
    /// One row of the list of sessions.
    pub struct SessionInfo: S / N [meta] {
        /// The session.
        required session_id: SessionId = "sessionId": S / N,
        /// The working directory, absolute.
        required cwd: Box<str> = "cwd": S / N,
        /// More roots, absolute; the full list each time.
        quiet_entries additional_directories: Vec<Box<str>> = "additionalDirectories": S / N,
        /// A short name to show.
        lenient title: Option<Box<str>> = "title": S / N,
        /// When it last changed, RFC 3339.
        lenient updated_at: Option<Box<str>> = "updatedAt": S / N,
        /// Whether it is archived.
        lenient archived: Option<bool> = "archived": U / N,
    }
    new(session_id: SessionId, cwd: Box<str>);
}

wire_struct! {
    /// Result of `session/options`.
    pub struct SessionOptionsResponse: CU / N [meta null] {
        /// The modes of the session; ignore them when there are options.
        lenient modes: Option<SessionModeState> = "modes": CU / N,
        /// The options that can be set, all of them, in the agent's order.
        items config_options: Option<Vec<SessionConfigOption>> = "configOptions": CU / N,
    }
    new();
}
