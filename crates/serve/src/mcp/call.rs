//! A request to an MCP server that the client hosts, carried by the connection itself.

use std::{fmt, pin::Pin, sync::Arc};

use acp_vocab::{
    McpError, McpRequestId, McpServerAcpId, MessageMcpNotification, MessageMcpRequest,
    MessageMcpResponse, Method, Raw,
};
use serde::Serialize;
use tokio::sync::mpsc;

use crate::{
    client::Client,
    error::{AskError, Unsent},
    shared::{Shared, fresh, lock},
};

/// Notifications that wait for whoever made the request; more than that are dropped and counted.
const NOTICES: usize = 64;

/// Who hears what a server says while it works on a request.
#[derive(Debug, Clone)]
pub(crate) struct Inner {
    pub(crate) server: McpServerAcpId,
    pub(crate) notices: mpsc::Sender<MessageMcpNotification>,
}

type Asked = Pin<Box<dyn Future<Output = Result<MessageMcpResponse, AskError>> + Send>>;

/// A request to an MCP server that the client hosts (`mcp/message`). It goes out when it is first
/// waited for; dropping it withdraws it.
pub struct McpCall {
    id: McpRequestId,
    shared: Arc<Shared>,
    notices: mpsc::Receiver<MessageMcpNotification>,
    asked: Option<Asked>,
    answer: Option<Result<MessageMcpResponse, AskError>>,
}

impl fmt::Debug for McpCall {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("McpCall")
            .field("id", &self.id)
            .field("answered", &self.answer.is_some())
            .finish_non_exhaustive()
    }
}

impl Client {
    /// Sends a request to an MCP server that the client hosts, whose id is in
    /// [`McpServer::Hosted`](crate::McpServer::Hosted). `params` become a JSON object; `()` is none.
    ///
    /// ```
    /// # async fn f(turn: acp_serve::Turn, server: acp_vocab::McpServerAcpId)
    /// # -> Result<(), acp_serve::AskError> {
    /// let mut call = turn.client().mcp(&server, "tools/list", &())?;
    /// while let Some(notice) = call.next().await {
    ///     turn.think(notice.method).await?;
    /// }
    /// let answer = call.answer().await?;
    /// # drop(answer);
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// # Errors
    /// [`AskError::Unsent`] for params that are no object.
    pub fn mcp(
        &self,
        server: &McpServerAcpId,
        method: impl Into<Box<str>>,
        params: &impl Serialize,
    ) -> Result<McpCall, AskError> {
        let params = Raw::encode(params).map_err(|_| Unsent::NotJson)?;
        let id = McpRequestId::from(fresh("mcp"));
        let mut request = MessageMcpRequest::new(server.clone(), id.clone(), method);
        request.params = serde_json::from_str(params.get()).map_err(|_| Unsent::NotJson)?;
        let (sender, notices) = mpsc::channel(NOTICES);
        let inner = Inner {
            server: server.clone(),
            notices: sender,
        };
        lock(&self.shared.inner).insert(id.clone(), inner);
        let client = self.clone();
        Ok(McpCall {
            id,
            shared: Arc::clone(&self.shared),
            notices,
            asked: Some(Box::pin(async move {
                client.question(Method::MCP_MESSAGE, &request, false).await
            })),
            answer: None,
        })
    }
}

impl McpCall {
    /// What the server says meanwhile, progress for one; `None` once it has answered and everything
    /// that came before the answer was taken. Of more than 64 that nobody takes the rest is lost,
    /// and counted in [`Report::unheard`](crate::Report::unheard).
    pub async fn next(&mut self) -> Option<MessageMcpNotification> {
        let Some(asked) = &mut self.asked else {
            return self.notices.try_recv().ok();
        };
        tokio::select! {
            biased;
            notice = self.notices.recv() => notice,
            answer = asked => {
                self.asked = None;
                self.answer = Some(answer);
                self.notices.try_recv().ok()
            }
        }
    }

    /// What the server answered: a result, or an error of its own.
    ///
    /// # Errors
    /// [`AskError`]: the request did not reach it.
    pub async fn answer(mut self) -> Result<Result<Raw, McpError>, AskError> {
        while self.answer.is_none() {
            self.next().await;
        }
        match self.answer.take() {
            Some(Ok(MessageMcpResponse::Result { result, .. })) => Ok(Ok(result)),
            Some(Ok(MessageMcpResponse::Error { error, .. })) => Ok(Err(error)),
            Some(Err(error)) => Err(error),
            Some(Ok(_)) | None => Err(AskError::Malformed),
        }
    }
}

impl Drop for McpCall {
    fn drop(&mut self) {
        lock(&self.shared.inner).remove(&self.id);
    }
}
