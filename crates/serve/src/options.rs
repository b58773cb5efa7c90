//! Options of a session: the same words for both versions, and the modes that version 1 had before
//! them.

use acp_vocab::{
    ErrorObject, SessionConfigId, SessionConfigOptionCategory, SessionConfigValueId, v1, v2,
};

use crate::refusal::invalid;

/// Something about a session that can be set. The newer form is the neutral one.
pub use acp_vocab::v2::SessionConfigOption as SessionOption;

/// A value for an option.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum OptionValue {
    /// One of a list.
    Id(SessionConfigValueId),
    /// On or off.
    Boolean(bool),
}

impl OptionValue {
    /// `None` for a kind of value that no option takes.
    pub(crate) fn from_v1(value: v1::SessionConfigOptionValue) -> Option<Self> {
        match value {
            v1::SessionConfigOptionValue::Id(id) => Some(Self::Id(id)),
            v1::SessionConfigOptionValue::Boolean(on) => Some(Self::Boolean(on)),
            v1::SessionConfigOptionValue::Unknown { .. } | _ => None,
        }
    }

    /// `None` for a kind of value that no option takes.
    pub(crate) fn from_v2(value: v2::SessionConfigOptionValue) -> Option<Self> {
        match value {
            v2::SessionConfigOptionValue::Id(id) => Some(Self::Id(id.value)),
            v2::SessionConfigOptionValue::Boolean(on) => Some(Self::Boolean(on.value)),
            v2::SessionConfigOptionValue::Unknown { .. } | _ => None,
        }
    }
}

/// The options as version 1 has them; what is on or off only where the client shows that.
pub(crate) fn v1_options(
    options: &[SessionOption],
    with_booleans: bool,
) -> Vec<v1::SessionConfigOption> {
    options
        .iter()
        .filter_map(|option| {
            let kind = match &option.kind {
                v2::SessionConfigKind::Select(select) => {
                    v1::SessionConfigKind::Select(v1::SessionConfigSelect::new(
                        select.current_value.clone(),
                        v1_values(&select.options),
                    ))
                }
                v2::SessionConfigKind::Boolean(boolean) if with_booleans => {
                    v1::SessionConfigKind::Boolean(boolean.clone())
                }
                v2::SessionConfigKind::Boolean(_) | v2::SessionConfigKind::Unknown { .. } | _ => {
                    return None;
                }
            };
            let mut old =
                v1::SessionConfigOption::new(option.config_id.clone(), option.name.clone(), kind);
            old.description.clone_from(&option.description);
            old.category.clone_from(&option.category);
            old.meta.clone_from(&option.meta);
            Some(old)
        })
        .collect()
}

fn v1_values(values: &v2::SessionConfigSelectOptions) -> v1::SessionConfigSelectOptions {
    match values {
        v2::SessionConfigSelectOptions::Grouped(groups) => v1::SessionConfigSelectOptions::Grouped(
            groups
                .iter()
                .map(|group| {
                    v1::SessionConfigSelectGroup::new(
                        group.group_id.clone(),
                        group.name.clone(),
                        group.options.clone(),
                    )
                })
                .collect(),
        ),
        v2::SessionConfigSelectOptions::Ungrouped(list) => {
            v1::SessionConfigSelectOptions::Ungrouped(list.clone())
        }
        _ => v1::SessionConfigSelectOptions::Ungrouped(Vec::new()),
    }
}

/// The option that is the session's mode: the first of that category, a list.
fn mode_option(options: &[SessionOption]) -> Option<(&SessionConfigId, &v2::SessionConfigSelect)> {
    options.iter().find_map(|option| match &option.kind {
        v2::SessionConfigKind::Select(select)
            if option.category == Some(SessionConfigOptionCategory::Mode) =>
        {
            Some((&option.config_id, select))
        }
        v2::SessionConfigKind::Select(_)
        | v2::SessionConfigKind::Boolean(_)
        | v2::SessionConfigKind::Unknown { .. }
        | _ => None,
    })
}

/// The id of the option that is the session's mode.
pub(crate) fn mode_id(options: &[SessionOption]) -> Option<SessionConfigId> {
    mode_option(options).map(|(id, _)| id.clone())
}

/// The value of the mode now.
pub(crate) fn mode_now(options: &[SessionOption]) -> Option<SessionConfigValueId> {
    mode_option(options).map(|(_, select)| select.current_value.clone())
}

/// The older way of saying the same: modes, kept equal to the option.
pub(crate) fn v1_modes(options: &[SessionOption]) -> Option<v1::SessionModeState> {
    let (_, select) = mode_option(options)?;
    let values: Vec<_> = match &select.options {
        v2::SessionConfigSelectOptions::Ungrouped(list) => list.iter().collect(),
        v2::SessionConfigSelectOptions::Grouped(groups) => {
            groups.iter().flat_map(|group| &group.options).collect()
        }
        _ => Vec::new(),
    };
    let modes: Vec<_> = values
        .into_iter()
        .map(|value| {
            let mut mode = v1::SessionMode::new(value.value.as_str(), value.name.clone());
            mode.description.clone_from(&value.description);
            mode
        })
        .collect();
    Some(v1::SessionModeState::new(
        select.current_value.as_str(),
        modes,
    ))
}

/// Whether one of the options has this id and takes this value.
///
/// # Errors
/// The error to answer.
pub(crate) fn check(
    options: &[SessionOption],
    id: &SessionConfigId,
    value: &OptionValue,
) -> Result<(), ErrorObject> {
    let found = options
        .iter()
        .find(|known| known.config_id == *id)
        .ok_or_else(|| invalid("configId: the session has no such option"))?;
    if takes(found, value) {
        Ok(())
    } else {
        Err(invalid("value: the option does not take it"))
    }
}

/// Whether a value is one that the option takes.
fn takes(option: &SessionOption, value: &OptionValue) -> bool {
    match (&option.kind, value) {
        (v2::SessionConfigKind::Boolean(_), OptionValue::Boolean(_)) => true,
        (v2::SessionConfigKind::Select(select), OptionValue::Id(id)) => match &select.options {
            v2::SessionConfigSelectOptions::Ungrouped(list) => {
                list.iter().any(|value| value.value == *id)
            }
            v2::SessionConfigSelectOptions::Grouped(groups) => groups
                .iter()
                .any(|group| group.options.iter().any(|value| value.value == *id)),
            _ => false,
        },
        _ => false,
    }
}
