//! Slash commands.

use crate::wire::macros::wire_struct;

wire_struct! {
    /// The commands now, all of them.
    pub struct AvailableCommandsUpdate: S / N [meta] {
        /// The commands, all of them.
        entries available_commands: Vec<AvailableCommand> = "availableCommands": S / N,
    }
    new(available_commands: Vec<AvailableCommand>);
}

wire_struct! {
    /// A slash command of the agent.
    pub struct AvailableCommand: S / N [meta] {
        /// The name.
        required name: Box<str> = "name": S / N,
        /// A longer explanation to show.
        required description: Box<str> = "description": S / N,
        /// What it takes.
        lenient input: Option<AvailableCommandInput> = "input": S / N,
    }
    new(name: Box<str>, description: Box<str>);
}

wire_struct! {
    /// What a command takes: free text.
    pub struct UnstructuredCommandInput: S / N [meta] {
        /// What to show while nothing is typed.
        required hint: Box<str> = "hint": S / N,
    }
    new(hint: Box<str>);
}

/// What a command takes: in version 1 there is one kind.
pub type AvailableCommandInput = UnstructuredCommandInput;
