//! A terminal that the agent runs itself and the client only shows.

use std::sync::{
    Arc, Mutex,
    atomic::{AtomicBool, Ordering},
};

use acp_vocab::{Patch, TerminalExitStatus, TerminalId, ToolCallId, v2};
use tokio_util::sync::CancellationToken;

use crate::{
    base64,
    command::Body,
    error::Unsent,
    shared::{fresh, lock},
    tool::{Tool, ToolContent},
    updates::Updates,
};

/// Bytes of output that version 1 is shown of a terminal: the last ones.
const KEEP: usize = 64 << 10;

/// A terminal on display in a tool call.
///
/// Version 2 has terminals for display (section 9.4). In version 1 the output is text content of
/// the tool call, of which the last 64 KiB are kept.
#[derive(Debug, Clone)]
pub struct Display {
    updates: Updates,
    tool: ToolCallId,
    id: TerminalId,
    shown: Arc<AtomicBool>,
    /// The tail, for version 1.
    text: Arc<Mutex<String>>,
}

impl Display {
    pub(crate) fn new(updates: Updates, tool: ToolCallId) -> Self {
        Self {
            updates,
            tool,
            id: TerminalId::from(fresh("term")),
            shown: Arc::default(),
            text: Arc::default(),
        }
    }

    /// Its id.
    #[must_use]
    pub const fn id(&self) -> &TerminalId {
        &self.id
    }

    /// Shows the command that runs in it, and puts it into the tool call.
    ///
    /// # Errors
    /// As [`Updates::say`].
    pub async fn command(
        &self,
        command: impl Into<Box<str>>,
        cwd: impl Into<Box<str>>,
    ) -> Result<(), Unsent> {
        let command = command.into();
        if self.updates.shared.is_v1() {
            let head = format!("$ {command}\n");
            return self.append(&head).await;
        }
        let mut update = v2::TerminalUpdate::new(self.id.clone());
        update.command = Patch::Value(command);
        update.cwd = Patch::Value(cwd.into());
        self.updates
            .send(Body::V2(v2::SessionUpdate::TerminalUpdate(update.into())))
            .await?;
        if !self.shown.swap(true, Ordering::AcqRel) {
            let tool = Tool::new(self.tool.clone()).content(ToolContent::Terminal(self.id.clone()));
            self.updates.tool(tool).await?;
        }
        Ok(())
    }

    /// Lets the client cancel this terminal alone (version 2: `terminal/cancel`); the token is
    /// cancelled when it does, and with the turn. The proof of it is [`Display::exited`].
    ///
    /// # Errors
    /// As [`Updates::say`].
    pub async fn cancellable(&self) -> Result<CancellationToken, Unsent> {
        let token = self.updates.live.token.child_token();
        if self.updates.shared.is_v1() {
            return Ok(token);
        }
        lock(&self.updates.timeline).offer_terminal_cancel(self.id.clone(), token.clone());
        let mut capabilities = v2::TerminalCapabilities::new();
        capabilities.cancel = Some(v2::TerminalCancelCapabilities::new());
        let mut update = v2::TerminalUpdate::new(self.id.clone());
        update.capabilities = Patch::Value(capabilities);
        self.updates
            .send(Body::V2(v2::SessionUpdate::TerminalUpdate(update.into())))
            .await?;
        Ok(token)
    }

    /// More output.
    ///
    /// # Errors
    /// As [`Updates::say`].
    pub async fn output(&self, bytes: &[u8]) -> Result<(), Unsent> {
        if self.updates.shared.is_v1() {
            return self.append(&String::from_utf8_lossy(bytes)).await;
        }
        let chunk = v2::TerminalOutputChunk::new(self.id.clone(), base64::encode(bytes));
        self.updates
            .send(Body::V2(v2::SessionUpdate::TerminalOutputChunk(chunk)))
            .await
    }

    /// The command has ended with this code.
    ///
    /// # Errors
    /// As [`Updates::say`].
    pub async fn exited(&self, code: i64) -> Result<(), Unsent> {
        if self.updates.shared.is_v1() {
            return self.append(&format!("[exit {code}]\n")).await;
        }
        lock(&self.updates.timeline).terminal_cancel(&self.id);
        let mut status = TerminalExitStatus::new();
        status.exit_code = Some(code);
        let mut update = v2::TerminalUpdate::new(self.id.clone());
        update.exit_status = Patch::Value(status);
        self.updates
            .send(Body::V2(v2::SessionUpdate::TerminalUpdate(update.into())))
            .await
    }

    async fn append(&self, more: &str) -> Result<(), Unsent> {
        let text: Box<str> = {
            let mut text = lock(&self.text);
            text.push_str(more);
            let mut cut = text.len().saturating_sub(KEEP);
            while !text.is_char_boundary(cut) {
                cut += 1;
            }
            text.drain(..cut);
            text.as_str().into()
        };
        self.updates
            .tool(Tool::new(self.tool.clone()).text(text))
            .await
    }
}
