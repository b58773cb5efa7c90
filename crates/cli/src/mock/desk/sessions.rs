//! The sessions that it keeps: opened, reopened, listed, told again, set.

use serde_json::Value;

use super::{Desk, OPTIONS, Session};
use crate::mock::{
    player::{Here, text},
    script::Script,
    shape::{Version, error},
};

impl Desk {
    /// Opens a session and sets the options that the request names; where one cannot be set there
    /// is no session.
    pub(super) fn open_set(&mut self, here: &Here, script: &Script) -> Result<String, String> {
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
    pub(super) fn reopen(&mut self, here: &Here) -> String {
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
    pub(super) fn setup(&self, at: usize) -> String {
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

    pub(super) fn history(&self, id: &str) -> Vec<String> {
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

    pub(super) fn resume(
        &mut self,
        here: &Here,
        updates: &mut Vec<String>,
    ) -> Result<String, String> {
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

    pub(super) fn list(&self, params: &Value) -> Result<String, String> {
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

    pub(super) fn set(&mut self, here: &Here, option: &str, value: &str) -> Result<String, String> {
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
