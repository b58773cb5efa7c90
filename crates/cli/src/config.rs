//! What was said beforehand: the user's file, the directory's file once it is trusted, the environment. Flags come on top.
//!
//! A file of a directory comes with the code in it, so it says nothing at all until the user trusts it.

pub(crate) mod edit;
pub(crate) mod environment;
mod fault;
pub(crate) mod file;
pub(crate) mod onto;
pub(crate) mod origin;
mod replace;
pub(crate) mod table;
pub(crate) mod trust;
mod written;

use std::{
    collections::BTreeMap,
    env, fs, io,
    path::{Path, PathBuf},
};

use self::{
    file::{Entry, File},
    origin::{Given, Layer, Origin},
    table::{Kind, SETTINGS, Setting, Value},
    trust::{Store, Verdict},
};
use crate::{hiargs::Misuse, place};

/// All layers below the flags.
#[derive(Debug, Default)]
pub(crate) struct Config {
    /// The files, the lowest layer first.
    files: Vec<File>,
    environment: Vec<Given>,
    /// What a person should know about what was not read.
    pub(crate) notices: Vec<String>,
}

/// What is in force for a setting, and where it comes from: the highest layer, or all where they add up.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Effective<'a> {
    pub(crate) setting: &'static Setting,
    pub(crate) value: Value,
    pub(crate) origins: Vec<&'a Origin>,
}

impl<'a> Effective<'a> {
    /// Out of all that was given, the lowest first.
    fn of(setting: &'static Setting, given: impl Iterator<Item = &'a Given>) -> Option<Self> {
        let mut given = given.filter(|given| given.setting == setting).peekable();
        given.peek()?;
        if setting.kind != Kind::Sum {
            return given.last().map(|last| Self {
                setting,
                value: last.value.clone(),
                origins: vec![&last.origin],
            });
        }
        let mut items = Vec::new();
        let mut origins = Vec::new();
        for given in given {
            if let Value::List(more) = &given.value {
                items.extend(more.iter().cloned());
                origins.push(&given.origin);
            }
        }
        Some(Self {
            setting,
            value: Value::List(items),
            origins,
        })
    }
}

impl Config {
    /// Reads all layers; the files only when they are wanted.
    pub(crate) fn load(files: bool) -> Result<Self, Misuse> {
        let mut config = Self::default();
        if files {
            let user = place::config();
            if let Some((path, is_named)) = &user {
                config.read_user(path, *is_named)?;
            }
            config.read_project(user.as_ref().map(|(path, _)| path.as_path()))?;
        }
        config.environment = environment::read(|name| env::var_os(name))?;
        Ok(config)
    }

    fn read_user(&mut self, path: &Path, is_named: bool) -> Result<(), Misuse> {
        let bytes = if is_named {
            file::read_named(path)
        } else {
            file::read(path)
        };
        match bytes {
            Ok(bytes) => self.files.push(File::parse(path, &bytes, Layer::User)?),
            Err(error) if error.kind() == io::ErrorKind::NotFound && !is_named => {}
            Err(error) => return Err(file::unreadable(path, &error)),
        }
        Ok(())
    }

    /// Reads the file of this directory, if there is one and it is trusted.
    fn read_project(&mut self, user: Option<&Path>) -> Result<(), Misuse> {
        let Some(path) = project(Path::new(".")) else {
            return Ok(());
        };
        if user.is_some_and(|user| is_same(user, &path)) {
            return Ok(());
        }
        let shown = place::shown(&path);
        let bytes = match file::read(&path) {
            Ok(bytes) => bytes,
            Err(error) => {
                self.notices.push(format!("{shown} is ignored: {error}"));
                return Ok(());
            }
        };
        let store = place::trust().map(|store| (Store::load(&store), store));
        let verdict = match store {
            Some((Ok(store), _)) => store.judge(&path, &bytes),
            Some((Err(error), store)) => {
                let store = place::shown(&store);
                self.notices.push(format!("{store} is ignored: {error}"));
                Verdict::Unknown
            }
            None => Verdict::Unknown,
        };
        let why = match verdict {
            Verdict::Trusted => {
                self.files.push(File::parse(&path, &bytes, Layer::Project)?);
                return Ok(());
            }
            Verdict::Unknown => String::from("it is not trusted"),
            Verdict::Changed(what) if what == path => {
                String::from("it has changed since it was trusted")
            }
            Verdict::Changed(what) => format!(
                "{}, which it names, has changed since it was trusted",
                place::shown(&what)
            ),
        };
        self.notices.push(format!(
            "{shown} is ignored: {why}; read it, then `acp config trust`"
        ));
        Ok(())
    }

    /// What is in force when this agent is started.
    pub(crate) fn effective(&self, agent: Option<&str>) -> Vec<Effective<'_>> {
        SETTINGS
            .iter()
            .filter_map(|setting| self.of(setting, agent))
            .collect()
    }

    /// What is in force for this setting.
    pub(crate) fn of(
        &self,
        setting: &'static Setting,
        agent: Option<&str>,
    ) -> Option<Effective<'_>> {
        Effective::of(setting, self.in_order(agent))
    }

    /// What the files say of this agent alone.
    pub(crate) fn said_of(&self, agent: &str) -> Vec<Effective<'_>> {
        let entries = self.files.iter().filter_map(|file| file.agents.get(agent));
        let given: Vec<&Given> = entries.flat_map(|entry| &entry.settings).collect();
        SETTINGS
            .iter()
            .filter_map(|setting| Effective::of(setting, given.iter().copied()))
            .collect()
    }

    /// What is in force for the setting with this key.
    pub(crate) fn of_key(&self, key: &str, agent: Option<&str>) -> Option<Effective<'_>> {
        self.of(table::find(key)?, agent)
    }

    /// Everything that was given, the lowest first: in each file, what it says of the agent lies above what it says of all.
    fn in_order(&self, agent: Option<&str>) -> impl Iterator<Item = &Given> {
        self.files
            .iter()
            .flat_map(move |file| {
                let entry = agent.and_then(|name| file.agents.get(name));
                let own = entry.into_iter().flat_map(|entry| &entry.settings);
                file.settings.iter().chain(own)
            })
            .chain(&self.environment)
    }

    /// The name of the agent that is started when none is named.
    pub(crate) fn agent(&self) -> Option<String> {
        match self.of_key("agent", None)?.value {
            Value::Text(name) => Some(name),
            Value::Switch(_) | Value::List(_) => None,
        }
    }

    /// What the files say about agents, by name, the lowest layer first.
    pub(crate) fn agents(&self) -> BTreeMap<&str, Vec<&Entry>> {
        let mut agents: BTreeMap<&str, Vec<&Entry>> = BTreeMap::new();
        for (name, entry) in self.files.iter().flat_map(|file| &file.agents) {
            agents.entry(name).or_default().push(entry);
        }
        agents
    }
}

/// The file of a directory, where there is one. A link to a file elsewhere stands where the link stands, because that is where the
/// paths in it lead from.
pub(crate) fn project(folder: &Path) -> Option<PathBuf> {
    let path = fs::canonicalize(folder).ok()?.join(place::PROJECT);
    fs::symlink_metadata(&path).is_ok().then_some(path)
}

fn is_same(left: &Path, right: &Path) -> bool {
    match (fs::canonicalize(left), fs::canonicalize(right)) {
        (Ok(left), Ok(right)) => left == right,
        _ => false,
    }
}

#[cfg(test)]
mod tests;
