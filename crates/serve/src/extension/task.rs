//! The end of a task, exactly.

use acp_vocab::{Raw, SessionId};
use serde::Serialize;

use crate::{
    extension::{Accounting, Decimal},
    outcome::{Outcome, Stop},
    shared::measure,
};

/// The terminal object.
#[derive(Debug, Serialize)]
pub(crate) struct Task<'a> {
    run: &'a str,
    session: &'a SessionId,
    outcome: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    limit: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    class: Option<&'static str>,
    /// The client asked for a cancel before it was told of the end.
    cancel_requested: bool,
    delivery: Delivery,
    #[serde(skip_serializing_if = "Option::is_none")]
    last: Option<Decimal>,
    #[serde(skip_serializing_if = "Option::is_none")]
    output: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    structured: Option<&'a Raw>,
    /// The output, or the structured output, had no room on a line.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    omitted: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    limits: Option<Limits>,
    #[serde(skip_serializing_if = "Option::is_none")]
    accounting: Option<&'a Accounting>,
    #[serde(skip_serializing_if = "Option::is_none")]
    used: Option<Used>,
}

/// What the crate counted itself.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
pub(crate) struct Used {
    model_calls: Decimal,
    tool_calls: Decimal,
}

/// What is known of the way of the events to the client.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum Delivery {
    /// Every event of the task was taken by the client's pipe before this was written.
    Written,
    /// The handler was abandoned: it may have done more than it has told.
    Abandoned,
}

/// The limits that were in force.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
pub(crate) struct Limits {
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) deadline_ms: Option<Decimal>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) model_calls: Option<Decimal>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) tool_calls: Option<Decimal>,
}

impl<'a> Task<'a> {
    pub(crate) fn new(
        session: &'a SessionId,
        run: &'a str,
        outcome: &'a Outcome,
        cancel_requested: bool,
        delivery: Delivery,
    ) -> Self {
        let (name, limit, class) = match outcome {
            Ok(_) => ("completed", None, None),
            Err(Stop::Cancelled) => ("cancelled", None, None),
            Err(Stop::TimedOut) => ("timed_out", None, None),
            Err(Stop::PolicyDenied) => ("policy_denied", None, None),
            Err(Stop::LimitExceeded(limit)) => ("limit_exceeded", Some(limit.as_str()), None),
            Err(Stop::Failed(failure)) => ("failed", None, Some(failure.class.as_str())),
        };
        Self {
            run,
            session,
            outcome: name,
            limit,
            class,
            cancel_requested,
            delivery,
            last: None,
            output: None,
            structured: None,
            omitted: false,
            limits: None,
            accounting: None,
            used: None,
        }
    }

    /// With the number of the last event, where there was one.
    pub(crate) fn last(mut self, last: u64) -> Self {
        self.last = (last > 0).then_some(Decimal(last));
        self
    }

    /// With what revision 2 adds.
    pub(crate) fn details(
        mut self,
        outcome: &'a Outcome,
        limits: Limits,
        accounting: Option<&'a Accounting>,
    ) -> Self {
        if let Ok(completed) = outcome {
            self.output = completed.output.as_deref();
            self.structured = completed.structured.as_ref();
        }
        self.limits = Some(limits);
        self.accounting = accounting;
        self
    }

    /// Without what there is no room for.
    pub(crate) fn within(mut self, room: usize) -> Self {
        if measure(&self, room).is_none() {
            self.omitted = self.output.take().is_some() | self.structured.take().is_some();
        }
        if measure(&self, room).is_none() {
            self.accounting = None;
        }
        self
    }

    /// With what was counted of the limits.
    pub(crate) fn counted(mut self, model_calls: u64, tool_calls: u64) -> Self {
        self.used = Some(Used {
            model_calls: Decimal(model_calls),
            tool_calls: Decimal(tool_calls),
        });
        self
    }
}
