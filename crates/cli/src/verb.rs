//! One file for each verb.

pub(crate) mod completions;
pub(crate) mod describe;
pub(crate) mod initialize_request;
pub(crate) mod man;
pub(crate) mod mock;
pub(crate) mod negotiate;
pub(crate) mod probe;
pub(crate) mod run;
pub(crate) mod status;
