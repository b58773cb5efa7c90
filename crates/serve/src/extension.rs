//! The outcome extension: what the protocol cannot say, beside it in `_meta`.
//!
//! `docs/extension/` has the text and the JSON schemas. A client that did not ask for it sees plain
//! protocol.

mod accounting;
mod task;
mod trace;

use acp_vocab::{ErrorObject, Meta, Raw};
use serde::Serialize;
use serde_json::value::RawValue;

use crate::refusal::invalid;

pub use self::{accounting::Accounting, trace::TraceContext};
pub(crate) use self::{
    accounting::Decimal,
    task::{Delivery, Limits, Task},
};

/// The newest revision of the extension that this crate speaks.
pub const REVISION: u32 = 2;

/// Offers the outcome extension under a name that the program owns.
///
/// Revision 1 has sequence ranges, ids and the outcome. Revision 2 adds the output, the structured
/// output, the limits and the accounting.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Extension {
    namespace: Box<str>,
}

impl Extension {
    /// Under this key of `_meta`: a domain of the program's owner and a path, `example.com/agent`.
    pub fn new(namespace: impl Into<Box<str>>) -> Self {
        Self {
            namespace: namespace.into(),
        }
    }

    /// The key in `_meta`.
    #[must_use]
    pub fn namespace(&self) -> &str {
        &self.namespace
    }

    /// What stands in the `_meta` of the agent's capabilities.
    pub(crate) fn advertisement(&self) -> Option<Meta> {
        #[derive(Serialize)]
        struct Advertisement {
            revisions: [u32; 2],
        }
        self.meta(&Advertisement {
            revisions: [1, REVISION],
        })
    }

    /// Reads what the client asks for in the `_meta` of its capabilities.
    pub(crate) fn negotiate(
        &self,
        capabilities: Option<&RawValue>,
    ) -> Result<Option<Agreed>, ErrorObject> {
        let Some(asked) = capabilities
            .and_then(|raw| Meta::new(member(raw, "_meta")?).ok())
            .and_then(|meta| meta.member(&self.namespace).map(Raw::from))
        else {
            return Ok(None);
        };
        let revision = member(&asked, "revision")
            .and_then(|raw| serde_json::from_str::<u32>(raw.get()).ok())
            .ok_or_else(|| invalid("the extension needs a revision"))?;
        if !(1..=REVISION).contains(&revision) {
            return Err(invalid("this revision of the extension is not known"));
        }
        Ok(Some(Agreed {
            extension: self.clone(),
            revision,
        }))
    }

    pub(crate) fn meta(&self, value: &impl Serialize) -> Option<Meta> {
        let body = serde_json::to_string(value).ok()?;
        let key = serde_json::to_string(&self.namespace).ok()?;
        Meta::new(Raw::from_text(format!("{{{key}:{body}}}")).ok()?).ok()
    }
}

/// The extension as this client wants it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Agreed {
    pub(crate) extension: Extension,
    pub(crate) revision: u32,
}

impl Agreed {
    /// The `_meta` of the answer to `initialize`: the revision that is in force.
    pub(crate) fn confirmation(&self) -> Option<Meta> {
        #[derive(Serialize)]
        struct Confirmation {
            revision: u32,
        }
        self.extension.meta(&Confirmation {
            revision: self.revision,
        })
    }

    /// What a prompt asks of the extension in its own `_meta`.
    pub(crate) fn check_prompt(&self, meta: Option<&Meta>) -> Result<(), ErrorObject> {
        let Some(asked) = meta.and_then(|meta| meta.member(self.extension.namespace())) else {
            return Ok(());
        };
        let needed = member(asked, "revision")
            .map(|raw| serde_json::from_str::<u32>(raw.get()))
            .transpose()
            .map_err(|_| invalid("the extension's revision is a number"))?;
        match needed {
            Some(needed) if needed > self.revision => Err(invalid(
                "the task needs a newer revision of the extension than was agreed",
            )),
            Some(0) => Err(invalid("this revision of the extension is not known")),
            _ => Ok(()),
        }
    }

    /// The `_meta` of an update: which events of the session it is, first and last.
    pub(crate) fn sequence(
        &self,
        run: Option<&str>,
        first: u64,
        last: u64,
        trace: Option<&TraceContext>,
    ) -> Option<Meta> {
        #[derive(Serialize)]
        struct Sequence<'a> {
            #[serde(skip_serializing_if = "Option::is_none")]
            run: Option<&'a str>,
            first: Decimal,
            last: Decimal,
        }
        let sequence = Sequence {
            run,
            first: Decimal(first),
            last: Decimal(last),
        };
        self.with_trace(&sequence, trace)
    }

    /// The `_meta` that tells a task's end.
    pub(crate) fn task(&self, task: &Task<'_>, trace: Option<&TraceContext>) -> Option<Meta> {
        #[derive(Serialize)]
        struct End<'a> {
            task: &'a Task<'a>,
        }
        self.with_trace(&End { task }, trace)
    }

    fn with_trace(&self, value: &impl Serialize, trace: Option<&TraceContext>) -> Option<Meta> {
        let Some(trace) = trace else {
            return self.extension.meta(value);
        };
        let body = serde_json::to_string(value).ok()?;
        let key = serde_json::to_string(self.extension.namespace()).ok()?;
        let members = trace.members();
        Meta::new(Raw::from_text(format!("{{{key}:{body}{members}}}")).ok()?).ok()
    }
}

/// One member of an object.
pub(crate) fn member<'a>(object: &'a RawValue, name: &str) -> Option<&'a RawValue> {
    let members: std::collections::BTreeMap<std::borrow::Cow<'a, str>, &'a RawValue> =
        serde_json::from_str(object.get()).ok()?;
    members.get(name).copied()
}
