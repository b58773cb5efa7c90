//! The answer to a request, and what can be expected of it.

use serde_json::Value;

use crate::check::verdict::Stop;

/// What is said of a request that should not have succeeded.
const ACCEPTED: &str = "was answered with a result, and should have been refused with";

/// A code with the name that the protocol gives it.
fn named(code: i64) -> String {
    let name = match code {
        -32700 => "parse error",
        -32600 => "invalid request",
        -32601 => "method not found",
        -32602 => "invalid params",
        -32603 => "internal error",
        -32800 => "request cancelled",
        -32000 => "authentication required",
        -32002 => "not found",
        -32022 => "unsupported protocol version",
        _ => return code.to_string(),
    };
    format!("{code} ({name})")
}

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
                "{} was refused with error {}, and should have been answered with a result",
                self.what,
                named(code)
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
            .ok_or_else(|| Stop::fail(format!("{} {ACCEPTED} an error", self.what)))
    }

    /// Whether it was refused with one of these codes.
    pub(crate) fn refused_with(&self, codes: &[i64]) -> Result<(), Stop> {
        let wanted: Vec<String> = codes.iter().map(|code| named(*code)).collect();
        let wanted = wanted.join(" or ");
        match self.code() {
            Some(code) if codes.contains(&code) => Ok(()),
            Some(code) => Err(Stop::fail(format!(
                "{} was refused with error {}, and should have been refused with error {wanted}",
                self.what,
                named(code)
            ))),
            None => Err(Stop::fail(format!(
                "{} {ACCEPTED} error {wanted}",
                self.what
            ))),
        }
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
