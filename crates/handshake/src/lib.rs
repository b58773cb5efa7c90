//! Agree before anything else: initialize, version negotiation and the capability gate.
#![doc = include_str!("../README.md")]

mod ability;
mod agreement;
mod answer;
mod auth;
mod call;
mod capabilities;
mod catalog;
mod diagnostic;
mod error;
mod gate;
mod kind;
mod login;
mod negotiation;
mod offer;
mod responder;
mod versions;

pub use crate::{
    ability::{Ability, Declaration},
    agreement::Agreement,
    auth::{AuthKind, AuthMethod},
    call::{Call, CallError, CancelParams, cancel},
    capabilities::{Capabilities, Capability, Found},
    catalog::agent_capabilities,
    diagnostic::Diagnostic,
    error::{AuthError, BadVersion, GateError, GivenVersion, NegotiationError, OfferError},
    kind::JsonKind,
    login::{AuthCommand, AuthVariable},
    negotiation::{Answer, Negotiation, Step},
    offer::Offer,
    responder::{ClientOffer, Responder},
    versions::{KNOWN, SPOKEN, VersionSet},
};
