//! What became of a value: a second pass over what was read and what is written back.
//!
//! Decoding drops what it does not know and fills in what is missing without saying so, because
//! the hot path must not pay for it. Whoever wants to know, a linter, a probe or a test, compares
//! the input with its own echo.

mod known;

use std::{borrow::Cow, collections::BTreeMap, fmt::Write as _};

use serde_json::value::RawValue;

use self::known::{Member, known};
use crate::{
    describe::TypeInfo,
    shape::{Found, ShapeError},
    version::ProtocolVersion,
    wire::{Cursor, TypeRef, rule::Rule},
};

/// One place where the echo of a value differs from the value.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
#[non_exhaustive]
pub struct Loss {
    /// Where it is, from the value itself: `update.content[1].size`. Holds names that the peer
    /// wrote.
    pub path: String,
    /// What happened there.
    pub reason: LossReason,
}

/// Why a value and its echo differ.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
#[non_exhaustive]
pub enum LossReason {
    /// A member that the protocol does not have was dropped.
    UnknownMember,
    /// A `null` that means the same as nothing was dropped.
    Null,
    /// A known member was of the wrong type and was read as absent.
    IllTyped,
    /// A default that is not written, an empty list for example.
    Default,
    /// An item of a list did not decode and was left out.
    BadItem,
    /// A default was written where nothing stood.
    Filled,
    /// The value is another, for example because a lone surrogate was repaired.
    Changed,
}

impl TypeInfo {
    /// Where a value of this type and its echo differ, in order of the input.
    ///
    /// # Errors
    ///
    /// The value has not the shape of the type, or the type stands only inside of others.
    pub fn losses(
        &self,
        value: &RawValue,
        version: ProtocolVersion,
    ) -> Result<Vec<Loss>, ShapeError> {
        let echo = self
            .recode(value)
            .unwrap_or_else(|| Err(ShapeError::expected("a whole type", Found::Nothing)))?;
        let mut pass = Pass {
            version,
            path: String::new(),
            losses: Vec::new(),
        };
        pass.compare(Some(TypeRef::Named(self.name)), value.get(), echo.get());
        Ok(pass.losses)
    }
}

/// A walk over a value and its echo, side by side.
struct Pass {
    version: ProtocolVersion,
    path: String,
    losses: Vec<Loss>,
}

impl Pass {
    fn note(&mut self, reason: LossReason) {
        self.losses.push(Loss {
            path: self.path.clone(),
            reason,
        });
    }

    /// Does something one step further down.
    fn within(&mut self, step: &Step<'_>, act: impl FnOnce(&mut Self)) {
        let length = self.path.len();
        match step {
            Step::Member(name) => {
                if length > 0 {
                    self.path.push('.');
                }
                self.path.push_str(name);
            }
            Step::Item(index) => {
                // Writing to a string does not fail.
                let _: std::fmt::Result = write!(self.path, "[{index}]");
            }
        }
        act(self);
        self.path.truncate(length);
    }

    fn compare(&mut self, ty: Option<TypeRef>, input: &str, echo: &str) {
        // Whatever is kept verbatim ends here, so that the walk is as deep as the types are.
        if input == echo {
            return;
        }
        match (found(input), found(echo)) {
            (Found::Object, Found::Object) => self.objects(ty, input, echo),
            (Found::Array, Found::Array) => self.lists(ty, input, echo),
            (Found::String, Found::String) if same_string(input, echo) => {}
            (Found::Number, Found::Number) if number(input) == number(echo) => {}
            _ => self.note(LossReason::Changed),
        }
    }

    fn objects(&mut self, ty: Option<TypeRef>, input: &str, echo: &str) {
        let (before, after) = (members(input), members(echo));
        let known = ty.map_or_else(BTreeMap::new, |ty| known(ty, &before, self.version));
        for (name, value) in &before {
            let member = known.get(&**name).copied();
            self.within(&Step::Member(name), |pass| match after.get(name) {
                Some(echo) => pass.compare(member.map(|(ty, _)| ty), value, echo),
                None => pass.note(dropped(member, value)),
            });
        }
        for name in after.keys().filter(|name| !before.contains_key(*name)) {
            self.within(&Step::Member(name), |pass| pass.note(LossReason::Filled));
        }
    }

    fn lists(&mut self, ty: Option<TypeRef>, input: &str, echo: &str) {
        let item = match ty {
            Some(TypeRef::List(item)) => Some(*item),
            _ => None,
        };
        let before = items(input);
        let after = items(echo);
        let complete = before.len() == after.len();
        let mut after = after.into_iter();
        for (index, value) in before.into_iter().enumerate() {
            let kept = complete || item.is_none_or(|item| decodes(item, value, self.version));
            self.within(&Step::Item(index), |pass| {
                match kept.then(|| after.next()).flatten() {
                    Some(echo) => pass.compare(item, value, echo),
                    None => pass.note(LossReason::BadItem),
                }
            });
        }
    }
}

/// Why a member is not in the echo.
fn dropped(member: Option<Member>, value: &str) -> LossReason {
    match (found(value), member) {
        (Found::Null, _) => LossReason::Null,
        (_, None) => LossReason::UnknownMember,
        // An enum takes any string, so one that is not written is the default.
        (Found::String, Some((_, Rule::Quiet))) => LossReason::Default,
        (Found::Array, Some((_, Rule::QuietEntries | Rule::QuietArgument)))
            if items(value).is_empty() =>
        {
            LossReason::Default
        }
        (Found::Object, Some((_, Rule::QuietArgument | Rule::QuietGiven)))
            if members(value).is_empty() =>
        {
            LossReason::Default
        }
        _ => LossReason::IllTyped,
    }
}

enum Step<'n> {
    Member(&'n str),
    Item(usize),
}

fn raw(text: &str) -> &RawValue {
    serde_json::from_str(text).unwrap_or(RawValue::NULL)
}

fn found(text: &str) -> Found {
    Cursor::new(raw(text)).found()
}

fn same_string(input: &str, echo: &str) -> bool {
    // A repaired string is not the same: only a faithful reading compares.
    match (
        serde_json::from_str::<String>(input),
        serde_json::from_str::<String>(echo),
    ) {
        (Ok(input), Ok(echo)) => input == echo,
        _ => false,
    }
}

fn number(text: &str) -> Option<f64> {
    text.parse().ok()
}

fn members(text: &str) -> BTreeMap<Cow<'_, str>, &str> {
    let mut cursor = Cursor::new(raw(text));
    let mut found = BTreeMap::new();
    if let Ok(mut members) = cursor.object() {
        while let Ok(Some(name)) = members.next() {
            found.insert(name, members.cursor().value_text());
        }
    }
    found
}

fn items(text: &str) -> Vec<&str> {
    let mut cursor = Cursor::new(raw(text));
    let mut found = Vec::new();
    if cursor.array().is_ok() {
        while cursor.item() {
            found.push(cursor.value_text());
        }
    }
    found
}

/// Whether an item is one of its type.
fn decodes(item: TypeRef, value: &str, version: ProtocolVersion) -> bool {
    match item {
        TypeRef::Named(name) => TypeInfo::find(name, version)
            .and_then(|info| info.recode(raw(value)))
            .is_none_or(|echo| echo.is_ok()),
        TypeRef::Scalar("string") => found(value) == Found::String,
        TypeRef::Scalar(_) | TypeRef::List(_) | TypeRef::Map(_) => true,
    }
}
