//! Slash commands and skills.

use crate::{
    text::AbsolutePath,
    wire::macros::{tagged, wire_struct},
};

wire_struct! {
    /// The commands now, all of them.
    pub struct AvailableCommandsUpdate: N / S [meta] {
        /// The commands, all of them.
        strict_entries available_commands: Vec<AvailableCommand> = "availableCommands": N / S,
    }
    new(available_commands: Vec<AvailableCommand>);
}

tagged! {
    /// A slash command of the agent.
    pub enum AvailableCommand("type"): N / S {
        /// A command.
        Command(Command) = "command": N / S,
        /// A skill.
        Skill(Skill) = "skill": N / CU,
    }
}

wire_struct! {
    /// A slash command: invoked by a prompt that begins with its name.
    pub struct Command: N / S [meta] {
        /// The name.
        required name: Box<str> = "name": N / S,
        /// A longer explanation to show.
        required description: Box<str> = "description": N / S,
        /// What it takes.
        lenient input: Option<AvailableCommandInput> = "input": N / S,
    }
    new(name: Box<str>, description: Box<str>);
}

tagged! {
    /// What a command takes.
    pub enum AvailableCommandInput("type"): N / S {
        /// Free text.
        Text(TextCommandInput) = "text": N / S,
    }
}

wire_struct! {
    /// What a command takes: free text.
    pub struct TextCommandInput: N / S [meta] {
        /// What to show while nothing is typed.
        required hint: Box<str> = "hint": N / S,
    }
    new(hint: Box<str>);
}

wire_struct! {
    /// A skill, invoked by a `skill` block and never by its name in a prompt.
    pub struct Skill: N / CU [meta] {
        /// The name.
        required name: Box<str> = "name": N / CU,
        /// A longer explanation to show.
        required description: Box<str> = "description": N / CU,
        /// The path, absolute.
        lenient path: Option<AbsolutePath> = "path": N / CU,
    }
    new(name: Box<str>, description: Box<str>);
}
