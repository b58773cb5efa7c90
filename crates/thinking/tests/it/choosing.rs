//! The rules of choosing, by table.

use acp_thinking::{Axis, ChooseError, Level, Options, Settled, Wishes, normalised};
use acp_vocab::ProtocolVersion;

/// Shows what `axis` = `wish` sends on v2, or why it does not.
#[track_caller]
fn check(offered: &str, axis: Axis, wish: &str, expected: &str) {
    let options = Options::read(offered);
    let shown = match options.choose(axis, wish) {
        Ok(choice) => format!(
            "{} {}",
            choice.method().name(),
            choice
                .params(ProtocolVersion::V2, "s")
                .get()
                .replacen(r#""sessionId":"s","#, "", 1)
        ),
        Err(error) => error.to_string(),
    };
    assert_eq!(shown, expected, "{axis} {wish} of {offered}");
}

fn select(id: &str, category: &str, values: &[&str]) -> String {
    let values: Vec<String> = values
        .iter()
        .map(|value| format!(r#"{{"value":"{value}","name":"N {value}"}}"#))
        .collect();
    let category = if category.is_empty() {
        "null".to_owned()
    } else {
        format!("\"{category}\"")
    };
    format!(
        r#"{{"configId":"{id}","category":{category},"type":"select","currentValue":"{id}-now","options":[{}]}}"#,
        values.join(",")
    )
}

fn offer(options: &[String]) -> String {
    format!(r#"{{"configOptions":[{}]}}"#, options.join(","))
}

#[test]
fn exact_comes_before_normalised() {
    let both = offer(&[select("e", "thought_level", &["HIGH", "high"])]);
    check(
        &both,
        Axis::Effort,
        "high",
        r#"session/set_config_option {"configId":"e","type":"id","value":"high"}"#,
    );
    check(
        &both,
        Axis::Effort,
        "HIGH",
        r#"session/set_config_option {"configId":"e","type":"id","value":"HIGH"}"#,
    );
    check(
        &both,
        Axis::Effort,
        "High",
        "e `High` could be any of `HIGH`, `high`; write one of them",
    );
    let one = offer(&[select("e", "thought_level", &["Extra_High"])]);
    check(
        &one,
        Axis::Effort,
        "xhigh",
        r#"session/set_config_option {"configId":"e","type":"id","value":"Extra_High"}"#,
    );
    check(
        &one,
        Axis::Effort,
        "N Extra_High",
        r#"session/set_config_option {"configId":"e","type":"id","value":"Extra_High"}"#,
    );
}

#[test]
fn trap_16_category_comes_before_id_and_id_before_legacy() {
    let by_category = select("depth", "thought_level", &["high"]);
    let by_id = select("reasoning_effort", "", &["high"]);
    let weak = select("thinking", "", &["high"]);
    let depth = r#"session/set_config_option {"configId":"depth","type":"id","value":"high"}"#;
    let effort =
        r#"session/set_config_option {"configId":"reasoning_effort","type":"id","value":"high"}"#;
    check(
        &offer(&[by_id.clone(), by_category]),
        Axis::Effort,
        "high",
        depth,
    );
    check(&offer(&[weak, by_id]), Axis::Effort, "high", effort);
    let modes = r#"{"configOptions":[],"modes":{"currentModeId":"low","availableModes":[{"id":"low","name":"L"},{"id":"high","name":"H"},{"id":"minimal","name":"M"}]}}"#;
    check(
        modes,
        Axis::Effort,
        "high",
        r#"session/set_mode {"modeId":"high"}"#,
    );
    check(
        modes,
        Axis::Mode,
        "high",
        r#"session/set_mode {"modeId":"high"}"#,
    );
}

#[test]
fn where_a_category_is_stated_ids_count_no_more() {
    let offered = offer(&[
        select("depth", "thought_level", &["low"]),
        select("effort", "model_config", &["low", "high"]),
    ]);
    check(
        &offered,
        Axis::Effort,
        "high",
        "depth has no value `high`; offered are `low`",
    );
}

#[test]
fn modes_that_are_no_levels_are_no_effort() {
    let modes = r#"{"modes":{"availableModes":[{"id":"low","name":"L"},{"id":"high","name":"H"},{"id":"plan","name":"P"}]}}"#;
    check(
        modes,
        Axis::Effort,
        "high",
        "this session offers no effort to choose",
    );
    check(
        "null",
        Axis::Model,
        "x",
        "this session offers no model to choose",
    );
    check(
        "{}",
        Axis::Mode,
        "x",
        "this session offers no mode to choose",
    );
}

#[test]
fn models_are_matched_exactly() {
    let models = offer(&[select(
        "model",
        "model",
        &["gpt-5.2", "gpt-5.2-mini", "opus"],
    )]);
    check(
        &models,
        Axis::Model,
        "opus",
        r#"session/set_config_option {"configId":"model","type":"id","value":"opus"}"#,
    );
    check(
        &models,
        Axis::Model,
        "Opus",
        "model has no value `Opus`; nearest of 3 are `opus`",
    );
    check(
        &models,
        Axis::Model,
        "gpt-5",
        "model has no value `gpt-5`; nearest of 3 are `gpt-5.2`, `gpt-5.2-mini`",
    );
    check(
        &models,
        Axis::Model,
        "sonnet",
        "model has no value `sonnet`; offered are `gpt-5.2`, `gpt-5.2-mini`, `opus`",
    );
}

#[test]
fn trap_17_models_of_the_old_sort_are_chosen_by_their_own_method() {
    let legacy = r#"{"models":{"currentModelId":"a","availableModels":[{"modelId":"a"},{"modelId":"b[high]","name":"B"}]}}"#;
    check(
        legacy,
        Axis::Model,
        "b[high]",
        r#"session/set_model {"modelId":"b[high]"}"#,
    );
    check(
        legacy,
        Axis::Model,
        "b",
        "model has no value `b`; nearest of 2 are `b[high]`",
    );
    check(
        legacy,
        Axis::Effort,
        "high",
        "this session offers no effort to choose",
    );
}

#[test]
fn trap_38_quirk_34_a_current_value_that_is_not_listed_or_not_said_is_no_fault() {
    let free =
        offer(&[select("model", "model", &["a"]).replace("model-now", "free/text[effort=high]")]);
    assert_eq!(
        Options::read(&free).in_force(Axis::Model),
        Some("free/text[effort=high]")
    );
    let unsaid = r#"{"configOptions":[{"id":"mode","category":"mode","type":"select","options":[{"value":"plan"}]}]}"#;
    let options = Options::read(unsaid);
    assert_eq!((options.in_force(Axis::Mode), options.skipped()), (None, 0));
    assert!(!options.is_in_force(&options.choose(Axis::Mode, "plan").unwrap()));
}

#[test]
fn booleans_take_the_usual_words_and_no_level_between() {
    let thinking = r#"{"configOptions":[{"id":"thinking","type":"boolean","currentValue":false}]}"#;
    check(
        thinking,
        Axis::Effort,
        "on",
        r#"session/set_config_option {"configId":"thinking","type":"boolean","value":true}"#,
    );
    check(
        thinking,
        Axis::Effort,
        "off",
        r#"session/set_config_option {"configId":"thinking","type":"boolean","value":false}"#,
    );
    check(
        thinking,
        Axis::Effort,
        "high",
        "thinking has no value `high`; offered are `true`, `false`",
    );
    let choice = Options::read(thinking).choose(Axis::Effort, "on").unwrap();
    assert_eq!(
        choice.params(ProtocolVersion::V1, "s").get(),
        r#"{"sessionId":"s","configId":"thinking","type":"boolean","value":true}"#
    );
}

#[test]
fn of_several_efforts_the_one_that_has_the_value_takes_it() {
    let thinking =
        r#"{"id":"think","category":"thought_level","type":"boolean","currentValue":true}"#
            .to_owned();
    let both = offer(&[thinking, select("depth", "thought_level", &["low", "high"])]);
    check(
        &both,
        Axis::Effort,
        "high",
        r#"session/set_config_option {"configId":"depth","type":"id","value":"high"}"#,
    );
    check(
        &both,
        Axis::Effort,
        "off",
        r#"session/set_config_option {"configId":"think","type":"boolean","value":false}"#,
    );
    check(
        &both,
        Axis::Effort,
        "max",
        "depth has no value `max`; offered are `low`, `high`",
    );
    // What is in force is said of the one with the levels, too.
    let options = Options::read(&both);
    assert_eq!(options.in_force(Axis::Effort), Some("depth-now"));
    assert_eq!(options.offered(Axis::Effort), ["low", "high"]);
}

#[test]
fn efforts_in_model_ids_pick_the_nearest_whole_id() {
    let models = |values: &[&str]| {
        offer(&[
            select("model", "model", values).replace("model-now", "m[thinking=true,effort=low]")
        ])
    };
    let plain = models(&[
        "m[thinking=true,effort=low]",
        "m[effort=high,thinking=true]",
        "m[effort=high,thinking=true,fast=1]",
        "n[effort=high]",
    ]);
    check(
        &plain,
        Axis::Effort,
        "high",
        r#"session/set_config_option {"configId":"model","type":"id","value":"m[effort=high,thinking=true]"}"#,
    );
    check(
        &plain,
        Axis::Effort,
        "max",
        "effort has no value `max`; offered are `low`, `high`",
    );
    let twins = models(&[
        "m[thinking=true,effort=low]",
        "m[effort=high,thinking=true,a=1]",
        "m[effort=high,thinking=true,b=1]",
    ]);
    check(
        &twins,
        Axis::Effort,
        "high",
        "effort `high` could be any of `m[effort=high,thinking=true,a=1]`, `m[effort=high,thinking=true,b=1]`; write one of them",
    );
    assert_eq!(Options::read(&plain).in_force(Axis::Effort), Some("low"));
}

#[test]
fn ids_are_found_as_they_are_normalised_or_by_the_word_of_their_axis() {
    let options = Options::read(&offer(&[
        select("fast-mode", "model_config", &["on", "off"]),
        select("reasoning_effort", "thought_level", &["low"]),
    ]));
    let set = |id: &str, wish: &str| {
        options
            .set(id, wish)
            .map(|choice| choice.params(ProtocolVersion::V1, "s").get().to_owned())
    };
    assert_eq!(
        set("fast-mode", "on").unwrap(),
        r#"{"sessionId":"s","configId":"fast-mode","value":"on"}"#
    );
    assert_eq!(
        set("fastMode", "ON").unwrap(),
        r#"{"sessionId":"s","configId":"fast-mode","value":"on"}"#
    );
    assert_eq!(
        set("effort", "low").unwrap(),
        r#"{"sessionId":"s","configId":"reasoning_effort","value":"low"}"#
    );
    assert_eq!(
        set("model", "x").unwrap_err(),
        ChooseError::NotOffered { axis: Axis::Model }
    );
    assert_eq!(
        set("fsat-mode", "on").unwrap_err().to_string(),
        "no option `fsat-mode`; nearest of 2 are `fast-mode`"
    );
}

#[test]
fn what_cannot_be_read_is_left_out_and_counted() {
    let odd = r#"{"configOptions":[7,{"name":"no id","type":"select"},{"id":"new","type":"slider","currentValue":3},
        {"id":"both","configId":"both2","category":7,"type":"select","currentValue":null,"options":[{"value":"a"},{"nope":1},3]}],
        "modes":7,"models":null}"#;
    let options = Options::read(odd);
    let ids: Vec<&str> = options.config().iter().map(|option| &*option.id).collect();
    assert_eq!((ids, options.skipped()), (vec!["new", "both2"], 3));
    assert_eq!(options.config()[1].spellings().collect::<Vec<_>>(), ["a"]);
    assert_eq!(
        options.set("new", "3").unwrap_err().to_string(),
        "option `new` is of a type that cannot be set here"
    );
    assert_eq!(Options::read("not json").skipped(), 1);
}

#[test]
fn hostile_ids_are_shown_safely() {
    let evil = "\u{1b}[31m".to_owned() + &"x".repeat(200);
    let text = Options::read(&offer(&[select("effort", "", &["a"])]))
        .choose(Axis::Effort, &evil)
        .unwrap_err()
        .to_string();
    assert!(text.len() < 150 && !text.contains('\u{1b}'), "{text}");
}

#[test]
fn an_answer_settles_what_is_in_force() {
    let offered =
        |now: &str| offer(&[select("effort", "", &["low", "high"]).replace("effort-now", now)]);
    let mut options = Options::read(&offered("low"));
    let choice = options.choose(Axis::Effort, "high").unwrap();
    assert!(!options.is_in_force(&choice));
    assert_eq!(options.settle(&choice, &offered("high")), Settled::InForce);
    assert!(options.is_in_force(&choice));
    assert_eq!(
        options.settle(&choice, &offered("low")),
        Settled::Differs {
            in_force: Some("low".into())
        }
    );
    assert_eq!(
        options.settle(&choice, r#"{"configOptions":[]}"#),
        Settled::Differs { in_force: None }
    );

    let mut modes = Options::read(
        r#"{"modes":{"currentModeId":"a","availableModes":[{"id":"a","name":"A"},{"id":"b","name":"B"}]}}"#,
    );
    let choice = modes.choose(Axis::Mode, "B").unwrap();
    assert_eq!(modes.settle(&choice, "{}"), Settled::Accepted);
    assert_eq!(modes.in_force(Axis::Mode), Some("b"));
    assert!(modes.update(r#"{"sessionUpdate":"current_mode_update","currentModeId":"a"}"#));
    assert_eq!(modes.in_force(Axis::Mode), Some("a"));
}

#[test]
fn field_14_wishes_are_asked_in_order_and_again_after_a_load() {
    let wishes = Wishes::new()
        .mode("plan")
        .effort("high")
        .model("big")
        .setting("fast", "on");
    let state = |model: &str, effort: &str, mode: &str, fast: &str| {
        offer(&[
            select("fast", "", &["on", "off"]).replace("fast-now", fast),
            select("mode", "mode", &["plan", "build"]).replace("mode-now", mode),
            select("effort", "thought_level", &["low", "high"]).replace("effort-now", effort),
            select("model", "model", &["big", "small"]).replace("model-now", model),
        ])
    };
    let mut options = Options::read(&state("small", "low", "build", "off"));
    let mut asked = Vec::new();
    while let Some(choice) = wishes.next(&options).unwrap() {
        asked.push(choice.sent().to_owned());
        options.settle(&choice, "{}");
        assert!(asked.len() < 9, "{asked:?}");
    }
    assert_eq!(asked, ["big", "high", "plan", "on"]);
    // Loaded again: the agent forgot one of them.
    options.update(&state("big", "low", "plan", "on"));
    assert_eq!(wishes.next(&options).unwrap().unwrap().sent(), "high");
    // Another model without an effort: the wish is refused, not forgotten.
    options.update(&offer(&[
        select("model", "model", &["big"]).replace("model-now", "big")
    ]));
    assert_eq!(
        wishes.next(&options).unwrap_err(),
        ChooseError::NotOffered { axis: Axis::Effort }
    );
}

#[test]
fn a_model_and_an_effort_in_its_id_settle_together() {
    let offered = offer(&[
        select("model", "model", &["m[effort=low]", "m[effort=high]", "n"])
            .replace("model-now", "n"),
    ]);
    let wishes = Wishes::new().model("m[effort=low]").effort("high");
    let mut options = Options::read(&offered);
    let mut asked = Vec::new();
    while let Some(choice) = wishes.next(&options).unwrap() {
        asked.push(choice.sent().to_owned());
        options.settle(&choice, "{}");
        assert!(asked.len() < 5, "{asked:?}");
    }
    assert_eq!(asked, ["m[effort=low]", "m[effort=high]"]);
}

/// Follows wishes on an agent that says yes to everything, and shows what was sent and how it ended.
#[track_caller]
fn follow(now: &str, values: &[&str], wishes: &Wishes, expected: &str) {
    let offered = offer(&[select("model", "model", values).replace("model-now", now)]);
    let mut options = Options::read(&offered);
    let mut shown = Vec::new();
    let end = loop {
        assert!(shown.len() < 6, "{shown:?}");
        match wishes.next(&options) {
            Ok(Some(choice)) => {
                shown.push(choice.sent().to_owned());
                options.settle(&choice, "{}");
            }
            Ok(None) => break "in force".to_owned(),
            Err(error) => break error.to_string(),
        }
    };
    assert_eq!(format!("{}: {end}", shown.join(" ")), expected);
}

#[test]
fn an_effort_leaves_everything_else_of_the_model_as_wished() {
    let ids = [
        "m[effort=low]",
        "m[effort=high]",
        "m[fast=true,effort=low]",
        "m[effort=high,fast=true]",
        "m[fast=no,effort=low]",
        "n[thinking=true]",
        "n[effort=high]",
    ];
    let wishes = |model: &str, effort: &str| Wishes::new().model(model).effort(effort);
    follow(
        "m[effort=low]",
        &ids,
        &wishes("m[fast=true,effort=low]", "high"),
        "m[fast=true,effort=low] m[effort=high,fast=true]: in force",
    );
    // In force already, in another order.
    follow(
        "m[effort=high,fast=true]",
        &ids,
        &wishes("m[fast=true,effort=low]", "high"),
        ": in force",
    );
    // There is none with both: said, instead of one undoing the other for ever.
    follow(
        "m[effort=low]",
        &ids,
        &wishes("m[fast=no,effort=low]", "high"),
        "m[fast=no,effort=low]: model and effort are set by the same thing, and cannot be different",
    );
}

#[test]
fn an_effort_never_changes_the_model() {
    let legacy = |current: &str, ids: &[&str]| {
        let ids: Vec<String> = ids
            .iter()
            .map(|id| format!(r#"{{"modelId":"{id}"}}"#))
            .collect();
        format!(
            r#"{{"models":{{{current}"availableModels":[{}]}}}}"#,
            ids.join(",")
        )
    };
    // Which model is in force is not said, and there is more than one.
    for ids in [
        &["a[effort=low]", "b[effort=high]"],
        &["a", "b[effort=high]"],
    ] {
        check(
            &legacy("", ids),
            Axis::Effort,
            "high",
            "this session offers no effort to choose",
        );
    }
    check(
        &legacy(
            r#""currentModelId":"a[effort=low]","#,
            &["a[effort=low]", "b[effort=high]"],
        ),
        Axis::Effort,
        "high",
        "effort has no value `high`; offered are `low`",
    );
    check(
        &legacy("", &["a[effort=low]", "a[effort=high]"]),
        Axis::Effort,
        "high",
        r#"session/set_model {"modelId":"a[effort=high]"}"#,
    );
}

#[test]
fn wishes_that_undo_each_other_are_refused() {
    let modes = r#"{"modes":{"currentModeId":"low","availableModes":[{"id":"low","name":"L"},{"id":"high","name":"H"}]}}"#;
    let mut options = Options::read(modes);
    let wishes = Wishes::new().effort("high").mode("low");
    let choice = wishes.next(&options).unwrap().unwrap();
    options.settle(&choice, "{}");
    assert_eq!(
        wishes.next(&options).unwrap_err().to_string(),
        "effort and mode are set by the same thing, and cannot be different"
    );
}

#[test]
fn of_two_options_with_one_id_the_first_counts() {
    let options = Options::read(&offer(&[
        select("effort", "", &["a"]),
        select("effort", "", &["b"]),
    ]));
    assert_eq!(
        (
            options.config().len(),
            options.skipped(),
            options.offered(Axis::Effort)
        ),
        (1, 1, vec!["a"])
    );
}

#[test]
fn levels_are_words_not_guesses() {
    for (word, level) in [
        ("off", Level::Off),
        ("None", Level::Off),
        ("LOW", Level::Low),
        ("med", Level::Medium),
        ("high", Level::High),
        ("x_high", Level::XHigh),
        ("Extra High", Level::XHigh),
    ] {
        assert_eq!(Level::of(word), Some(level), "{word}");
    }
    for word in [
        "", "max", "ultra", "minimal", "auto", "default", "highest", "true",
    ] {
        assert_eq!(Level::of(word), None, "{word}");
    }
    assert_eq!(normalised("Accept-edits_now. Ok"), "accepteditsnowok");
}
