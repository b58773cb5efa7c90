//! The client's side from the first request to an agreement: which step follows which answer.
//!
//! ```text
//! offered both, answered 2                       -> speak 2
//! offered both, answered 1, no v1-only ability   -> speak 1
//! offered both, answered 1, some v1-only ability -> initialize again on this connection with pure v1 params
//! error -32022 that lists a version of ours      -> initialize again on this connection with that version
//! any other error, no reply, or the agent ends    -> a fresh process with pure v1 params, once
//! any other version                              -> refuse
//! ```
//!
//! Why the repeat: v1 agents differ in what they read from a request that asks for 2. Some read only the v1 members, some
//! rebuild them from the v2 members and drop the rest. A pure v1 request is read the same by all.

use acp_vocab::{ErrorCode, ErrorObject, ProtocolVersion};
use serde::Deserialize;
use serde_json::value::RawValue;

use crate::{
    agreement::Agreement,
    error::{NegotiationError, OfferError},
    offer::Offer,
};

/// How many versions are kept of the list in a `-32022`.
const MAX_LISTED: usize = 16;

/// What came of one `initialize`.
#[derive(Debug, Clone, Copy)]
#[non_exhaustive]
pub enum Answer<'a> {
    /// The `result` of the response.
    Result(&'a RawValue),
    /// The agent said no.
    Error(&'a ErrorObject),
    /// The agent ended, or closed its output, without an answer.
    Ended,
    /// There is no answer to read: the reply is none, or none came within the bounds.
    Broken,
}

/// What to do next.
#[derive(Debug)]
#[non_exhaustive]
pub enum Step {
    /// Agreed: speak it.
    Speak(Box<Agreement>),
    /// Send `initialize` again on the same connection, with [`Negotiation::offer`] as it now is.
    Repeat,
    /// Start a fresh process (or connection) and send `initialize` with [`Negotiation::offer`] as it now is.
    Restart,
    /// No agreement: disconnect and say why.
    Refuse(NegotiationError),
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Stage {
    /// The first request is out.
    First,
    /// The second one is out, on the same connection.
    Repeated,
    /// The last one is out, on a fresh connection.
    Restarted,
}

/// One negotiation with one agent. It asks at most three times: first, again, afresh.
#[derive(Debug, Clone)]
pub struct Negotiation {
    offer: Offer,
    whole: Offer,
    stage: Stage,
}

impl Negotiation {
    /// Starts with an offer; its [`Offer::params`] are the first request.
    #[must_use]
    pub fn new(offer: Offer) -> Self {
        Self {
            whole: offer.clone(),
            offer,
            stage: Stage::First,
        }
    }

    /// What is on offer at the moment.
    #[must_use]
    pub fn offer(&self) -> &Offer {
        &self.offer
    }

    /// Takes what came and says what to do next.
    pub fn step(&mut self, answer: Answer<'_>) -> Step {
        match answer {
            Answer::Result(result) => match self.offer.accept(result) {
                Ok(agreement) if self.wants_pure_v1(&agreement) => {
                    self.again(ProtocolVersion::V1, Stage::Repeated)
                }
                Ok(agreement) => Step::Speak(Box::new(agreement)),
                // A wrong version is the agent's last word. After a repeat the connection is in doubt, the agent is not.
                Err(error) if self.stage == Stage::Repeated => self.afresh(error),
                Err(error) => Step::Refuse(error),
            },
            Answer::Error(error) => self.after_error(error),
            Answer::Ended => self.afresh(NegotiationError::Ended),
            Answer::Broken => self.afresh(NegotiationError::MissingResult),
        }
    }

    /// Whether the request that is out repeats one that was answered on the same connection. An agent that says nothing to
    /// it has spoken before, so that silence is an [`Answer::Broken`] and not the silence of one that hangs.
    #[must_use]
    pub fn is_repeating(&self) -> bool {
        self.stage == Stage::Repeated
    }

    /// A merged offer was answered with 1, and there is something that only a pure v1 request is sure to tell.
    fn wants_pure_v1(&self, agreement: &Agreement) -> bool {
        self.stage == Stage::First
            && agreement.version() == ProtocolVersion::V1
            && self.offer.versions().newest() != ProtocolVersion::V1
            && self.offer.declaration().has_v1_only()
    }

    fn after_error(&mut self, error: &ErrorObject) -> Step {
        let theirs = if error.code == ErrorCode::UNSUPPORTED_VERSION {
            listed(error)
        } else {
            None
        };
        let refusal = NegotiationError::Refused {
            code: i64::from(error.code.0),
            theirs: theirs.clone().unwrap_or_default(),
            supported: self.whole.versions(),
            said: error.message.clone(),
        };
        let Some(theirs) = theirs else {
            return self.afresh(refusal);
        };
        let common = self
            .whole
            .versions()
            .iter()
            .rev()
            .find(|ours| theirs.contains(&i64::from(ours.0)));
        match common {
            Some(version) if self.stage == Stage::First => self.again(version, Stage::Repeated),
            Some(_) => self.afresh(refusal),
            None => Step::Refuse(refusal),
        }
    }

    /// The last resort of an offer that asked for more than 1: a fresh process that is asked for 1. Once.
    fn afresh(&mut self, error: NegotiationError) -> Step {
        let asked_for_more = self.whole.versions().newest() != ProtocolVersion::V1;
        if asked_for_more
            && self.whole.versions().contains(ProtocolVersion::V1)
            && self.stage != Stage::Restarted
        {
            self.again(ProtocolVersion::V1, Stage::Restarted)
        } else {
            Step::Refuse(error)
        }
    }

    fn again(&mut self, version: ProtocolVersion, stage: Stage) -> Step {
        match self.whole.only(version) {
            Ok(offer) => {
                self.offer = offer;
                self.stage = stage;
                if stage == Stage::Restarted {
                    Step::Restart
                } else {
                    Step::Repeat
                }
            }
            Err(OfferError::NoVersion | OfferError::UnsupportedVersion { .. }) => {
                Step::Refuse(NegotiationError::Ended)
            }
        }
    }
}

/// The versions that a `-32022` lists; `None` when its data cannot be read.
fn listed(error: &ErrorObject) -> Option<Vec<i64>> {
    #[derive(Deserialize)]
    struct Data {
        supported: Vec<i64>,
    }
    let mut data: Data = serde_json::from_str(error.data.as_ref()?.get()).ok()?;
    data.supported.truncate(MAX_LISTED);
    Some(data.supported)
}
