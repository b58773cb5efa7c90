//! The list of all types.

use crate::describe::{Described, TypeInfo};

/// Every type of both versions, once for each shape.
pub static TYPES: &[&TypeInfo] = &[
    &crate::rpc::RequestId::INFO,
    &crate::rpc::ErrorCode::INFO,
    &crate::rpc::ErrorObject::INFO,
];
