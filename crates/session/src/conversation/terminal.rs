//! A display terminal: bytes that the agent printed, of which the tail is kept (v2 section 9.4).

use acp_vocab::{Patch, TerminalExitStatus, v2};

use super::base64;

/// What is known of a display terminal. Its bytes are a terminal's: make them safe before showing
/// them.
#[derive(Debug, Clone, PartialEq, Default)]
#[non_exhaustive]
pub struct TerminalState {
    /// The command.
    pub command: Option<Box<str>>,
    /// The working directory.
    pub cwd: Option<Box<str>>,
    /// What it printed: the tail, when it was more than the bound.
    pub output: Vec<u8>,
    /// Whether the beginning was cut off.
    pub truncated: bool,
    /// How it ended, once it has.
    pub exit: Option<TerminalExitStatus>,
    /// Its size in cells.
    pub size: Option<v2::TerminalSize>,
    /// Whether it can be cancelled.
    pub can_cancel: bool,
}

impl TerminalState {
    pub(super) fn apply(&mut self, update: &v2::TerminalUpdate, limit: usize) {
        update.command.clone().apply_to(&mut self.command);
        update.cwd.clone().apply_to(&mut self.cwd);
        update.exit_status.clone().apply_to(&mut self.exit);
        update.size.clone().apply_to(&mut self.size);
        match &update.output {
            Patch::Absent => {}
            Patch::Null => {
                self.output = Vec::new();
                self.truncated = false;
            }
            Patch::Value(output) => {
                self.output = base64::decode(&output.data);
                self.truncated = false;
                self.cut(limit);
            }
        }
        match &update.capabilities {
            Patch::Absent => {}
            Patch::Null => self.can_cancel = false,
            Patch::Value(capabilities) => self.can_cancel = capabilities.cancel.is_some(),
        }
    }

    /// Appends one chunk, which was encoded by itself.
    pub(super) fn append(&mut self, data: &str, limit: usize) {
        self.output.extend(base64::decode(data));
        self.cut(limit);
    }

    /// Lets go of what it printed, and of its own words.
    pub(super) fn forget(&mut self) {
        self.output = Vec::new();
        self.truncated = true;
        self.command = None;
        self.cwd = None;
    }

    /// Keeps the tail, from the beginning of a character.
    fn cut(&mut self, limit: usize) {
        let Some(mut from) = self
            .output
            .len()
            .checked_sub(limit)
            .filter(|&from| from > 0)
        else {
            return;
        };
        let continues = |byte: Option<&u8>| byte.is_some_and(|byte| byte & 0xC0 == 0x80);
        for _ in 0..3 {
            if continues(self.output.get(from)) {
                from += 1;
            }
        }
        self.output.drain(..from);
        self.truncated = true;
    }
}
