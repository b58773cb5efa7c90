//! The proper answers, from what is kept.

use serde_json::Value;

use super::{Desk, OPTIONS, Reply, Session};
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

    /// Opens a session and sets the options that the request names; where one cannot be set there
    /// is no session.
    fn open_set(&mut self, here: &Here, script: &Script) -> Result<String, String> {
        let opened = self.open(here, script);
        let values = here.params.get("configOptions").and_then(Value::as_array);
        let Some(values) = values else {
            return Ok(opened);
        };
        let at = self.sessions.len() - 1;
        for value in values {
            let set = self.set_at(at, &text(value, "configId"), &text(value, "value"));
            if let Err(refusal) = set {
                self.sessions.truncate(at);
                return Err(refusal);
            }
        }
        let id = self.sessions.get(at).map(|session| session.id.clone());
        let id = Value::from(id.unwrap_or_default());
        Ok(format!(r#"{{"sessionId":{id},{}}}"#, self.setup(at)))
    }

    fn open(&mut self, here: &Here, script: &Script) -> String {
        self.opened += 1;
        let id = format!("s{}", self.opened);
        let shown = script
            .session
            .clone()
            .unwrap_or_else(|| Value::from(id.as_str()).to_string());
        self.sessions.push(Session {
            id: serde_json::from_str(&shown).unwrap_or(id),
            cwd: text(&here.params, "cwd"),
            is_open: true,
            is_archived: false,
            title: None,
            history: Vec::new(),
            values: ["code", "small", "low"],
        });
        let setup = self.setup(self.sessions.len() - 1);
        format!(r#"{{"sessionId":{shown},{setup}}}"#)
    }

    /// Opens a session again, and says how it is set.
    fn reopen(&mut self, here: &Here) -> String {
        if let Some(session) = self.session(&here.session) {
            session.is_open = true;
        }
        let at = self
            .sessions
            .iter()
            .position(|session| session.id == here.session);
        format!("{{{}}}", self.setup(at.unwrap_or(usize::MAX)))
    }

    /// The members that show how the session at this place is set.
    fn setup(&self, at: usize) -> String {
        let values = self
            .sessions
            .get(at)
            .map_or(["code", "small", "low"], |session| session.values);
        let [mode, model, effort] = values;
        let options = self.version().options(mode, model, effort);
        let modes = match self.version() {
            Version::One => format!(
                r#""modes":{{"currentModeId":"{mode}","availableModes":[{{"id":"code","name":"Code"}},{{"id":"ask","name":"Ask"}}]}},"#
            ),
            Version::Two => String::new(),
        };
        format!(r#"{modes}"configOptions":{options}"#)
    }

    fn history(&self, id: &str) -> Vec<String> {
        let version = self.version();
        let session = self.sessions.iter().find(|session| session.id == id);
        let turns = session.map(|session| session.history.as_slice());
        turns
            .unwrap_or_default()
            .iter()
            .enumerate()
            .flat_map(|(turn, (prompt, answer))| {
                let number = turn + 1;
                [
                    version.whole("user_message", &format!("u{number}"), prompt),
                    version.whole("agent_message", &format!("a{number}"), answer),
                ]
            })
            .collect()
    }

    fn resume(&mut self, here: &Here, updates: &mut Vec<String>) -> Result<String, String> {
        if self.version() == Version::One {
            return Ok(self.reopen(here));
        }
        match here.params.get("replayFrom") {
            None | Some(Value::Null) => {}
            Some(from) if text(from, "type") == "start" => {
                *updates = self.history(&here.session);
                updates.push(String::from(r#"{"sessionUpdate":"replay_complete"}"#));
            }
            Some(_) => return Err(error(-32602, "there is no such place to replay from", "")),
        }
        updates.push(String::from(
            r#"{"sessionUpdate":"state_update","state":"idle"}"#,
        ));
        Ok(self.reopen(here))
    }

    fn list(&self, params: &Value) -> Result<String, String> {
        if params.get("cursor").is_some_and(|cursor| !cursor.is_null()) {
            return Err(error(-32602, "there is no such page", ""));
        }
        let wanted = params.get("cwd").and_then(Value::as_str);
        let rows: Vec<String> = self
            .sessions
            .iter()
            .filter(|session| wanted.is_none_or(|cwd| cwd == session.cwd))
            .filter(|session| match text(params, "archived").as_str() {
                "include" => true,
                "only" => session.is_archived,
                _ => !session.is_archived,
            })
            .map(|session| {
                let (id, cwd) = (
                    Value::from(session.id.as_str()),
                    Value::from(session.cwd.as_str()),
                );
                let title = session.title.as_deref().map(Value::from);
                let title = title.map_or_else(String::new, |title| format!(r#","title":{title}"#));
                format!(r#"{{"sessionId":{id},"cwd":{cwd}{title}}}"#)
            })
            .collect();
        Ok(format!(r#"{{"sessions":[{}]}}"#, rows.join(",")))
    }

    fn set(&mut self, here: &Here, option: &str, value: &str) -> Result<String, String> {
        let known = self
            .sessions
            .iter()
            .position(|session| session.id == here.session);
        let at = known.unwrap_or(usize::MAX);
        self.set_at(at, option, value)?;
        if here.method == "session/set_mode" {
            return Ok(String::from("{}"));
        }
        let values = self.sessions.get(at).map(|session| session.values);
        let [mode, model, effort] = values.unwrap_or(["code", "small", "low"]);
        let options = self.version().options(mode, model, effort);
        Ok(format!(r#"{{"configOptions":{options}}}"#))
    }

    /// Sets an option of the session at this place.
    fn set_at(&mut self, session: usize, option: &str, value: &str) -> Result<(), String> {
        let Some(at) = OPTIONS.iter().position(|(name, _)| *name == option) else {
            return Err(error(-32602, "there is no such option", ""));
        };
        let values = OPTIONS
            .get(at)
            .map(|(_, values)| values)
            .into_iter()
            .flatten();
        let Some(value) = values.copied().find(|known| *known == value) else {
            return Err(error(-32602, "there is no such value", ""));
        };
        if let Some(session) = self.sessions.get_mut(session)
            && let Some(current) = session.values.get_mut(at)
        {
            *current = value;
        }
        Ok(())
    }
}
