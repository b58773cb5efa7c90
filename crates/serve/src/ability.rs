//! What an agent can do beyond the baseline: a trait each, registered on the server.

use std::{path::PathBuf, sync::Arc};

use acp_vocab::{AuthMethodId, ErrorObject, SessionConfigId, SessionId, v2::SessionInfo};

use crate::{
    agent::{Agent, Boxed},
    login::LoginMethod,
    opening::{ForkSession as ForkRequest, LoadSession as LoadRequest, Opened},
    options::{OptionValue, SessionOption},
};

/// Opens stored sessions again: `session/load` and `session/resume` of version 1, `session/resume`
/// of version 2.
pub trait LoadSession: Agent {
    /// Opens the session; where the request has a [`Replay`](crate::Replay), everything that was said
    /// is sent through it first. An id that is not stored is
    /// [`unknown_session`](crate::refusal::unknown_session).
    ///
    /// # Errors
    /// The error to answer.
    fn load(
        &self,
        request: LoadRequest,
    ) -> impl Future<Output = Result<Opened, ErrorObject>> + Send;
}

/// Lists stored sessions: `session/list`. Without it a client of version 2 is told the sessions that
/// are open on its connection.
pub trait ListSessions: Agent {
    /// One page. A cursor that was never given out is
    /// [`invalid`](crate::refusal::invalid).
    ///
    /// # Errors
    /// The error to answer.
    fn list(
        &self,
        request: ListRequest,
    ) -> impl Future<Output = Result<SessionPage, ErrorObject>> + Send;
}

/// What a client wants listed.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct ListRequest {
    /// Only sessions of exactly this working directory.
    pub cwd: Option<PathBuf>,
    /// Where the last page ended.
    pub cursor: Option<Box<str>>,
}

/// Some sessions, and where to go on.
#[derive(Debug, Clone, Default, PartialEq)]
#[non_exhaustive]
pub struct SessionPage {
    /// The sessions.
    pub sessions: Vec<SessionInfo>,
    /// The cursor of the next page; `None` on the last.
    pub next: Option<Box<str>>,
}

impl SessionPage {
    /// The only page.
    #[must_use]
    pub fn last(sessions: Vec<SessionInfo>) -> Self {
        Self {
            sessions,
            next: None,
        }
    }
}

/// Frees what a session holds: `session/close`. The crate has ended its work before.
pub trait CloseSession: Agent {
    /// Frees it. Closing what is not open is no error.
    ///
    /// # Errors
    /// The error to answer.
    fn close(&self, session: &SessionId) -> impl Future<Output = Result<(), ErrorObject>> + Send;
}

/// Removes stored sessions: `session/delete`. The crate has ended their work before.
pub trait DeleteSession: Agent {
    /// Removes it. Deleting what is not there is no error.
    ///
    /// # Errors
    /// The error to answer.
    fn delete(&self, session: &SessionId) -> impl Future<Output = Result<(), ErrorObject>> + Send;
}

/// Starts a session from a copy of another one: `session/fork`.
pub trait ForkSession: Agent {
    /// Opens the copy, whose id is in the request.
    ///
    /// # Errors
    /// The error to answer.
    fn fork(
        &self,
        request: ForkRequest,
    ) -> impl Future<Output = Result<Opened, ErrorObject>> + Send;
}

/// Sets options of sessions: `session/set_config_option`, and `session/set_mode` for the option of
/// category `mode`.
pub trait Options: Agent {
    /// Sets one, and returns all as they are now. The crate has checked that the session has the
    /// option and that it takes the value.
    ///
    /// # Errors
    /// The error to answer.
    fn set(
        &self,
        session: &SessionId,
        option: &SessionConfigId,
        value: OptionValue,
    ) -> impl Future<Output = Result<Vec<SessionOption>, ErrorObject>> + Send;
}

/// Logs in and out: `authenticate` and `logout` of version 1, `auth/login` and `auth/logout` of
/// version 2.
pub trait Auth: Agent {
    /// The ways to log in.
    fn methods(&self) -> Vec<LoginMethod>;

    /// Logs in. It may take as long as a person needs.
    ///
    /// # Errors
    /// The error to answer.
    fn login(&self, method: &AuthMethodId) -> impl Future<Output = Result<(), ErrorObject>> + Send;

    /// Logs out.
    ///
    /// # Errors
    /// The error to answer.
    fn logout(&self) -> impl Future<Output = Result<(), ErrorObject>> + Send;
}

macro_rules! erase {
    ($($(#[$doc:meta])* $any:ident of $ability:ident {
        $(fn $name:ident($($arg:ident: $ty:ty),*) -> $out:ty;)*
    })*) => {$(
        $(#[$doc])*
        pub(crate) trait $any: Send + Sync {
            $(fn $name<'a>(&'a self, $($arg: $ty),*) -> Boxed<'a, $out>;)*
        }

        impl<A: $ability> $any for A {
            $(fn $name<'a>(&'a self, $($arg: $ty),*) -> Boxed<'a, $out> {
                Box::pin($ability::$name(self, $($arg),*))
            })*
        }

        const _: fn(Arc<dyn $any>) = |_| ();
    )*};
}

erase! {
    /// [`LoadSession`], erased.
    AnyLoad of LoadSession { fn load(request: LoadRequest) -> Result<Opened, ErrorObject>; }
    /// [`ListSessions`], erased.
    AnyList of ListSessions { fn list(request: ListRequest) -> Result<SessionPage, ErrorObject>; }
    /// [`CloseSession`], erased.
    AnyClose of CloseSession { fn close(session: &'a SessionId) -> Result<(), ErrorObject>; }
    /// [`DeleteSession`], erased.
    AnyDelete of DeleteSession { fn delete(session: &'a SessionId) -> Result<(), ErrorObject>; }
    /// [`ForkSession`], erased.
    AnyFork of ForkSession { fn fork(request: ForkRequest) -> Result<Opened, ErrorObject>; }
    /// [`Options`], erased.
    AnyOptions of Options {
        fn set(session: &'a SessionId, option: &'a SessionConfigId, value: OptionValue)
            -> Result<Vec<SessionOption>, ErrorObject>;
    }
}

/// [`Auth`], erased.
pub(crate) trait AnyAuth: Send + Sync {
    fn methods(&self) -> Vec<LoginMethod>;
    fn login<'a>(&'a self, method: &'a AuthMethodId) -> Boxed<'a, Result<(), ErrorObject>>;
    fn logout(&self) -> Boxed<'_, Result<(), ErrorObject>>;
}

impl<A: Auth> AnyAuth for A {
    fn methods(&self) -> Vec<LoginMethod> {
        Auth::methods(self)
    }

    fn login<'a>(&'a self, method: &'a AuthMethodId) -> Boxed<'a, Result<(), ErrorObject>> {
        Box::pin(Auth::login(self, method))
    }

    fn logout(&self) -> Boxed<'_, Result<(), ErrorObject>> {
        Box::pin(Auth::logout(self))
    }
}

const _: fn(Arc<dyn AnyAuth>) = |_| ();

/// The abilities that were registered: all that may be declared, and all that is called.
#[derive(Clone, Default)]
pub(crate) struct Abilities {
    pub(crate) load: Option<Arc<dyn AnyLoad>>,
    pub(crate) list: Option<Arc<dyn AnyList>>,
    pub(crate) close: Option<Arc<dyn AnyClose>>,
    pub(crate) delete: Option<Arc<dyn AnyDelete>>,
    pub(crate) fork: Option<Arc<dyn AnyFork>>,
    pub(crate) options: Option<Arc<dyn AnyOptions>>,
    pub(crate) auth: Option<Arc<dyn AnyAuth>>,
    pub(crate) images: bool,
    pub(crate) audio: bool,
    pub(crate) embedded_context: bool,
    pub(crate) additional_directories: bool,
}
