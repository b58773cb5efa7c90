//! Values against forms, and forms filled from values.

use acp_vocab::{ElicitationContentValue, ElicitationSchema};
use serde_json::{Value, json};

use super::{FormContent, FormFault, UserReply, check};

fn form() -> ElicitationSchema {
    let schema = json!({
        "type": "object",
        "required": ["name"],
        "properties": {
            "name": {"type": "string", "minLength": 1, "maxLength": 4},
            "mood": {"type": "string", "enum": ["good", "bad"], "default": "good"},
            "tier": {"type": "string", "oneOf": [{"const": "a", "title": "A"}]},
            "age": {"type": "integer", "minimum": 0, "maximum": 150},
            "share": {"type": "number", "maximum": 1.0},
            "sure": {"type": "boolean", "default": true},
            "tags": {"type": "array", "items": {"type": "string", "enum": ["x", "y"]}, "maxItems": 1},
            "kinds": {"type": "array", "items": {"anyOf": [{"const": "k", "title": "K"}]}},
            "later": {"type": "vendor/date"},
        },
    });
    serde_json::from_value::<Raw>(schema).unwrap().read()
}

/// JSON that is read by the vocabulary.
#[derive(serde::Deserialize)]
#[serde(transparent)]
struct Raw(Value);

impl Raw {
    fn read<T: serde::de::DeserializeOwned>(&self) -> T {
        serde_json::from_str(&self.0.to_string()).unwrap()
    }
}

fn content(values: &Value) -> FormContent {
    values
        .as_object()
        .unwrap()
        .iter()
        .map(|(name, value)| {
            let value: ElicitationContentValue = Raw(value.clone()).read();
            (name.as_str().into(), value)
        })
        .collect()
}

#[test]
fn values_that_fit_and_values_that_do_not() {
    for (values, expected) in [
        (json!({"name": "Ada"}), Ok(())),
        (
            json!({"name": "\u{1F600}\u{1F600}\u{1F600}\u{1F600}"}),
            Ok(()),
        ),
        (json!({}), Err(FormFault::Missing)),
        (json!({"mood": "good"}), Err(FormFault::Missing)),
        (json!({"name": ""}), Err(FormFault::Bounds)),
        (json!({"name": "Adele"}), Err(FormFault::Bounds)),
        (json!({"name": 1}), Err(FormFault::Type)),
        (json!({"name": "A", "other": 1}), Err(FormFault::Foreign)),
        (json!({"name": "A", "mood": "bad"}), Ok(())),
        (
            json!({"name": "A", "mood": "worse"}),
            Err(FormFault::NotListed),
        ),
        (json!({"name": "A", "tier": "a"}), Ok(())),
        (json!({"name": "A", "tier": "A"}), Err(FormFault::NotListed)),
        (json!({"name": "A", "age": 150}), Ok(())),
        (json!({"name": "A", "age": 151}), Err(FormFault::Bounds)),
        (json!({"name": "A", "age": -1}), Err(FormFault::Bounds)),
        (json!({"name": "A", "age": 1.5}), Err(FormFault::Type)),
        (json!({"name": "A", "share": 0.5}), Ok(())),
        (json!({"name": "A", "share": 1}), Ok(())),
        (json!({"name": "A", "share": 2}), Err(FormFault::Bounds)),
        (json!({"name": "A", "sure": false}), Ok(())),
        (json!({"name": "A", "sure": "yes"}), Err(FormFault::Type)),
        (json!({"name": "A", "tags": ["x"]}), Ok(())),
        (
            json!({"name": "A", "tags": ["z"]}),
            Err(FormFault::NotListed),
        ),
        (
            json!({"name": "A", "tags": ["x", "y"]}),
            Err(FormFault::Bounds),
        ),
        (json!({"name": "A", "kinds": ["k"]}), Ok(())),
        (
            json!({"name": "A", "kinds": ["K"]}),
            Err(FormFault::NotListed),
        ),
        (json!({"name": "A", "later": {"any": 1}}), Ok(())),
    ] {
        assert_eq!(check(&form(), &content(&values)), expected, "{values}");
    }
}

#[test]
fn a_form_is_filled_from_what_is_there() {
    for (values, expected) in [
        (
            json!({"name": "Ada", "foreign": 1}),
            Some(json!({"name": "Ada", "mood": "good", "sure": true})),
        ),
        (
            json!({"name": "Ada", "mood": "bad", "sure": false}),
            Some(json!({"name": "Ada", "mood": "bad", "sure": false})),
        ),
        // What was meant cannot be said, and the default is not it.
        (json!({"name": "Ada", "mood": "worse"}), None),
        (json!({"name": "Ada", "sure": "no"}), None),
        (json!({"mood": "bad"}), None),
        (json!({"name": "too long"}), None),
    ] {
        let expected = expected.map_or(UserReply::Decline, |values| {
            UserReply::Accept(content(&values))
        });
        assert_eq!(
            UserReply::filling(&form(), &content(&values)),
            expected,
            "{values}"
        );
    }
}
