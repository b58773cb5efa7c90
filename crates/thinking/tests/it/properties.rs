//! What holds whatever an agent offers.

use acp_thinking::{Axis, How, Options, Wishes, advertised_effort, model_id_attrs, model_id_base};
use proptest::prelude::*;

fn word() -> impl Strategy<Value = String> {
    prop_oneof![
        Just("low".to_owned()),
        Just("High".to_owned()),
        Just("xhigh".to_owned()),
        Just("max".to_owned()),
        Just("m".to_owned()),
        Just("m[effort=low]".to_owned()),
        Just("m[thinking=true,effort=high]".to_owned()),
        Just("m[x".to_owned()),
        "[a-z]{1,4}",
    ]
}

fn option() -> impl Strategy<Value = String> {
    let id = prop_oneof![
        Just("model"),
        Just("effort"),
        Just("thinking"),
        Just("mode"),
        Just("x")
    ];
    let category = prop_oneof![
        Just("null"),
        Just("\"model\""),
        Just("\"thought_level\""),
        Just("\"mode\""),
        Just("7")
    ];
    let kind = prop_oneof![
        Just("\"select\""),
        Just("\"boolean\""),
        Just("\"slider\""),
        Just("null")
    ];
    (id, category, kind, prop::collection::vec(word(), 0..5), word()).prop_map(|(id, category, kind, values, now)| {
        let values: Vec<String> = values.iter().map(|value| format!(r#"{{"value":"{value}","name":"{value}"}}"#)).collect();
        format!(r#"{{"id":"{id}","category":{category},"type":{kind},"currentValue":"{now}","options":[{}]}}"#, values.join(","))
    })
}

fn offer() -> impl Strategy<Value = String> {
    let ids = |member: &'static str| {
        prop::collection::vec(word(), 0..4).prop_map(move |ids| {
            ids.iter()
                .map(|id| format!(r#"{{"{member}":"{id}","name":"{id}"}}"#))
                .collect::<Vec<_>>()
                .join(",")
        })
    };
    (prop::collection::vec(option(), 0..4), ids("id"), ids("modelId"), word()).prop_map(|(options, modes, models, now)| {
        format!(
            r#"{{"configOptions":[{}],"modes":{{"currentModeId":"{now}","availableModes":[{modes}]}},"models":{{"currentModelId":"{now}","availableModels":[{models}]}}}}"#,
            options.join(",")
        )
    })
}

proptest! {
    /// Whatever is chosen was advertised, in exactly that spelling.
    #[test]
    fn only_what_was_advertised_is_sent(offer in offer(), wish in word(), axis in prop::sample::select(Axis::ALL.to_vec())) {
        let options = Options::read(&offer);
        if let Ok(choice) = options.choose(axis, &wish) {
            let advertised = match choice.how() {
                How::SetConfigOption { config_id, .. } => options.config().iter().filter(|option| option.id == *config_id).any(|option| option.spellings().any(|value| value == choice.sent())),
                How::SetMode { .. } => options.modes().unwrap().values.iter().any(|value| &*value.value == choice.sent()),
                How::SetModel { .. } => options.models().unwrap().values.iter().any(|value| &*value.value == choice.sent()),
                _ => false,
            };
            prop_assert!(advertised, "{choice:?}");
            if axis == Axis::Model {
                prop_assert_eq!(choice.sent(), wish.trim());
            }
            // Once it is settled it is in force.
            let mut options = options;
            options.settle(&choice, "{}");
            prop_assert!(options.is_in_force(&choice));
        }
    }

    /// Wishes end against an agent that accepts everything: each is asked at most twice.
    #[test]
    fn wishes_come_to_an_end(offer in offer(), model in word(), effort in word(), mode in word()) {
        let mut options = Options::read(&offer);
        let wishes = Wishes::new().model(&model).effort(&effort).mode(&mode);
        let mut asked = 0;
        while let Ok(Some(choice)) = wishes.next(&options) {
            options.settle(&choice, "{}");
            asked += 1;
            prop_assert!(asked <= 6, "{offer} {wishes:?}");
        }
    }

    #[test]
    fn nothing_panics(text in ".{0,200}", wish in ".{0,40}") {
        let mut options = Options::read(&text);
        options.update(&wish);
        drop(options.set(&wish, &text));
        for axis in Axis::ALL {
            drop(options.choose(axis, &wish));
        }
    }

    #[test]
    fn model_ids_never_panic_and_bases_have_no_well_formed_bracket(id in "[a-z\\[\\]=, ]{0,24}") {
        let attrs = model_id_attrs(&id);
        prop_assert!(id.starts_with(model_id_base(&id)));
        prop_assert_eq!(attrs.is_empty(), model_id_base(&id) == id);
        if let Some(effort) = advertised_effort(&id) {
            prop_assert!(attrs.iter().any(|(_, value)| *value == effort));
        }
    }
}
