//! W3C trace context, in and out.

use acp_vocab::{Meta, Raw};

use crate::shared::random;

/// Longest `tracestate` and `baggage` that are passed on, in bytes.
const MAX_TEXT: usize = 1 << 10;

/// The trace that a request belongs to, and the span of ours in it.
///
/// The three keys stand at the top of `_meta`, where the protocol reserves them. What is malformed
/// is left out, as the standard asks.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TraceContext {
    trace: Box<str>,
    parent: Box<str>,
    flags: Box<str>,
    span: u64,
    state: Option<Raw>,
    baggage: Option<Raw>,
}

impl TraceContext {
    /// Reads it, and begins a span of ours.
    #[must_use]
    pub fn read(meta: &Meta) -> Option<Self> {
        let text: String = serde_json::from_str(meta.member("traceparent")?.get()).ok()?;
        let (version, rest) = text.split_once('-')?;
        let (trace, rest) = rest.split_once('-')?;
        let (parent, flags) = rest.split_once('-')?;
        let flags = match version {
            "00" => flags,
            // A later version may have more behind the flags.
            _ => flags.split('-').next()?,
        };
        let good = is_hex(version, 2)
            && version != "ff"
            && is_hex(trace, 32)
            && is_hex(parent, 16)
            && is_hex(flags, 2)
            && trace.bytes().any(|byte| byte != b'0')
            && parent.bytes().any(|byte| byte != b'0');
        good.then(|| Self {
            trace: trace.into(),
            parent: parent.into(),
            flags: flags.into(),
            span: random() | 1,
            state: text_member(meta, "tracestate"),
            baggage: text_member(meta, "baggage"),
        })
    }

    /// The trace, 32 hexadecimal digits.
    #[must_use]
    pub fn trace_id(&self) -> &str {
        &self.trace
    }

    /// The client's span, 16 hexadecimal digits.
    #[must_use]
    pub fn parent_id(&self) -> &str {
        &self.parent
    }

    /// The span of this turn, as what is called from it should name it.
    #[must_use]
    pub fn traceparent(&self) -> String {
        format!("00-{}-{:016x}-{}", self.trace, self.span, self.flags)
    }

    /// As members of an object that has some already.
    pub(crate) fn members(&self) -> String {
        let mut text = format!(",\"traceparent\":\"{}\"", self.traceparent());
        for (name, value) in [("tracestate", &self.state), ("baggage", &self.baggage)] {
            if let Some(value) = value {
                text.push_str(&format!(",\"{name}\":{}", value.get()));
            }
        }
        text
    }
}

fn is_hex(text: &str, len: usize) -> bool {
    text.len() == len
        && text
            .bytes()
            .all(|byte| matches!(byte, b'0'..=b'9' | b'a'..=b'f'))
}

fn text_member(meta: &Meta, name: &str) -> Option<Raw> {
    let raw = meta.member(name)?;
    let good = raw.get().len() <= MAX_TEXT && raw.get().starts_with('"');
    good.then(|| Raw::from(raw))
}
