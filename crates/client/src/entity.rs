//! Cancelling one tool call or one terminal, and not the turn (v2 section 6.7).

use acp_vocab::{Method, TerminalId, ToolCallId, v2};

use crate::{budget::Budget, error::RequestError, noted::Entity, session::Session};

impl Session {
    /// Asks the agent to cancel one tool call. Its answer means that it will try: the proof is the
    /// tool call's final status.
    ///
    /// # Errors
    /// [`RequestError::Unsupported`] unless the latest event of the tool call that was read says
    /// that it can be cancelled; [`RequestError::NotAdvertised`] in v1.
    pub async fn cancel_tool_call(&self, tool_call: &ToolCallId) -> Result<(), RequestError> {
        self.require_cancel(
            Method::TOOL_CALL_CANCEL,
            Entity::Tool(tool_call.clone()),
            "cancelling this tool call",
            "toolCall.capabilities.cancel",
        )?;
        let params = v2::CancelToolCallRequest::new(self.id().clone(), tool_call.clone());
        self.call_within(
            Method::TOOL_CALL_CANCEL.name(),
            &params,
            &Budget::defaults(),
        )
        .await?;
        Ok(())
    }

    /// Asks the agent to end one terminal. The proof is the terminal's exit status.
    ///
    /// # Errors
    /// As [`cancel_tool_call`](Self::cancel_tool_call).
    pub async fn cancel_terminal(&self, terminal: &TerminalId) -> Result<(), RequestError> {
        self.require_cancel(
            Method::TERMINAL_CANCEL,
            Entity::Terminal(terminal.clone()),
            "cancelling this terminal",
            "terminal.capabilities.cancel",
        )?;
        let params = v2::CancelTerminalRequest::new(self.id().clone(), terminal.clone());
        self.call_within(Method::TERMINAL_CANCEL.name(), &params, &Budget::defaults())
            .await?;
        Ok(())
    }

    fn require_cancel(
        &self,
        method: Method,
        entity: Entity,
        what: &'static str,
        capability: &'static str,
    ) -> Result<(), RequestError> {
        self.require(method)?;
        let can = self
            .shared()
            .noted(|noted| noted.is_cancellable(self.id(), entity));
        if can {
            Ok(())
        } else {
            Err(RequestError::Unsupported { what, capability })
        }
    }
}
