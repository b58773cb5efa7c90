//! An agent on the official SDK that floods its client: a prompt with the text `N` sends N updates.
use agent_client_protocol::v1::schema::{
    AgentCapabilities, ContentBlock, ContentChunk, InitializeRequest, InitializeResponse, ListSessionsRequest,
    ListSessionsResponse, NewSessionRequest, NewSessionResponse, PromptRequest, PromptResponse, SessionCapabilities,
    SessionListCapabilities, SessionNotification, SessionUpdate, StopReason, TextContent,
};
use agent_client_protocol::{Agent, Result, Stdio};
use bench_runner::frames::chunk_text;

fn main() -> Result<()> {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().expect("a runtime");
    runtime.block_on(
        Agent
            .v1()
            .on_receive_request(
                async move |request: InitializeRequest, responder, _cx| {
                    let sessions = SessionCapabilities::new().list(SessionListCapabilities::new());
                    responder.respond(
                        InitializeResponse::new(request.protocol_version)
                            .agent_capabilities(AgentCapabilities::new().session_capabilities(sessions)),
                    )
                },
                agent_client_protocol::on_receive_request!(),
            )
            .on_receive_request(
                async move |_: NewSessionRequest, responder, _cx| responder.respond(NewSessionResponse::new("s1")),
                agent_client_protocol::on_receive_request!(),
            )
            .on_receive_request(
                async move |_: ListSessionsRequest, responder, _cx| responder.respond(ListSessionsResponse::new(vec![])),
                agent_client_protocol::on_receive_request!(),
            )
            .on_receive_request(
                async move |request: PromptRequest, responder, cx| {
                    let count: u64 = match request.prompt.first() {
                        Some(ContentBlock::Text(text)) => text.text.parse().unwrap_or_default(),
                        _ => 0,
                    };
                    let connection = cx.clone();
                    cx.spawn(async move {
                        for i in 0..count {
                            let chunk = ContentChunk::new(ContentBlock::Text(TextContent::new(chunk_text(i))));
                            let update = SessionUpdate::AgentMessageChunk(chunk);
                            connection.send_notification(SessionNotification::new(request.session_id.clone(), update))?;
                        }
                        responder.respond(PromptResponse::new(StopReason::EndTurn))
                    })
                },
                agent_client_protocol::on_receive_request!(),
            )
            .connect_to(Stdio::new()),
    )
}
