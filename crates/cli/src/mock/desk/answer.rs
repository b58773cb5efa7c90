//! The proper answers, from what is kept.

use serde_json::Value;

use super::{Desk, Reply};
use crate::mock::{
    player::{Here, text},
    script::{Accepted, Script},
    shape::{Version, error},
};

impl Desk {
    /// The proper answer to a request that was admitted.
    pub(crate) fn reply(&mut self, here: &Here, script: &Script) -> Reply {
        let mut updates = Vec::new();
        let outcome = match here.method.as_str() {
            "initialize" => self.initialize(here, script),
            "authenticate" | "auth/login" => self.login(&here.params),
            "session/new" => self.open_set(here, script),
            "session/load" => {
                updates = self.history(&here.session);
                Ok(self.reopen(here))
            }
            "session/resume" => self.resume(here, &mut updates),
            "session/list" => self.list(&here.params),
            "session/set_mode" => self.set(here, "mode", &text(&here.params, "modeId")),
            "session/set_config_option" => {
                let (option, value) = (text(&here.params, "configId"), text(&here.params, "value"));
                self.set(here, &option, &value)
            }
            "session/close" => {
                if let Some(session) = self.session(&here.session) {
                    session.is_open = false;
                }
                Ok(String::from("{}"))
            }
            "session/delete" => {
                self.sessions.retain(|session| session.id != here.session);
                Ok(String::from("{}"))
            }
            "session/archive" | "session/unarchive" => {
                let archived = here.method == "session/archive";
                if let Some(session) = self.session(&here.session) {
                    session.is_archived = archived;
                }
                Ok(String::from("{}"))
            }
            "session/set_title" => {
                let title = text(&here.params, "title");
                if let Some(session) = self.session(&here.session) {
                    session.title = Some(title.clone());
                }
                Ok(format!(r#"{{"title":{}}}"#, Value::from(title)))
            }
            "session/status" => Ok(self.status(here)),
            "session/options" => Ok(format!("{{{}}}", self.setup(usize::MAX))),
            "auth/status" => Ok(String::from(r#"{"state":"not_required"}"#)),
            "providers/list" => Ok(String::from(
                r#"{"providers":[{"providerId":"own","supported":["anthropic"],"required":true}]}"#,
            )),
            "providers/set" | "providers/disable" => Err(error(-32602, "it cannot be set", "")),
            "logout" | "auth/logout" => Ok(String::from("{}")),
            _ => Ok(String::from("null")),
        };
        Reply { updates, outcome }
    }

    fn initialize(&self, here: &Here, script: &Script) -> Result<String, String> {
        let lenient = script.accepts.contains(&Accepted::BadParams);
        let requested = match here.params.get("protocolVersion").and_then(Value::as_u64) {
            Some(requested) if requested <= u64::from(u16::MAX) => requested,
            _ if lenient => u64::MAX,
            _ => return Err(error(-32602, "protocolVersion is no version", "")),
        };
        if self.in_use {
            return Err(error(-32600, "the connection is in use", ""));
        }
        let supported: Vec<u8> = self
            .versions
            .iter()
            .map(|version| version.number())
            .collect();
        let unsupported = || {
            let data = format!(r#"{{"requested":{requested},"supported":{supported:?}}}"#);
            error(-32022, "there is no such version here", &data)
        };
        let version = self.choose(requested).ok_or_else(unsupported)?;
        if self.agreed == Some(Version::Two) && version == Version::One {
            return Err(error(-32600, "version 2 is agreed", ""));
        }
        if requested == 2
            && version == Version::Two
            && here.params.get("info").is_none()
            && !lenient
        {
            return Err(error(-32602, "info is missing", ""));
        }
        let index = usize::from(version == Version::Two);
        let json =
            |values: &[Value; 2]| values.get(index).map(Value::to_string).unwrap_or_default();
        let number = script
            .version
            .clone()
            .unwrap_or_else(|| version.number().to_string());
        Ok(version.initialized(
            &number,
            &json(&self.capabilities),
            &json(&self.auth_methods),
        ))
    }

    fn login(&self, params: &Value) -> Result<String, String> {
        let wanted = text(params, "methodId");
        let methods = self
            .auth_methods
            .get(self.index())
            .and_then(Value::as_array);
        let found = methods
            .into_iter()
            .flatten()
            .any(|method| [text(method, "id"), text(method, "methodId")].contains(&wanted));
        if found && !wanted.is_empty() {
            Ok(String::from("{}"))
        } else {
            Err(error(-32602, "there is no such method to log in", ""))
        }
    }

    fn status(&mut self, here: &Here) -> String {
        let version = self.version();
        let open = self
            .session(&here.session)
            .is_some_and(|session| session.is_open);
        let state = match version {
            Version::Two if open => r#","state":{"state":"idle"}"#,
            Version::One | Version::Two => "",
        };
        let status = if open { "open" } else { "saved" };
        format!(r#"{{"status":"{status}"{state}}}"#)
    }
}
