//! What holds for any input.

use acp_vocab::{RequestId, StopReason, TYPES, ToolCallId, TypeInfo};
use proptest::prelude::*;
use serde_json::{Value, json};

/// JSON that looks like the protocol's often enough to get past the first member.
fn wire_like() -> impl Strategy<Value = Value> {
    let names: Vec<&'static str> = TYPES
        .iter()
        .flat_map(|info| match info.shape {
            acp_vocab::Shape::Struct { fields, .. } => fields.iter().map(|f| f.name).collect(),
            acp_vocab::Shape::Union { tag, .. } => vec![tag],
            _ => Vec::new(),
        })
        .collect();
    let words: Vec<&'static str> = TYPES
        .iter()
        .flat_map(|info| match info.shape {
            acp_vocab::Shape::Enum(values) => values.iter().map(|v| v.value).collect(),
            acp_vocab::Shape::Union { variants, .. } => variants.iter().map(|v| v.tag).collect(),
            _ => Vec::new(),
        })
        .collect();
    let leaf = prop_oneof![
        Just(Value::Null),
        any::<bool>().prop_map(Value::from),
        any::<i64>().prop_map(Value::from),
        any::<u64>().prop_map(Value::from),
        any::<i16>().prop_map(|number| json!(f64::from(number) / 4.0)),
        ".{0,8}".prop_map(Value::from),
        proptest::sample::select(words).prop_map(Value::from),
    ];
    leaf.prop_recursive(4, 48, 6, move |inner| {
        let names = names.clone();
        prop_oneof![
            prop::collection::vec(inner.clone(), 0..4).prop_map(Value::from),
            prop::collection::btree_map(
                prop_oneof![
                    4 => proptest::sample::select(names).prop_map(str::to_owned),
                    1 => ".{0,6}",
                ],
                inner,
                0..6
            )
            .prop_map(|members| Value::Object(members.into_iter().collect())),
        ]
    })
}

fn recode(info: &TypeInfo, value: &Value) -> Option<Value> {
    let raw = serde_json::value::to_raw_value(value).unwrap();
    let echo = info.recode(&raw)?.ok()?;
    Some(serde_json::from_str(echo.get()).unwrap())
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(256))]

    /// No input panics any type, and what was understood is understood the same the second time.
    #[test]
    fn an_echo_is_its_own_echo(value in wire_like()) {
        for info in TYPES {
            if let Some(once) = recode(info, &value) {
                prop_assert_eq!(recode(info, &once), Some(once.clone()), "{}", info.name);
            }
        }
    }

    /// White space changes nothing.
    #[test]
    fn spacing_is_nothing(value in wire_like()) {
        let pretty = serde_json::to_string_pretty(&value).unwrap();
        let pretty: Box<serde_json::value::RawValue> = serde_json::from_str(&pretty).unwrap();
        for info in TYPES {
            if let Some(echo) = info.recode(&pretty) {
                let echo = echo.ok().map(|echo| serde_json::from_str(echo.get()).unwrap());
                prop_assert_eq!(echo, recode(info, &value), "{}", info.name);
            }
        }
    }

    #[test]
    fn ids_are_kept(text in any::<String>(), number in any::<i64>(), large in any::<u64>()) {
        for id in [RequestId::from(text.as_str()), RequestId::from(number), RequestId::from(large), RequestId::Null] {
            let json = serde_json::to_string(&id).unwrap();
            prop_assert_eq!(serde_json::from_str::<RequestId>(&json).unwrap(), id);
        }
        let id = ToolCallId::from(text.as_str());
        prop_assert_eq!(serde_json::to_value(&id).unwrap(), json!(text));
        prop_assert_eq!(serde_json::from_value::<ToolCallId>(json!(text)).unwrap(), id);
    }

    #[test]
    fn words_are_kept(text in any::<String>()) {
        let reason = StopReason::from(text.as_str());
        prop_assert_eq!(reason.as_str(), &text);
        prop_assert_eq!(serde_json::from_value::<StopReason>(json!(text)).unwrap(), reason);
    }

    /// Any text in any member comes back, however it is escaped.
    #[test]
    fn text_is_kept(text in any::<String>(), ascii in any::<bool>()) {
        let mut json = serde_json::to_string(&json!({"type": "text", "text": text})).unwrap();
        if ascii {
            json = json.chars().flat_map(|c| {
                let mut units = [0; 2];
                if c.is_ascii() {
                    vec![c]
                } else {
                    c.encode_utf16(&mut units).iter().flat_map(|unit| format!("\\u{unit:04x}").chars().collect::<Vec<_>>()).collect()
                }
            }).collect();
        }
        let block: acp_vocab::ContentBlock = serde_json::from_str(&json).unwrap();
        prop_assert_eq!(block.as_text(), Some(text.as_str()));
    }
}
