//! What a session was opened with, in words.

use std::path::PathBuf;

use agent_client_protocol::v1::schema::*;

/// Servers, directories and instructions, each in order.
pub(super) fn given(
    servers: &[McpServer],
    directories: &[PathBuf],
    system: Option<&SystemPrompt>,
) -> String {
    let servers = servers.iter().map(|server| match server {
        McpServer::Stdio(server) => {
            let env = server
                .env
                .iter()
                .map(|set| format!("{}={}", set.name, set.value));
            let words = env
                .chain(server.args.iter().cloned())
                .collect::<Vec<_>>()
                .join(" ");
            format!("stdio {} {} {words}", server.name, server.command.display())
        }
        McpServer::Http(server) => {
            let headers = server
                .headers
                .iter()
                .map(|set| format!("{}={}", set.name, set.value));
            format!(
                "http {} {} {}",
                server.name,
                server.url,
                headers.collect::<Vec<_>>().join(" ")
            )
        }
        other => format!("{other:?}"),
    });
    let directories = directories
        .iter()
        .map(|dir| format!("in {}", dir.display()));
    let system = system.map(|system| {
        let said = system.content.iter().map(|block| match block {
            ContentBlock::Text(text) => text.text.as_str(),
            _ => "?",
        });
        let how = match system.mode {
            SystemPromptMode::Append => "append",
            SystemPromptMode::Override => "override",
            _ => "?",
        };
        format!("{how} {}", said.collect::<String>())
    });
    servers
        .chain(directories)
        .chain(system)
        .collect::<Vec<_>>()
        .join("; ")
}
