//! Parameterised model ids, by table.
use super::{advertised_effort, model_id_attrs, model_id_base};

#[track_caller]
fn check(id: &str, base: &str, attrs: &str, effort: Option<&str>) {
    let shown: Vec<String> = model_id_attrs(id)
        .iter()
        .map(|(key, value)| format!("{key}={value}"))
        .collect();
    assert_eq!(
        (
            model_id_base(id),
            shown.join(" ").as_str(),
            advertised_effort(id)
        ),
        (base, attrs, effort),
        "{id:?}"
    );
}

#[test]
fn attributes_in_any_order() {
    check(
        "gpt-5.2[thinking=true,effort=high]",
        "gpt-5.2",
        "thinking=true effort=high",
        Some("high"),
    );
    check(
        "gpt-5.2[effort=high,thinking=true]",
        "gpt-5.2",
        "effort=high thinking=true",
        Some("high"),
    );
    check("m[ effort = high ]", "m", "effort=high", Some("high"));
    check("m[fast=1]", "m", "fast=1", None);
}

#[test]
fn precedence_is_fixed() {
    check(
        "m[thinking=a,variant=b,reasoning_effort=c,effort=d]",
        "m",
        "thinking=a variant=b reasoning_effort=c effort=d",
        Some("d"),
    );
    check(
        "m[thinking=a,variant=b,reasoning_effort=c]",
        "m",
        "thinking=a variant=b reasoning_effort=c",
        Some("c"),
    );
    check(
        "m[thinking=a,variant=b]",
        "m",
        "thinking=a variant=b",
        Some("b"),
    );
    check("m[thinking=true]", "m", "thinking=true", Some("true"));
}

#[test]
fn malformed_brackets_yield_nothing() {
    for id in [
        "gpt-5.2[]",
        "gpt-5.2[high]",
        "gpt-5.2[effort=high",
        "gpt-5.2]effort=high[",
        "[effort=high]",
        "m[effort=]",
        "m[=high]",
        "m[effort=high,]",
        "m[effort=high,low]",
        "m[effort=high]x",
        "m[a[effort=high]]",
        "m[effort=a,effort=b]",
        "m[a=b=c]",
        "",
        "m",
    ] {
        check(id, id, "", None);
    }
}
