//! What the words of `run` and `probe` mean: checked, read and resolved before anything is started.

use std::{
    env,
    ffi::OsString,
    fs,
    io::{self, IsTerminal as _, Read as _},
    path::{Path, PathBuf},
    time::Duration,
};

use acp_harness::permission::{Decision, Rules};

use crate::{
    duration,
    lowargs::{Run, Start},
    safe,
};

/// How much of a prompt is read: a line of the wire holds no more.
const MAX_PROMPT: u64 = 32 << 20;
/// The absolute bound of a turn, when none is named.
const TURN: Duration = Duration::from_secs(3_600);

/// A command line that cannot be done as it stands; exit 2.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Misuse {
    pub(crate) message: String,
    pub(crate) hint: Option<String>,
}

impl Misuse {
    fn new(message: impl Into<String>) -> Self {
        Self {
            message: message.into(),
            hint: None,
        }
    }

    fn hint(self, hint: impl Into<String>) -> Self {
        Self {
            hint: Some(hint.into()),
            ..self
        }
    }
}

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
}

/// One run.
#[derive(Debug)]
pub(crate) struct Plan {
    pub(crate) started: Started,
    /// The directory of the session, below which relative paths lie.
    pub(crate) directory: String,
    pub(crate) prompt: String,
    pub(crate) rules: Rules,
    /// Whether a person can be asked.
    pub(crate) person: bool,
    pub(crate) denied_ok: bool,
    pub(crate) mode: Option<String>,
}

impl Plan {
    /// Reads what was typed.
    pub(crate) fn new(low: &Run) -> Result<Self, Misuse> {
        let started = Started::new(&low.start)?;
        let has_policy = low.ask || !low.allow.is_empty() || !low.deny.is_empty();
        let at_terminal = io::stderr().is_terminal() && (low.ask || io::stdin().is_terminal());
        let rules = rules(low)?.rooted(&started.cwd);
        let asks = low.ask || !has_policy;
        Ok(Self {
            rules: rules.otherwise(if asks {
                Decision::Ask
            } else {
                Decision::Cancel
            }),
            person: asks && at_terminal,
            denied_ok: low.denied_ok,
            mode: low.mode.clone(),
            prompt: prompt(&low.prompt)?,
            directory: started.cwd.to_string_lossy().into_owned(),
            started,
        })
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
                shown(&cwd)
            )));
        }
        Ok(Self {
            agent: agent(low),
            env: low.env.iter().map(variable).collect::<Result<_, _>>()?,
            auth: low.auth.clone(),
            idle: bound("--idle-timeout", low.idle_timeout.as_deref())?,
            absolute: bound("--timeout", low.timeout.as_deref())?,
            record: low.record.clone(),
            // A canonical path where there is one: an agent compares it with what it finds itself.
            cwd: fs::canonicalize(&cwd).unwrap_or(cwd),
        })
    }

    /// The absolute bound of a turn.
    pub(crate) fn turn_absolute(&self) -> Bound {
        match self.absolute {
            Bound::Default => Bound::Of(TURN),
            other @ (Bound::Lifted | Bound::Of(_)) => other,
        }
    }
}

/// Who answers.
pub(crate) fn agent(low: &Start) -> Agent {
    if low.agent.is_empty() {
        Agent::Demo
    } else {
        Agent::Command(low.agent.clone())
    }
}

fn rules(low: &Run) -> Result<Rules, Misuse> {
    // `all` is what people type; `any` is what the rule is called.
    let words = |lists: &[String]| {
        lists
            .iter()
            .map(|list| {
                if list == "all" {
                    String::from("any")
                } else {
                    list.clone()
                }
            })
            .collect::<Vec<_>>()
    };
    Rules::from_flags(&words(&low.deny), &[], &words(&low.allow)).map_err(|error| {
        Misuse::new(format!("--allow or --deny cannot be read: {error}"))
            .hint("kinds: read, edit, delete, move, search, execute, think, fetch, switch_mode, other, all")
    })
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

fn variable(typed: &OsString) -> Result<(OsString, OsString), Misuse> {
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

/// The prompt: as typed, from a file, or from stdin.
fn prompt(typed: &str) -> Result<String, Misuse> {
    let (what, bytes) = match typed.strip_prefix('@') {
        _ if typed == "-" => (String::from("stdin"), read(io::stdin().lock())),
        Some(path) => (safe::line(path, 200), fs::File::open(path).and_then(read)),
        None => return not_empty("the prompt", typed.to_owned()),
    };
    let bytes = bytes
        .map_err(|error| Misuse::new(format!("the prompt cannot be read from {what}: {error}")))?;
    let text = String::from_utf8(bytes).map_err(|_| Misuse::new(format!("{what} is not UTF-8")))?;
    not_empty(&what, text)
}

fn read(from: impl io::Read) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    from.take(MAX_PROMPT + 1).read_to_end(&mut bytes)?;
    if bytes.len() as u64 > MAX_PROMPT {
        return Err(io::Error::new(
            io::ErrorKind::FileTooLarge,
            format!("more than {} MiB", MAX_PROMPT >> 20),
        ));
    }
    Ok(bytes)
}

/// Some agents never answer again after an empty prompt.
fn not_empty(what: &str, text: String) -> Result<String, Misuse> {
    if text.trim().is_empty() {
        Err(Misuse::new(format!("{what} is empty")))
    } else {
        Ok(text)
    }
}

fn shown(path: &Path) -> String {
    safe::line(&path.to_string_lossy(), 200)
}
