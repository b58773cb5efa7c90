//! The agent's side: which version answers which request, and when `initialize` may be repeated.
//!
//! The version is read alone and first; only then are the params read, by that version's rule. An agent never echoes a version:
//! it answers the largest it has that is not above the one asked for, or refuses.

use acp_vocab::{ErrorCode, ErrorObject, Implementation, Method, ProtocolVersion, Side};
use serde::Serialize;
use serde_json::value::{RawValue, to_raw_value};

use crate::{
    answer,
    capabilities::{Capabilities, Found, member},
    error::{BadVersion, GateError, GivenVersion},
    gate::Peer,
    kind::JsonKind,
    versions::VersionSet,
};

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Stage {
    /// No `initialize` has succeeded.
    Fresh,
    /// One has, and nothing else was asked: it may be repeated.
    Agreed(ProtocolVersion),
    /// Other requests have come: the agreement is final.
    Final(ProtocolVersion),
}

/// The negotiating part of an agent's connection.
#[derive(Debug, Clone)]
pub struct Responder {
    supported: VersionSet,
    stage: Stage,
}

/// What a client said of itself.
#[derive(Debug, Clone)]
pub struct ClientOffer {
    version: ProtocolVersion,
    requested: u16,
    info: Option<Implementation>,
    capabilities: Capabilities,
}

impl Responder {
    /// For an agent that implements these versions.
    #[must_use]
    pub fn new(supported: VersionSet) -> Self {
        Self {
            supported,
            stage: Stage::Fresh,
        }
    }

    /// The version in force.
    #[must_use]
    pub fn version(&self) -> Option<ProtocolVersion> {
        match self.stage {
            Stage::Fresh => None,
            Stage::Agreed(version) | Stage::Final(version) => Some(version),
        }
    }

    /// Takes the params of `initialize`. On success the version of the offer is in force; on failure nothing has changed.
    ///
    /// # Errors
    /// The error to answer: `-32602` for params that cannot be read, `-32022` (with `requested` and `supported`) for a version that
    /// cannot be spoken, `-32600` for a repeat that comes too late.
    pub fn initialize(&mut self, params: Option<&RawValue>) -> Result<ClientOffer, ErrorObject> {
        if matches!(self.stage, Stage::Final(_)) {
            return Err(ErrorObject::new(
                ErrorCode::INVALID_REQUEST,
                "initialize was already answered and other requests followed",
            ));
        }
        let params = params.ok_or_else(|| invalid("initialize needs params"))?;
        let requested = requested(params)?;
        let version = self.choose(requested)?;
        let offer = ClientOffer::read(params, requested, version)?;
        self.stage = Stage::Agreed(version);
        Ok(offer)
    }

    /// Takes note of any other request.
    ///
    /// # Errors
    /// The error to answer, `-32600`, while nothing is agreed.
    pub fn other_request(&mut self) -> Result<ProtocolVersion, ErrorObject> {
        match self.stage {
            Stage::Fresh => Err(ErrorObject::new(
                ErrorCode::INVALID_REQUEST,
                "initialize comes first",
            )),
            Stage::Agreed(version) | Stage::Final(version) => {
                self.stage = Stage::Final(version);
                Ok(version)
            }
        }
    }

    /// The largest version of ours that is not above the requested one. A connection that speaks 2 does not go back to 1.
    fn choose(&self, requested: u16) -> Result<ProtocolVersion, ErrorObject> {
        let floor = match self.stage {
            Stage::Agreed(version) if version > ProtocolVersion::V1 => version,
            Stage::Fresh | Stage::Agreed(_) | Stage::Final(_) => ProtocolVersion::V1,
        };
        let usable = |version: &ProtocolVersion| *version >= floor;
        self.supported
            .iter()
            .filter(usable)
            .rfind(|version| version.0 <= requested)
            .ok_or_else(|| {
                unsupported(
                    requested,
                    self.supported
                        .iter()
                        .filter(usable)
                        .map(|version| version.0)
                        .collect(),
                )
            })
    }
}

impl ClientOffer {
    fn read(
        params: &RawValue,
        requested: u16,
        version: ProtocolVersion,
    ) -> Result<Self, ErrorObject> {
        let mut ignored = Vec::new();
        let mut card = |name| answer::info(member(params, name), name, false, &mut ignored);
        let (info, capabilities) = if version == ProtocolVersion::V1 {
            // Only a client of both versions puts v1 members into a request for a newer one: they are meant.
            let raw = object(params, "clientCapabilities").map(ToOwned::to_owned);
            let raw = if raw.is_none() && requested > 1 {
                rebuilt(params)
            } else {
                raw
            };
            (
                card("clientInfo").or_else(|| if requested > 1 { card("info") } else { None }),
                raw,
            )
        } else {
            let info = card("info");
            if info.is_none() && requested == version.0 {
                return Err(invalid("info is required"));
            }
            (info, object(params, "capabilities").map(ToOwned::to_owned))
        };
        Ok(Self {
            version,
            requested,
            info,
            capabilities: Capabilities::new(version, capabilities),
        })
    }

    /// The version to answer with.
    #[must_use]
    pub fn version(&self) -> ProtocolVersion {
        self.version
    }

    /// The version that the client asked for: it may be newer than any that is known here.
    #[must_use]
    pub fn requested(&self) -> u16 {
        self.requested
    }

    /// The client's info card, where it sent a readable one.
    #[must_use]
    pub fn info(&self) -> Option<&Implementation> {
        self.info.as_ref()
    }

    /// Whether the client has the capability at this dotted path: `fs.readTextFile`, `elicitation.form`.
    #[must_use]
    pub fn advertises(&self, path: &str) -> bool {
        self.capabilities.advertises(path)
    }

    /// The client's capabilities, as sent (or, from a newer client, translated).
    #[must_use]
    pub fn capabilities(&self) -> &Capabilities {
        &self.capabilities
    }

    /// Whether this request or notification to the client may be sent.
    ///
    /// # Errors
    /// [`GateError`] names the method and the capability that the client did not declare.
    pub fn require(&self, method: Method) -> Result<(), GateError> {
        let peer = Peer {
            side: Side::Client,
            version: self.version,
            advertises: |path: &str| self.advertises(path),
            has_auth_methods: false,
        };
        peer.check(method)
    }
}

/// The version asked for.
fn requested(params: &RawValue) -> Result<u16, ErrorObject> {
    match answer::number(member(params, "protocolVersion")) {
        Ok(GivenVersion::Number(number)) => {
            u16::try_from(number).map_err(|_| invalid("protocolVersion is out of range"))
        }
        Ok(GivenVersion::Beyond) => Err(invalid("protocolVersion is out of range")),
        Err(BadVersion::Missing) => Err(invalid("protocolVersion is missing")),
        Err(BadVersion::Fraction(_) | BadVersion::Kind(_)) => {
            Err(invalid("protocolVersion must be an integer"))
        }
    }
}

fn object<'a>(params: &'a RawValue, name: &str) -> Option<&'a RawValue> {
    member(params, name).filter(|value| JsonKind::of(value) == JsonKind::Object)
}

/// v1 client capabilities out of the v2 members of a request that asked for more than 1. Files and terminals stay off: a newer
/// client must not have them switched on by guessing.
fn rebuilt(params: &RawValue) -> Option<Box<RawValue>> {
    let v2 = object(params, "capabilities")?;
    let seen = Capabilities::new(ProtocolVersion::V2, Some(v2.to_owned()));
    let terminal = seen.find("auth.terminal") == Found::Object;
    to_raw_value(&Rebuilt {
        fs: Files {
            read_text_file: false,
            write_text_file: false,
        },
        terminal: false,
        session: ClientSession {
            config_options: ConfigOptions { boolean: Marker {} },
        },
        auth: Auth { terminal },
        elicitation: object(v2, "elicitation"),
        meta: object(v2, "_meta"),
    })
    .ok()
}

#[derive(Serialize)]
struct Marker {}

#[derive(Serialize)]
struct Rebuilt<'a> {
    fs: Files,
    terminal: bool,
    session: ClientSession,
    auth: Auth,
    #[serde(skip_serializing_if = "Option::is_none")]
    elicitation: Option<&'a RawValue>,
    #[serde(rename = "_meta", skip_serializing_if = "Option::is_none")]
    meta: Option<&'a RawValue>,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Files {
    read_text_file: bool,
    write_text_file: bool,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct ClientSession {
    config_options: ConfigOptions,
}

#[derive(Serialize)]
struct ConfigOptions {
    boolean: Marker,
}

#[derive(Serialize)]
struct Auth {
    terminal: bool,
}

fn invalid(message: &str) -> ErrorObject {
    ErrorObject::new(ErrorCode::INVALID_PARAMS, message)
}

fn unsupported(requested: u16, supported: Vec<u16>) -> ErrorObject {
    #[derive(Serialize)]
    struct Data {
        requested: u16,
        supported: Vec<u16>,
    }
    let mut error = ErrorObject::new(
        ErrorCode::UNSUPPORTED_VERSION,
        "unsupported protocol version",
    );
    error.data = to_raw_value(&Data {
        requested,
        supported,
    })
    .ok();
    error
}
