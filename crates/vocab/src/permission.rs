//! Asking before something is done: the choices and the answer.

use crate::{
    id::PermissionOptionId,
    wire::macros::{open_enum, tagged, wire_struct},
};

wire_struct! {
    /// One button of a permission request.
    pub struct PermissionOption: S / S [meta] {
        /// The option.
        required option_id: PermissionOptionId = "optionId": S / S,
        /// The name.
        required name: Box<str> = "name": S / S,
        /// What sort it is.
        required kind: PermissionOptionKind = "kind": S / S,
    }
    new(option_id: PermissionOptionId, name: Box<str>, kind: PermissionOptionKind);
}

open_enum! {
    /// What a choice means. This, and never its name or id, may decide automatically; a kind that
    /// is not known is a plain button and is never chosen automatically.
    pub enum PermissionOptionKind: S / S {
        /// Yes, this time.
        AllowOnce = "allow_once": S / S,
        /// Yes, and do not ask again.
        AllowAlways = "allow_always": S / S,
        /// No, this time.
        RejectOnce = "reject_once": S / S,
        /// No, and do not ask again.
        RejectAlways = "reject_always": S / S,
    }
}

wire_struct! {
    /// The answer to a permission request.
    pub struct RequestPermissionResponse: S / S [meta] {
        /// What was decided.
        required outcome: RequestPermissionOutcome = "outcome": S / S,
    }
    new(outcome: RequestPermissionOutcome);
}

tagged! {
    /// What was decided. An outcome that is not known is no approval.
    pub enum RequestPermissionOutcome("outcome"): S / S {
        /// Nothing was decided.
        Cancelled(CancelledPermissionOutcome) = "cancelled": S / S,
        /// An option was chosen.
        Selected(SelectedPermissionOutcome) = "selected": S / S,
    }
}

wire_struct! {
    /// The user chose an option. An id that was not offered is no approval, and neither is an
    /// option of a reject kind.
    pub struct SelectedPermissionOutcome: S / S [meta] {
        /// The option.
        required option_id: PermissionOptionId = "optionId": S / S,
    }
    new(option_id: PermissionOptionId);
}

wire_struct! {
    /// Nobody decided: the turn was cancelled or nobody was there.
    pub struct CancelledPermissionOutcome: N / S [meta] {
    }
    new();
}

impl RequestPermissionOutcome {
    /// Nothing was decided.
    #[must_use]
    pub fn cancelled() -> Self {
        Self::Cancelled(CancelledPermissionOutcome::new())
    }

    /// An option was chosen.
    pub fn selected(option: impl Into<PermissionOptionId>) -> Self {
        Self::Selected(SelectedPermissionOutcome::new(option))
    }
}
