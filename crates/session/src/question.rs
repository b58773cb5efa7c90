//! What the agent asks a person, in one shape for both versions.

use acp_vocab::{ProtocolVersion, ShapeError, decode, v1, v2};

use crate::inquiry::{Ask, Permission};
use crate::tool::ToolUpdate;

/// A permission request whose tool call is not yet completed by what is known of it.
pub(crate) struct Draft {
    pub(crate) permission: Permission,
    pub(crate) tool: Option<ToolUpdate>,
}

impl Draft {
    /// The request; in v1 its title is that of the tool call.
    pub(crate) fn finish(self) -> Permission {
        let mut permission = self.permission;
        if permission.title.is_empty()
            && let Some(tool) = &permission.tool
        {
            permission.title = (&*tool.title).into();
        }
        permission
    }
}

/// Decodes a permission request.
pub(crate) fn permission(version: ProtocolVersion, ask: Ask) -> Result<Draft, ShapeError> {
    if version == ProtocolVersion::V1 {
        let request: v1::RequestPermissionRequest = decode(&ask.params)?;
        let options = request.options;
        let (title, description, command) = ("".into(), None, None);
        let permission = Permission {
            ask,
            title,
            description,
            tool: None,
            command,
            options,
        };
        return Ok(Draft {
            permission,
            tool: Some(request.tool_call.into()),
        });
    }
    let request: v2::RequestPermissionRequest = decode(&ask.params)?;
    let (tool, command) = match request.subject {
        Some(v2::RequestPermissionSubject::ToolCall(subject)) => {
            (Some((*subject.tool_call).into()), None)
        }
        Some(v2::RequestPermissionSubject::Command(command)) => (None, Some(command)),
        Some(_) | None => (None, None),
    };
    let (title, description, options) = (request.title, request.description, request.options);
    let permission = Permission {
        ask,
        title,
        description,
        tool: None,
        command,
        options,
    };
    Ok(Draft { permission, tool })
}
