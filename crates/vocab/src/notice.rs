//! Messages beside the conversation.

use crate::wire::macros::{open_enum, wire_struct};

wire_struct! {
    /// A message for the user that is no part of the conversation and never replayed.
    pub struct Notice: S / S [meta] {
        /// How grave it is.
        required severity: NoticeSeverity = "severity": S / S,
        /// A short name to show.
        required title: Box<str> = "title": S / S,
        /// A longer explanation to show.
        lenient description: Option<Box<str>> = "description": S / S,
    }
    new(severity: NoticeSeverity, title: Box<str>);
}

open_enum! {
    /// How grave a notice is.
    pub enum NoticeSeverity: S / S {
        /// Good to know.
        Info = "info": S / S,
        /// Something may be wrong.
        Warning = "warning": S / S,
        /// It failed.
        Error = "error": S / S,
    }
}
