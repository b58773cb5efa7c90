//! Whether values fit a form, and filling one from values that are there.

use acp_vocab::{
    ElicitationContentValue as Value, ElicitationPropertySchema as Field, ElicitationSchema,
    EnumOption, MultiSelectItems,
};

use super::{FormContent, UserReply};

/// Why values do not fit a form. It names no field and no value: those are the agent's and the
/// user's text.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum FormFault {
    /// A field that has to be there is not.
    #[error("a required field is missing")]
    Missing,
    /// There is a value for a field that the form does not have.
    #[error("a field is not part of the form")]
    Foreign,
    /// A value has another type than its field.
    #[error("a value has the wrong type")]
    Type,
    /// A value is not one of those that are listed.
    #[error("a value is not listed")]
    NotListed,
    /// A value is too small, too large, too short or too long.
    #[error("a value is out of bounds")]
    Bounds,
}

impl UserReply {
    /// Accepts a form with these values, checked.
    ///
    /// # Errors
    /// [`FormFault`]: they do not fit.
    pub fn accept(form: &ElicitationSchema, content: FormContent) -> Result<Self, FormFault> {
        check(form, &content)?;
        Ok(Self::Accept(content))
    }

    /// Accepts a form with those of the values that it has fields for, or their defaults. Declines it
    /// when one that is required has neither, and when a value does not fit its field: the default is
    /// not what was meant then.
    #[must_use]
    pub fn filling(form: &ElicitationSchema, values: &FormContent) -> Self {
        let filled = form
            .properties
            .iter()
            .filter_map(|(name, field)| {
                let value = values.get(name).cloned().or_else(|| default(field));
                Some((name.clone(), value?))
            })
            .collect();
        Self::accept(form, filled).unwrap_or(Self::Decline)
    }
}

/// Whether values fit a form.
pub(super) fn check(form: &ElicitationSchema, content: &FormContent) -> Result<(), FormFault> {
    let required = form.required.iter().flatten();
    if required.into_iter().any(|name| !content.contains_key(name)) {
        return Err(FormFault::Missing);
    }
    content
        .iter()
        .try_for_each(|(name, value)| match form.properties.get(name) {
            Some(field) => fits(field, value),
            None => Err(FormFault::Foreign),
        })
}

/// Whether a value fits its field. Patterns and formats are for the agent to check.
fn fits(field: &Field, value: &Value) -> Result<(), FormFault> {
    match (field, value) {
        (Field::String(field), Value::String(text)) => {
            let listed = field.values.is_none() && field.one_of.is_none()
                || field.values.iter().flatten().any(|word| word == text)
                || has(field.one_of.as_deref(), text);
            if !listed {
                return Err(FormFault::NotListed);
            }
            let length = text.chars().count() as u64;
            within(
                length,
                field.min_length.map(u64::from),
                field.max_length.map(u64::from),
            )
        }
        (Field::Number(field), Value::Number(number)) => {
            within(*number, field.minimum, field.maximum)
        }
        (Field::Number(field), Value::Integer(number)) =>
        {
            #[expect(clippy::cast_precision_loss, reason = "the bounds are no more exact")]
            within(*number as f64, field.minimum, field.maximum)
        }
        (Field::Integer(field), Value::Integer(number)) => {
            within(*number, field.minimum, field.maximum)
        }
        (Field::Boolean(_), Value::Boolean(_)) => Ok(()),
        (Field::Array(field), Value::StringArray(chosen)) => {
            let listed = |word: &str| match &field.items {
                MultiSelectItems::Untitled(items) => items.values.iter().any(|one| **one == *word),
                MultiSelectItems::Titled(items) => has(Some(&items.any_of), word),
                // What it lists is not known.
                MultiSelectItems::Unknown { .. } | _ => true,
            };
            if !chosen.iter().all(|word| listed(word)) {
                return Err(FormFault::NotListed);
            }
            within(chosen.len() as u64, field.min_items, field.max_items)
        }
        // What it takes is not known.
        (Field::Unknown { .. }, _) => Ok(()),
        (_, _) => Err(FormFault::Type),
    }
}

fn has(options: Option<&[EnumOption]>, word: &str) -> bool {
    options
        .unwrap_or_default()
        .iter()
        .any(|option| &*option.value == word)
}

fn within<N: PartialOrd>(value: N, least: Option<N>, most: Option<N>) -> Result<(), FormFault> {
    let low = least.is_some_and(|least| value < least);
    let high = most.is_some_and(|most| value > most);
    if low || high {
        Err(FormFault::Bounds)
    } else {
        Ok(())
    }
}

fn default(field: &Field) -> Option<Value> {
    match field {
        Field::String(field) => field.default.clone().map(Value::String),
        Field::Number(field) => field.default.map(Value::Number),
        Field::Integer(field) => field.default.map(Value::Integer),
        Field::Boolean(field) => field.default.map(Value::Boolean),
        Field::Array(field) => field.default.clone().map(Value::StringArray),
        Field::Unknown { .. } | _ => None,
    }
    .filter(|value| fits(field, value).is_ok())
}

#[cfg(test)]
mod tests;
