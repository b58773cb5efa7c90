//! Capabilities about sessions that both versions write in the same way.

use crate::wire::macros::wire_struct;

wire_struct! {
    /// A session may have more roots than its working directory.
    pub struct SessionAdditionalDirectoriesCapabilities: S / S [meta more] {
    }
    new();
}

wire_struct! {
    /// Sessions can be archived.
    pub struct SessionArchiveCapabilities: U / U [meta more] {
    }
    new();
}

wire_struct! {
    /// The agent handles `session/delete`.
    pub struct SessionDeleteCapabilities: S / S [meta more] {
    }
    new();
}

wire_struct! {
    /// The agent handles `session/fork`.
    pub struct SessionForkCapabilities: U / U [meta more] {
    }
    new();
}

wire_struct! {
    /// The agent handles `session/options` and takes values for options at set-up.
    pub struct SessionOptionsCapabilities: CU / CU [meta more] {
    }
    new();
}

wire_struct! {
    /// The agent handles `session/status`.
    pub struct SessionStatusCapabilities: U / U [meta more] {
    }
    new();
}

wire_struct! {
    /// The agent handles `session/set_title`.
    pub struct SessionTitleCapabilities: U / U [meta more] {
    }
    new();
}

wire_struct! {
    /// The host may add instructions.
    pub struct SessionSystemPromptCapabilities: US / US [meta more] {
        /// More than adding.
        lenient mode: Option<SessionSystemPromptModeCapabilities> = "mode": US / US,
    }
    new();
}

wire_struct! {
    /// What the host may do with instructions beside adding.
    pub struct SessionSystemPromptModeCapabilities: US / US [meta more] {
        /// Replacing the agent's instructions.
        lenient r#override: Option<SessionSystemPromptOverrideCapabilities> = "override": US / US,
    }
    new();
}

wire_struct! {
    /// The host may replace the agent's instructions.
    pub struct SessionSystemPromptOverrideCapabilities: US / US [meta more] {
    }
    new();
}
