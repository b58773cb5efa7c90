//! Instructions that a host gives an agent.

use crate::{
    content::ContentBlock,
    wire::macros::{open_enum, wire_struct},
};

wire_struct! {
    /// Instructions of the host. An agent that cannot apply them must refuse the request.
    pub struct SystemPrompt: US / US [meta] {
        /// Whether they are added or replace the agent's.
        required mode: SystemPromptMode = "mode": US / US,
        /// The instructions.
        required content: Vec<ContentBlock> = "content": US / US,
    }
    new(mode: SystemPromptMode, content: Vec<ContentBlock>);
}

open_enum! {
    /// What becomes of the agent's own instructions.
    pub enum SystemPromptMode: US / US {
        /// They are added.
        Append = "append": US / US,
        /// They replace the agent's own.
        Override = "override": US / US,
    }
}
