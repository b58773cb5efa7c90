//! Which method may be sent to whom, after what was advertised.

use acp_vocab::{Gate, Method, ProtocolVersion, Receiver, Side};

use crate::{catalog::below, error::GateError};

/// The end that is asked, and what it said.
pub(crate) struct Peer<A> {
    pub(crate) side: Side,
    pub(crate) version: ProtocolVersion,
    /// Whether it advertised the capability at a dotted path.
    pub(crate) advertises: A,
    /// Whether it listed a way to log in.
    pub(crate) has_auth_methods: bool,
}

impl<A: Fn(&str) -> bool> Peer<A> {
    /// Whether the method may be sent to this peer.
    pub(crate) fn check(&self, method: Method) -> Result<(), GateError> {
        let receiver = match self.side {
            Side::Agent => Receiver::Agent,
            Side::Client => Receiver::Client,
        };
        let spec = [receiver, Receiver::Either, Receiver::Chain]
            .iter()
            .find_map(|receiver| method.spec(self.version, *receiver));
        let Some(spec) = spec else {
            return Err(self.misplaced(method));
        };
        let missing = match spec.gate {
            Gate::Capability(side, paths) if side == self.side => {
                if paths.iter().any(|path| (self.advertises)(below(path))) {
                    return Ok(());
                }
                paths.first().map_or("", |path| below(path))
            }
            Gate::AuthMethods if self.side == Side::Agent && !self.has_auth_methods => {
                "authMethods"
            }
            // What we advertised ourselves, and what a session or an entity says, is not this peer's to grant here.
            Gate::Baseline
            | Gate::Courtesy
            | Gate::Capability(..)
            | Gate::AuthMethods
            | Gate::SessionState(_)
            | Gate::Entity(_)
            | _ => {
                return Ok(());
            }
        };
        Err(GateError::NotAdvertised {
            method,
            capability: missing,
        })
    }

    /// Why there is no such method for this peer: another version has it, or it travels the other way.
    fn misplaced(&self, method: Method) -> GateError {
        if method.specs().any(|spec| spec.version == self.version) {
            GateError::WrongDirection { method }
        } else {
            GateError::NotInVersion {
                method,
                version: self.version,
            }
        }
    }
}
