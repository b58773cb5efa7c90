//! What a client says, and who deals with it.

use std::{collections::VecDeque, sync::Arc};

use serde_json::Value;

use super::{Here, Over, Player, text};
use crate::mock::{
    script::{Accepted, Ignored},
    shape::{Version, error},
};

impl Player {
    pub(super) fn take(&mut self, line: &[u8]) -> Result<(), Over> {
        if let Some(report) = &mut self.report {
            report.line(line);
        }
        if line.is_empty() {
            return Ok(());
        }
        let message = match serde_json::from_slice::<Value>(line) {
            Ok(Value::Object(message)) => message,
            Ok(_) => return self.garbage(-32600, "not a message"),
            Err(_) => return self.garbage(-32700, "not JSON"),
        };
        let member = |name: &str| message.get(name).cloned();
        let id = member("id");
        let Some(method) = member("method") else {
            if let Some(asked) = id
                .as_ref()
                .and_then(Value::as_u64)
                .and_then(|id| self.asked.get_mut(&id))
                && (message.contains_key("result") || message.contains_key("error"))
            {
                *asked = true;
                return Ok(());
            }
            return if message.contains_key("result") || message.contains_key("error") {
                Ok(())
            } else {
                self.garbage(-32600, "neither a request nor a response")
            };
        };
        let (Some(method), true) = (
            method.as_str(),
            member("jsonrpc").is_some_and(|version| version == "2.0"),
        ) else {
            return self.garbage(-32600, "not JSON-RPC 2.0");
        };
        let params = member("params").unwrap_or_default();
        let is_id = |id: &Value| match id {
            Value::String(_) => true,
            Value::Number(number) => number.is_i64() || number.is_u64(),
            Value::Null => self.desk.version() == Version::One,
            _ => false,
        };
        if !id.as_ref().is_none_or(is_id) {
            return self.garbage(-32600, "no id");
        }
        match id {
            None => self.notified(method, &params),
            Some(id) => self.requested(method, id.to_string(), params),
        }
    }

    /// Cancels the turn of a session; `false` when none runs.
    pub(super) fn cancel(&mut self, session: &str) -> bool {
        let turn = self
            .turns
            .iter_mut()
            .find(|(running, _)| running == session);
        match turn {
            Some((_, cancelled)) => {
                *cancelled = true;
                true
            }
            None => false,
        }
    }

    pub(super) fn is_cancelled(&self, session: &str) -> bool {
        self.turns
            .iter()
            .any(|(running, cancelled)| running == session && *cancelled)
    }

    pub(super) fn garbage(&mut self, code: i32, message: &str) -> Result<(), Over> {
        if self.accepts(Accepted::Garbage) {
            return Ok(());
        }
        let script = Arc::clone(&self.script);
        if !script.garbage.is_empty() {
            return self.steps(&script.garbage, &mut Here::default());
        }
        let json = format!(
            r#"{{"jsonrpc":"2.0","id":null,"error":{}}}"#,
            error(code, message, "")
        );
        Ok(self.out.message(&json)?)
    }

    pub(super) fn notified(&mut self, method: &str, params: &Value) -> Result<(), Over> {
        let session = text(params, "sessionId");
        if method == "session/cancel" {
            self.cancel(&session);
            if !self.script.ignores.contains(&Ignored::Cancel) {
                let (dropped, kept) = std::mem::take(&mut self.held)
                    .into_iter()
                    .partition(|(_, params)| text(params, "sessionId") == session);
                self.held = kept;
                let dropped: VecDeque<(String, Value)> = dropped;
                for (id, _) in dropped {
                    self.drop_prompt(&id)?;
                }
            }
        }
        if method == "$/cancel_request" {
            let withdrawn = params.get("requestId").map(Value::to_string);
            let at = self
                .held
                .iter()
                .position(|(id, _)| Some(id) == withdrawn.as_ref());
            if let Some((id, _)) = at.and_then(|at| self.held.remove(at)) {
                self.drop_prompt(&id)?;
            }
        }
        let script = Arc::clone(&self.script);
        let mut here = Here {
            method: method.to_owned(),
            session,
            ..Here::default()
        };
        for part in [&script.before, &script.instead, &script.after] {
            if let Some(steps) = part.get(method) {
                self.steps(steps, &mut here)?;
            }
        }
        Ok(())
    }

    /// A prompt that waited is not to begin any more.
    pub(super) fn drop_prompt(&mut self, id: &str) -> Result<(), Over> {
        let outcome = error(-32800, "cancelled before it began", "");
        Ok(self.out.answer(id, &format!("\"error\":{outcome}"))?)
    }

    pub(super) fn requested(
        &mut self,
        method: &str,
        id: String,
        params: Value,
    ) -> Result<(), Over> {
        let is_prompt = method == "session/prompt";
        let script = Arc::clone(&self.script);
        let named = text(&params, "sessionId");
        if method == "session/close" && self.cancel(&named) {
            self.closing.push_back((id, params));
            return Ok(());
        }
        if is_prompt && self.turns.iter().any(|(running, _)| *running == named) {
            if !script.busy.is_empty() {
                let mut here = Here {
                    id: Some(id),
                    ..Here::default()
                };
                return self.steps(&script.busy, &mut here);
            }
            if self.desk.version() == Version::Two {
                self.held.push_back((id, params));
                return Ok(());
            }
            let refusal = error(-32600, "a turn of this session is running", "");
            return Ok(self.out.answer(&id, &format!("\"error\":{refusal}"))?);
        }
        let session = match params.get("sessionId").and_then(Value::as_str) {
            Some(session) => session.to_owned(),
            None => self.desk.next_session(),
        };
        let mut here = Here {
            method: method.to_owned(),
            id: Some(id),
            params,
            session,
            ..Here::default()
        };
        if let Err(refusal) = self.desk.admit(&here, &script) {
            self.steps(
                script.before.get(method).map_or(&[], Vec::as_slice),
                &mut here,
            )?;
            return self.refuse(&mut here, &refusal);
        }
        if is_prompt {
            self.turns.push((here.session.clone(), false));
            self.note("turn");
        }
        for (part, is_answer) in [
            (&script.before, false),
            (&script.instead, true),
            (&script.after, false),
        ] {
            match part.get(method) {
                Some(steps) => self.steps(steps, &mut here)?,
                None if is_answer => self.properly(&mut here)?,
                None => {}
            }
            if is_prompt && is_answer {
                self.turns.pop();
                here.over = false;
            }
        }
        while is_prompt && let Some((id, params)) = self.closing.pop_front() {
            self.requested("session/close", id, params)?;
        }
        if is_prompt && let Some((id, params)) = self.held.pop_front() {
            return self.requested(method, id, params);
        }
        Ok(())
    }
}
