//! Model ids that carry attributes: `gpt-5.2[thinking=true,effort=high]`.
//!
//! Such ids are read, never made: to choose one, a whole id out of those that the agent advertised is sent back.

use std::collections::BTreeSet;

/// Attribute keys that state an effort, strongest first. `thinking` comes last: it is a weaker marker, often a plain `true`.
pub const EFFORT_KEYS: [&str; 4] = ["effort", "reasoning_effort", "variant", "thinking"];

/// The id without its attributes. An id whose bracket is not well formed is its own base: nothing is guessed.
///
/// # Examples
/// ```
/// use acp_thinking::model_id_base;
///
/// assert_eq!(model_id_base("gpt-5.2[effort=high]"), "gpt-5.2");
/// assert_eq!(model_id_base("gpt-5.2[high]"), "gpt-5.2[high]");
/// ```
#[must_use]
pub fn model_id_base(id: &str) -> &str {
    split(id).map_or(id, |(base, _)| base)
}

/// The attributes of an id, in the order in which they are written. Empty for an id without any,
/// and for one whose bracket is empty, keyless, unclosed, nested, or states a key twice.
///
/// # Examples
/// ```
/// use acp_thinking::model_id_attrs;
///
/// assert_eq!(model_id_attrs("m[thinking=true,effort=high]"), [("thinking", "true"), ("effort", "high")]);
/// assert!(model_id_attrs("m[high]").is_empty());
/// ```
#[must_use]
pub fn model_id_attrs(id: &str) -> Vec<(&str, &str)> {
    split(id).map(|(_, attrs)| attrs).unwrap_or_default()
}

/// The effort that a model id advertises, in the agent's own spelling: the value of the strongest of [`EFFORT_KEYS`], wherever it stands.
///
/// Where only `thinking` is there, its value is all that is known; it may be a plain `true`.
///
/// # Examples
/// ```
/// use acp_thinking::advertised_effort;
///
/// assert_eq!(advertised_effort("m[thinking=true,effort=high]"), Some("high"));
/// assert_eq!(advertised_effort("m[effort=high,thinking=true]"), Some("high"));
/// assert_eq!(advertised_effort("m"), None);
/// ```
#[must_use]
pub fn advertised_effort(id: &str) -> Option<&str> {
    stating(&model_id_attrs(id)).map(|(_, value)| value)
}

/// The attribute that states the effort: the one with the strongest key.
fn stating<'a>(attrs: &[(&'a str, &'a str)]) -> Option<(&'a str, &'a str)> {
    EFFORT_KEYS
        .iter()
        .find_map(|key| attrs.iter().find(|(name, _)| name == key).copied())
}

/// Whether two ids are the same in everything but the effort that they state.
pub(crate) fn differ_in_effort_only(left: &str, right: &str) -> bool {
    let rest = |id| {
        let attrs = model_id_attrs(id);
        let effort = stating(&attrs);
        let rest = attrs.into_iter().filter(move |attr| Some(*attr) != effort);
        rest.collect::<BTreeSet<_>>()
    };
    model_id_base(left) == model_id_base(right) && rest(left) == rest(right)
}

/// Base and attributes of a well-formed parameterised id.
fn split(id: &str) -> Option<(&str, Vec<(&str, &str)>)> {
    let (base, rest) = id.split_once('[')?;
    let inner = rest.strip_suffix(']')?;
    if base.trim().is_empty() || inner.contains(['[', ']']) {
        return None;
    }
    let mut attrs: Vec<(&str, &str)> = Vec::new();
    for item in inner.split(',') {
        let (key, value) = item.split_once('=')?;
        let (key, value) = (key.trim(), value.trim());
        if key.is_empty()
            || value.is_empty()
            || value.contains('=')
            || attrs.iter().any(|(known, _)| *known == key)
        {
            return None;
        }
        attrs.push((key, value));
    }
    Some((base, attrs))
}

#[cfg(test)]
mod tests;
