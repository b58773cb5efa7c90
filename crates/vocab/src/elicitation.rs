//! Questions of the agent to the user.

use std::collections::BTreeMap;

use crate::{
    elicitation_schema::ElicitationSchema,
    elicitation_scope::{ElicitationContentValue, ElicitationScope},
    id::{ElicitationId, SessionId, ToolCallId},
    request_id::RequestId,
    wire::macros::{flat_tagged, wire_struct},
};

wire_struct! {
    /// Params of `elicitation/create`: a question to the user. With both scopes written the
    /// session's counts.
    pub struct CreateElicitationRequest: S / S [meta] {
        /// What to ask.
        required message: Box<str> = "message": S / S,
        /// How it is asked.
        flattened mode: ElicitationMode = "mode": S / S,
        /// What it belongs to.
        flattened scope: ElicitationScope = "sessionId" | "toolCallId" | "requestId": S / S,
    }
    new(message: Box<str>, mode: ElicitationMode, scope: ElicitationScope);
}

flat_tagged! {
    /// How the agent asks.
    pub enum ElicitationMode("mode"): S / S {
        /// By a form.
        Form(ElicitationFormMode) = "form": S / S,
        /// By a URL.
        Url(ElicitationUrlMode) = "url": S / S,
    }
}

wire_struct! {
    /// The agent asks by a form.
    pub struct ElicitationFormMode: S / S [] {
        /// The form.
        required requested_schema: ElicitationSchema = "requestedSchema": S / S,
    }
    new(requested_schema: ElicitationSchema);
}

wire_struct! {
    /// The agent asks by a URL that the user opens. Show all of it, ask, and never fetch it
    /// ahead.
    pub struct ElicitationUrlMode: S / S [] {
        /// The question.
        required elicitation_id: ElicitationId = "elicitationId": S / S,
        /// Where it is.
        required url: Box<str> = "url": S / S,
    }
    new(elicitation_id: ElicitationId, url: Box<str>);
}

wire_struct! {
    /// The question belongs to a session.
    pub struct ElicitationSessionScope: S / S [] {
        /// The session.
        required session_id: SessionId = "sessionId": S / S,
        /// The tool call.
        lenient tool_call_id: Option<ToolCallId> = "toolCallId": S / S,
    }
    new(session_id: SessionId);
}

wire_struct! {
    /// The question belongs to a request of the client that is still open.
    pub struct ElicitationRequestScope: S / S [] {
        /// The request.
        required request_id: RequestId = "requestId": S / S,
    }
    new(request_id: RequestId);
}

wire_struct! {
    /// Result of `elicitation/create`.
    pub struct CreateElicitationResponse: S / S [meta] {
        /// What the user did.
        flattened action: ElicitationAction = "action": S / S,
    }
    new(action: ElicitationAction);
}

flat_tagged! {
    /// What the user did. An action that is not known counts as `cancel`.
    pub enum ElicitationAction("action"): S / S {
        /// The user answered.
        Accept(ElicitationAcceptAction) = "accept": S / S,
        /// The user said no.
        Decline = "decline": S / S,
        /// The user turned away.
        Cancel = "cancel": S / S,
    }
}

wire_struct! {
    /// The user answered.
    pub struct ElicitationAcceptAction: S / S [] {
        /// The answers by name of the field.
        optional content: Option<BTreeMap<Box<str>, ElicitationContentValue>> = "content": S / S,
    }
    new();
}

wire_struct! {
    /// Params of `elicitation/complete`: what the agent asked by a URL is done.
    pub struct CompleteElicitationNotification: S / S [meta] {
        /// The question.
        required elicitation_id: ElicitationId = "elicitationId": S / S,
    }
    new(elicitation_id: ElicitationId);
}
