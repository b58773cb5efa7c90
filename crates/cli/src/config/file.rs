//! One config file as a person wrote it: settings, and agents with settings of their own.
//!
//! It says what is started and what is permitted: what is not known is refused and never skipped, with its line.

use std::{
    collections::BTreeMap,
    fs,
    io::{self, Read as _},
    path::{Path, PathBuf},
    rc::Rc,
};

use toml::de::DeValue;

use super::{
    fault::{Fault, fault, mismatch, unknown},
    origin::{Given, Layer, Origin},
    table::{self, Kind, SETTINGS, Setting, Value},
    written::{Table, Written, in_order, list, table_of},
};
use crate::{hiargs::Misuse, place, safe};

/// How much of it is read.
const MAX_BYTES: u64 = 256 << 10;
/// What an agent's entry has besides settings.
const OF_AN_AGENT: [&str; 3] = ["command", "env", "install"];

/// What it says.
#[derive(Debug, Default, PartialEq, Eq)]
pub(crate) struct File {
    pub(crate) settings: Vec<Given>,
    /// Agents by the name that `-a` takes.
    pub(crate) agents: BTreeMap<String, Entry>,
}

/// What it says about one agent.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Entry {
    /// The program and its arguments; without them the agent of that name that is known otherwise is meant.
    pub(crate) command: Option<Vec<String>>,
    /// Variables that are set for it. They may be secret.
    pub(crate) env: BTreeMap<String, String>,
    /// How to install it.
    pub(crate) install: Option<String>,
    /// What holds when it is the one that is started.
    pub(crate) settings: Vec<Given>,
    pub(crate) origin: Origin,
}

/// The bytes of a file that somebody may have laid there.
pub(crate) fn read(path: &Path) -> io::Result<Vec<u8>> {
    whole(open(path)?)
}

/// Opens a file that somebody may have laid there: one that is no file, a pipe say, could keep us waiting for ever.
pub(crate) fn open(path: &Path) -> io::Result<fs::File> {
    let mut options = fs::OpenOptions::new();
    options.read(true);
    // It may become a pipe after it was looked at, and is not waited for then, either.
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::custom_flags(
        &mut options,
        rustix::fs::OFlags::NONBLOCK.bits().cast_signed(),
    );
    let is_file = |data: fs::Metadata| {
        let no_file = || io::Error::new(io::ErrorKind::InvalidInput, "it is no regular file");
        data.is_file().then_some(()).ok_or_else(no_file)
    };
    is_file(fs::metadata(path)?)?;
    let file = options.open(path)?;
    is_file(file.metadata()?)?;
    Ok(file)
}

/// The bytes of whatever the user named, as far as they are read at all.
pub(crate) fn read_named(path: &Path) -> io::Result<Vec<u8>> {
    whole(fs::File::open(path)?)
}

fn whole(file: fs::File) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    file.take(MAX_BYTES + 1).read_to_end(&mut bytes)?;
    if bytes.len() as u64 > MAX_BYTES {
        return Err(io::Error::new(
            io::ErrorKind::FileTooLarge,
            "more than 256 KiB",
        ));
    }
    Ok(bytes)
}

/// A file that cannot be read at all.
pub(crate) fn unreadable(path: &Path, error: &io::Error) -> Misuse {
    Misuse::new(format!("{} cannot be read: {error}", place::shown(path)))
}

impl File {
    /// The files that it names for reading.
    pub(crate) fn reads(&self) -> Vec<&Path> {
        let of_agents = self.agents.values().flat_map(|entry| &entry.settings);
        self.settings
            .iter()
            .chain(of_agents)
            .filter_map(|given| given.setting.reads(&given.value))
            .collect()
    }

    /// Understands it. Files that it names are found from the folder in which it lies.
    pub(crate) fn parse(path: &Path, bytes: &[u8], layer: Layer) -> Result<Self, Misuse> {
        let Ok(text) = std::str::from_utf8(bytes) else {
            return Err(Misuse::new(format!("{} is not UTF-8", place::shown(path))));
        };
        let reader = Reader {
            path: Rc::from(path),
            text,
            layer,
        };
        reader.file().map_err(|fault| {
            let line = fault
                .at
                .map(|at| format!(":{}", reader.line(at)))
                .unwrap_or_default();
            let misuse = Misuse::new(format!(
                "{}{line}: {}",
                place::shown(path),
                safe::line(&fault.what, 300)
            ));
            match fault.hint {
                Some(hint) => misuse.hint(hint),
                None => misuse,
            }
        })
    }
}

/// Reads one file.
struct Reader<'a> {
    path: Rc<Path>,
    text: &'a str,
    layer: Layer,
}

impl Reader<'_> {
    fn line(&self, at: usize) -> usize {
        let before = self.text.get(..at).unwrap_or_default();
        before.bytes().filter(|byte| *byte == b'\n').count() + 1
    }

    fn origin(&self, at: usize) -> Origin {
        Origin::File {
            layer: self.layer,
            path: Rc::clone(&self.path),
            line: self.line(at),
        }
    }

    fn file(&self) -> Result<File, Fault> {
        let table = Table::parse(self.text).map_err(|error| Fault {
            at: error.span().map(|span| span.start),
            what: error.message().to_owned(),
            hint: None,
        })?;
        let mut file = File::default();
        for (key, value, at) in in_order(table.get_ref()) {
            if key == "agents" {
                file.agents = self.agents(value)?;
            } else {
                let setting = table::find(key).ok_or_else(|| {
                    let known = SETTINGS.iter().map(|setting| setting.key);
                    unknown(key, at, known.chain(["agents"]))
                })?;
                file.settings.push(self.given(setting, value, at)?);
            }
        }
        Ok(file)
    }

    fn agents(&self, value: &Written<'_>) -> Result<BTreeMap<String, Entry>, Fault> {
        let mut agents = BTreeMap::new();
        for (name, value, at) in in_order(table_of("agents", value)?) {
            if name.is_empty() || name.starts_with('-') {
                let what = "the name of an agent is empty or begins with `-`";
                return Err(fault(at, what));
            }
            agents.insert(name.to_owned(), self.entry(name, value, at)?);
        }
        Ok(agents)
    }

    fn entry(&self, name: &str, value: &Written<'_>, at: usize) -> Result<Entry, Fault> {
        let mut entry = Entry {
            command: None,
            env: BTreeMap::new(),
            install: None,
            settings: Vec::new(),
            origin: self.origin(at),
        };
        for (key, value, at) in in_order(table_of(&format!("agents.{name}"), value)?) {
            let whole = format!("agents.{name}.{key}");
            let needs = |what: &str| mismatch(&whole, what, value);
            match key {
                "command" => {
                    let command = list(value).ok_or_else(|| needs("a list of words"))?;
                    if command.first().is_none_or(String::is_empty) {
                        return Err(fault(value.span().start, format!("{whole} is empty")));
                    }
                    entry.command = Some(command);
                }
                "install" => {
                    let text = value.get_ref().as_str().ok_or_else(|| needs("a text"))?;
                    entry.install = Some(text.to_owned());
                }
                "env" => {
                    for (name, value, _) in in_order(table_of(&whole, value)?) {
                        let what = format!("{whole}.{name}");
                        let text = value.get_ref().as_str();
                        let text = text.ok_or_else(|| mismatch(&what, "a text", value))?;
                        entry.env.insert(name.to_owned(), text.to_owned());
                    }
                }
                _ => {
                    let fits = |setting: &&Setting| setting.is_of_an_agent();
                    let setting = table::find(key).filter(fits).ok_or_else(|| {
                        let known = SETTINGS.iter().filter(fits).map(|setting| setting.key);
                        unknown(&whole, at, OF_AN_AGENT.into_iter().chain(known))
                    })?;
                    entry.settings.push(self.given(setting, value, at)?);
                }
            }
        }
        Ok(entry)
    }

    /// The value of a setting, with paths made whole.
    fn given(
        &self,
        setting: &'static Setting,
        written: &Written<'_>,
        at: usize,
    ) -> Result<Given, Fault> {
        let value = match (setting.kind, written.get_ref()) {
            (Kind::Switch, DeValue::Boolean(on)) => Some(Value::Switch(*on)),
            (Kind::List | Kind::Sum, DeValue::Array(_)) => list(written).map(Value::List),
            (Kind::Choice(_) | Kind::Time, DeValue::Integer(number)) if number.radix() == 10 => {
                Some(Value::Text(number.as_str().to_owned()))
            }
            (Kind::Switch | Kind::List | Kind::Sum, _) => None,
            (_, DeValue::String(text)) if !text.is_empty() && setting.is_path(text) => {
                Some(Value::Text(self.whole(text, written.span().start)?))
            }
            (_, DeValue::String(text)) => Some(Value::Text(text.clone().into_owned())),
            _ => None,
        };
        let fits = |value: &Value| match value {
            Value::Switch(_) => true,
            Value::Text(word) => setting.takes(word),
            Value::List(words) => words.iter().all(|word| setting.takes(word)),
        };
        match value.filter(fits) {
            Some(value) => Ok(Given {
                setting,
                value,
                origin: self.origin(at),
            }),
            None => Err(mismatch(setting.key, &setting.expects(), written)),
        }
    }

    /// A path from the folder of this file, or from home when it begins with `~/`.
    fn whole(&self, text: &str, at: usize) -> Result<String, Fault> {
        let path = match text.strip_prefix("~/") {
            Some(rest) => place::home().map(|home| home.join(rest)),
            None => self.path.parent().map(|folder| folder.join(text)),
        };
        path.and_then(|path: PathBuf| path.into_os_string().into_string().ok())
            .ok_or_else(|| fault(at, "this path cannot be made whole"))
    }
}
