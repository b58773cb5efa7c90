//! Tool servers that a person has declared and trusts: read from a file's text, checked as a whole.
//!
//! Such a file names programs that the agent will start, so it is strict where other JSON of this
//! crate is lenient, and its errors name a rule and a place and never what stands there.

mod error;

use std::{collections::BTreeSet, fmt, path::Component, path::Path};

use acp_vocab::{EnvVariable, HttpHeader, v1};
use serde::{
    Deserialize,
    de::{Deserializer, MapAccess, Visitor},
};
use serde_json::value::RawValue;

pub use self::error::{ToolsError, ToolsRule};

/// Bytes of a declaration.
pub(crate) const MAX_BYTES: usize = 64 * 1024;
/// Servers in it.
pub(crate) const MAX_SERVERS: usize = 8;
/// Arguments, variables or headers of one server.
const MAX_ITEMS: usize = 64;
/// Bytes of a path, an argument or a URL.
const MAX_TEXT: usize = 4096;
/// Bytes of the name of a server, a variable or a header.
const MAX_NAME: usize = 64;
/// Bytes of the value of a variable or a header.
const MAX_VALUE: usize = 8 * 1024;

/// Variables with which a program can be made another one.
const LOADER: [&str; 2] = ["LD_", "DYLD_"];

/// Reads a declaration of tool servers: `{"mcpServers": {"name": {...}}}`, or a list of servers
/// that say their `name` themselves.
///
/// A server is `{"command", "args"?, "env"?}` or `{"type": "http", "url", "headers"?}`; `env` and
/// `headers` are objects, or lists of `{"name", "value"}`. At most 64 KiB and 8 servers with names
/// of their own. Names that begin with `acp` or `_` are reserved. Commands are absolute paths
/// without `..`; nothing is searched, and no shell reads them. Variables of the dynamic loader
/// (`LD_`, `DYLD_`) and of this program (`ACP_`) cannot be set. Whether the agent takes such
/// servers is checked where a session is opened, before anything is sent.
///
/// # Errors
/// [`ToolsError`]: the first rule that is broken. Nothing is taken then.
///
/// # Examples
/// ```
/// use acp_client::{ToolsRule, declared_tools};
///
/// let servers = declared_tools(br#"{"mcpServers":{"files":{"command":"/usr/bin/files-mcp"}}}"#)?;
/// assert_eq!(servers.len(), 1);
///
/// let error = declared_tools(br#"{"mcpServers":{"files":{"command":"files-mcp"}}}"#).unwrap_err();
/// assert_eq!(error.rule(), ToolsRule::NotAbsolute);
/// assert_eq!(error.to_string(), "tool server 1: its command is not an absolute path of a program");
/// # Ok::<(), acp_client::ToolsError>(())
/// ```
pub fn declared_tools(text: &[u8]) -> Result<Vec<v1::McpServer>, ToolsError> {
    if text.len() > MAX_BYTES {
        return Err(ToolsError::whole(ToolsRule::TooLarge));
    }
    let raw: &RawValue =
        serde_json::from_slice(text).map_err(|_| ToolsError::whole(ToolsRule::NotJson))?;
    let named = entries(raw)?;
    if named.len() > MAX_SERVERS {
        return Err(ToolsError::whole(ToolsRule::TooMany));
    }
    let mut names = BTreeSet::new();
    let mut servers = Vec::with_capacity(named.len());
    for (index, (name, server)) in named.into_iter().enumerate() {
        let at = |rule| ToolsError {
            server: Some(index + 1),
            rule,
        };
        let (name, server) = server_of(name, server).map_err(at)?;
        if !names.insert(name.to_lowercase()) {
            return Err(at(ToolsRule::SameName));
        }
        servers.push(server);
    }
    Ok(servers)
}

/// The servers with the names that a map gives them.
fn entries(raw: &RawValue) -> Result<Vec<(Option<String>, &RawValue)>, ToolsError> {
    let bad_form = |_| ToolsError::whole(ToolsRule::BadForm);
    let list = |raw: &RawValue| raw.get().starts_with('[');
    let servers = if list(raw) {
        raw
    } else {
        let members: Pairs<&RawValue> = serde_json::from_str(raw.get()).map_err(bad_form)?;
        match &members.pairs()?[..] {
            [(name, servers)] if name == "mcpServers" => *servers,
            _ => return Err(ToolsError::whole(ToolsRule::BadForm)),
        }
    };
    if list(servers) {
        let items: Vec<&RawValue> = serde_json::from_str(servers.get()).map_err(bad_form)?;
        return Ok(items.into_iter().map(|server| (None, server)).collect());
    }
    let members: Pairs<&RawValue> = serde_json::from_str(servers.get()).map_err(bad_form)?;
    let pairs = members.pairs()?;
    Ok(pairs
        .into_iter()
        .map(|(name, server)| (Some(name), server))
        .collect())
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Declared<'a> {
    name: Option<String>,
    #[serde(rename = "type")]
    kind: Option<String>,
    command: Option<String>,
    args: Option<Vec<String>>,
    #[serde(borrow)]
    env: Option<&'a RawValue>,
    url: Option<String>,
    #[serde(borrow)]
    headers: Option<&'a RawValue>,
}

fn server_of(name: Option<String>, raw: &RawValue) -> Result<(String, v1::McpServer), ToolsRule> {
    let declared: Declared<'_> = serde_json::from_str(raw.get()).map_err(|error| {
        // Its texts are fixed up to the name, which is not repeated.
        if error.to_string().starts_with("unknown field") {
            ToolsRule::UnknownMember
        } else {
            ToolsRule::BadServer
        }
    })?;
    let name = match (name, &declared.name) {
        (Some(key), Some(own)) if key != *own => return Err(ToolsRule::BadName),
        (Some(name), _) => name,
        (None, own) => own.clone().ok_or(ToolsRule::BadName)?,
    };
    check_name(&name)?;
    let kind = declared.kind.as_deref();
    let server = match (kind, &declared.command, &declared.url) {
        (None | Some("stdio"), Some(command), None) if declared.headers.is_none() => {
            v1::McpServer::Stdio(stdio(&name, command, &declared)?)
        }
        (Some("http" | "streamable-http"), None, Some(url))
            if declared.args.is_none() && declared.env.is_none() =>
        {
            v1::McpServer::Http(http(&name, url, &declared)?)
        }
        (None | Some("stdio" | "http" | "streamable-http"), _, _) => {
            return Err(ToolsRule::BadServer);
        }
        _ => return Err(ToolsRule::BadType),
    };
    Ok((name, server))
}

fn check_name(name: &str) -> Result<(), ToolsRule> {
    let proper = |c: char| c.is_ascii_alphanumeric() || matches!(c, '_' | '-' | '.' | ' ');
    if name.trim().is_empty()
        || name.trim() != name
        || name.len() > MAX_NAME
        || !name.chars().all(proper)
    {
        return Err(ToolsRule::BadName);
    }
    let lower = name.to_lowercase();
    let reserved = lower.starts_with('_')
        || lower
            .strip_prefix("acp")
            .is_some_and(|rest| !rest.starts_with(|c: char| c.is_ascii_alphabetic()));
    if reserved {
        return Err(ToolsRule::ReservedName);
    }
    Ok(())
}

fn stdio(
    name: &str,
    command: &str,
    declared: &Declared<'_>,
) -> Result<v1::McpServerStdio, ToolsRule> {
    let path = Path::new(command);
    let climbs = path.components().any(|part| part == Component::ParentDir);
    if !path.is_absolute()
        || climbs
        || path.file_name().is_none()
        || command.len() > MAX_TEXT
        || command.chars().any(char::is_control)
    {
        return Err(ToolsRule::NotAbsolute);
    }
    let args = declared.args.clone().unwrap_or_default();
    let unusable = |arg: &String| arg.len() > MAX_TEXT || arg.contains('\0');
    if args.len() > MAX_ITEMS || args.iter().any(unusable) {
        return Err(ToolsRule::BadArguments);
    }
    let mut server = v1::McpServerStdio::new(name, command);
    server.args = args.into_iter().map(Into::into).collect();
    let variables = pairs_of(declared.env).ok_or(ToolsRule::BadEnvironment)?;
    let mut seen = BTreeSet::new();
    for (name, value) in variables {
        let proper = |c: char| c.is_ascii_alphanumeric() || c == '_';
        if name.is_empty()
            || name.len() > MAX_NAME
            || name.starts_with(|c: char| c.is_ascii_digit())
            || !name.chars().all(proper)
            || value.len() > MAX_VALUE
            || value.contains('\0')
            || !seen.insert(name.clone())
        {
            return Err(ToolsRule::BadEnvironment);
        }
        let upper = name.to_uppercase();
        if upper.starts_with("ACP_") || LOADER.iter().any(|prefix| upper.starts_with(prefix)) {
            return Err(ToolsRule::ReservedVariable);
        }
        server.env.push(EnvVariable::new(name, value));
    }
    Ok(server)
}

fn http(name: &str, url: &str, declared: &Declared<'_>) -> Result<v1::McpServerHttp, ToolsRule> {
    let rest = url
        .strip_prefix("https://")
        .or_else(|| url.strip_prefix("http://"))
        .ok_or(ToolsRule::BadUrl)?;
    let authority = rest.split(['/', '?', '#']).next().unwrap_or_default();
    if authority.is_empty()
        || authority.starts_with(':')
        || authority.contains('@')
        || url.len() > MAX_TEXT
        || url.chars().any(|c| c.is_control() || c.is_whitespace())
    {
        return Err(ToolsRule::BadUrl);
    }
    let mut server = v1::McpServerHttp::new(name, url);
    for (name, value) in pairs_of(declared.headers).ok_or(ToolsRule::BadHeaders)? {
        let token = |c: char| c.is_ascii_alphanumeric() || "!#$%&'*+-.^_`|~".contains(c);
        if name.is_empty()
            || name.len() > MAX_NAME
            || !name.chars().all(token)
            || value.len() > MAX_VALUE
            || value.chars().any(char::is_control)
        {
            return Err(ToolsRule::BadHeaders);
        }
        server.headers.push(HttpHeader::new(name, value));
    }
    Ok(server)
}

/// Names and values, written as an object or as a list of `{"name", "value"}`.
fn pairs_of(raw: Option<&RawValue>) -> Option<Vec<(String, String)>> {
    #[derive(Deserialize)]
    #[serde(deny_unknown_fields)]
    struct Pair {
        name: String,
        value: String,
    }
    let Some(raw) = raw else {
        return Some(Vec::new());
    };
    let pairs: Vec<(String, String)> = if raw.get().starts_with('[') {
        let list: Vec<Pair> = serde_json::from_str(raw.get()).ok()?;
        list.into_iter()
            .map(|pair| (pair.name, pair.value))
            .collect()
    } else {
        let members: Pairs<String> = serde_json::from_str(raw.get()).ok()?;
        members.pairs().ok()?
    };
    (pairs.len() <= MAX_ITEMS).then_some(pairs)
}

/// The members of an object in their order; none may be there twice.
struct Pairs<T>(Vec<(String, T)>);

impl<T> Pairs<T> {
    fn pairs(self) -> Result<Vec<(String, T)>, ToolsError> {
        let mut seen = BTreeSet::new();
        if self.0.iter().all(|(name, _)| seen.insert(name.as_str())) {
            Ok(self.0)
        } else {
            Err(ToolsError::whole(ToolsRule::NotJson))
        }
    }
}

impl<'de, T: Deserialize<'de>> Deserialize<'de> for Pairs<T> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Members<T>(std::marker::PhantomData<T>);

        impl<'de, T: Deserialize<'de>> Visitor<'de> for Members<T> {
            type Value = Vec<(String, T)>;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("an object")
            }

            fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Self::Value, A::Error> {
                let mut pairs = Vec::new();
                while let Some(pair) = map.next_entry()? {
                    pairs.push(pair);
                }
                Ok(pairs)
            }
        }

        deserializer
            .deserialize_map(Members(std::marker::PhantomData))
            .map(Self)
    }
}
