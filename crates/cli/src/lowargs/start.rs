//! How an agent is started.

use std::{ffi::OsString, path::PathBuf, rc::Rc};

use clap::{Args, ValueHint};

use crate::config::Config;

/// How an agent is started.
#[derive(Debug, Args)]
pub(crate) struct Start {
    /// Working directory of the agent and of the session [default: here]
    #[arg(long, value_name = "DIR", value_hint = ValueHint::DirPath)]
    pub(crate) cwd: Option<PathBuf>,
    /// Set a variable in the agent's environment (more than once)
    #[arg(long = "env", value_name = "NAME=VALUE")]
    pub(crate) env: Vec<OsString>,
    /// Log in with this method of the agent before the session
    #[arg(long, value_name = "METHOD")]
    pub(crate) auth: Option<String>,
    /// End it when nothing came for this long, `90s`, `5m` or `none` [default: 10m, start-up 2m]
    #[arg(long, value_name = "TIME")]
    pub(crate) idle_timeout: Option<String>,
    /// End it after this long whatever comes [default: 1h, start-up 10m]
    #[arg(long, value_name = "TIME")]
    pub(crate) timeout: Option<String>,
    /// Write every line of the wire into a file (it may hold secrets)
    #[arg(long, value_name = "FILE", value_hint = ValueHint::FilePath)]
    pub(crate) record: Option<PathBuf>,
    /// Speak this protocol version: 1, 2 or auto
    #[arg(long, value_name = "N", default_value = "auto")]
    pub(crate) protocol: String,
    /// The agent by its name in `acp agents`, instead of its command
    #[arg(short, long = "agent", value_name = "NAME", conflicts_with = "agent")]
    pub(crate) alias: Option<String>,
    /// The agent and its arguments, word by word; the demo agent when there is none
    #[arg(last = true, value_name = "AGENT", value_hint = ValueHint::CommandWithArguments)]
    pub(crate) agent: Vec<OsString>,
    /// What was said beforehand; the flags above hold what of it is in force.
    #[arg(skip)]
    pub(crate) config: Rc<Config>,
}
