//! From the raw JSON of a body to its type, once more when half a surrogate pair was in the way.

use serde::de::DeserializeOwned;
use serde_json::value::RawValue;

use crate::{error::BodyError, text::repair_surrogates};

/// Decodes `params`, a `result` or any other raw JSON. When that fails and the text escapes half
/// a surrogate pair, it is tried once more on a copy that has U+FFFD there;
/// [`Frame::lone_surrogates`](crate::Frame::lone_surrogates) counts them.
///
/// # Errors
/// When the JSON does not have the shape of `T`.
pub fn decode_body<T: DeserializeOwned>(json: &RawValue) -> Result<T, BodyError> {
    serde_json::from_str(json.get()).or_else(|error| match repair_surrogates(json.get()) {
        None => Err(BodyError::new(error)),
        Some(repaired) => serde_json::from_str(&repaired.text).map_err(BodyError::new),
    })
}
