//! Sessions: what is asked about them and answered in the same way by both versions.

use crate::{
    id::SessionId,
    patch::Patch,
    state::StateUpdate,
    wire::macros::{open_enum, wire_struct},
};

wire_struct! {
    /// Params of `session/cancel`: stop the work of a session. Version 2 calls it
    /// `CancelSessionNotification`.
    pub struct CancelNotification: S / N [meta] {
        /// The session.
        required session_id: SessionId = "sessionId": S / N,
    }
    new(session_id: SessionId);
}

wire_struct! {
    /// Params of `session/list`, which lists sessions, a page at a time.
    pub struct ListSessionsRequest: S / S [meta null] {
        /// Only sessions of exactly this directory.
        optional cwd: Option<Box<str>> = "cwd": S / S,
        /// Where the page starts, from the page before.
        optional cursor: Option<Box<str>> = "cursor": S / S,
        /// Whether archived sessions are shown; they are not when absent.
        optional archived: Option<SessionArchiveFilter> = "archived": U / U,
    }
    new();
}

open_enum! {
    /// Which sessions a list shows, by whether they are archived.
    pub enum SessionArchiveFilter: U / U {
        /// Only those that are not archived.
        Exclude = "exclude": U / U,
        /// All.
        Include = "include": U / U,
        /// Only archived ones.
        Only = "only": U / U,
    }
}

wire_struct! {
    /// Params of `session/close`, which ends the work of a session and frees it.
    pub struct CloseSessionRequest: S / S [meta] {
        /// The session.
        required session_id: SessionId = "sessionId": S / S,
    }
    new(session_id: SessionId);
}

wire_struct! {
    /// Result of `session/close`.
    pub struct CloseSessionResponse: S / S [meta null] {
    }
    new();
}

wire_struct! {
    /// Params of `session/delete`, which takes a session off the list.
    pub struct DeleteSessionRequest: S / S [meta] {
        /// The session.
        required session_id: SessionId = "sessionId": S / S,
    }
    new(session_id: SessionId);
}

wire_struct! {
    /// Result of `session/delete`.
    pub struct DeleteSessionResponse: S / S [meta null] {
    }
    new();
}

wire_struct! {
    /// Params of `session/archive`, which archives a session.
    pub struct ArchiveSessionRequest: U / U [meta] {
        /// The session.
        required session_id: SessionId = "sessionId": U / U,
    }
    new(session_id: SessionId);
}

wire_struct! {
    /// Result of `session/archive`.
    pub struct ArchiveSessionResponse: U / U [meta null] {
    }
    new();
}

wire_struct! {
    /// Params of `session/unarchive`, which takes a session out of the archive.
    pub struct UnarchiveSessionRequest: U / U [meta] {
        /// The session.
        required session_id: SessionId = "sessionId": U / U,
    }
    new(session_id: SessionId);
}

wire_struct! {
    /// Result of `session/unarchive`.
    pub struct UnarchiveSessionResponse: U / U [meta null] {
    }
    new();
}

wire_struct! {
    /// Params of `session/status`, which asks whether a session is open.
    pub struct SessionStatusRequest: U / U [meta] {
        /// The session.
        required session_id: SessionId = "sessionId": U / U,
    }
    new(session_id: SessionId);
}

wire_struct! {
    /// Result of `session/status`.
    pub struct SessionStatusResponse: U / U [meta] {
        /// How far it is.
        required status: SessionStatus = "status": U / U,
        /// What it is doing.
        lenient state: Option<StateUpdate> = "state": N / U,
    }
    new(status: SessionStatus);
}

open_enum! {
    /// Whether a session is open on some connection. A value that is not known means `saved`.
    pub enum SessionStatus: U / U {
        /// It is open on some connection.
        Open = "open": U / U,
        /// It is stored.
        Saved = "saved": U / U,
    }
}

wire_struct! {
    /// Params of `session/set_title`, which gives a session a title.
    pub struct SetSessionTitleRequest: U / U [meta] {
        /// The session.
        required session_id: SessionId = "sessionId": U / U,
        /// A short name to show.
        required title: Box<str> = "title": U / U,
    }
    new(session_id: SessionId, title: Box<str>);
}

wire_struct! {
    /// Result of `session/set_title`.
    pub struct SetSessionTitleResponse: U / U [meta] {
        /// The title that was stored.
        required title: Box<str> = "title": U / U,
    }
    new(title: Box<str>);
}

wire_struct! {
    /// Params of `session/options`, which asks what a session in a directory could be set to.
    pub struct SessionOptionsRequest: CU / CU [meta] {
        /// The working directory, absolute.
        required cwd: Box<str> = "cwd": CU / CU,
        /// More roots, absolute; the full list each time.
        quiet_argument additional_directories: Vec<Box<str>> = "additionalDirectories": CU / CU,
        /// The session.
        optional session_id: Option<SessionId> = "sessionId": CU / CU,
    }
    new(cwd: Box<str>);
}

wire_struct! {
    /// The session has another title or time: absent keeps, `null` clears.
    pub struct SessionInfoUpdate: S / S [patch_meta] {
        /// A short name to show.
        patch title: Patch<Box<str>> = "title": S / S,
        /// When it last changed, RFC 3339.
        patch updated_at: Patch<Box<str>> = "updatedAt": S / S,
    }
    new();
}
