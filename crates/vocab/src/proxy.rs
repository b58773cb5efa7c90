//! Links of a proxy chain.

use crate::{raw::Raw, wire::macros::wire_struct};

wire_struct! {
    /// Params of `proxy/successor`: a request to or from the next component of a chain.
    pub struct ProxySuccessorRequest: U / U [meta] {
        /// The inner method.
        required method: Box<str> = "method": U / U,
        /// The inner params.
        lenient params: Option<Raw> = "params": U / U,
    }
    new(method: Box<str>);
}

wire_struct! {
    /// Params of `proxy/successor`: a notification to or from the next component of a chain.
    pub struct ProxySuccessorNotification: U / U [meta] {
        /// The inner method.
        required method: Box<str> = "method": U / U,
        /// The inner params.
        lenient params: Option<Raw> = "params": U / U,
    }
    new(method: Box<str>);
}

/// Result of `proxy/successor`: the inner result, untouched.
pub type ProxySuccessorResponse = Raw;
