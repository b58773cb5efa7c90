//! Request ids, read from JSON text so that they go back exactly as they came.

use acp_vocab::RequestId;

use crate::text::unquote;

/// Integers beyond this are not exact in a float.
const EXACT: f64 = 9_007_199_254_740_992.0;

/// An integer (`i64`, and `u64` beyond it), a string or null.
pub(crate) fn read_id(json: &str) -> Option<RequestId> {
    if json.starts_with('"') {
        return unquote(json).map(|text| RequestId::String(text.into()));
    }
    if json == "null" {
        return Some(RequestId::Null);
    }
    match json.parse::<i64>() {
        Ok(number) => Some(RequestId::Number(number)),
        Err(_) => json.parse::<u64>().ok().map(RequestId::Unsigned),
    }
}

/// As [`read_id`], for the id of a response, which is looked up and never sent back: a float that
/// is an integer (`1.0`, as some languages print it) counts as that integer.
pub(crate) fn read_reply_id(json: &str) -> Option<RequestId> {
    read_id(json).or_else(|| {
        let number: f64 = json.parse().ok()?;
        let whole = number.fract() == 0.0 && number.abs() < EXACT;
        whole.then_some(RequestId::Number(number as i64))
    })
}
