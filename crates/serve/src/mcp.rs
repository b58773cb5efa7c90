//! The MCP servers that a client wants a session to have, and which of them it may have.

mod call;

use std::{collections::BTreeSet, path::Path};

use acp_vocab::{ErrorObject, McpServerAcp, McpServerAcpId, v1, v2};

use crate::refusal::invalid;

pub(crate) use self::call::Inner;
pub use self::call::McpCall;

/// An MCP server of a session: the same words for both versions.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub enum McpServer {
    /// A command to start.
    #[non_exhaustive]
    Stdio {
        /// Its name.
        name: Box<str>,
        /// The command.
        command: Box<str>,
        /// Its arguments.
        args: Vec<Box<str>>,
        /// Variables to set.
        env: Vec<(Box<str>, Box<str>)>,
    },
    /// A server over HTTP.
    #[non_exhaustive]
    Http {
        /// Its name.
        name: Box<str>,
        /// Where it is.
        url: Box<str>,
        /// Headers to send.
        headers: Vec<(Box<str>, Box<str>)>,
    },
    /// A server that the client itself hosts; [`Client::mcp`](crate::Client::mcp) talks to it.
    #[non_exhaustive]
    Hosted {
        /// Its name.
        name: Box<str>,
        /// What the client calls it on this connection.
        id: McpServerAcpId,
    },
}

impl McpServer {
    /// A command to start.
    pub fn stdio(name: impl Into<Box<str>>, command: impl Into<Box<str>>, args: &[&str]) -> Self {
        Self::Stdio {
            name: name.into(),
            command: command.into(),
            args: args.iter().map(|arg| Box::from(*arg)).collect(),
            env: Vec::new(),
        }
    }

    /// A server over HTTP.
    pub fn http(name: impl Into<Box<str>>, url: impl Into<Box<str>>) -> Self {
        Self::Http {
            name: name.into(),
            url: url.into(),
            headers: Vec::new(),
        }
    }

    /// A server that the client hosts, as an approved one is written: by its name. The id is the
    /// client's.
    pub fn hosted(name: impl Into<Box<str>>) -> Self {
        Self::Hosted {
            name: name.into(),
            id: McpServerAcpId::from(""),
        }
    }

    /// Its name.
    #[must_use]
    pub fn name(&self) -> &str {
        match self {
            Self::Stdio { name, .. } | Self::Http { name, .. } | Self::Hosted { name, .. } => name,
        }
    }

    /// Whether it brings values that may be credentials.
    fn has_secrets(&self) -> bool {
        match self {
            Self::Stdio { env, .. } => !env.is_empty(),
            Self::Http { url, headers, .. } => {
                // User and password in an address, or a token in its query.
                let authority = url.split_once("://").map_or(&**url, |(_, rest)| rest);
                let authority = authority.split(['/', '?', '#']).next().unwrap_or_default();
                !headers.is_empty() || authority.contains('@') || url.contains('?')
            }
            Self::Hosted { .. } => false,
        }
    }
}

/// Which MCP servers a client may give a session.
#[derive(Debug, Clone, Default, PartialEq)]
#[non_exhaustive]
pub enum McpPolicy {
    /// Those that the agent has the transport for; it is told of all of them.
    #[default]
    FromClient,
    /// Only these, exactly as they stand here: name, command, arguments, address. Anything else, and
    /// anything that brings variables or headers, is refused with `-32602`. The approved entry is
    /// what the agent gets, with its variables and headers.
    Approved(Vec<McpServer>),
}

/// The transports beside stdio that the agent can use.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(crate) struct McpTransports {
    pub(crate) stdio: bool,
    pub(crate) http: bool,
    pub(crate) hosted: bool,
}

impl McpPolicy {
    pub(crate) fn admit(
        &self,
        wanted: Vec<McpServer>,
        transports: McpTransports,
    ) -> Result<Vec<McpServer>, ErrorObject> {
        let mut names = BTreeSet::new();
        let mut admitted = Vec::with_capacity(wanted.len());
        for server in wanted {
            if !names.insert(server.name().to_owned()) {
                return Err(invalid("mcpServers: two have the same name"));
            }
            match server {
                McpServer::Http { .. } if !transports.http => {
                    return Err(invalid("mcpServers: http is not offered by this agent"));
                }
                McpServer::Hosted { .. } if !transports.hosted => {
                    return Err(invalid(
                        "mcpServers: servers that the client hosts are not offered by this agent",
                    ));
                }
                McpServer::Stdio { .. } | McpServer::Http { .. } | McpServer::Hosted { .. } => {}
            }
            admitted.push(match self {
                Self::FromClient => server,
                Self::Approved(approved) => choose(approved, &server)?,
            });
        }
        Ok(admitted)
    }
}

fn choose(approved: &[McpServer], wanted: &McpServer) -> Result<McpServer, ErrorObject> {
    if wanted.has_secrets() {
        return Err(invalid(
            "mcpServers: variables, headers and credentials are not taken from a client",
        ));
    }
    approved
        .iter()
        .find(|known| same(known, wanted))
        .map(|known| match known {
            // The client's own, under the id that it has today.
            McpServer::Hosted { .. } => wanted.clone(),
            McpServer::Stdio { .. } | McpServer::Http { .. } => known.clone(),
        })
        .ok_or_else(|| invalid("mcpServers: not one of the approved servers"))
}

/// Whether both are the same server, whatever credentials the approved one has.
fn same(known: &McpServer, wanted: &McpServer) -> bool {
    match (known, wanted) {
        (
            McpServer::Stdio {
                name: a,
                command: b,
                args: c,
                ..
            },
            McpServer::Stdio {
                name,
                command,
                args,
                ..
            },
        ) => a == name && b == command && c == args,
        (
            McpServer::Http {
                name: a, url: b, ..
            },
            McpServer::Http { name, url, .. },
        ) => a == name && b == url,
        (McpServer::Hosted { name: a, .. }, McpServer::Hosted { name, .. }) => a == name,
        (McpServer::Stdio { .. } | McpServer::Http { .. } | McpServer::Hosted { .. }, _) => false,
    }
}

fn hosted(server: McpServerAcp) -> McpServer {
    McpServer::Hosted {
        name: server.name,
        id: server.server_id,
    }
}

pub(crate) fn from_v1(servers: Vec<v1::McpServer>) -> Result<Vec<McpServer>, ErrorObject> {
    servers
        .into_iter()
        .map(|server| match server {
            v1::McpServer::Stdio(stdio) => Ok(McpServer::Stdio {
                name: stdio.name,
                command: stdio.command,
                args: stdio.args,
                env: pairs(stdio.env),
            }),
            v1::McpServer::Http(http) => Ok(McpServer::Http {
                name: http.name,
                url: http.url,
                headers: http
                    .headers
                    .into_iter()
                    .map(|header| (header.name, header.value))
                    .collect(),
            }),
            v1::McpServer::Acp(server) => Ok(hosted(server)),
            v1::McpServer::Sse(_) | v1::McpServer::Unknown { .. } | _ => Err(invalid(
                "mcpServers: this transport is not offered by this agent",
            )),
        })
        .collect()
}

pub(crate) fn from_v2(servers: Vec<v2::McpServer>) -> Result<Vec<McpServer>, ErrorObject> {
    servers
        .into_iter()
        .map(|server| match server {
            v2::McpServer::Stdio(stdio) if !Path::new(&*stdio.command).is_absolute() => {
                Err(invalid("mcpServers: the command must be an absolute path"))
            }
            v2::McpServer::Stdio(stdio) => Ok(McpServer::Stdio {
                name: stdio.name,
                command: stdio.command,
                args: stdio.args,
                env: pairs(stdio.env),
            }),
            v2::McpServer::Http(http) => Ok(McpServer::Http {
                name: http.name,
                url: http.url,
                headers: http
                    .headers
                    .into_iter()
                    .map(|header| (header.name, header.value))
                    .collect(),
            }),
            v2::McpServer::Acp(server) => Ok(hosted(server)),
            v2::McpServer::Unknown { .. } | _ => Err(invalid(
                "mcpServers: this transport is not offered by this agent",
            )),
        })
        .collect()
}

fn pairs(variables: Vec<acp_vocab::EnvVariable>) -> Vec<(Box<str>, Box<str>)> {
    variables
        .into_iter()
        .map(|variable| (variable.name, variable.value))
        .collect()
}
