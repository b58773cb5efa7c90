//! The words of the Agent Client Protocol: every method, type and enum of v1 and v2.
#![doc = include_str!("../README.md")]

mod catalog;
mod describe;
mod id;
pub mod legacy;
mod method;
mod patch;
mod raw;
mod rpc;
mod shape;
mod stability;
mod version;
mod wire;

pub use crate::{
    catalog::TYPES,
    describe::{FieldInfo, Shape, TypeInfo, ValueInfo, VariantInfo},
    id::{
        AuthMethodId, CompactionId, CursorId, ElicitationId, McpRequestId, McpServerAcpId,
        MessageId, PermissionOptionId, PlanId, ProviderId, SessionConfigGroupId, SessionConfigId,
        SessionConfigValueId, SessionId, SessionModeId, TerminalId, ToolCallId,
    },
    method::{
        AGENT_METHODS, CAPABILITY_METHODS, CLIENT_METHODS, CapabilityMethods, Form, Gate, Method,
        MethodKind, MethodSpec, PROTOCOL_METHODS, Receiver, Side,
    },
    patch::Patch,
    raw::{Meta, Raw},
    rpc::{ErrorCode, ErrorObject, RequestId},
    shape::{Found, ShapeError},
    stability::{Presence, Stability},
    version::ProtocolVersion,
    wire::{
        TypeRef, Wire, decode, decode_params,
        rule::{Reading, Rule},
    },
};
