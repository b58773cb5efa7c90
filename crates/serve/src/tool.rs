//! A tool call as a handler reports it: the same words for both versions.

use acp_vocab::{
    ContentBlock, Raw, TerminalId, ToolCallId, ToolCallLocation, ToolCallStatus, ToolKind,
};

use crate::diff::FileChange;

/// A report about one tool call: what is said replaces what was said, the rest stays.
///
/// The first report about an id begins the call; it should have a title.
///
/// ```
/// use acp_serve::Tool;
///
/// let reading = Tool::new("read-1").title("Read notes.md").read().running();
/// let done = Tool::new("read-1").completed().text("3 lines");
/// assert_ne!(reading, done);
/// ```
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct Tool {
    /// The call.
    pub id: ToolCallId,
    /// What it does, for people.
    pub title: Option<Box<str>>,
    /// The tool's own name.
    pub name: Option<Box<str>>,
    /// What kind of thing it does.
    pub kind: Option<ToolKind>,
    /// How far it is.
    pub status: Option<ToolCallStatus>,
    /// What it has produced, all of it.
    pub content: Option<Vec<ToolContent>>,
    /// The files it touches.
    pub locations: Option<Vec<ToolCallLocation>>,
    /// Its input.
    pub input: Option<Raw>,
    /// Its output.
    pub output: Option<Raw>,
}

/// One piece of what a tool has produced.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub enum ToolContent {
    /// Text, an image, a resource.
    Block(ContentBlock),
    /// A change of a file.
    Diff(FileChange),
    /// A terminal: in version 1 one of the client's, in version 2 one that this agent displays.
    Terminal(TerminalId),
}

impl Tool {
    /// A report that says nothing yet.
    pub fn new(id: impl Into<ToolCallId>) -> Self {
        Self {
            id: id.into(),
            title: None,
            name: None,
            kind: None,
            status: None,
            content: None,
            locations: None,
            input: None,
            output: None,
        }
    }

    /// With a title for people.
    #[must_use]
    pub fn title(mut self, title: impl Into<Box<str>>) -> Self {
        self.title = Some(title.into());
        self
    }

    /// With the tool's own name.
    #[must_use]
    pub fn name(mut self, name: impl Into<Box<str>>) -> Self {
        self.name = Some(name.into());
        self
    }

    /// Of this kind.
    #[must_use]
    pub fn kind(mut self, kind: ToolKind) -> Self {
        self.kind = Some(kind);
        self
    }

    /// It reads.
    #[must_use]
    pub fn read(self) -> Self {
        self.kind(ToolKind::Read)
    }

    /// It changes files.
    #[must_use]
    pub fn edit(self) -> Self {
        self.kind(ToolKind::Edit)
    }

    /// It runs a command.
    #[must_use]
    pub fn execute(self) -> Self {
        self.kind(ToolKind::Execute)
    }

    /// With this status.
    #[must_use]
    pub fn status(mut self, status: ToolCallStatus) -> Self {
        self.status = Some(status);
        self
    }

    /// It is not begun: its input is coming, or somebody has to permit it.
    #[must_use]
    pub fn pending(self) -> Self {
        self.status(ToolCallStatus::Pending)
    }

    /// It is running.
    #[must_use]
    pub fn running(self) -> Self {
        self.status(ToolCallStatus::InProgress)
    }

    /// It is done.
    #[must_use]
    pub fn completed(self) -> Self {
        self.status(ToolCallStatus::Completed)
    }

    /// It failed, or was not permitted.
    #[must_use]
    pub fn failed(self) -> Self {
        self.status(ToolCallStatus::Failed)
    }

    /// With one more piece of content.
    #[must_use]
    pub fn content(mut self, content: ToolContent) -> Self {
        self.content.get_or_insert_with(Vec::new).push(content);
        self
    }

    /// With one more text.
    #[must_use]
    pub fn text(self, text: impl Into<Box<str>>) -> Self {
        self.content(ToolContent::Block(ContentBlock::text(text)))
    }

    /// With a change of a file.
    #[must_use]
    pub fn diff(self, change: FileChange) -> Self {
        self.content(ToolContent::Diff(change))
    }

    /// With a file that it touches; the path is absolute.
    #[must_use]
    pub fn location(mut self, path: impl Into<Box<str>>) -> Self {
        self.locations
            .get_or_insert_with(Vec::new)
            .push(ToolCallLocation::new(path));
        self
    }

    /// With its input.
    #[must_use]
    pub fn input(mut self, input: Raw) -> Self {
        self.input = Some(input);
        self
    }

    /// With its output.
    #[must_use]
    pub fn output(mut self, output: Raw) -> Self {
        self.output = Some(output);
        self
    }
}

/// Whether a call with this status is over.
pub(crate) fn is_final(status: &ToolCallStatus) -> bool {
    matches!(
        status,
        ToolCallStatus::Completed | ToolCallStatus::Failed | ToolCallStatus::Cancelled
    )
}
