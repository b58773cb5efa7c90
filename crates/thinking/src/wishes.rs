//! What a host wants of a session, kept so that it can be asked for again after a load.

use crate::{Axis, Choice, ChooseError, Level, Options, Source, model_id::differ_in_effort_only};

/// A model, an effort, a mode and other settings that are wished for, in the order in which they must be asked for.
///
/// [`next`](Self::next) compares them with what is in force and says what to send. Sending one thing may change what else is offered
/// (another model has other efforts), so it is asked again after every answer, until it says that nothing is left.
///
/// # Examples
/// ```
/// use acp_thinking::{Options, Wishes};
///
/// let wishes = Wishes::new().effort("high");
/// let mut options = Options::read(
///     r#"{"configOptions":[{"id":"effort","type":"select","currentValue":"low","options":[{"value":"low"},{"value":"high"}]}]}"#,
/// );
/// while let Some(choice) = wishes.next(&options)? {
///     assert_eq!(choice.spelling(), "high");
///     options.settle(&choice, "{}"); // the agent's answer
/// }
/// # Ok::<(), acp_thinking::ChooseError>(())
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Wishes {
    model: Option<Box<str>>,
    effort: Option<Box<str>>,
    mode: Option<Box<str>>,
    settings: Vec<(Box<str>, Box<str>)>,
}

impl Wishes {
    /// No wishes.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Wishes for a model, by its advertised id.
    #[must_use]
    pub fn model(mut self, model: &str) -> Self {
        self.model = Some(model.into());
        self
    }

    /// Wishes for an effort, by a level's word or the agent's own.
    #[must_use]
    pub fn effort(mut self, effort: &str) -> Self {
        self.effort = Some(effort.into());
        self
    }

    /// Wishes for a mode.
    #[must_use]
    pub fn mode(mut self, mode: &str) -> Self {
        self.mode = Some(mode.into());
        self
    }

    /// Wishes that the option `id` be `value`; the last wish for an option counts.
    #[must_use]
    pub fn setting(mut self, id: &str, value: &str) -> Self {
        self.settings.retain(|(known, _)| **known != *id);
        self.settings.push((id.into(), value.into()));
        self
    }

    /// These wishes, and where `later` has one of the same kind, that one.
    ///
    /// ```
    /// use acp_thinking::{Level, Wishes};
    ///
    /// let first = Wishes::new().model("opus").effort("low").setting("fast", "true");
    /// let then = first.then(&Wishes::from(Level::High).setting("fast", "false"));
    /// assert_eq!(then, Wishes::new().model("opus").effort("high").setting("fast", "false"));
    /// ```
    #[must_use]
    pub fn then(mut self, later: &Self) -> Self {
        for (mine, theirs) in [
            (&mut self.model, &later.model),
            (&mut self.effort, &later.effort),
            (&mut self.mode, &later.mode),
        ] {
            if theirs.is_some() {
                mine.clone_from(theirs);
            }
        }
        for (id, value) in &later.settings {
            self = self.setting(id, value);
        }
        self
    }

    /// Whether nothing is wished for.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        *self == Self::default()
    }

    /// The next thing to send: the first wish that is not in force. A caller that gets the same choice twice in a row has an agent that does not honour it.
    ///
    /// # Errors
    /// The first wish that the session cannot meet, or that would undo one that is in force.
    pub fn next(&self, options: &Options) -> Result<Option<Choice>, ChooseError> {
        let axes = [
            (Axis::Model, &self.model),
            (Axis::Effort, &self.effort),
            (Axis::Mode, &self.mode),
        ];
        let mut met: Vec<(&str, Choice)> = Vec::new();
        for (axis, wish) in axes {
            let Some(wish) = wish else { continue };
            if axis == Axis::Model && self.is_model_settled(options, wish) {
                continue;
            }
            let choice = options.choose(axis, wish)?;
            if axis == Axis::Effort && self.is_of_another_model(options, &choice) {
                return Err(ChooseError::Conflict {
                    first: Axis::Model.as_str().into(),
                    second: axis.as_str().into(),
                });
            }
            if !options.is_in_force(&choice) {
                return unless_undoing(&met, axis.as_str(), choice);
            }
            met.push((axis.as_str(), choice));
        }
        for (id, wish) in &self.settings {
            let choice = options.set(id, wish)?;
            if !options.is_in_force(&choice) {
                return unless_undoing(&met, id, choice);
            }
            met.push((id, choice));
        }
        Ok(None)
    }

    /// Where an effort is a part of the model's id, choosing it changes the id: then it is enough that the rest of it is as wished.
    fn is_model_settled(&self, options: &Options, wish: &str) -> bool {
        self.effort.is_some()
            && matches!(options.source(Axis::Effort), Some(Source::ModelIds(_)))
            && options
                .in_force(Axis::Model)
                .is_some_and(|current| differ_in_effort_only(current, wish))
    }

    /// Whether an effort is to be had only by another model than the one that is wished for.
    fn is_of_another_model(&self, options: &Options, effort: &Choice) -> bool {
        matches!(options.source(Axis::Effort), Some(Source::ModelIds(_)))
            && self
                .model
                .as_deref()
                .is_some_and(|model| !differ_in_effort_only(effort.sent(), model))
    }
}

/// The choice, unless it would set again what an earlier wish has set.
fn unless_undoing(
    met: &[(&str, Choice)],
    wish: &str,
    choice: Choice,
) -> Result<Option<Choice>, ChooseError> {
    match met
        .iter()
        .find(|(_, earlier)| earlier.sets_the_same(&choice))
    {
        Some((first, _)) => Err(ChooseError::Conflict {
            first: (*first).into(),
            second: wish.into(),
        }),
        None => Ok(Some(choice)),
    }
}

/// An effort, and nothing else.
impl From<Level> for Wishes {
    fn from(level: Level) -> Self {
        Self::new().effort(level.as_str())
    }
}
