//! A session: a conversation with the agent, on one connection.

use std::sync::{Arc, Mutex, PoisonError};

use acp_session::{Conversation, Reply, Scope, SessionKey};
use acp_thinking::{Options, Wishes};
use acp_vocab::{Method, ProtocolVersion, Raw, SessionId, SessionModeId, Wire, v1, v2};
use serde::Serialize;
use serde_json::value::RawValue;

use crate::{
    budget::Budget,
    error::RequestError,
    noted::{Answer, Settles},
    prompt::{Prompt, StartPrompt},
    request::PendingRequest,
    requester::Requester,
    shared::Shared,
    stream::SessionEvents,
};

/// An open session. Cheap to clone; dropping the last clone lets go of it: its turns go on, and
/// when none is left its events are drained and counted. It does not close the session, which the
/// agent keeps: [`close`](Self::close) does.
#[derive(Clone, Debug)]
pub struct Session {
    held: Arc<Held>,
}

#[derive(Debug)]
struct Held {
    shared: Arc<Shared>,
    key: SessionKey,
    id: SessionId,
    cwd: Box<str>,
    setup: Raw,
    wishes: Mutex<Wishes>,
}

impl Drop for Held {
    fn drop(&mut self) {
        self.shared
            .with(|inner, now| inner.machine.drop_session(now, self.key));
        self.shared.noted(|noted| noted.dropped(&self.id, self.key));
    }
}

impl Session {
    pub(crate) fn new(
        shared: Arc<Shared>,
        key: SessionKey,
        id: SessionId,
        cwd: Box<str>,
        reply: Reply,
    ) -> Self {
        let answer = Answer {
            text: reply.result.get(),
            frame: reply.frame,
            version: version(&shared),
        };
        shared.noted(|noted| noted.opened(&id, key, answer));
        let setup = reply.result.into();
        Self {
            held: Arc::new(Held {
                shared,
                key,
                id,
                cwd,
                setup,
                wishes: Mutex::default(),
            }),
        }
    }

    pub(crate) fn shared(&self) -> &Arc<Shared> {
        &self.held.shared
    }

    pub(crate) fn key(&self) -> SessionKey {
        self.held.key
    }

    pub(crate) fn version(&self) -> ProtocolVersion {
        version(self.shared())
    }

    /// Takes what an answer says of what the session offers.
    pub(crate) fn answered<T>(
        &self,
        reply: &Reply,
        settles: Settles,
        act: impl FnOnce(&mut Options) -> T,
    ) -> Option<T> {
        let answer = Answer {
            text: reply.result.get(),
            frame: reply.frame,
            version: self.version(),
        };
        self.shared()
            .noted(|noted| noted.answered(self.id(), answer, settles, act))
    }

    fn requester(&self) -> Requester {
        Requester {
            shared: Arc::clone(&self.held.shared),
        }
    }

    pub(crate) fn require(&self, method: Method) -> Result<(), RequestError> {
        self.requester().require(method.name())
    }

    /// What was chosen for it: what has to be chosen again after it was loaded.
    #[must_use]
    pub fn chosen(&self) -> Wishes {
        self.held
            .wishes
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .clone()
    }

    pub(crate) fn remember(&self, wishes: &Wishes) {
        let mut chosen = self
            .held
            .wishes
            .lock()
            .unwrap_or_else(PoisonError::into_inner);
        *chosen = std::mem::take(&mut *chosen).then(wishes);
    }

    /// The agent accepted a mode, which it need not repeat.
    pub(crate) fn is_in_mode(&self, mode: SessionModeId) {
        self.shared()
            .noted(|noted| noted.say(self.id(), |state| state.set_mode(mode)));
    }

    /// Its id, given by the agent.
    #[must_use]
    pub fn id(&self) -> &SessionId {
        &self.held.id
    }

    /// The working directory that it was opened with.
    #[must_use]
    pub fn cwd(&self) -> &str {
        &self.held.cwd
    }

    /// The result that opened it, as it came: modes, config options, models, `_meta`.
    #[must_use]
    pub fn setup(&self) -> &Raw {
        &self.held.setup
    }

    /// The modes that it was opened with (v1). Ignore them when there are config options.
    #[must_use]
    pub fn modes(&self) -> Option<v1::SessionModeState> {
        self.member("modes")
    }

    fn member<T: Wire>(&self, name: &str) -> Option<T> {
        let members: std::collections::BTreeMap<&str, &RawValue> =
            serde_json::from_str(self.held.setup.get()).ok()?;
        acp_vocab::decode(members.get(name)?).ok()
    }

    /// What was said in it, folded into its current state: messages, thoughts, tool calls, plans,
    /// terminals, commands, usage. History that a load replayed is in it, and the events that were
    /// read since. `None` unless the client was built with
    /// [`keep_state`](crate::ClientBuilder::keep_state). It is a copy: see
    /// [`read_state`](Self::read_state).
    #[must_use]
    pub fn state(&self) -> Option<Conversation> {
        self.read_state(Conversation::clone)
    }

    /// Looks at what was said in it without a copy. Reading events waits meanwhile, so `look` must
    /// not use the session.
    pub fn read_state<T>(&self, look: impl FnOnce(&Conversation) -> T) -> Option<T> {
        self.shared().noted(|noted| noted.state(self.id(), look))
    }

    /// A prompt about to be sent: text, or any content.
    pub fn prompt(&self, prompt: impl Into<Prompt>) -> StartPrompt<'_> {
        StartPrompt::new(self, prompt.into())
    }

    /// Its events while no turn of it lives: late updates, and what the agent does by itself.
    #[must_use]
    pub fn events(&self) -> SessionEvents {
        SessionEvents::new(
            Arc::clone(&self.held.shared),
            self.held.key,
            self.held.id.clone(),
        )
    }

    /// Puts it into a mode (v1).
    ///
    /// # Errors
    /// [`RequestError::NotOffered`] when it lists modes and not this one, or none at all;
    /// otherwise as [`call_within`](Self::call_within).
    pub async fn set_mode(&self, mode: impl Into<SessionModeId>) -> Result<(), RequestError> {
        let mode = mode.into();
        let listed = self
            .modes()
            .map(|modes| modes.available_modes)
            .unwrap_or_default();
        if !listed.iter().any(|known| known.id == mode) {
            return Err(RequestError::NotOffered {
                what: "mode",
                offered: listed.len(),
            });
        }
        let params = v1::SetSessionModeRequest::new(self.id().clone(), mode.clone());
        let method = Method::SESSION_SET_MODE.name();
        let reply = self
            .send_request(method, &params, &Budget::defaults())?
            .reply()
            .await??;
        self.answered(&reply, Settles::Mode, |options| {
            options.set_mode(mode.as_str());
        });
        self.is_in_mode(mode);
        Ok(())
    }

    /// Sets a config option to the id of one of its values, or to a boolean. The result is the
    /// complete new list of options, since one change may alter others.
    ///
    /// # Errors
    /// As [`call_within`](Self::call_within).
    pub async fn set_config_option(
        &self,
        option: &str,
        value: impl Into<OptionValue>,
    ) -> Result<Raw, RequestError> {
        let method = Method::SESSION_SET_CONFIG_OPTION.name();
        let (id, budget) = (self.id().clone(), Budget::defaults());
        let v2 = self.version() >= ProtocolVersion::V2;
        let mut sent = match (value.into(), v2) {
            (OptionValue::Id(value), false) => {
                let params = v1::SetSessionConfigOptionRequest::new(id, option, &*value);
                self.send_request(method, &params, &budget)?
            }
            (OptionValue::Boolean(value), false) => {
                let params = v1::SetSessionConfigOptionRequest::new(id, option, value);
                self.send_request(method, &params, &budget)?
            }
            (OptionValue::Id(value), true) => {
                let params = v2::SetSessionConfigOptionRequest::new(id, option, &*value);
                self.send_request(method, &params, &budget)?
            }
            (OptionValue::Boolean(value), true) => {
                let params = v2::SetSessionConfigOptionRequest::new(id, option, value);
                self.send_request(method, &params, &budget)?
            }
        };
        let reply = sent.reply().await??;
        self.answered(&reply, Settles::Options, |options| {
            options.update(reply.result.get());
        });
        Ok(reply.result.into())
    }

    /// Sends a request that concerns this session and waits for the answer. The params have to name
    /// the session themselves.
    ///
    /// # Errors
    /// [`RequestError`]: refused locally, or no result.
    pub async fn call_within(
        &self,
        method: &str,
        params: &(impl Serialize + ?Sized),
        budget: &Budget,
    ) -> Result<Raw, RequestError> {
        self.send_request(method, params, budget)?
            .await_response()
            .await
    }

    /// Sends a request that concerns this session and does not wait.
    ///
    /// # Errors
    /// [`RequestError::NotAdvertised`] and [`RequestError::Usage`]; nothing was sent then.
    pub fn send_request(
        &self,
        method: &str,
        params: &(impl Serialize + ?Sized),
        budget: &Budget,
    ) -> Result<PendingRequest, RequestError> {
        let requester = self.requester();
        requester.require(method)?;
        Ok(requester.send_in(Scope::Session(self.key()), method, params, budget)?)
    }

    /// Closes the session at the agent: running work is cancelled and what it holds is freed. One
    /// that is not there (any more) counts as closed.
    ///
    /// # Errors
    /// [`RequestError::NotAdvertised`] when the agent cannot; otherwise as
    /// [`call_within`](Self::call_within).
    pub async fn close(&self) -> Result<(), RequestError> {
        self.end(Method::SESSION_CLOSE).await
    }

    /// Takes the session off the agent's list, and lets it free what it holds.
    ///
    /// # Errors
    /// [`RequestError::NotAdvertised`] when the agent cannot; otherwise as
    /// [`call_within`](Self::call_within).
    pub async fn delete(&self) -> Result<(), RequestError> {
        self.end(Method::SESSION_DELETE).await
    }

    async fn end(&self, method: Method) -> Result<(), RequestError> {
        self.requester()
            .end_session(method, self.id(), Some(self.key()))
            .await
    }
}

fn version(shared: &Shared) -> ProtocolVersion {
    shared
        .agreement()
        .map_or(ProtocolVersion::V1, |agreement| agreement.version())
}

/// A value for a config option.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum OptionValue {
    /// The id of one of the listed values.
    Id(Box<str>),
    /// On or off.
    Boolean(bool),
}

impl From<&str> for OptionValue {
    fn from(id: &str) -> Self {
        Self::Id(id.into())
    }
}

impl From<bool> for OptionValue {
    fn from(value: bool) -> Self {
        Self::Boolean(value)
    }
}
