//! Whether a request may be dealt with at all.

use serde_json::Value;

use super::Desk;
use crate::mock::{
    player::{Here, text},
    script::{Accepted, Script},
    shape::{Version, error},
};

/// Methods of version 1 and the capability without which they do not exist.
const ONE: &[(&str, &str)] = &[
    ("initialize", ""),
    ("authenticate", "authMethods"),
    ("logout", "auth.logout"),
    ("session/new", ""),
    ("session/load", "loadSession"),
    ("session/list", "sessionCapabilities.list"),
    ("session/resume", "sessionCapabilities.resume"),
    ("session/close", "sessionCapabilities.close"),
    ("session/delete", "sessionCapabilities.delete"),
    ("session/set_mode", ""),
    ("session/set_config_option", ""),
    ("session/prompt", ""),
    ("session/archive", "sessionCapabilities.archive"),
    ("session/unarchive", "sessionCapabilities.archive"),
    ("session/set_title", "sessionCapabilities.title"),
    ("session/status", "sessionCapabilities.status"),
    ("session/options", "sessionCapabilities.options"),
    ("auth/status", "auth.status"),
    ("providers/list", "providers"),
    ("providers/set", "providers"),
    ("providers/disable", "providers"),
];
/// Those of version 2.
const TWO: &[(&str, &str)] = &[
    ("initialize", ""),
    ("auth/login", "authMethods"),
    ("auth/logout", "authMethods"),
    ("session/new", "session"),
    ("session/list", "session"),
    ("session/resume", "session"),
    ("session/close", "session"),
    ("session/delete", "session.delete"),
    ("session/set_config_option", "session"),
    ("session/prompt", "session"),
    ("session/archive", "session.archive"),
    ("session/unarchive", "session.archive"),
    ("session/set_title", "session.title"),
    ("session/status", "session.status"),
    ("session/options", "session.options"),
    ("auth/status", "auth.status"),
    ("providers/list", "providers"),
    ("providers/set", "providers"),
    ("providers/disable", "providers"),
];
/// Those that open a session.
const SETUPS: [&str; 3] = ["session/new", "session/load", "session/resume"];
/// Those that name a session which need not be open.
const ANY_SESSION: [&str; 7] = [
    "session/load",
    "session/resume",
    "session/close",
    "session/archive",
    "session/unarchive",
    "session/set_title",
    "session/status",
];
/// Those whose name begins like that of a request about a session, and that need none.
const NO_SESSION: [&str; 4] = [
    "session/new",
    "session/list",
    "session/delete",
    "session/options",
];

impl Desk {
    /// Whether a request may be dealt with at all; the error when it may not.
    pub(crate) fn admit(&mut self, here: &Here, script: &Script) -> Result<(), String> {
        let accepts = |what| script.accepts.contains(&what);
        let method = here.method.as_str();
        if method == "initialize" {
            return Ok(());
        }
        if self.agreed.is_none() && !accepts(Accepted::AnyOrder) {
            return Err(error(-32600, "initialize comes first", ""));
        }
        self.in_use = true;
        let table = match self.version() {
            Version::One => ONE,
            Version::Two => TWO,
        };
        let known = table
            .iter()
            .any(|(name, gate)| *name == method && self.offers(gate));
        if !known && !accepts(Accepted::UnknownMethod) && !script.instead.contains_key(method) {
            return Err(error(-32601, "there is no such method", ""));
        }
        if SETUPS.contains(&method) {
            let cwd = here.params.get("cwd").and_then(Value::as_str);
            match cwd {
                None if !accepts(Accepted::BadParams) => {
                    return Err(error(-32602, "cwd is missing", ""));
                }
                Some(cwd)
                    if !std::path::Path::new(cwd).is_absolute()
                        && !accepts(Accepted::RelativeCwd) =>
                {
                    return Err(error(-32602, "cwd is not absolute", ""));
                }
                _ => {}
            }
        }
        if SETUPS.contains(&method)
            && self.version() == Version::Two
            && !accepts(Accepted::BadParams)
        {
            check_servers(&here.params, self.offers("session.mcp.acp"))?;
        }
        if SETUPS.contains(&method) && !accepts(Accepted::BadParams) {
            self.check_instructions(&here.params)?;
        }
        let names_session =
            known && method.starts_with("session/") && !NO_SESSION.contains(&method);
        if names_session && !accepts(Accepted::UnknownSession) {
            let must_be_open = !ANY_SESSION.contains(&method);
            let id = text(&here.params, "sessionId");
            let found = self
                .session(&id)
                .is_some_and(|session| session.is_open || !must_be_open);
            if !found {
                let data = format!(r#"{{"sessionId":{}}}"#, Value::from(id));
                return Err(error(-32002, "there is no such session", &data));
            }
        }
        if method == "session/prompt" && !accepts(Accepted::BadParams) {
            return self.check_prompt(&here.params);
        }
        Ok(())
    }

    /// Instructions of a host as far as they are declared.
    fn check_instructions(&self, params: &Value) -> Result<(), String> {
        let declared = match self.version() {
            Version::One => "sessionCapabilities.systemPrompt",
            Version::Two => "session.systemPrompt",
        };
        let needed = match params.pointer("/systemPrompt/mode").and_then(Value::as_str) {
            None => return Ok(()),
            Some("append") => declared.to_owned(),
            Some("override") => format!("{declared}.mode.override"),
            Some(_) => return Err(error(-32602, "systemPrompt has an unknown mode", "")),
        };
        if self.offers(&needed) {
            Ok(())
        } else {
            Err(error(-32602, "systemPrompt is not supported", ""))
        }
    }

    fn check_prompt(&self, params: &Value) -> Result<(), String> {
        let blocks = params.get("prompt").and_then(Value::as_array);
        let Some(blocks) = blocks.filter(|blocks| !blocks.is_empty()) else {
            return Err(error(-32602, "prompt is no list of blocks", ""));
        };
        let prompt = match self.version() {
            Version::One => "promptCapabilities",
            Version::Two => "session.prompt",
        };
        for block in blocks {
            let gate = match text(block, "type").as_str() {
                "text" | "resource_link" => continue,
                "image" => "image",
                "audio" => "audio",
                "resource" => "embeddedContext",
                _ => return Err(error(-32602, "prompt holds an unknown block", "")),
            };
            if !self.offers(&format!("{prompt}.{gate}")) {
                return Err(error(
                    -32602,
                    "prompt holds a block that is not supported",
                    "",
                ));
            }
        }
        Ok(())
    }
}

/// Version 2: servers for tools are of a type that is declared, and their names differ.
fn check_servers(params: &Value, hosted: bool) -> Result<(), String> {
    let servers = params.get("mcpServers").and_then(Value::as_array);
    let mut names = Vec::new();
    for server in servers.into_iter().flatten() {
        let name = text(server, "name");
        let kind = text(server, "type");
        let known = kind == "stdio" || (kind == "acp" && hosted);
        if !known || names.contains(&name) {
            return Err(error(-32602, "mcpServers cannot be taken", ""));
        }
        names.push(name);
    }
    Ok(())
}
