//! What a client can do.

use crate::{
    capability::{ElicitationCapabilities, PromptSuggestionsCapabilities},
    wire::macros::wire_struct,
};

wire_struct! {
    /// What a client can do.
    pub struct ClientCapabilities: S / N [meta more] {
        /// Files.
        fallback fs: FileSystemCapabilities = "fs": S / N,
        /// Whether all five `terminal/*` methods are handled.
        fallback terminal: bool = "terminal": S / N,
        /// Sessions.
        lenient session: Option<ClientSessionCapabilities> = "session": S / N,
        /// Child sessions.
        lenient subagents: Option<SubagentCapabilities> = "subagents": US / N,
        /// Several plans at once.
        lenient plan: Option<PlanCapabilities> = "plan": US / N,
        /// Login.
        fallback auth: AuthCapabilities = "auth": S / N,
        /// Questions to the user.
        lenient elicitation: Option<ElicitationCapabilities> = "elicitation": S / N,
    }
    new();
}

wire_struct! {
    /// Which file methods a client handles.
    pub struct FileSystemCapabilities: S / N [meta more] {
        /// Whether `fs/read_text_file` is handled.
        fallback read_text_file: bool = "readTextFile": S / N,
        /// Whether `fs/write_text_file` is handled.
        fallback write_text_file: bool = "writeTextFile": S / N,
    }
    new();
}

wire_struct! {
    /// Which ways of login a client can carry out.
    pub struct AuthCapabilities: S / N [meta more] {
        /// Whether the client can run the agent's program in a terminal.
        fallback terminal: bool = "terminal": S / N,
    }
    new();
}

wire_struct! {
    /// What a client can show of a session.
    pub struct ClientSessionCapabilities: S / N [meta more] {
        /// Compaction.
        lenient compaction: Option<CompactionCapabilities> = "compaction": S / N,
        /// Kinds of config options.
        lenient config_options: Option<SessionConfigOptionsCapabilities> = "configOptions": S / N,
        /// Notices.
        lenient notices: Option<NoticeCapabilities> = "notices": S / N,
        /// Suggested prompts.
        lenient prompt_suggestions: Option<PromptSuggestionsCapabilities> = "promptSuggestions": CU / N,
        /// Cursors.
        lenient cursors: Option<SessionCursorsCapabilities> = "cursors": CU / N,
    }
    new();
}

wire_struct! {
    /// The client takes updates about compaction.
    pub struct CompactionCapabilities: S / N [] {
    }
    new();
}

wire_struct! {
    /// Kinds of config options that the client takes beside lists.
    pub struct SessionConfigOptionsCapabilities: S / N [meta more] {
        /// Options that are on or off.
        lenient boolean: Option<BooleanConfigOptionCapabilities> = "boolean": S / N,
    }
    new();
}

wire_struct! {
    /// The client takes options that are on or off.
    pub struct BooleanConfigOptionCapabilities: S / N [meta more] {
    }
    new();
}

wire_struct! {
    /// The client shows notices.
    pub struct NoticeCapabilities: S / N [] {
    }
    new();
}

wire_struct! {
    /// The client takes cursors.
    pub struct SessionCursorsCapabilities: CU / N [] {
    }
    new();
}

wire_struct! {
    /// The client takes several plans at once.
    pub struct PlanCapabilities: US / N [meta more] {
    }
    new();
}

wire_struct! {
    /// The client takes updates about child sessions.
    pub struct SubagentCapabilities: US / N [meta more] {
    }
    new();
}
