//! Request ids, read from JSON text so that they go back exactly as they came.

use acp_vocab::RequestId;

use crate::text::unquote;

/// Integers beyond this are not exact in a float.
const EXACT: f64 = 9_007_199_254_740_992.0;

/// An integer (`i64`, and `u64` beyond it), a string or null. The number says how many halves of
/// surrogate pairs were replaced in a string.
pub(crate) fn read_id(json: &str) -> Option<(RequestId, usize)> {
    if json.starts_with('"') {
        let (text, repaired) = unquote(json)?;
        return Some((RequestId::String(text.into()), repaired));
    }
    if json == "null" {
        return Some((RequestId::Null, 0));
    }
    let id = match json.parse::<i64>() {
        Ok(number) => RequestId::Number(number),
        Err(_) => RequestId::Unsigned(json.parse::<u64>().ok()?),
    };
    Some((id, 0))
}

/// As [`read_id`], for the id of a response, which is looked up and never sent back: a float that
/// is an integer (`1.0`, as some languages print it) counts as that integer.
pub(crate) fn read_reply_id(json: &str) -> Option<(RequestId, usize)> {
    read_id(json).or_else(|| {
        let number: f64 = json.parse().ok()?;
        let whole = number.fract() == 0.0 && number.abs() < EXACT;
        whole.then_some((RequestId::Number(number as i64), 0))
    })
}
