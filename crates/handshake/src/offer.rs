//! The client's first word: which versions it speaks, who it is, what it can do.

use acp_vocab::{Implementation, ProtocolVersion};
use serde::Serialize;
use serde_json::value::{RawValue, to_raw_value};

use crate::{
    ability::Declaration,
    agreement::Agreement,
    answer,
    error::{NegotiationError, OfferError},
    versions::VersionSet,
};

/// An offer to an agent. Cheap to clone; made once, written once for each attempt.
#[derive(Debug, Clone)]
pub struct Offer {
    versions: VersionSet,
    info: Implementation,
    declaration: Declaration,
}

impl Offer {
    /// An offer of these versions that declares nothing.
    ///
    /// # Errors
    /// [`OfferError`] when there is no version, or one that cannot be built.
    pub fn new(
        versions: impl IntoIterator<Item = ProtocolVersion>,
        info: Implementation,
    ) -> Result<Self, OfferError> {
        Ok(Self {
            versions: VersionSet::new(versions)?,
            info,
            declaration: Declaration::none(),
        })
    }

    /// Declares what the registered handlers can do.
    #[must_use]
    pub fn declare(self, declaration: Declaration) -> Self {
        Self {
            declaration,
            ..self
        }
    }

    /// The versions on offer.
    #[must_use]
    pub fn versions(&self) -> VersionSet {
        self.versions
    }

    /// What is declared.
    #[must_use]
    pub fn declaration(&self) -> Declaration {
        self.declaration
    }

    /// The same offer with one version only.
    ///
    /// # Errors
    /// [`OfferError::UnsupportedVersion`] when this offer does not hold the version.
    pub fn only(&self, version: ProtocolVersion) -> Result<Self, OfferError> {
        if !self.versions.contains(version) {
            return Err(OfferError::UnsupportedVersion { requested: version });
        }
        Ok(Self {
            versions: VersionSet::only(version)?,
            ..self.clone()
        })
    }

    /// The params of `initialize`.
    ///
    /// The highest version is asked for. An offer of both versions carries the members of both: each decoder ignores the
    /// other's (acp v2, section "initialize and version negotiation").
    ///
    /// # Errors
    /// Only when the info card cannot be written as JSON.
    pub fn params(&self) -> Result<Box<RawValue>, serde_json::Error> {
        let member = |version| {
            self.versions
                .contains(version)
                .then(|| self.declaration.capabilities(version))
        };
        let info = |version| self.versions.contains(version).then_some(&self.info);
        to_raw_value(&Params {
            protocol_version: self.versions.newest().0,
            info: info(ProtocolVersion::V2),
            capabilities: member(ProtocolVersion::V2),
            client_info: info(ProtocolVersion::V1),
            client_capabilities: member(ProtocolVersion::V1),
        })
    }

    /// Reads the `result` of the answer: an agreement, or an error. Nothing is guessed.
    ///
    /// # Errors
    /// [`NegotiationError`] when the result is no object, or its version is no integer or none that was offered.
    pub fn accept(&self, result: &RawValue) -> Result<Agreement, NegotiationError> {
        answer::read(result, self.versions)
    }

    /// Reads a text that holds a result or a whole response.
    ///
    /// # Errors
    /// As [`Offer::accept`], and when the text is empty, no JSON, or a response without a result.
    pub fn accept_text(&self, text: &str) -> Result<Agreement, NegotiationError> {
        self.accept(&answer::result_of(text)?)
    }
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Params<'a, C> {
    protocol_version: u16,
    #[serde(skip_serializing_if = "Option::is_none")]
    info: Option<&'a Implementation>,
    #[serde(skip_serializing_if = "Option::is_none")]
    capabilities: Option<C>,
    #[serde(skip_serializing_if = "Option::is_none")]
    client_info: Option<&'a Implementation>,
    #[serde(skip_serializing_if = "Option::is_none")]
    client_capabilities: Option<C>,
}
