//! The errors that an agent answers a client with. No text of the client is put into them.

use acp_vocab::{
    ErrorCode, ErrorObject, Method, Raw, SessionId, ShapeError, v2::SessionNotFoundErrorData,
};

/// `-32002` with the session's id: it is not open, or not known.
#[must_use]
pub fn unknown_session(id: &SessionId) -> ErrorObject {
    let error = ErrorObject::new(ErrorCode::RESOURCE_NOT_FOUND, "session not found");
    match Raw::encode(&SessionNotFoundErrorData::new(id.clone())) {
        Ok(data) => error.with_data(data.into_inner()),
        Err(_) => error,
    }
}

/// `-32602`: what was asked for cannot be done as asked.
pub fn invalid(what: impl Into<Box<str>>) -> ErrorObject {
    ErrorObject::new(ErrorCode::INVALID_PARAMS, what)
}

/// `-32000`: the client has to log in first.
#[must_use]
pub fn login_required() -> ErrorObject {
    ErrorObject::of(ErrorCode::AUTH_REQUIRED)
}

/// `-32603`: it did not work, and it is not the client's fault.
pub fn internal(what: impl Into<Box<str>>) -> ErrorObject {
    ErrorObject::new(ErrorCode::INTERNAL_ERROR, what)
}

/// `-32602` with the path of the member that does not fit.
pub(crate) fn shape(fault: &ShapeError) -> ErrorObject {
    let error = ErrorObject::of(ErrorCode::INVALID_PARAMS);
    match Raw::encode(&fault.to_string()) {
        Ok(data) => error.with_data(data.into_inner()),
        Err(_) => error,
    }
}

/// `-32601`
pub(crate) fn no_method() -> ErrorObject {
    ErrorObject::of(ErrorCode::METHOD_NOT_FOUND)
}

/// `-32601` for a method that exists and was not advertised.
pub(crate) fn not_offered(method: Method) -> ErrorObject {
    ErrorObject::new(
        ErrorCode::METHOD_NOT_FOUND,
        format!("{method} is not offered by this agent"),
    )
}

/// `-32800`
pub(crate) fn withdrawn() -> ErrorObject {
    ErrorObject::of(ErrorCode::REQUEST_CANCELLED)
}

/// `-32600`
pub(crate) fn wrong_time(what: &str) -> ErrorObject {
    ErrorObject::new(ErrorCode::INVALID_REQUEST, what)
}
