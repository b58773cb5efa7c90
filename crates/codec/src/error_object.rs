//! The `error` member of a response: code, message and data as they came.

use std::borrow::Cow;

use acp_vocab::{ErrorCode, ErrorObject};

use crate::{
    fault::{Fault, JsonKind},
    members::{members, present},
    text::unquote,
};

/// Reads an error that is not null.
///
/// The code is what makes it an error; a message that is absent is empty, and one that is no
/// string is kept as the JSON it is. `data` is any JSON, of any depth; null means absent.
pub(crate) fn read_error(json: &str) -> Result<ErrorObject, Fault> {
    let kind = JsonKind::of(json);
    if kind != JsonKind::Object {
        return Err(Fault::Error(kind));
    }
    let [code, message, data] =
        members(json, ["code", "message", "data"]).map_err(|_| Fault::NotJson)?;
    let code = read_code(code.ok_or(Fault::NoCode)?.get())?;
    let message = present(message).unwrap_or_default();
    let message = unquote(message).unwrap_or(Cow::Borrowed(message));
    let mut error = ErrorObject::new(code, message);
    error.data = data
        .filter(|data| data.get() != "null")
        .map(ToOwned::to_owned);
    Ok(error)
}

fn read_code(json: &str) -> Result<ErrorCode, Fault> {
    let is_integer = json
        .bytes()
        .all(|byte| byte == b'-' || byte.is_ascii_digit());
    match json.parse() {
        Ok(code) => Ok(ErrorCode(code)),
        Err(_) if is_integer => Err(Fault::CodeRange),
        Err(_) => Err(Fault::Code(JsonKind::of(json))),
    }
}
