//! `acp config`: what is set beforehand and where, and which directories are believed.

mod shown;

use std::{
    env,
    io::{self, Write as _},
    path::{Path, PathBuf},
};

use serde::Serialize;
use serde_json::json;

use self::shown::Shown;
use crate::{
    config::{
        self, Config, environment,
        file::{self, File},
        origin::Layer,
        table::SETTINGS,
        trust::{Store, Verdict},
    },
    exit::Exit,
    hiargs::Misuse,
    lowargs::{Config as Low, ConfigAct},
    misused,
    output::{Style, Verbosity},
    place, safe,
};

/// Runs it.
pub(crate) fn config(low: &Low, no_files: bool, style: &Style) -> Exit {
    let said = match low.act {
        ConfigAct::Show if low.path.is_none() => show(low, no_files, style),
        ConfigAct::Keys if low.path.is_none() => Ok(keys()),
        ConfigAct::Path if low.path.is_none() => Ok(places()),
        ConfigAct::Show | ConfigAct::Keys | ConfigAct::Path => {
            Err(Misuse::new("a path is only for trust and untrust"))
        }
        ConfigAct::Trust => trust(low.path.as_deref()),
        ConfigAct::Untrust => untrust(low.path.as_deref()),
    };
    let said = match said {
        Ok(said) => said,
        Err(misuse) => return misused(&misuse),
    };
    let out = if style.json {
        said.json + "\n"
    } else {
        said.text
    };
    match io::stdout().lock().write_all(out.as_bytes()) {
        Ok(()) => Exit::Ok,
        Err(error) if error.kind() == io::ErrorKind::BrokenPipe => Exit::PipeClosed,
        Err(_) => Exit::Failed,
    }
}

/// One answer, for people and for scripts.
struct Said {
    text: String,
    json: String,
}

impl Said {
    fn new(text: String, json: &impl Serialize) -> Self {
        Self {
            text,
            json: serde_json::to_string(json).unwrap_or_default(),
        }
    }
}

fn show(low: &Low, no_files: bool, style: &Style) -> Result<Said, Misuse> {
    let mut config = Config::load(!no_files)?;
    let variables: Vec<String> = env::vars_os()
        .filter_map(|(name, _)| name.into_string().ok())
        .collect();
    let misspelt = environment::misspelt(variables.iter().map(String::as_str));
    config.notices.extend(misspelt);
    if style.verbosity >= Verbosity::Normal {
        for notice in &config.notices {
            // With stderr gone there is nobody left to tell.
            drop(writeln!(io::stderr(), "  · {notice}"));
        }
    }
    let default = config.agent();
    let agent = low.agent_name.as_deref().or(default.as_deref());
    let shown = Shown::new(&config, agent, low.secrets)?;
    Ok(Said::new(shown.text(low.origin), &shown))
}

fn keys() -> Said {
    let rows: Vec<_> = SETTINGS
        .iter()
        .map(|setting| {
            json!({
                "key": setting.key,
                "flag": format!("--{}", setting.key),
                "env": setting.env(),
                "takes": setting.expects(),
                "help": setting.help,
                "per_agent": setting.is_of_an_agent(),
            })
        })
        .collect();
    let mut text = String::new();
    for setting in SETTINGS {
        text.push_str(&format!(
            "{:<17} {:<21} {} ({})\n",
            setting.key,
            setting.env(),
            setting.help,
            setting.expects()
        ));
    }
    Said::new(text, &rows)
}

/// Where the files are, and what stands with each.
fn places() -> Said {
    let mut rows = Vec::new();
    if let Some((path, _)) = place::config() {
        let state = if path.exists() { "read" } else { "missing" };
        rows.push(("user", path, state));
    }
    if let Ok(here) = env::current_dir() {
        match config::project(&here) {
            Some(path) => {
                let state = standing(&path);
                rows.push(("project", path, state));
            }
            None => rows.push(("project", here.join(place::PROJECT), "missing")),
        }
    }
    if let Some(path) = place::trust() {
        let state = match Store::load(&path) {
            Ok(_) if path.exists() => "read",
            Ok(_) => "missing",
            Err(_) => "unusable",
        };
        rows.push(("trust", path, state));
    }
    let text = rows
        .iter()
        .map(|(what, path, state)| format!("{what:<8} {state:<12} {}\n", place::shown(path)))
        .collect();
    let json: Vec<_> = rows
        .iter()
        .map(|(what, path, state)| json!({ "what": what, "path": path, "state": state }))
        .collect();
    Said::new(text, &json)
}

fn standing(path: &Path) -> &'static str {
    let store = place::trust().and_then(|store| Store::load(&store).ok());
    let (Some(store), Ok(bytes)) = (store, file::read(path)) else {
        return "not trusted";
    };
    match store.judge(path, &bytes) {
        Verdict::Trusted => "trusted",
        Verdict::Unknown => "not trusted",
        Verdict::Changed(_) => "changed",
    }
}

/// The file that is meant: this one, the one of this directory, the one of the directory we are in.
fn meant(path: Option<&Path>) -> Result<PathBuf, Misuse> {
    let path = path.unwrap_or_else(|| Path::new("."));
    let folder = if path.is_dir() {
        path
    } else if path.file_name().is_some_and(|name| name == place::PROJECT) {
        match path.parent() {
            Some(folder) if !folder.as_os_str().is_empty() => folder,
            _ => Path::new("."),
        }
    } else {
        return Err(Misuse::new(format!(
            "{} is neither a directory nor a {}",
            place::shown(path),
            place::PROJECT
        )));
    };
    // What is gone can still be trusted no longer.
    let folder = std::fs::canonicalize(folder).unwrap_or_else(|_| folder.to_owned());
    Ok(folder.join(place::PROJECT))
}

fn store() -> Result<(PathBuf, Store), Misuse> {
    let path = place::trust()
        .ok_or_else(|| Misuse::new("there is no place to remember it: HOME is not set"))?;
    match Store::load(&path) {
        Ok(store) => Ok((path, store)),
        Err(error) => {
            Err(file::unreadable(&path, &error).hint("remove it, and trust again what you believe"))
        }
    }
}

fn save(store: &mut Store, path: &Path) -> Result<(), Misuse> {
    store
        .save(path)
        .map_err(|error| Misuse::new(format!("{} cannot be written: {error}", place::shown(path))))
}

/// Believes it, and says what is believed.
fn trust(path: Option<&Path>) -> Result<Said, Misuse> {
    let path = meant(path)?;
    let bytes = file::read(&path).map_err(|error| file::unreadable(&path, &error))?;
    let file = File::parse(&path, &bytes, Layer::Project)?;
    let (place, mut store) = store()?;
    store
        .trust(&path, &bytes, &file)
        .map_err(|(path, error)| file::unreadable(&path, &error))?;
    save(&mut store, &place)?;
    let mut text = format!("trusted {}\n", place::shown(&path));
    for line in shown::lines(&file) {
        // Whole lines: what is cut off would be believed unseen.
        text.push_str(&format!("  {}\n", safe::line(&line, usize::MAX)));
    }
    for read in file.reads() {
        text.push_str(&format!("  as it is now: {}\n", place::shown(read)));
    }
    Ok(Said::new(text, &json!({ "path": path, "trusted": true })))
}

fn untrust(path: Option<&Path>) -> Result<Said, Misuse> {
    let path = meant(path)?;
    let (place, mut store) = store()?;
    let word = if store.forget(&path) {
        save(&mut store, &place)?;
        "no longer trusted"
    } else {
        "was not trusted"
    };
    let text = format!("{} {word}\n", place::shown(&path));
    Ok(Said::new(text, &json!({ "path": path, "trusted": false })))
}
