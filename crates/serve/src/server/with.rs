//! Registering what an agent can do, which is what declares it.

use std::sync::Arc;

use super::Server;
use crate::{
    ability::{
        ArchiveSession, Auth, AuthStatus, CloseSession, DeleteSession, ForkSession, ListSessions,
        LoadSession, Options, Providers, SessionStatus, SetTitle, SetupOptions, SystemPrompts,
    },
    agent::Agent,
};

macro_rules! abilities {
    ($($(#[$doc:meta])* $with:ident: $ability:ident => $($member:ident),+;)*) => {
        impl<A: Agent> Server<A> {
            $(
                $(#[$doc])*
                #[must_use]
                pub fn $with(mut self) -> Self
                where
                    A: $ability,
                {
                    $(self.host.abilities.$member = Some(Arc::clone(&self.agent) as _);)+
                    self
                }
            )*
        }
    };
}

abilities! {
    /// Stored sessions can be opened again.
    with_load_session: LoadSession => load;
    /// Stored sessions can be listed.
    with_list_sessions: ListSessions => list;
    /// Sessions can be closed.
    with_close_session: CloseSession => close;
    /// Stored sessions can be deleted.
    with_delete_session: DeleteSession => delete;
    /// Sessions can be copied.
    with_fork_session: ForkSession => fork;
    /// Sessions can be archived.
    with_archive_session: ArchiveSession => archive;
    /// Sessions can be given a title.
    with_set_title: SetTitle => title;
    /// It can be asked how far a session is.
    with_session_status: SessionStatus => status;
    /// Sessions have options that can be set, modes among them.
    with_options: Options => options;
    /// The same, and they can be looked at before there is a session, and set while it is opened.
    with_setup_options: SetupOptions => options, setup_options;
    /// There are ways to log in.
    with_auth: Auth => auth;
    /// It can be asked who is logged in.
    with_auth_status: AuthStatus => auth_status;
    /// Providers of models can be chosen.
    with_providers: Providers => providers;
}

impl<A: Agent> Server<A> {
    /// Prompts may hold images.
    #[must_use]
    pub fn with_images(mut self) -> Self {
        self.host.abilities.images = true;
        self
    }

    /// Prompts may hold sound.
    #[must_use]
    pub fn with_audio(mut self) -> Self {
        self.host.abilities.audio = true;
        self
    }

    /// Prompts may hold resources with their contents.
    #[must_use]
    pub fn with_embedded_context(mut self) -> Self {
        self.host.abilities.embedded_context = true;
        self
    }

    /// Sessions may have further roots.
    #[must_use]
    pub fn with_additional_directories(mut self) -> Self {
        self.host.abilities.additional_directories = true;
        self
    }

    /// Hosts may add instructions to the agent's own. What they are is in
    /// [`Setup::system_prompt`](crate::Setup::system_prompt), and the agent has to follow it.
    #[must_use]
    pub fn with_system_prompt(mut self) -> Self {
        let before = self.host.abilities.system_prompts;
        self.host.abilities.system_prompts = before.max(SystemPrompts::Appended);
        self
    }

    /// The same, and they may replace the agent's own instructions, too.
    #[must_use]
    pub fn with_system_prompt_override(mut self) -> Self {
        self.host.abilities.system_prompts = SystemPrompts::Overriding;
        self
    }

    /// MCP servers may be reached over HTTP, too.
    #[must_use]
    pub fn with_mcp_http(mut self) -> Self {
        self.host.transports.http = true;
        self
    }

    /// MCP servers may be hosted by the client, too: the agent talks to them by
    /// [`Client::mcp`](crate::Client::mcp).
    #[must_use]
    pub fn with_mcp_hosted(mut self) -> Self {
        self.host.transports.hosted = true;
        self
    }
}
