//! Reading the answer to `initialize`: first the version, then, by its rule, the rest.

use acp_vocab::{Implementation, ProtocolVersion};
use serde::Deserialize;
use serde_json::value::RawValue;

use crate::{
    agreement::Agreement,
    auth,
    capabilities::{Capabilities, Found, member, members},
    catalog,
    diagnostic::Diagnostic,
    error::{BadVersion, GivenVersion, NegotiationError},
    kind::JsonKind,
    versions::VersionSet,
};

/// The members of a result that are read, whatever the version.
const MEMBERS: &[&str] = &[
    "protocolVersion",
    "agentCapabilities",
    "agentInfo",
    "capabilities",
    "info",
    "authMethods",
    "_meta",
];

/// Reads a result that answers an offer of these versions.
pub(crate) fn read(result: &RawValue, offered: VersionSet) -> Result<Agreement, NegotiationError> {
    let kind = JsonKind::of(result);
    if kind != JsonKind::Object {
        return Err(NegotiationError::BadResult { got: kind });
    }
    let all = members(result);
    for member in MEMBERS {
        if all.iter().filter(|(name, _)| name == member).count() > 1 {
            return Err(NegotiationError::DuplicateMember { member });
        }
    }
    let find = |name: &str| {
        all.iter()
            .find(|(key, _)| key == name)
            .map(|(_, value)| *value)
    };

    let version = accepted(find("protocolVersion"), offered)?;
    let v1 = version == ProtocolVersion::V1;
    let (info_member, capabilities_member) = if v1 {
        ("agentInfo", "agentCapabilities")
    } else {
        ("info", "capabilities")
    };

    let mut diagnostics = Vec::new();
    let agent = info(find(info_member), info_member, !v1, &mut diagnostics);
    let raw = find(capabilities_member);
    if let Some(raw) = raw
        && !matches!(JsonKind::of(raw), JsonKind::Object | JsonKind::Null)
    {
        diagnostics.push(Diagnostic::IllTyped {
            member: capabilities_member,
            got: JsonKind::of(raw),
        });
    }
    let capabilities = Capabilities::new(version, raw.map(ToOwned::to_owned));
    for odd in capabilities.odd() {
        diagnostics.push(
            match (catalog::agent_group(version, &odd.path), odd.found) {
                (Some(member), Found::Other(got)) => Diagnostic::IllTyped { member, got },
                (Some(member), _) => Diagnostic::IllTyped {
                    member,
                    got: JsonKind::Boolean,
                },
                (None, found) => Diagnostic::OddCapability {
                    path: odd.path,
                    found,
                    read_as: odd.advertised,
                },
            },
        );
    }
    let auth_methods = auth::read(version, find("authMethods"), &mut diagnostics);
    let meta = find("_meta")
        .filter(|meta| JsonKind::of(meta) == JsonKind::Object)
        .map(ToOwned::to_owned);
    Ok(Agreement::new(
        version,
        agent,
        capabilities,
        auth_methods,
        meta,
        diagnostics,
    ))
}

/// The version that was answered, when it is an integer that was offered.
fn accepted(
    raw: Option<&RawValue>,
    offered: VersionSet,
) -> Result<ProtocolVersion, NegotiationError> {
    let bad = |got| NegotiationError::BadVersion {
        got,
        supported: offered,
    };
    let given = match number(raw) {
        Ok(given) => given,
        Err(got) => return Err(bad(got)),
    };
    let known = match given {
        GivenVersion::Number(number) => offered.find(number),
        GivenVersion::Beyond => None,
    };
    known.ok_or(NegotiationError::Unsupported {
        got: given,
        supported: offered,
    })
}

/// Reads a `protocolVersion` as an integer and nothing else.
pub(crate) fn number(raw: Option<&RawValue>) -> Result<GivenVersion, BadVersion> {
    let raw = raw.ok_or(BadVersion::Missing)?;
    match JsonKind::of(raw) {
        JsonKind::Integer => Ok(raw
            .get()
            .trim()
            .parse()
            .map_or(GivenVersion::Beyond, GivenVersion::Number)),
        JsonKind::Fraction => Err(BadVersion::Fraction(
            raw.get().trim().parse().unwrap_or(f64::NAN),
        )),
        kind @ (JsonKind::Null
        | JsonKind::Boolean
        | JsonKind::String
        | JsonKind::Array
        | JsonKind::Object) => Err(BadVersion::Kind(kind)),
    }
}

/// Reads an info card leniently: a broken one is absent.
pub(crate) fn info(
    raw: Option<&RawValue>,
    member: &'static str,
    required: bool,
    notes: &mut Vec<Diagnostic>,
) -> Option<Implementation> {
    let raw = raw.filter(|raw| JsonKind::of(raw) != JsonKind::Null);
    let Some(raw) = raw else {
        if required {
            notes.push(Diagnostic::Missing { member });
        }
        return None;
    };
    let info = serde_json::from_str(raw.get()).ok();
    if info.is_none() {
        notes.push(Diagnostic::UnreadableInfo { member });
    }
    info
}

/// The result in a text that is a result or a whole response.
pub(crate) fn result_of(text: &str) -> Result<Box<RawValue>, NegotiationError> {
    if text.trim().is_empty() {
        return Err(NegotiationError::MissingResult);
    }
    let value: Box<RawValue> =
        serde_json::from_str(text).map_err(|error| NegotiationError::InvalidJson {
            line: error.line(),
            column: error.column(),
        })?;
    let is_response = JsonKind::of(&value) == JsonKind::Object
        && member(&value, "protocolVersion").is_none()
        && ["jsonrpc", "result", "error"]
            .iter()
            .any(|name| member(&value, name).is_some());
    if !is_response {
        return Ok(value);
    }
    // `"error": null` beside a result is how some peers say that all went well.
    match (
        member(&value, "result"),
        member(&value, "error").filter(|error| JsonKind::of(error) != JsonKind::Null),
    ) {
        (Some(result), None) => Ok(result.to_owned()),
        (_, Some(error)) => Err(error_code(error)
            .map_or(NegotiationError::MissingResult, |code| {
                NegotiationError::ErrorResponse { code }
            })),
        (None, None) => Err(NegotiationError::MissingResult),
    }
}

fn error_code(error: &RawValue) -> Option<i64> {
    #[derive(Deserialize)]
    struct Code {
        code: i64,
    }
    serde_json::from_str::<Code>(error.get())
        .ok()
        .map(|error| error.code)
}
