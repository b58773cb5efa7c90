//! What can be set about a session: while it is open, before it is, and by the instructions of the
//! host.

use std::path::PathBuf;

use acp_vocab::{ErrorObject, SessionConfigId, SessionId};

use crate::{
    agent::Agent,
    opening::Opened,
    options::{OptionValue, SessionOption},
};

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

/// Says what a session could be set to before there is one, and takes values for its options with
/// the request that opens it: `session/options`, and `configOptions` of every set-up request.
///
/// The crate applies such values by [`Options::set`], in their order, once the agent has opened the
/// session and before the client is told. When one cannot be set the session is not opened.
pub trait SetupOptions: Options {
    /// The options, and the slash commands, that a session there would have. Nothing is opened.
    ///
    /// # Errors
    /// The error to answer.
    fn preview(
        &self,
        request: OptionsRequest,
    ) -> impl Future<Output = Result<Opened, ErrorObject>> + Send;
}

/// Where the session would be.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct OptionsRequest {
    /// The working directory: canonical, and a directory.
    pub cwd: PathBuf,
    /// Further roots, canonical.
    pub additional_directories: Vec<PathBuf>,
    /// A stored session whose options are meant.
    pub session: Option<SessionId>,
}

/// How far a host may go with instructions of its own.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum SystemPrompts {
    #[default]
    Refused,
    Appended,
    Overriding,
}
