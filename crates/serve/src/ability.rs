//! What an agent can do beyond the baseline: a trait each, registered on the server.

mod account;
mod settings;
mod stored;

use std::sync::Arc;

use acp_vocab::{
    AuthMethodId, AuthStatusResponse as LoginState, ErrorObject, ProviderId, ProviderInfo,
    SessionConfigId, SessionId, SessionStatus as Status,
};

use crate::{
    agent::Boxed,
    login::LoginMethod,
    opening::{ForkSession as ForkRequest, LoadSession as LoadRequest, Opened},
    options::{OptionValue, SessionOption},
};

pub(crate) use self::settings::SystemPrompts;
pub use self::{
    account::{Auth, AuthStatus, ProviderSetup, Providers},
    settings::{Options, OptionsRequest, SetupOptions},
    stored::{
        ArchiveSession, Archived, CloseSession, DeleteSession, ForkSession, ListRequest,
        ListSessions, LoadSession, SessionPage, SessionStatus, SetTitle,
    },
};

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
    /// [`SetupOptions`], erased.
    AnySetupOptions of SetupOptions {
        fn preview(request: OptionsRequest) -> Result<Opened, ErrorObject>;
    }
    /// [`ArchiveSession`], erased.
    AnyArchive of ArchiveSession {
        fn archive(session: &'a SessionId) -> Result<(), ErrorObject>;
        fn unarchive(session: &'a SessionId) -> Result<(), ErrorObject>;
    }
    /// [`SetTitle`], erased.
    AnyTitle of SetTitle {
        fn set_title(session: &'a SessionId, title: Box<str>) -> Result<Box<str>, ErrorObject>;
    }
    /// [`SessionStatus`], erased.
    AnyStatus of SessionStatus {
        fn status(session: &'a SessionId) -> Result<Status, ErrorObject>;
    }
    /// [`AuthStatus`], erased.
    AnyAuthStatus of AuthStatus {
        fn auth_status() -> Result<LoginState, ErrorObject>;
    }
    /// [`Providers`], erased.
    AnyProviders of Providers {
        fn providers() -> Result<Vec<ProviderInfo>, ErrorObject>;
        fn set_provider(setup: ProviderSetup) -> Result<(), ErrorObject>;
        fn disable_provider(provider: &'a ProviderId) -> Result<(), ErrorObject>;
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
    pub(crate) setup_options: Option<Arc<dyn AnySetupOptions>>,
    pub(crate) archive: Option<Arc<dyn AnyArchive>>,
    pub(crate) title: Option<Arc<dyn AnyTitle>>,
    pub(crate) status: Option<Arc<dyn AnyStatus>>,
    pub(crate) auth: Option<Arc<dyn AnyAuth>>,
    pub(crate) auth_status: Option<Arc<dyn AnyAuthStatus>>,
    pub(crate) providers: Option<Arc<dyn AnyProviders>>,
    pub(crate) system_prompts: SystemPrompts,
    pub(crate) images: bool,
    pub(crate) audio: bool,
    pub(crate) embedded_context: bool,
    pub(crate) additional_directories: bool,
}
