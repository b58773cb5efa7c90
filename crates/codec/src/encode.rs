//! Messages to lines. Every function appends exactly one line to `out`: one JSON object without a
//! raw newline or carriage return in it, then `\n`; it returns the bytes appended, newline
//! included. When it fails, `out` is as it was before.
//!
//! Params that serialise to null (`()` and `None` do) are left out: absent and null mean the same
//! and absent is canonical. No function here takes a peer's line, so no answer can echo one.

use acp_vocab::{ErrorObject, RequestId};
use memchr::memchr2;
use serde::Serialize;

use crate::{error::EncodeError, message::Message};

/// Appends a request. Pass `&()` for no params.
///
/// # Errors
/// When `params` cannot be written as JSON.
pub fn request(
    out: &mut Vec<u8>,
    id: &RequestId,
    method: &str,
    params: &(impl Serialize + ?Sized),
) -> Result<usize, EncodeError> {
    line(out, |out| {
        member(out, ID, id)?;
        member(out, METHOD, method)?;
        optional_member(out, PARAMS, params)
    })
}

/// Appends a notification. Pass `&()` for no params.
///
/// # Errors
/// When `params` cannot be written as JSON.
pub fn notification(
    out: &mut Vec<u8>,
    method: &str,
    params: &(impl Serialize + ?Sized),
) -> Result<usize, EncodeError> {
    line(out, |out| {
        member(out, METHOD, method)?;
        optional_member(out, PARAMS, params)
    })
}

/// Appends the answer to a request. A result of `&()` is `null`.
///
/// # Errors
/// When `result` cannot be written as JSON.
pub fn result(
    out: &mut Vec<u8>,
    id: &RequestId,
    result: &(impl Serialize + ?Sized),
) -> Result<usize, EncodeError> {
    line(out, |out| {
        member(out, ID, id)?;
        member(out, RESULT, result)
    })
}

/// Appends the refusal of a request: code, message and, if there is any, data.
///
/// # Errors
/// None that an [`ErrorObject`] can cause.
pub fn error(out: &mut Vec<u8>, id: &RequestId, error: &ErrorObject) -> Result<usize, EncodeError> {
    line(out, |out| {
        member(out, ID, id)?;
        member(out, ERROR, error)
    })
}

/// Appends a message that was decoded, as a proxy does: canonical, whatever it looked like.
///
/// # Errors
/// [`EncodeError::Malformed`] for a reply that is none.
pub fn message(out: &mut Vec<u8>, message: &Message<'_>) -> Result<usize, EncodeError> {
    match message {
        Message::Request { id, method, params } => request(out, id, method, params),
        Message::Notification { method, params } => notification(out, method, params),
        Message::Response {
            id,
            outcome: Ok(value),
        } => result(out, id, value),
        Message::Response {
            id,
            outcome: Err(refusal),
        } => error(out, id, refusal),
        Message::Malformed { .. } => Err(EncodeError::Malformed),
    }
}

/// Lets `encode` append to `out` and takes it back when that was more than `limit` bytes, newline
/// included.
///
/// # Errors
/// [`EncodeError::TooLong`], or what `encode` says.
pub fn within(
    limit: usize,
    out: &mut Vec<u8>,
    encode: impl FnOnce(&mut Vec<u8>) -> Result<usize, EncodeError>,
) -> Result<usize, EncodeError> {
    let start = out.len();
    let len = encode(out)?;
    if len > limit {
        out.truncate(start);
        return Err(EncodeError::TooLong { len, limit });
    }
    Ok(len)
}

const ID: &[u8] = br#","id":"#;
const METHOD: &[u8] = br#","method":"#;
const PARAMS: &[u8] = br#","params":"#;
const RESULT: &[u8] = br#","result":"#;
const ERROR: &[u8] = br#","error":"#;

fn line(
    out: &mut Vec<u8>,
    members: impl FnOnce(&mut Vec<u8>) -> serde_json::Result<()>,
) -> Result<usize, EncodeError> {
    let start = out.len();
    out.extend_from_slice(br#"{"jsonrpc":"2.0""#);
    if let Err(error) = members(out) {
        out.truncate(start);
        return Err(EncodeError::Value(error));
    }
    out.push(b'}');
    flatten(out.get_mut(start..).unwrap_or_default());
    out.push(b'\n');
    Ok(out.len() - start)
}

fn member(
    out: &mut Vec<u8>,
    name: &[u8],
    value: &(impl Serialize + ?Sized),
) -> serde_json::Result<()> {
    out.extend_from_slice(name);
    serde_json::to_writer(out, value)
}

fn optional_member(
    out: &mut Vec<u8>,
    name: &[u8],
    value: &(impl Serialize + ?Sized),
) -> serde_json::Result<()> {
    let start = out.len();
    member(out, name, value)?;
    if out.get(start + name.len()..) == Some(b"null") {
        out.truncate(start);
    }
    Ok(())
}

/// Raw JSON goes out as it came, and somebody may have printed it over several lines. JSON has no
/// line break inside a string, so every one is white space, and a space does as well.
fn flatten(mut json: &mut [u8]) {
    while let Some(at) = memchr2(b'\n', b'\r', json) {
        let Some((upto, rest)) = json.split_at_mut_checked(at + 1) else {
            return;
        };
        if let Some(last) = upto.last_mut() {
            *last = b' ';
        }
        json = rest;
    }
}
