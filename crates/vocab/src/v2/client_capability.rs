//! What a client can do.

use crate::{
    capability::{ElicitationCapabilities, PromptSuggestionsCapabilities},
    wire::macros::wire_struct,
};

wire_struct! {
    /// What a client can do.
    pub struct ClientCapabilities: N / S [meta more] {
        /// Login.
        lenient auth: Option<ClientAuthCapabilities> = "auth": N / S,
        /// Questions to the user.
        lenient elicitation: Option<ElicitationCapabilities> = "elicitation": N / S,
        /// Sessions.
        lenient session: Option<ClientSessionCapabilities> = "session": N / CU,
    }
    new();
}

wire_struct! {
    /// Which ways of login a client can carry out.
    pub struct ClientAuthCapabilities: N / S [meta more] {
        /// The client can run the agent's program in a terminal.
        lenient terminal: Option<TerminalAuthCapabilities> = "terminal": N / S,
    }
    new();
}

wire_struct! {
    /// The client can run the agent's program in a terminal.
    pub struct TerminalAuthCapabilities: N / S [meta more] {
    }
    new();
}

wire_struct! {
    /// What a client can show of a session.
    pub struct ClientSessionCapabilities: N / CU [meta more] {
        /// Suggested prompts.
        lenient prompt_suggestions: Option<PromptSuggestionsCapabilities> = "promptSuggestions": N / CU,
        /// Commands.
        lenient commands: Option<CommandsCapabilities> = "commands": N / CU,
    }
    new();
}

wire_struct! {
    /// Kinds of commands that the client takes beside plain ones.
    pub struct CommandsCapabilities: N / CU [meta more] {
        /// Skills.
        lenient skill: Option<CommandsSkillCapabilities> = "skill": N / CU,
    }
    new();
}

wire_struct! {
    /// The client takes skills among the commands.
    pub struct CommandsSkillCapabilities: N / CU [meta more] {
    }
    new();
}
