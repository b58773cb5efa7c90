//! From a decision to one of the offered options, by kind.
//!
//! The one place where an option is chosen, so that the promises hold everywhere: by kind and never by id, name or position,
//! never an option that was not offered, never one whose kind we do not know, and nothing wider than what was decided.

use std::fmt;

use acp_vocab::{PermissionOption, PermissionOptionId, PermissionOptionKind};
use serde::{Serialize, Serializer};

use crate::Decision;

/// How a permission request is answered.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Answer {
    /// What goes on the wire.
    pub outcome: Outcome,
    /// Where the answer is not simply what was decided, why.
    pub note: Option<Note>,
}

/// What goes on the wire.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Outcome {
    /// One of the offered options.
    Selected {
        /// Its id, as offered.
        option_id: PermissionOptionId,
        /// Its kind: an approval only for the two that allow.
        kind: PermissionOptionKind,
    },
    /// `cancelled`.
    Cancelled,
}

/// Why an answer is not simply what was decided.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Note {
    /// The agent offered no option at all (a v1 agent may; v2 forbids it).
    NoOptions,
    /// No option of the kind that was decided is offered, so nothing was approved.
    NoneOfKind,
    /// Several options allow once: they differ in something that a kind does not say, and which one is meant is not ours to guess.
    SeveralOnce,
    /// Several options allow for always: which one is meant is not ours to guess (one of them may turn all asking off).
    SeveralAlways,
    /// Nothing refuses, so the request was cancelled instead.
    NothingRefuses,
    /// Refused once only: no option, or more than one, refuses for always.
    RefusedOnce,
    /// Refused for always, because no option refuses once only.
    RefusedAlways,
    /// The chosen option was not offered.
    NotOffered,
    /// The chosen option has a kind that we do not know, so what it means is not known either.
    UnknownKind,
    /// Two options share the id, so the answer would not say which is meant.
    SharedId,
    /// Nobody decided.
    Undecided,
}

impl Answer {
    /// Answers `cancelled`, and nothing needs to be said about it.
    #[must_use]
    pub fn cancelled() -> Self {
        Self {
            outcome: Outcome::Cancelled,
            note: None,
        }
    }

    /// Whether this lets the agent go on: an option that allows was selected.
    #[must_use]
    pub fn approves(&self) -> bool {
        match &self.outcome {
            Outcome::Selected { kind, .. } => kind_allows(kind),
            Outcome::Cancelled => false,
        }
    }

    /// The id of the option, unless the answer is `cancelled`.
    #[must_use]
    pub fn option_id(&self) -> Option<&PermissionOptionId> {
        match &self.outcome {
            Outcome::Selected { option_id, .. } => Some(option_id),
            Outcome::Cancelled => None,
        }
    }

    /// The kind of the option, unless the answer is `cancelled`.
    #[must_use]
    pub fn option_kind(&self) -> Option<&PermissionOptionKind> {
        match &self.outcome {
            Outcome::Selected { kind, .. } => Some(kind),
            Outcome::Cancelled => None,
        }
    }

    /// Whether this is what was decided. A refusal that had to become another refusal, or `cancelled`, is; an approval that could not be given is not.
    pub(crate) fn carries_out(&self, decision: &Decision) -> bool {
        let Some(note) = self.note else { return true };
        match decision {
            Decision::Deny | Decision::DenyAlways => !self.approves() && note != Note::SharedId,
            Decision::Cancel => true,
            Decision::AllowOnce
            | Decision::AllowAlways
            | Decision::AllowOnceOrAlways
            | Decision::Select(_)
            | Decision::Ask
            | Decision::Defer => self.option_id().is_some() || note == Note::NoOptions,
        }
    }

    fn noted(note: Note) -> Self {
        Self {
            outcome: Outcome::Cancelled,
            note: Some(note),
        }
    }
}

/// Chooses the answer that carries `decision` out, from what was offered. Total: whatever is offered, the answer is valid.
///
/// An empty list is cancelled whatever was decided, and so is an approval that the list cannot express exactly.
///
/// # Examples
/// ```
/// use acp_permission::{pick, Decision};
/// use acp_vocab::{PermissionOption, PermissionOptionKind as Kind};
///
/// let offered = [
///     PermissionOption::new("bypass", "Yes, and never ask again", Kind::AllowAlways),
///     PermissionOption::new("manual", "Yes", Kind::AllowOnce),
///     PermissionOption::new("plan", "No", Kind::RejectOnce),
/// ];
/// let answer = pick(&offered, &Decision::AllowOnce);
/// assert_eq!(answer.option_id().unwrap().as_str(), "manual");
/// ```
#[must_use]
pub fn pick(options: &[PermissionOption], decision: &Decision) -> Answer {
    use PermissionOptionKind as Kind;
    if options.is_empty() {
        return Answer::noted(Note::NoOptions);
    }
    let offer = Offer(options);
    match decision {
        Decision::AllowOnce => match offer.only(&Kind::AllowOnce) {
            Ok(option) => offer.select(option, None),
            Err(0) => Answer::noted(Note::NoneOfKind),
            Err(_) => Answer::noted(Note::SeveralOnce),
        },
        Decision::AllowAlways => match offer.only(&Kind::AllowAlways) {
            Ok(option) => offer.select(option, None),
            Err(0) => Answer::noted(Note::NoneOfKind),
            Err(_) => Answer::noted(Note::SeveralAlways),
        },
        Decision::AllowOnceOrAlways => match offer.only(&Kind::AllowOnce) {
            Ok(option) => offer.select(option, None),
            Err(0) => pick(options, &Decision::AllowAlways),
            Err(_) => Answer::noted(Note::SeveralOnce),
        },
        Decision::Deny => offer.refuse(None),
        Decision::DenyAlways => match offer.only(&Kind::RejectAlways) {
            Ok(option) => offer.select(option, None),
            Err(_) => offer.refuse(Some(Note::RefusedOnce)),
        },
        Decision::Select(id) => match options.iter().find(|option| option.option_id == *id) {
            Some(option) if is_known(&option.kind) => offer.select(option, None),
            Some(_) => Answer::noted(Note::UnknownKind),
            None => Answer::noted(Note::NotOffered),
        },
        Decision::Cancel => Answer::cancelled(),
        Decision::Ask | Decision::Defer => Answer::noted(Note::Undecided),
    }
}

struct Offer<'a>(&'a [PermissionOption]);

impl<'a> Offer<'a> {
    fn of_kind<'k>(
        &self,
        kind: &'k PermissionOptionKind,
    ) -> impl Iterator<Item = &'a PermissionOption> + use<'a, 'k> {
        self.0.iter().filter(move |option| option.kind == *kind)
    }

    /// The only option of a kind, or how many there are.
    fn only(&self, kind: &PermissionOptionKind) -> Result<&'a PermissionOption, usize> {
        let mut of_kind = self.of_kind(kind);
        match (of_kind.next(), of_kind.count()) {
            (Some(option), 0) => Ok(option),
            (None, _) => Err(0),
            (Some(_), more) => Err(more + 1),
        }
    }

    fn refuse(&self, note: Option<Note>) -> Answer {
        if let Some(option) = self.of_kind(&PermissionOptionKind::RejectOnce).next() {
            return self.select(option, note);
        }
        match self.of_kind(&PermissionOptionKind::RejectAlways).next() {
            Some(option) => self.select(option, Some(Note::RefusedAlways)),
            None => Answer::noted(Note::NothingRefuses),
        }
    }

    /// Selects an option, unless its id would name another one as well.
    fn select(&self, option: &PermissionOption, note: Option<Note>) -> Answer {
        let named = self
            .0
            .iter()
            .filter(|other| other.option_id == option.option_id)
            .count();
        if named != 1 {
            return Answer::noted(Note::SharedId);
        }
        let (option_id, kind) = (option.option_id.clone(), option.kind.clone());
        Answer {
            outcome: Outcome::Selected { option_id, kind },
            note,
        }
    }
}

pub(crate) fn kind_allows(kind: &PermissionOptionKind) -> bool {
    matches!(
        kind,
        PermissionOptionKind::AllowOnce | PermissionOptionKind::AllowAlways
    )
}

fn is_known(kind: &PermissionOptionKind) -> bool {
    kind_allows(kind)
        || matches!(
            kind,
            PermissionOptionKind::RejectOnce | PermissionOptionKind::RejectAlways
        )
}

impl Note {
    /// The word used in records.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            Self::NoOptions => "no_options",
            Self::NoneOfKind => "none_of_kind",
            Self::SeveralOnce => "several_once",
            Self::SeveralAlways => "several_always",
            Self::NothingRefuses => "nothing_refuses",
            Self::RefusedOnce => "refused_once",
            Self::RefusedAlways => "refused_always",
            Self::NotOffered => "not_offered",
            Self::UnknownKind => "unknown_kind",
            Self::SharedId => "shared_id",
            Self::Undecided => "undecided",
        }
    }
}

impl fmt::Display for Note {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::NoOptions => "the agent offered no option",
            Self::NoneOfKind => "no option of that kind was offered",
            Self::SeveralOnce => "several options allow once; choose one by its id",
            Self::SeveralAlways => "several options allow for always; choose one by its id",
            Self::NothingRefuses => "no option refuses, so it was cancelled",
            Self::RefusedOnce => "refused once; no single option refuses for always",
            Self::RefusedAlways => "refused for always; no option refuses once",
            Self::NotOffered => "that option was not offered",
            Self::UnknownKind => "that option is of a kind that is not known",
            Self::SharedId => "two options share that id",
            Self::Undecided => "nobody decided",
        })
    }
}

impl Serialize for Note {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(self.as_str())
    }
}
