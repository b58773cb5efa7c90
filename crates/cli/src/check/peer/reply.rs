//! The answer to a request, and what can be expected of it.

use serde_json::Value;

use crate::check::verdict::Stop;

/// The answer to a request.
#[derive(Debug, Clone)]
pub(crate) struct Reply {
    pub(crate) json: Value,
    /// What was asked.
    pub(super) what: String,
}

impl Reply {
    /// The result.
    pub(crate) fn ok(self) -> Result<Value, Stop> {
        match self.code() {
            Some(code) => Err(Stop::fail(format!(
                "{} was refused with error {code}",
                self.what
            ))),
            None => self
                .json
                .get("result")
                .cloned()
                .ok_or_else(|| Stop::fail(format!("the answer to {} has no result", self.what))),
        }
    }

    /// The code of the error.
    pub(crate) fn refused(&self) -> Result<i64, Stop> {
        self.code()
            .ok_or_else(|| Stop::fail(format!("{} was accepted", self.what)))
    }

    /// Whether it was refused with one of these codes.
    pub(crate) fn refused_with(&self, codes: &[i64]) -> Result<(), Stop> {
        let code = self.refused()?;
        if codes.contains(&code) {
            return Ok(());
        }
        let wanted: Vec<String> = codes.iter().map(ToString::to_string).collect();
        Err(Stop::fail(format!(
            "{} was refused with error {code} and not with {}",
            self.what,
            wanted.join(" or ")
        )))
    }

    /// The code, when it is an error.
    pub(crate) fn code(&self) -> Option<i64> {
        self.json.get("error")?.get("code")?.as_i64()
    }

    /// Whether the agent wants a login or a key.
    pub(crate) fn wants_key(&self) -> bool {
        match self.code() {
            Some(-32000 | 401 | 403) => true,
            Some(_) => {
                let said = self.json.pointer("/error/message").and_then(Value::as_str);
                let said = said.unwrap_or_default().to_ascii_lowercase();
                ["api key", "api_key", "log in", "login", "authenticat"]
                    .iter()
                    .any(|word| said.contains(word))
            }
            None => false,
        }
    }
}
