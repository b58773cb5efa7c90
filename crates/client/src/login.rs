//! Whether an error means that nobody is logged in (any more).
//!
//! The protocol has a code for it, and agents do not always use it: a login that has expired comes as an internal error, with a
//! word in its data or a sentence in its message. So the code is looked at first, then the members that agents are known to fill
//! in, then a few sentences that mean nothing else. An error that only mentions keys, accounts or a login is not one of them.

use acp_vocab::{ErrorCode, ErrorObject};
use serde_json::Value;

/// The status of HTTP, which some agents hand on as the code of their error, or in its data.
const UNAUTHORIZED: i64 = 401;

/// Members that name the kind of an error, and the words in them that mean a login.
const KINDS: &[(&str, &str)] = &[
    ("errorKind", "authentication_failed"),
    ("errorKind", "auth_required"),
    ("codexErrorInfo", "unauthorized"),
    ("type", "authentication_error"),
    ("status", "UNAUTHENTICATED"),
    ("reason", "API_KEY_INVALID"),
    ("code", "token_expired"),
];

/// Members that hold a status of HTTP.
const STATUSES: &[&str] = &["code", "status", "statusCode", "httpStatusCode"];

/// Sentences, in small letters, that agents say when a person has to log in and at no other time.
const SENTENCES: &[&str] = &[
    "authentication required",
    "run /login",
    "please sign in again",
    "sign in again to continue",
    "oauth token has expired",
    "authentication token is expired",
    "not logged in",
    "not authenticated",
    "login expired",
    "login has expired",
];

/// How deep a member is looked for: the data of an error often wraps the answer of a server.
const DEPTH: usize = 6;
/// How much of a text is looked at.
const LOOKED_AT: usize = 16 * 1024;

/// Whether the agent says by this error that a person has to log in.
#[must_use]
pub(crate) fn is_wanted(error: &ErrorObject) -> bool {
    match error.code {
        ErrorCode::AUTH_REQUIRED => return true,
        code if i64::from(code.0) == UNAUTHORIZED => return true,
        // Only where the agent says no more than that it failed. Everything else has a meaning of its own.
        ErrorCode::INTERNAL_ERROR => {}
        code if (100..600).contains(&code.0) => {}
        _ => return false,
    }
    let data = error
        .data
        .as_ref()
        .filter(|data| data.get().len() <= LOOKED_AT)
        .and_then(|data| serde_json::from_str(data.get()).ok());
    says(&error.message) || data.is_some_and(|data| holds(&data, DEPTH))
}

/// Whether a text is such a sentence, or JSON that holds one: some agents hand on what their server said.
fn says(text: &str) -> bool {
    if text.len() > LOOKED_AT {
        return false;
    }
    if let Ok(value @ Value::Object(_)) = serde_json::from_str(text) {
        return holds(&value, DEPTH);
    }
    let small = text.to_lowercase();
    // The login that a server of tools wants is another one.
    !small.contains("mcp") && SENTENCES.iter().any(|sentence| small.contains(sentence))
}

fn holds(value: &Value, depth: usize) -> bool {
    let Some(depth) = depth.checked_sub(1) else {
        return false;
    };
    match value {
        Value::String(text) => says(text),
        Value::Array(items) => items.iter().any(|item| holds(item, depth)),
        Value::Object(members) => members.iter().any(|(name, value)| {
            let is_kind = value.as_str().is_some_and(|word| {
                KINDS
                    .iter()
                    .any(|(member, kind)| member == name && *kind == word)
            });
            let is_status =
                STATUSES.contains(&name.as_str()) && value.as_i64() == Some(UNAUTHORIZED);
            is_kind || is_status || holds(value, depth)
        }),
        Value::Null | Value::Bool(_) | Value::Number(_) => false,
    }
}

#[cfg(test)]
mod tests;
