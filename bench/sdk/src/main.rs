//! The official Rust SDK as client of the blasting agent: `bench-sdk CASE N [first|last] BLASTER`.
use agent_client_protocol::schema::ProtocolVersion;
use agent_client_protocol::v1::ConnectionTo;
use agent_client_protocol::v1::schema::{
    ContentBlock, InitializeRequest, NewSessionRequest, PermissionOptionKind, PromptRequest, RequestPermissionOutcome,
    RequestPermissionRequest, RequestPermissionResponse, SelectedPermissionOutcome, SessionNotification, SessionUpdate,
    SetSessionModeRequest, TextContent, ToolCallContent,
};
use agent_client_protocol::{AcpAgent, Agent, AcpAgentConfig, ByteStreams, Client};
use bench_runner::{blaster, frames::Digest, meter};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};
use tokio_util::io::SyncIoBridge;
use tokio_util::compat::{TokioAsyncReadCompatExt, TokioAsyncWriteCompatExt};

#[global_allocator]
static COUNTING: meter::Counting = meter::Counting;

fn main() {
    let args: Vec<String> = std::env::args().skip(1).collect();
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().expect("a runtime");
    runtime.block_on(run(&args));
}

struct Seen {
    digest: Digest,
    throttle_until: Option<Instant>,
}

async fn run(args: &[String]) {
    let (case, count) = (args[0].as_str(), args[1].parse::<u64>().expect("a number"));
    let order = args[2].clone();
    let scene: Vec<String> = match case {
        "roundtrip" => vec!["roundtrip".into()],
        "permission" => vec!["permission".into(), count.to_string()],
        "big" => vec!["big".into(), count.to_string()],
        _ => vec!["updates".into(), count.to_string(), order],
    };
    let seen = Arc::new(Mutex::new(Seen { digest: Digest::default(), throttle_until: None }));
    let sink = Arc::clone(&seen);
    let builder = Client
        .v1()
        .on_receive_notification(
            async move |notification: SessionNotification, _cx| {
                let until = {
                    let mut seen = sink.lock().expect("not poisoned");
                    match &notification.update {
                        SessionUpdate::AgentMessageChunk(chunk) => {
                            if let ContentBlock::Text(text) = &chunk.content {
                                seen.digest.add(&text.text);
                            }
                        }
                        SessionUpdate::ToolCallUpdate(update) => {
                            for item in update.fields.content.iter().flatten() {
                                if let ToolCallContent::Content(content) = item
                                    && let ContentBlock::Text(text) = &content.content
                                {
                                    seen.digest.add(&text.text);
                                }
                            }
                        }
                        _ => {}
                    }
                    seen.throttle_until
                };
                if until.is_some_and(|until| Instant::now() < until) {
                    tokio::time::sleep(Duration::from_millis(1)).await;
                }
                Ok(())
            },
            agent_client_protocol::on_receive_notification!(),
        )
        .on_receive_request(
            async move |request: RequestPermissionRequest, responder, _cx| {
                let id = request
                    .options
                    .iter()
                    .find(|option| option.kind == PermissionOptionKind::AllowOnce)
                    .map(|option| option.option_id.clone())
                    .expect("an option that allows");
                responder.respond(RequestPermissionResponse::new(RequestPermissionOutcome::Selected(
                    SelectedPermissionOutcome::new(id),
                )))
            },
            agent_client_protocol::on_receive_request!(),
        );
    let case = case.to_owned();
    let main = async move |connection: ConnectionTo<Agent>| {
        connection.send_request(InitializeRequest::new(ProtocolVersion::V1)).block_task().await?;
        let session = connection.send_request(NewSessionRequest::new("/")).block_task().await?.session_id;
        if case == "slow" {
            seen.lock().expect("not poisoned").throttle_until = Some(Instant::now() + Duration::from_secs(20));
        }
        let meter = meter::Meter::start();
        if case == "roundtrip" {
            let mut micros = Vec::with_capacity(count as usize);
            for i in 0..count {
                let start = Instant::now();
                let mode = if i % 2 == 0 { "b" } else { "a" };
                connection.send_request(SetSessionModeRequest::new(session.clone(), mode)).block_task().await?;
                micros.push(start.elapsed().as_micros() as u64);
            }
            meter.report(count, (0, 0), Some(meter::percentiles(&mut micros)));
        } else {
            let text = ContentBlock::Text(TextContent::new("go"));
            connection.send_request(PromptRequest::new(session, vec![text])).block_task().await?;
            let digest = seen.lock().expect("not poisoned").digest;
            meter.report(count, digest.finish(), None);
        }
        Ok(())
    };
    let result = if args[3] == "pipe" {
        let (client, agent) = tokio::io::duplex(64 * 1024);
        let (read, write) = tokio::io::split(agent);
        let handle = tokio::runtime::Handle::current();
        let scene = blaster::Scene::parse(&scene).expect("a scene");
        std::thread::spawn(move || {
            let input = SyncIoBridge::new_with_handle(read, handle.clone());
            let output = SyncIoBridge::new_with_handle(write, handle);
            blaster::serve(scene, input, output)
        });
        let (read, write) = tokio::io::split(client);
        let transport = ByteStreams::new(write.compat_write(), read.compat());
        builder.connect_with(transport, main).await
    } else {
        builder.connect_with(AcpAgent::new(AcpAgentConfig::new(&args[3]).args(scene)), main).await
    };
    result.expect("the run ends well");
}
