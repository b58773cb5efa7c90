//! From the raw JSON of a body to its type, once more when a lone surrogate was in the way.

use std::fmt;

use serde::de::DeserializeOwned;
use serde_json::value::RawValue;

use crate::{error::BodyError, text::repair_surrogates};

/// A decoded body.
#[derive(Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Body<T> {
    /// What it says.
    pub value: T,
    /// Escapes of half a surrogate pair that were read as U+FFFD.
    pub repaired: usize,
}

impl<T> fmt::Debug for Body<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Body")
            .field("repaired", &self.repaired)
            .finish_non_exhaustive()
    }
}

/// Decodes `params`, a `result` or any other raw JSON. When that fails and the text escapes half
/// a surrogate pair, it is tried once more on a copy that has U+FFFD there.
///
/// # Errors
/// When the JSON does not have the shape of `T`.
pub fn decode_body<T: DeserializeOwned>(json: &RawValue) -> Result<Body<T>, BodyError> {
    let error = match serde_json::from_str(json.get()) {
        Ok(value) => return Ok(Body { value, repaired: 0 }),
        Err(error) => error,
    };
    let Some(repaired) = repair_surrogates(json.get()) else {
        return Err(BodyError::new(error));
    };
    let value = serde_json::from_str(&repaired.text).map_err(BodyError::new)?;
    Ok(Body {
        value,
        repaired: repaired.count,
    })
}
