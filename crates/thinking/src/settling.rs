//! From the agent's answer to what is in force.

use crate::{
    Options,
    choice::{Choice, How},
    option::{ConfigOption, Setting},
};

/// What an answer to a choice showed.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Settled {
    /// The answer says that it is in force.
    InForce,
    /// The agent said yes and nothing more.
    Accepted,
    /// The answer says that something else is in force, or that there is no such option any more.
    Differs {
        /// What is in force instead, if anything.
        in_force: Option<Box<str>>,
    },
}

impl Options {
    /// Takes over that the agent accepted `choice`, and what its answer said.
    ///
    /// An answer without a list (`{}`, as `session/set_mode` gives) is a bare yes.
    pub fn settle(&mut self, choice: &Choice, answer: &str) -> Settled {
        if !self.update(answer) {
            self.assume(choice);
            return Settled::Accepted;
        }
        match self.current_of(choice) {
            Some(current) if *current == *choice.sent() => Settled::InForce,
            current => Settled::Differs {
                in_force: current.map(Into::into),
            },
        }
    }

    /// Takes over that the agent accepted a legacy mode that was set by its id.
    pub fn set_mode(&mut self, mode: &str) {
        self.modes.get_or_insert_default().current = Some(mode.into());
    }

    /// Whether what `choice` would set is in force already.
    #[must_use]
    pub fn is_in_force(&self, choice: &Choice) -> bool {
        self.current_of(choice)
            .is_some_and(|current| *current == *choice.sent())
    }

    fn current_of(&self, choice: &Choice) -> Option<&str> {
        match choice.how() {
            How::SetConfigOption { config_id, .. } => self
                .config
                .iter()
                .find(|option| option.id == *config_id)
                .and_then(ConfigOption::current),
            How::SetMode { .. } => self.modes.as_ref().and_then(|list| list.current.as_deref()),
            How::SetModel { .. } => self
                .models
                .as_ref()
                .and_then(|list| list.current.as_deref()),
        }
    }

    fn assume(&mut self, choice: &Choice) {
        let sent: Box<str> = choice.sent().into();
        match choice.how() {
            How::SetConfigOption { config_id, .. } => {
                if let Some(option) = self
                    .config
                    .iter_mut()
                    .find(|option| option.id == *config_id)
                {
                    match &mut option.setting {
                        Setting::Select { current, .. } => *current = Some(sent),
                        Setting::Boolean { current } => *current = Some(&*sent == "true"),
                        Setting::Unknown { .. } => {}
                    }
                }
            }
            How::SetMode { .. } => self.set_mode(&sent),
            How::SetModel { .. } => self.models.get_or_insert_default().current = Some(sent),
        }
    }
}
