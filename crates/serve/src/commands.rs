//! Slash commands: the same words for both versions.

use acp_vocab::{v1, v2};

use crate::command::Body;

/// A command that a user can begin a prompt with: `/name and the rest`.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct SlashCommand {
    /// Its name, without the slash.
    pub name: Box<str>,
    /// What it does, for people.
    pub description: Box<str>,
    /// What to show while nothing is typed behind it; `None` when it takes nothing.
    pub hint: Option<Box<str>>,
}

impl SlashCommand {
    /// A command that takes nothing.
    pub fn new(name: impl Into<Box<str>>, description: impl Into<Box<str>>) -> Self {
        Self {
            name: name.into(),
            description: description.into(),
            hint: None,
        }
    }

    /// The same with free text behind it.
    #[must_use]
    pub fn hint(mut self, hint: impl Into<Box<str>>) -> Self {
        self.hint = Some(hint.into());
        self
    }

    pub(crate) fn v2(&self) -> v2::AvailableCommand {
        let mut command = v2::Command::new(self.name.clone(), self.description.clone());
        command.input = self
            .hint
            .clone()
            .map(|hint| v2::AvailableCommandInput::Text(v2::TextCommandInput::new(hint)));
        v2::AvailableCommand::Command(command)
    }

    fn v1(&self) -> v1::AvailableCommand {
        let mut command = v1::AvailableCommand::new(self.name.clone(), self.description.clone());
        command.input = self.hint.clone().map(v1::UnstructuredCommandInput::new);
        command
    }

    pub(crate) fn update(commands: &[Self], v1: bool) -> Body {
        if v1 {
            let list: Vec<_> = commands.iter().map(Self::v1).collect();
            Body::V1(v1::SessionUpdate::AvailableCommandsUpdate(
                v1::AvailableCommandsUpdate::new(list),
            ))
        } else {
            let list: Vec<_> = commands.iter().map(Self::v2).collect();
            Body::V2(v2::SessionUpdate::AvailableCommandsUpdate(
                v2::AvailableCommandsUpdate::new(list),
            ))
        }
    }
}
