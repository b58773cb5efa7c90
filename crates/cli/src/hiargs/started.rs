//! How an agent is started, for how long it may take, and what its session is given.

use std::{env, ffi::OsString, fs, io::Read as _, path::PathBuf, time::Duration};

use acp_harness::{
    client::declared_tools,
    handshake::SPOKEN,
    vocab::{ProtocolVersion, SessionId, v1::McpServer},
};

use super::Misuse;
use crate::{
    aliases,
    choose::{self, Wish},
    duration,
    lowargs::{self, Choose, Reopen, Start, Tools},
    place, safe,
    services::Services,
};

/// How much of a declaration of tools is read: one byte more than it may have.
const TOOLS_READ: u64 = (64 << 10) + 1;
/// The absolute bound of a turn, when none is named.
const TURN: Duration = Duration::from_secs(3_600);

/// Who answers.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Agent {
    /// The demo agent of this program.
    Demo,
    /// A program and its arguments; never empty.
    Command(Vec<OsString>),
}

/// A bound: the default of what it bounds, lifted, or this long.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Bound {
    Default,
    Lifted,
    Of(Duration),
}

/// How an agent is started and for how long it may take.
#[derive(Debug)]
pub(crate) struct Started {
    pub(crate) agent: Agent,
    pub(crate) cwd: PathBuf,
    pub(crate) env: Vec<(OsString, OsString)>,
    pub(crate) auth: Option<String>,
    pub(crate) idle: Bound,
    pub(crate) absolute: Bound,
    pub(crate) record: Option<PathBuf>,
    /// The versions to offer.
    pub(crate) versions: Vec<ProtocolVersion>,
    /// A stored session instead of a new one.
    pub(crate) reopen: Option<Stored>,
    pub(crate) tools: Vec<McpServer>,
    /// Whether another way to reopen it will do, and a new one at last.
    pub(crate) or_new: bool,
    /// What is put in force once the session is open, in this order.
    pub(crate) wishes: Vec<Wish>,
    /// Whether it goes on without those that cannot be met.
    pub(crate) best_effort: bool,
    /// What is done for the agent.
    pub(crate) services: Services,
    /// Whether a login can be run in the terminal.
    pub(crate) logs_in: bool,
}

/// A stored session, and whether its history is replayed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Stored {
    Load(SessionId),
    Resume(SessionId),
}

impl Stored {
    /// Its id.
    pub(crate) fn id(&self) -> &SessionId {
        match self {
            Self::Load(id) | Self::Resume(id) => id,
        }
    }

    /// The same session, opened the other way.
    pub(crate) fn other(&self) -> Self {
        match self {
            Self::Load(id) => Self::Resume(id.clone()),
            Self::Resume(id) => Self::Load(id.clone()),
        }
    }

    /// What it then is.
    pub(crate) fn how(&self) -> &'static str {
        match self {
            Self::Load(_) => "loaded",
            Self::Resume(_) => "resumed",
        }
    }
}

impl Started {
    /// Reads what was typed. A turn of `run` and a start-up of `probe` share the words and not the defaults.
    pub(crate) fn new(low: &Start) -> Result<Self, Misuse> {
        let here = env::current_dir().map_err(|error| {
            Misuse::new(format!("the working directory cannot be read: {error}"))
        })?;
        let cwd = low
            .cwd
            .as_ref()
            .map_or_else(|| here.clone(), |dir| here.join(dir));
        if !cwd.is_dir() {
            return Err(Misuse::new(format!(
                "--cwd {} is no directory",
                place::shown(&cwd)
            )));
        }
        let alias = low
            .alias
            .as_deref()
            .map(|name| aliases::find(&low.config, name))
            .transpose()?;
        let aliased = alias.iter().flat_map(|alias| &alias.env);
        let mut env: Vec<(OsString, OsString)> = aliased
            .map(|(name, value)| (name.into(), value.into()))
            .collect();
        // What was typed comes later, and wins.
        for typed in &low.env {
            env.push(variable(typed)?);
        }
        Ok(Self {
            agent: alias.map_or_else(|| agent(low), |alias| Agent::Command(alias.argv())),
            env,
            auth: low.auth.clone(),
            idle: bound("--idle-timeout", low.idle_timeout.as_deref())?,
            absolute: bound("--timeout", low.timeout.as_deref())?,
            record: low.record.clone(),
            versions: versions(&low.protocol)?,
            reopen: None,
            or_new: false,
            tools: Vec::new(),
            wishes: Vec::new(),
            best_effort: false,
            services: Services::default(),
            logs_in: false,
            // A canonical path where there is one: an agent compares it with what it finds itself.
            cwd: fs::canonicalize(&cwd).unwrap_or(cwd),
        })
    }

    /// The same with a session that is opened in this way.
    pub(crate) fn opening(
        mut self,
        choose: &Choose,
        reopen: &Reopen,
        tools: &Tools,
    ) -> Result<Self, Misuse> {
        self.wishes = choose::wishes(choose)?;
        self.best_effort = choose.best_effort;
        self.tools = declared(tools)?;
        Ok(self.reopening(reopen))
    }

    /// The same with what is done for the agent.
    pub(crate) fn serving(mut self, services: &lowargs::Services) -> Result<Self, Misuse> {
        self.services = Services::new(services, &self.cwd)?;
        Ok(self)
    }

    /// The same for somebody who wants to log in.
    pub(crate) fn logging_in(self) -> Self {
        Self {
            logs_in: true,
            ..self
        }
    }

    /// The same with a stored session, where one is named.
    pub(crate) fn reopening(mut self, reopen: &Reopen) -> Self {
        self.reopen = match (&reopen.load, &reopen.resume) {
            (Some(id), _) => Some(Stored::Load(SessionId::from(id.as_str()))),
            (None, Some(id)) => Some(Stored::Resume(SessionId::from(id.as_str()))),
            (None, None) => None,
        };
        self.or_new = reopen.resume_or_new;
        self
    }

    /// The absolute bound of a turn.
    pub(crate) fn turn_absolute(&self) -> Bound {
        match self.absolute {
            Bound::Default => Bound::Of(TURN),
            other @ (Bound::Lifted | Bound::Of(_)) => other,
        }
    }
}

/// Who answers, where it is not named by an alias.
pub(crate) fn agent(low: &Start) -> Agent {
    if low.agent.is_empty() {
        Agent::Demo
    } else {
        Agent::Command(low.agent.clone())
    }
}

fn versions(typed: &str) -> Result<Vec<ProtocolVersion>, Misuse> {
    if typed == "auto" {
        return Ok(SPOKEN.to_vec());
    }
    match typed.parse().ok().map(ProtocolVersion) {
        Some(version) if SPOKEN.contains(&version) => Ok(vec![version]),
        _ => Err(Misuse::new(format!(
            "--protocol {} cannot be spoken",
            safe::line(typed, 40)
        ))
        .hint("write 1, 2 or auto")),
    }
}

/// The servers of tools that a person declared; nothing is searched for that nobody named.
fn declared(low: &Tools) -> Result<Vec<McpServer>, Misuse> {
    let Some(path) = &low.tools else {
        return Ok(Vec::new());
    };
    let mut bytes = Vec::new();
    fs::File::open(path)
        .and_then(|file| file.take(TOOLS_READ).read_to_end(&mut bytes))
        .map_err(|error| {
            Misuse::new(format!(
                "--tools {} cannot be read: {error}",
                place::shown(path)
            ))
        })?;
    declared_tools(&bytes)
        .map_err(|error| Misuse::new(format!("--tools: {error} ({})", error.code())))
}

fn bound(flag: &str, typed: Option<&str>) -> Result<Bound, Misuse> {
    let Some(typed) = typed else {
        return Ok(Bound::Default);
    };
    match duration::parse(typed) {
        Some(Some(length)) => Ok(Bound::Of(length)),
        Some(None) => Ok(Bound::Lifted),
        None => Err(Misuse::new(format!(
            "{flag} {} is no length of time",
            safe::line(typed, 40)
        ))
        .hint("write 90s, 5m, 2h, 500ms or none")),
    }
}

/// A variable as typed, `NAME=VALUE`.
pub(crate) fn variable(typed: &OsString) -> Result<(OsString, OsString), Misuse> {
    let bytes = typed.as_encoded_bytes();
    let at = bytes
        .iter()
        .position(|byte| *byte == b'=')
        .filter(|at| *at > 0);
    let split = at.and_then(|at| {
        let text = typed.to_str()?;
        Some((
            OsString::from(text.get(..at)?),
            OsString::from(text.get(at + 1..)?),
        ))
    });
    split.ok_or_else(|| Misuse::new("--env takes NAME=VALUE in UTF-8"))
}
