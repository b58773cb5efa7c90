//! Asking the user before something is done.

use acp_vocab::{
    PermissionOption, PermissionOptionId, PermissionOptionKind, RequestPermissionOutcome,
    RequestPermissionResponse, SessionId, ToolCallStatus, v1, v2,
};

use crate::{
    shared::fresh,
    timeline::{patch_v1, patch_v2},
    tool::Tool,
};

/// What is asked. Without options of its own it offers to allow and to reject, once each.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct PermissionRequest {
    /// The question, for people.
    pub title: Box<str>,
    /// More about it.
    pub description: Option<Box<str>>,
    /// The tool call that waits for it.
    pub tool: Option<Tool>,
    /// The answers to choose from.
    pub options: Vec<PermissionOption>,
}

/// What the user decided. Anything that is not plainly an approval is none.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum Permission {
    /// It may be done.
    Allowed {
        /// The option chosen.
        option: PermissionOptionId,
        /// Also from now on, without asking: remembering it is the agent's job.
        always: bool,
    },
    /// It may not be done.
    Rejected {
        /// The option chosen.
        option: PermissionOptionId,
        /// Also from now on, without asking.
        always: bool,
    },
    /// Nobody decided: cancelled, or an answer that chose none of the options.
    Cancelled,
}

impl Permission {
    /// Whether it may be done.
    #[must_use]
    pub const fn is_allowed(&self) -> bool {
        matches!(self, Self::Allowed { .. })
    }
}

impl PermissionRequest {
    /// Asks this.
    pub fn new(title: impl Into<Box<str>>) -> Self {
        Self {
            title: title.into(),
            description: None,
            tool: None,
            options: Vec::new(),
        }
    }

    /// Asks for a tool call, by its title.
    #[must_use]
    pub fn tool(tool: Tool) -> Self {
        let title = tool.title.clone().or_else(|| tool.name.clone());
        Self {
            tool: Some(tool),
            ..Self::new(title.unwrap_or_else(|| "Run a tool".into()))
        }
    }

    /// With more about it.
    #[must_use]
    pub fn description(mut self, text: impl Into<Box<str>>) -> Self {
        self.description = Some(text.into());
        self
    }

    /// With this option.
    #[must_use]
    pub fn option(
        mut self,
        id: impl Into<PermissionOptionId>,
        name: impl Into<Box<str>>,
        kind: PermissionOptionKind,
    ) -> Self {
        self.options.push(PermissionOption::new(id, name, kind));
        self
    }

    pub(crate) fn with_defaults(self) -> Self {
        if !self.options.is_empty() {
            return self;
        }
        self.option("allow", "Allow", PermissionOptionKind::AllowOnce)
            .option("reject", "Reject", PermissionOptionKind::RejectOnce)
    }

    /// Version 1 asks about tool calls and nothing else: without one, there is one made up.
    pub(crate) fn v1(self, session: SessionId) -> v1::RequestPermissionRequest {
        let title = self.title;
        let mut tool = self.tool.unwrap_or_else(|| {
            Tool::new(fresh("ask"))
                .execute()
                .status(ToolCallStatus::Pending)
        });
        tool.title.get_or_insert(title);
        v1::RequestPermissionRequest::new(session, patch_v1(tool), self.options)
    }

    pub(crate) fn v2(self, session: SessionId) -> v2::RequestPermissionRequest {
        let mut request = v2::RequestPermissionRequest::new(session, self.title, self.options);
        request.description = self.description;
        request.subject = self.tool.map(|tool| {
            v2::RequestPermissionSubject::ToolCall(v2::ToolCallPermissionSubject::new(patch_v2(
                tool,
            )))
        });
        request
    }
}

/// Reads an answer by the kinds of the options that were offered.
pub(crate) fn decide(
    options: &[PermissionOption],
    response: RequestPermissionResponse,
) -> Permission {
    let RequestPermissionOutcome::Selected(selected) = response.outcome else {
        return Permission::Cancelled;
    };
    let option = selected.option_id;
    let kind = options
        .iter()
        .find(|offered| offered.option_id == option)
        .map(|offered| &offered.kind);
    match kind {
        Some(PermissionOptionKind::AllowOnce) => Permission::Allowed {
            option,
            always: false,
        },
        Some(PermissionOptionKind::AllowAlways) => Permission::Allowed {
            option,
            always: true,
        },
        Some(PermissionOptionKind::RejectOnce) => Permission::Rejected {
            option,
            always: false,
        },
        Some(PermissionOptionKind::RejectAlways) => Permission::Rejected {
            option,
            always: true,
        },
        Some(_) | None => Permission::Cancelled,
    }
}
