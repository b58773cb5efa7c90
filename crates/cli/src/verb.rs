//! One file for each verb.

pub(crate) mod agents;
pub(crate) mod auth;
pub(crate) mod call;
pub(crate) mod chat;
pub(crate) mod check;
pub(crate) mod completions;
pub(crate) mod config;
pub(crate) mod describe;
pub(crate) mod initialize_request;
pub(crate) mod man;
pub(crate) mod mock;
pub(crate) mod negotiate;
pub(crate) mod options;
pub(crate) mod probe;
pub(crate) mod rules;
pub(crate) mod run;
pub(crate) mod sessions;
pub(crate) mod status;
