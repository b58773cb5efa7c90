//! A terminal of the client (version 1).

use acp_vocab::{Method, TerminalId, v1};

use crate::{client::Client, error::AskError, shared::lock};

/// A command that runs in a terminal of the client. Dropping it releases the terminal, which kills
/// the command if it still runs; a tool call that shows the terminal goes on showing it.
#[derive(Debug)]
pub struct Terminal {
    client: Client,
    id: TerminalId,
    released: bool,
}

impl Terminal {
    pub(crate) fn new(client: Client, id: TerminalId) -> Self {
        Self {
            client,
            id,
            released: false,
        }
    }

    /// Its id, for [`ToolContent::Terminal`](crate::ToolContent::Terminal).
    #[must_use]
    pub const fn id(&self) -> &TerminalId {
        &self.id
    }

    /// What it has put out so far.
    ///
    /// # Errors
    /// [`AskError`].
    pub async fn output(&self) -> Result<v1::TerminalOutputResponse, AskError> {
        let request = v1::TerminalOutputRequest::new(self.client.session.clone(), self.id.clone());
        self.client
            .question(Method::TERMINAL_OUTPUT, &request, false)
            .await
    }

    /// Waits for the command's end.
    ///
    /// # Errors
    /// [`AskError`].
    pub async fn wait(&self) -> Result<v1::WaitForTerminalExitResponse, AskError> {
        let request =
            v1::WaitForTerminalExitRequest::new(self.client.session.clone(), self.id.clone());
        self.client
            .question(Method::TERMINAL_WAIT_FOR_EXIT, &request, false)
            .await
    }

    /// Ends the command; the terminal stays.
    ///
    /// # Errors
    /// [`AskError`].
    pub async fn kill(&self) -> Result<(), AskError> {
        let request = v1::KillTerminalRequest::new(self.client.session.clone(), self.id.clone());
        self.client
            .question::<v1::KillTerminalResponse>(Method::TERMINAL_KILL, &request, false)
            .await
            .map(drop)
    }

    /// Gives the terminal back, and waits for the client to say so.
    ///
    /// # Errors
    /// [`AskError`].
    pub async fn release(mut self) -> Result<(), AskError> {
        let request = v1::ReleaseTerminalRequest::new(self.client.session.clone(), self.id.clone());
        self.client
            .question::<v1::ReleaseTerminalResponse>(Method::TERMINAL_RELEASE, &request, false)
            .await?;
        self.released = true;
        Ok(())
    }
}

impl Drop for Terminal {
    fn drop(&mut self) {
        if !self.released {
            let shared = &self.client.shared;
            lock(&shared.terminals).push((self.client.session.clone(), self.id.clone()));
            shared.dropped.ring();
        }
    }
}
