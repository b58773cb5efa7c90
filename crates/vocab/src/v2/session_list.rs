//! Looking sessions up.

use crate::{
    id::SessionId,
    text::{AbsolutePath, SessionListCursor},
    v2::command::AvailableCommand,
    v2::config_option::SessionConfigOption,
    wire::macros::wire_struct,
};

wire_struct! {
    /// Result of `session/list`.
    pub struct ListSessionsResponse: N / S [meta] {
        /// The sessions.
        entries sessions: Vec<SessionInfo> = "sessions": N / S,
        /// Where the next page starts; absent on the last.
        optional next_cursor: Option<SessionListCursor> = "nextCursor": N / S,
    }
    new(sessions: Vec<SessionInfo>);
}

wire_struct! {
    /// One row of the list of sessions.
    pub struct SessionInfo: N / S [meta] {
        /// The session.
        required session_id: SessionId = "sessionId": N / S,
        /// The working directory, absolute.
        required cwd: AbsolutePath = "cwd": N / S,
        /// More roots, absolute; the full list each time.
        quiet_argument additional_directories: Vec<AbsolutePath> = "additionalDirectories": N / S,
        /// A short name to show.
        lenient title: Option<Box<str>> = "title": N / S,
        /// When it last changed, RFC 3339.
        lenient updated_at: Option<Box<str>> = "updatedAt": N / S,
        /// Whether it is archived.
        lenient archived: Option<bool> = "archived": N / U,
    }
    new(session_id: SessionId, cwd: AbsolutePath);
}

wire_struct! {
    /// Result of `session/options`.
    pub struct SessionOptionsResponse: N / CU [meta null] {
        /// The options that can be set, all of them, in the agent's order.
        quiet_entries config_options: Vec<SessionConfigOption> = "configOptions": N / CU,
        /// The commands, all of them.
        quiet_entries available_commands: Vec<AvailableCommand> = "availableCommands": N / CU,
    }
    new();
}
