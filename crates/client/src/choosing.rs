//! Choosing a model, an effort, a mode or an option of a session, and what came of it.

use acp_thinking::{Axis, Choice, How, Options, Settled, Wishes};

use crate::{budget::Budget, error::RequestError, noted::Settles, session::Session};

/// How many requests one call of [`Session::choose`] may send: one change can undo another.
const MOST: usize = 32;

/// A choice that was made.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Chosen {
    /// What was sent, in the agent's own spelling.
    pub choice: Choice,
    /// Whether the agent's answer shows it in force. An answer may say nothing at all.
    pub confirmed: bool,
}

impl Session {
    /// What the session offers and what is in force, as last known: from its opening, from the
    /// answers to choices, and from the events that were read.
    #[must_use]
    pub fn options(&self) -> Options {
        self.shared().noted(|noted| noted.options(self.id()))
    }

    /// The model, effort or mode in force, in the agent's own spelling.
    #[must_use]
    pub fn in_force(&self, axis: Axis) -> Option<Box<str>> {
        self.options().in_force(axis).map(Into::into)
    }

    /// Puts a model, an effort, a mode or options in force, within the default bounds:
    /// `session.choose(Effort::High)`, `session.choose(Wishes::new().model("opus"))`.
    ///
    /// What is in force already is not sent again. Each answer of the agent is checked: what it
    /// accepts and does not do is an error. What was chosen is remembered: see
    /// [`chosen`](Self::chosen).
    ///
    /// # Errors
    /// [`RequestError::NotChosen`] before anything is sent for a wish that the session does not
    /// offer, with the nearest that it does; [`RequestError::NotHonoured`] when something else is
    /// in force afterwards.
    pub async fn choose(&self, wishes: impl Into<Wishes>) -> Result<Vec<Chosen>, RequestError> {
        self.choose_within(wishes, &Budget::defaults()).await
    }

    /// The same within a budget.
    ///
    /// # Errors
    /// As [`choose`](Self::choose).
    pub async fn choose_within(
        &self,
        wishes: impl Into<Wishes>,
        budget: &Budget,
    ) -> Result<Vec<Chosen>, RequestError> {
        let wishes = wishes.into();
        let mut made = Vec::new();
        while let Some(choice) = wishes
            .next(&self.options())
            .map_err(|error| RequestError::NotChosen(Box::new(error)))?
        {
            if made.len() == MOST {
                return Err(RequestError::not_honoured(&choice, None));
            }
            made.push(self.make(choice, budget).await?);
        }
        self.remember(&wishes);
        Ok(made)
    }

    /// Sends one choice and looks at what is in force afterwards.
    ///
    /// # Errors
    /// [`RequestError::NotHonoured`] when something else is; otherwise as
    /// [`call_within`](Self::call_within).
    pub async fn make(&self, choice: Choice, budget: &Budget) -> Result<Chosen, RequestError> {
        let version = self.version();
        let params = choice.params(version, self.id().as_str());
        let reply = self
            .send_request(choice.method().name(), &params, budget)?
            .reply()
            .await??;
        let settles = match choice.how() {
            How::SetConfigOption { .. } => Settles::Options,
            How::SetMode { .. } => Settles::Mode,
            How::SetModel { .. } | _ => Settles::Nothing,
        };
        let settled = self.answered(&reply, settles, |options| {
            options.settle(&choice, reply.result.get())
        });
        if let (Some(Settled::Accepted), How::SetMode { mode_id, .. }) = (&settled, choice.how()) {
            self.is_in_mode((&**mode_id).into());
        }
        match settled {
            Some(Settled::Differs { in_force }) => {
                Err(RequestError::not_honoured(&choice, in_force))
            }
            Some(Settled::InForce) => Ok(Chosen {
                choice,
                confirmed: true,
            }),
            Some(Settled::Accepted | _) | None => Ok(Chosen {
                choice,
                confirmed: false,
            }),
        }
    }
}
