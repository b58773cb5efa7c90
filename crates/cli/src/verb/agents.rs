//! `acp agents`: which agents can be named, whether they are here, and how to get them.

use std::{
    env, fs,
    io::{self, Write as _},
    path::{Path, PathBuf},
    process::Stdio,
    time::Duration,
};

use serde::Serialize;

use crate::{
    aliases::{self, Alias},
    config::Config,
    exit::Exit,
    hiargs::Misuse,
    lowargs::{Agents, AgentsAct},
    misused,
    output::Style,
    safe,
};

/// How long a program may take to say its version.
const VERSION: Duration = Duration::from_secs(20);
/// How much of what it says is looked at.
const SAID: usize = 4096;

#[derive(Debug, Serialize)]
struct Row {
    name: String,
    title: String,
    command: Vec<String>,
    /// Where its program is.
    path: Option<PathBuf>,
    /// What it says of its version; only `which` asks.
    #[serde(skip_serializing_if = "Option::is_none")]
    version: Option<String>,
    install: Option<String>,
    configured: bool,
    /// The file and line that say its command; null for those that are built in.
    from: Option<String>,
}

/// Runs it.
pub(crate) fn agents(low: &Agents, config: &Config, style: &Style) -> Exit {
    let shown = match (low.act, &low.name) {
        (AgentsAct::List, None) => aliases::all(config).map(|all| {
            let rows: Vec<Row> = all.into_iter().map(Row::new).collect();
            (text(&rows), serde_json::to_string(&rows), Exit::Ok)
        }),
        (AgentsAct::Which, Some(name)) => aliases::find(config, name).map(|alias| {
            let mut row = Row::new(alias);
            row.version = row.path.is_some().then(|| version(&row)).flatten();
            let exit = if row.path.is_some() {
                Exit::Ok
            } else {
                Exit::Failed
            };
            (one(&row), serde_json::to_string(&row), exit)
        }),
        (AgentsAct::List, Some(_)) => {
            Err(Misuse::new("list takes no name").hint("`acp agents which NAME` shows one"))
        }
        (AgentsAct::Which, None) => {
            Err(Misuse::new("which takes the name of an agent").hint("`acp agents` lists them"))
        }
    };
    let (text, json, exit) = match shown {
        Ok(shown) => shown,
        Err(misuse) => return misused(&misuse),
    };
    let out = if style.json {
        json.map(|line| line + "\n").map_err(io::Error::from)
    } else {
        Ok(text)
    };
    match out.and_then(|out| io::stdout().lock().write_all(out.as_bytes())) {
        Ok(()) => exit,
        Err(error) if error.kind() == io::ErrorKind::BrokenPipe => Exit::PipeClosed,
        Err(_) => Exit::Failed,
    }
}

impl Row {
    fn new(alias: Alias) -> Self {
        let path = alias.command.first().and_then(|program| find(program));
        Self {
            name: alias.name,
            title: alias.title,
            command: alias.command,
            path,
            version: None,
            install: alias.install,
            configured: alias.origin.is_some(),
            from: alias.origin.as_ref().map(ToString::to_string),
        }
    }
}

/// Where a program is: as a child of this program would be searched.
fn find(program: &str) -> Option<PathBuf> {
    let path = Path::new(program);
    if path.components().count() > 1 {
        return is_program(path).then(|| path.to_owned());
    }
    env::split_paths(&env::var_os("PATH")?)
        .filter(|folder| folder.is_absolute())
        .map(|folder| folder.join(path))
        .find(|path| is_program(path))
}

#[cfg(unix)]
fn is_program(path: &Path) -> bool {
    use std::os::unix::fs::PermissionsExt as _;
    fs::metadata(path).is_ok_and(|data| data.is_file() && data.permissions().mode() & 0o111 != 0)
}

#[cfg(not(unix))]
fn is_program(path: &Path) -> bool {
    ["", "exe", "cmd", "bat", "ps1"].iter().any(|ending| {
        let path = if ending.is_empty() {
            path.to_owned()
        } else {
            path.with_extension(ending)
        };
        fs::metadata(path).is_ok_and(|data| data.is_file())
    })
}

/// The first line that the program prints when it is asked for its version.
fn version(row: &Row) -> Option<String> {
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build()
        .ok()?;
    let path = row.path.clone()?;
    let said = runtime.block_on(async move {
        let asked = tokio::process::Command::new(path)
            .arg("--version")
            .stdin(Stdio::null())
            .stderr(Stdio::null())
            .kill_on_drop(true)
            .output();
        tokio::time::timeout(VERSION, asked).await.ok()?.ok()
    })?;
    let head = said.stdout.get(..said.stdout.len().min(SAID))?;
    let text = String::from_utf8_lossy(head);
    let line = text.lines().find(|line| !line.trim().is_empty())?;
    said.status.success().then(|| safe::line(line, 80))
}

fn text(rows: &[Row]) -> String {
    let mut out = String::new();
    for row in rows {
        let mark = if row.path.is_some() { "●" } else { "○" };
        let command = safe::line(&row.command.join(" "), 48);
        let what = if row.path.is_some() {
            row.title.as_str()
        } else {
            row.install.as_deref().unwrap_or("not found")
        };
        out.push_str(&format!(
            "{mark} {:<10}  {command:<24}  {}\n",
            safe::line(&row.name, 40),
            safe::line(what, 120)
        ));
    }
    out
}

fn one(row: &Row) -> String {
    let mut out = format!(
        "{}  {}\n  command  {}\n",
        safe::line(&row.name, 40),
        safe::line(&row.title, 60),
        safe::line(&row.command.join(" "), 300)
    );
    match &row.path {
        Some(path) => out.push_str(&format!(
            "  path     {}\n",
            safe::line(&path.to_string_lossy(), 300)
        )),
        None => out.push_str("  path     not found in PATH\n"),
    }
    if let Some(version) = &row.version {
        out.push_str(&format!("  version  {version}\n"));
    }
    if let Some(install) = row.install.as_ref().filter(|_| row.path.is_none()) {
        out.push_str(&format!("  install  {}\n", safe::line(install, 200)));
    }
    if let Some(origin) = &row.from {
        out.push_str(&format!("  from     {origin}\n"));
    }
    out
}
