//! What a newer peer says is kept, and what a peer gets wrong is not taken for something new.

use acp_vocab::{Shape, TYPES, TypeInfo};
use serde_json::{Value, json};

use crate::{claims::VERSIONS, sample};

/// The unions that can be decoded by themselves, with a version that has them.
fn unions() -> Vec<(&'static TypeInfo, acp_vocab::ProtocolVersion, &'static str)> {
    let mut unions = Vec::new();
    for info in TYPES {
        for (version, _) in VERSIONS {
            if let Shape::Union { tag, .. } = info.shape
                && info.presence.within(version).is_some()
                && info.recode(serde_json::value::RawValue::NULL).is_some()
            {
                unions.push((*info, version, tag));
            }
        }
    }
    assert!(unions.len() > 20);
    unions
}

/// Decodes a text as the named type and writes it back.
#[track_caller]
fn echo(info: &TypeInfo, text: &str) -> Result<String, String> {
    let raw: Box<serde_json::value::RawValue> = serde_json::from_str(text).unwrap();
    info.recode(&raw)
        .unwrap()
        .map(|echo| echo.get().to_owned())
        .map_err(|error| error.to_string())
}

#[test]
fn unknown_variants_come_back_byte_for_byte() {
    for (info, _, tag) in unions() {
        for text in [
            format!(r#"{{"{tag}":"_new","b":[1, 2.50],"a":{{"x":null}}}}"#),
            format!(r#"{{ "b" : 1e3 , "{tag}" : "some_day", "b" : 2 }}"#),
        ] {
            assert_eq!(echo(info, &text), Ok(text.clone()), "{}", info.name);
        }
    }
}

#[test]
fn the_tag_may_stand_anywhere() {
    for (info, version, tag) in unions() {
        let Shape::Union { variants, .. } = info.shape else {
            unreachable!()
        };
        for variant in variants
            .iter()
            .filter(|v| v.presence.within(version).is_some())
        {
            let body = variant
                .body
                .map_or_else(|| json!({}), |body| sample::named(body, version));
            let members = |value: &Value| {
                let text = value.to_string();
                text[1..text.len() - 1].to_owned()
            };
            let named = format!(r#""{tag}":"{}""#, variant.tag);
            let rest = members(&body);
            let orders = if rest.is_empty() {
                vec![format!("{{{named}}}")]
            } else {
                vec![
                    format!("{{{named},{rest}}}"),
                    format!("{{{rest},{named}}}"),
                    format!(r#"{{"unheard":{{"{tag}":"no"}},{named},{rest}}}"#),
                ]
            };
            let echoes: Vec<_> = orders.iter().map(|text| echo(info, text)).collect();
            let first = echoes[0]
                .clone()
                .unwrap_or_else(|error| panic!("{} {error}", orders[0]));
            assert!(first.starts_with(&format!("{{{named}")), "{first}");
            assert!(
                echoes.iter().all(|echo| echo.as_deref() == Ok(&first)),
                "{echoes:?}"
            );
        }
    }
}

#[test]
fn a_known_tag_with_a_broken_body_is_a_fault() {
    let mut tried = 0;
    for (info, version, tag) in unions() {
        let Shape::Union { variants, .. } = info.shape else {
            unreachable!()
        };
        for variant in variants {
            let Some(Shape::Struct { fields, .. }) =
                variant.body.map(|body| sample::find(body, version).shape)
            else {
                continue;
            };
            let Some(required) = fields
                .iter()
                .find(|field| field.rule.is_required() && field.presence.within(version).is_some())
            else {
                continue;
            };
            for text in [
                format!(r#"{{"{tag}":"{}","more":1}}"#, variant.tag),
                format!(r#"{{"more":1,"{tag}":"{}"}}"#, variant.tag),
            ] {
                let error = echo(info, &text).expect_err(&text);
                assert!(error.contains(variant.tag), "{error}");
                assert!(error.contains("found nothing"), "{error}");
                let named = fields.iter().any(|field| error.starts_with(field.name));
                assert!(
                    named,
                    "{error} does not name a member such as {}",
                    required.name
                );
                tried += 1;
            }
        }
    }
    assert!(tried > 150, "{tried}");
}

#[test]
fn two_tags_are_two_meanings() {
    for (info, version, tag) in unions() {
        let Shape::Union { variants, .. } = info.shape else {
            unreachable!()
        };
        let first = &variants[0];
        let body = first
            .body
            .map_or_else(|| json!({}), |body| sample::named(body, version));
        let rest = body.to_string();
        let rest = rest[1..rest.len() - 1].to_owned() + if rest == "{}" { "" } else { "," };
        let tag = format!(r#""{tag}":"{}""#, first.tag);
        for text in [
            format!("{{{tag},{rest}{tag}}}"),
            format!("{{{rest}{tag},{tag}}}"),
        ] {
            let error = echo(info, &text).expect_err(&text);
            assert!(error.contains("the tag twice"), "{text}: {error}");
        }
    }
}

#[test]
fn a_union_without_a_tag() {
    for (info, _, tag) in unions() {
        let Shape::Union { untagged, .. } = info.shape else {
            unreachable!()
        };
        let missing = echo(info, r#"{"more":1}"#).expect_err(info.name);
        if untagged.is_none() {
            assert!(missing.starts_with(tag), "{}: {missing}", info.name);
        }
        for ill in ["5", "[]", "{}", "true"] {
            let error = echo(info, &format!(r#"{{"{tag}":{ill}}}"#)).expect_err(info.name);
            assert!(error.starts_with(tag), "{}: {error}", info.name);
        }
        for no_object in ["[]", r#"["text"]"#, "7", "null", r#""text""#] {
            let error = echo(info, no_object).expect_err(info.name);
            assert!(
                error.contains("expected an object"),
                "{}: {error}",
                info.name
            );
        }
    }
}

#[test]
fn unknown_words_come_back() {
    for info in TYPES {
        if let Shape::Enum(values) = info.shape {
            for word in values
                .iter()
                .map(|value| value.value)
                .chain(["_new", "", "ÄÖ"])
            {
                let text = serde_json::to_string(word).unwrap();
                assert_eq!(echo(info, &text), Ok(text.clone()), "{}", info.name);
            }
            for ill in ["5", "null", "[0]", "{}"] {
                assert!(echo(info, ill).is_err(), "{} {ill}", info.name);
            }
        }
    }
}

/// An array is no object, also where the official types take one.
#[test]
fn arrays_are_no_objects() {
    for info in TYPES {
        if matches!(info.shape, Shape::Struct { .. })
            && let Some(read) = info.recode(&serde_json::value::to_raw_value(&json!([])).unwrap())
        {
            assert!(read.is_err(), "{}", info.name);
        }
    }
}

/// `null` stands for the empty object exactly where the official implementation reads it.
#[test]
fn null_payloads() {
    const NULL: &[&str] = &[
        "ArchiveSessionResponse",
        "AuthStatusRequest",
        "AuthenticateResponse",
        "CancelTerminalResponse",
        "CancelToolCallResponse",
        "CloseSessionResponse",
        "DeleteSessionResponse",
        "DisableProviderResponse",
        "KillTerminalResponse",
        "ListProvidersRequest",
        "ListSessionsRequest",
        "LoadSessionResponse",
        "LogoutRequest",
        "LogoutResponse",
        "ReleaseTerminalResponse",
        "ResumeSessionResponse",
        "SessionOptionsResponse",
        "SetProviderResponse",
        "SetSessionModeResponse",
        "SetSessionModelResponse",
        "UnarchiveSessionResponse",
        "WaitForTerminalExitResponse",
        "WriteTextFileResponse",
    ];
    for info in TYPES {
        if let (Shape::Struct { null, .. }, Some(read)) =
            (info.shape, info.recode(serde_json::value::RawValue::NULL))
        {
            assert_eq!(null, NULL.contains(&info.name), "{}", info.name);
            assert_eq!(read.is_ok(), null, "{}", info.name);
        }
    }
}
