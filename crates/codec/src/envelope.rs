//! The members of a JSON-RPC object, before anything is made of them.

use serde_json::value::RawValue;

use crate::members::members;

/// The members of a JSON-RPC object as raw JSON: what [`decode`](crate::decode()) reads a message
/// from, for those who want to see what it forgives.
///
/// Unknown members are ignored; a member that comes twice counts as its last value, as in
/// JavaScript.
#[derive(Debug, Clone, Copy, Default)]
#[non_exhaustive]
pub struct Envelope<'a> {
    /// `jsonrpc`, which decoding does not look at: peers forget it.
    pub jsonrpc: Option<&'a RawValue>,
    /// `id`.
    pub id: Option<&'a RawValue>,
    /// `method`.
    pub method: Option<&'a RawValue>,
    /// `params`.
    pub params: Option<&'a RawValue>,
    /// `result`.
    pub result: Option<&'a RawValue>,
    /// `error`.
    pub error: Option<&'a RawValue>,
}

impl<'a> Envelope<'a> {
    /// Reads the members of one JSON object.
    ///
    /// # Errors
    /// When `json` is not JSON, or not an object.
    pub fn read(json: &'a str) -> serde_json::Result<Self> {
        let names = ["jsonrpc", "id", "method", "params", "result", "error"];
        let [jsonrpc, id, method, params, result, error] = members(json, names)?;
        Ok(Self {
            jsonrpc,
            id,
            method,
            params,
            result,
            error,
        })
    }
}
