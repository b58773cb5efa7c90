//! Sessions that a session made.

use crate::{id::SessionId, patch::Patch, state::StateUpdate, wire::macros::wire_struct};

wire_struct! {
    /// A session made another one, or changed what is known of it: absent keeps, `null` clears.
    pub struct SubagentUpdate: US / US [patch_meta] {
        /// The child session.
        required session_id: SessionId = "sessionId": US / US,
        /// A short name to show.
        patch title: Patch<Box<str>> = "title": US / US,
        /// A longer explanation to show.
        patch description: Patch<Box<str>> = "description": US / US,
        /// What a client may do to it; nothing when cleared.
        patch capabilities: Patch<SubagentSessionCapabilities> = "capabilities": US / US,
        /// Its state; not confirmed when cleared.
        patch state: Patch<StateUpdate> = "state": US / US,
        /// Its working directory; when cleared, that of its parent.
        strict_patch cwd: Patch<Box<str>> = "cwd": US / US,
        /// Its other roots; when cleared, those of its parent.
        strict_patch additional_directories: Patch<Vec<Box<str>>> = "additionalDirectories": US / US,
    }
    new(session_id: SessionId);
}

wire_struct! {
    /// What a client may do to a child session.
    pub struct SubagentSessionCapabilities: US / US [meta more] {
        /// Cancelling.
        lenient cancel: Option<SessionCancelCapabilities> = "cancel": US / US,
    }
    new();
}

wire_struct! {
    /// The client may cancel the child session.
    pub struct SessionCancelCapabilities: US / US [meta more] {
    }
    new();
}
