//! v1 shapes in the words of v2, where v2 can say all that v1 says. Hosts that want the shape of
//! the wire have it as raw JSON.

use acp_vocab::{Raw, v1, v2};

use crate::event::{Plan, PlanContent};

/// A slash command. Some agents write the slash into the name; it is taken off.
#[must_use]
pub fn command(command: v1::AvailableCommand) -> v2::AvailableCommand {
    let name = match command.name.strip_prefix('/') {
        Some(name) => name.into(),
        None => command.name,
    };
    let mut neutral = v2::Command::new(name, command.description);
    neutral.input = command.input.map(|input| {
        let mut text = v2::TextCommandInput::new(input.hint);
        text.meta = input.meta;
        v2::AvailableCommandInput::Text(text)
    });
    neutral.meta = command.meta;
    v2::AvailableCommand::Command(neutral)
}

/// A config option.
#[must_use]
pub fn config_option(option: v1::SessionConfigOption) -> v2::SessionConfigOption {
    use v1::SessionConfigKind as K;
    let kind = match option.kind {
        K::Select(select) => v2::SessionConfigKind::Select(v2::SessionConfigSelect::new(
            select.current_value,
            choices(select.options),
        )),
        K::Boolean(boolean) => v2::SessionConfigKind::Boolean(boolean),
        K::Unknown { tag, raw } => v2::SessionConfigKind::Unknown { tag, raw },
        other => v2::SessionConfigKind::Unknown {
            tag: other.tag().into(),
            raw: Raw::null(),
        },
    };
    let mut neutral = v2::SessionConfigOption::new(option.id, option.name, kind);
    neutral.description = option.description;
    neutral.category = option.category;
    neutral.meta = option.meta;
    neutral
}

fn choices(options: v1::SessionConfigSelectOptions) -> v2::SessionConfigSelectOptions {
    use v1::SessionConfigSelectOptions as O;
    match options {
        O::Ungrouped(values) => v2::SessionConfigSelectOptions::Ungrouped(values),
        O::Grouped(groups) => {
            let group = |group: v1::SessionConfigSelectGroup| {
                let mut neutral =
                    v2::SessionConfigSelectGroup::new(group.group, group.name, group.options);
                neutral.meta = group.meta;
                neutral
            };
            v2::SessionConfigSelectOptions::Grouped(groups.into_iter().map(group).collect())
        }
        _ => v2::SessionConfigSelectOptions::Ungrouped(Vec::new()),
    }
}

#[expect(
    clippy::wildcard_enum_match_arm,
    reason = "what has no words here is passed on raw"
)]
pub(crate) fn plan_v1(plan: v1::PlanUpdateContent) -> Plan {
    use v1::PlanUpdateContent as P;
    match plan {
        P::Items(plan) => Plan {
            id: Some(plan.plan_id),
            content: PlanContent::Steps(plan.entries),
        },
        P::Markdown(plan) => Plan {
            id: Some(plan.plan_id.clone()),
            content: PlanContent::Markdown(Box::new(plan)),
        },
        P::Unknown { tag, raw } => Plan {
            id: None,
            content: PlanContent::Unknown { tag, raw },
        },
        other => unknown_plan(other.tag(), &other),
    }
}

#[expect(
    clippy::wildcard_enum_match_arm,
    reason = "what has no words here is passed on raw"
)]
pub(crate) fn plan_v2(plan: v2::PlanUpdateContent) -> Plan {
    use v2::PlanUpdateContent as P;
    match plan {
        P::Items(plan) => Plan {
            id: Some(plan.plan_id),
            content: PlanContent::Steps(plan.entries),
        },
        P::Markdown(plan) => Plan {
            id: Some(plan.plan_id.clone()),
            content: PlanContent::Markdown(Box::new(plan)),
        },
        P::Unknown { tag, raw } => Plan {
            id: None,
            content: PlanContent::Unknown { tag, raw },
        },
        other => unknown_plan(other.tag(), &other),
    }
}

fn unknown_plan(tag: &str, plan: &impl serde::Serialize) -> Plan {
    let raw = Raw::encode(plan).unwrap_or_else(|_| Raw::null());
    Plan {
        id: None,
        content: PlanContent::Unknown {
            tag: tag.into(),
            raw,
        },
    }
}
