//! What every request that opens a session says, in the words of the version that was agreed.

use std::fmt;

use acp_handshake::Agreement;
use acp_session::UsageError;
use acp_vocab::{
    CursorId, Meta, SessionId, SystemPrompt, SystemPromptMode, v1,
    v2::{self, ReplayFrom, ReplayFromStart},
};
use serde::Serialize;

use crate::error::RequestError;

/// What a host says of a session that it opens.
#[derive(Clone)]
pub(crate) struct Setup {
    pub(crate) session: Option<SessionId>,
    pub(crate) cwd: Box<str>,
    pub(crate) servers: Vec<v1::McpServer>,
    pub(crate) directories: Vec<Box<str>>,
    pub(crate) system_prompt: Option<SystemPrompt>,
    pub(crate) cursor: Option<CursorId>,
    pub(crate) meta: Option<Meta>,
}

/// What a host may say of a session, whichever way it is opened: the methods of every builder that
/// has a `setup` and `wishes`.
macro_rules! words_of_a_session {
    () => {
        /// MCP servers that the agent shall connect to: the full list, since nothing is restored.
        pub fn tools(
            mut self,
            servers: impl IntoIterator<Item = acp_vocab::v1::McpServer>,
        ) -> Self {
            self.setup.servers.extend(servers);
            self
        }

        /// One more root beside the working directory, absolute: of a stored session, too, nothing is
        /// restored.
        pub fn directory(mut self, path: impl Into<Box<str>>) -> Self {
            self.setup.directories.push(path.into());
            self
        }

        /// Instructions for the agent. Those that a stored session was made with are not restored.
        pub fn system_prompt(mut self, prompt: acp_vocab::SystemPrompt) -> Self {
            self.setup.system_prompt = Some(prompt);
            self
        }

        /// Model, effort, mode and options to put in force before it is handed out. Agents forget
        /// those of a stored session.
        pub fn choosing(mut self, wishes: acp_thinking::Wishes) -> Self {
            self.wishes = wishes;
            self
        }

        /// Metadata of the request.
        pub fn meta(mut self, meta: acp_vocab::Meta) -> Self {
            self.setup.meta = Some(meta);
            self
        }
    };
}
pub(crate) use words_of_a_session;

/// The members, which both versions spell alike but for the servers.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Params<'a> {
    #[serde(skip_serializing_if = "Option::is_none")]
    session_id: Option<&'a SessionId>,
    cwd: &'a str,
    mcp_servers: Servers<'a>,
    #[serde(skip_serializing_if = "<[_]>::is_empty")]
    additional_directories: &'a [Box<str>],
    #[serde(skip_serializing_if = "Option::is_none")]
    system_prompt: Option<&'a SystemPrompt>,
    #[serde(skip_serializing_if = "Option::is_none")]
    cursor_id: Option<&'a CursorId>,
    #[serde(skip_serializing_if = "Option::is_none")]
    replay_from: Option<ReplayFrom>,
    #[serde(rename = "_meta", skip_serializing_if = "Option::is_none")]
    meta: Option<&'a Meta>,
}

#[derive(Debug, Serialize)]
#[serde(untagged)]
enum Servers<'a> {
    V1(&'a [v1::McpServer]),
    V2(Vec<v2::McpServer>),
}

impl fmt::Debug for Setup {
    /// Without paths, instructions and what servers are given: debug output ends in logs.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Setup")
            .field("session", &self.session)
            .field("servers", &self.servers.len())
            .field("directories", &self.directories.len())
            .finish_non_exhaustive()
    }
}

impl Setup {
    pub(crate) const fn new(session: Option<SessionId>, cwd: Box<str>) -> Self {
        Self {
            session,
            cwd,
            servers: Vec::new(),
            directories: Vec::new(),
            system_prompt: None,
            cursor: None,
            meta: None,
        }
    }

    /// The params; `replay` asks for the history where that is said in the params (v2).
    ///
    /// # Errors
    /// [`UsageError::NotAbsolute`] for a relative path; [`RequestError::Unsupported`] for what the
    /// agent did not advertise (v1 section 5.3, v2 section 7).
    pub(crate) fn params(
        &self,
        agreement: &Agreement,
        replay: bool,
    ) -> Result<Params<'_>, RequestError> {
        absolute("cwd", &self.cwd)?;
        for (index, directory) in self.directories.iter().enumerate() {
            absolute(&format!("additionalDirectories[{index}]"), directory)?;
        }
        let gate = Gate {
            agreement,
            v1: agreement.version().0 < 2,
        };
        if !self.directories.is_empty() {
            gate.need(
                "an additional directory",
                "sessionCapabilities.additionalDirectories",
                "session.additionalDirectories",
            )?;
        }
        match self.system_prompt.as_ref().map(|prompt| &prompt.mode) {
            None => {}
            Some(SystemPromptMode::Append) => gate.need(
                "a system prompt",
                "sessionCapabilities.systemPrompt",
                "session.systemPrompt",
            )?,
            Some(_) => gate.need(
                "a system prompt in place of the agent's",
                "sessionCapabilities.systemPrompt.mode.override",
                "session.systemPrompt.mode.override",
            )?,
        }
        for server in &self.servers {
            gate.server(server)?;
        }
        let mcp_servers = if gate.v1 {
            Servers::V1(&self.servers)
        } else {
            Servers::V2(self.servers.iter().filter_map(in_v2).collect())
        };
        Ok(Params {
            session_id: self.session.as_ref(),
            cwd: &self.cwd,
            mcp_servers,
            additional_directories: &self.directories,
            system_prompt: self.system_prompt.as_ref(),
            cursor_id: self.cursor.as_ref(),
            replay_from: (replay && !gate.v1).then(|| ReplayFrom::Start(ReplayFromStart::new())),
            meta: self.meta.as_ref(),
        })
    }
}

/// Refuses a relative path. An agent may live on another system, so a path is absolute that is so
/// on any: from the root, from a drive, or of a share.
pub(crate) fn absolute(member: &str, path: &str) -> Result<(), UsageError> {
    let is_absolute = match path.as_bytes() {
        [b'/', ..] | [b'\\', b'\\', ..] => true,
        [drive, b':', b'/' | b'\\', ..] => drive.is_ascii_alphabetic(),
        _ => false,
    };
    if is_absolute {
        Ok(())
    } else {
        Err(UsageError::NotAbsolute {
            member: member.into(),
        })
    }
}

/// What the agent advertised.
struct Gate<'a> {
    agreement: &'a Agreement,
    v1: bool,
}

impl Gate<'_> {
    fn need(
        &self,
        what: &'static str,
        at_v1: &'static str,
        at_v2: &'static str,
    ) -> Result<(), RequestError> {
        let capability = if self.v1 { at_v1 } else { at_v2 };
        if self.agreement.advertises(capability) {
            Ok(())
        } else {
            Err(RequestError::Unsupported { what, capability })
        }
    }

    fn server(&self, server: &v1::McpServer) -> Result<(), RequestError> {
        match server {
            v1::McpServer::Http(_) => {
                self.need("an HTTP server", "mcpCapabilities.http", "session.mcp.http")
            }
            // v2 has no such transport, so no agent can advertise it there.
            v1::McpServer::Sse(_) => {
                self.need("an SSE server", "mcpCapabilities.sse", "session.mcp.sse")
            }
            v1::McpServer::Acp(_) => {
                self.need("a hosted server", "mcpCapabilities.acp", "session.mcp.acp")
            }
            // Every v1 agent starts programs; in v2 it has to say so.
            v1::McpServer::Stdio(_) if self.v1 => Ok(()),
            v1::McpServer::Stdio(_) => self.need(
                "a server of its own",
                "mcpCapabilities",
                "session.mcp.stdio",
            ),
            v1::McpServer::Unknown { .. } | _ => Ok(()),
        }
    }
}

/// The same server in the words of v2, where every one has its tag.
fn in_v2(server: &v1::McpServer) -> Option<v2::McpServer> {
    Some(match server {
        v1::McpServer::Stdio(stdio) => {
            let mut there = v2::McpServerStdio::new(stdio.name.clone(), stdio.command.clone());
            there.args.clone_from(&stdio.args);
            there.env.clone_from(&stdio.env);
            there.meta.clone_from(&stdio.meta);
            v2::McpServer::Stdio(there)
        }
        v1::McpServer::Http(http) => {
            let mut there = v2::McpServerHttp::new(http.name.clone(), http.url.clone());
            there.headers.clone_from(&http.headers);
            there.meta.clone_from(&http.meta);
            v2::McpServer::Http(there)
        }
        v1::McpServer::Acp(acp) => v2::McpServer::Acp(acp.clone()),
        v1::McpServer::Unknown { tag, raw } => v2::McpServer::Unknown {
            tag: tag.clone(),
            raw: raw.clone(),
        },
        // Refused before.
        v1::McpServer::Sse(_) | _ => return None,
    })
}
