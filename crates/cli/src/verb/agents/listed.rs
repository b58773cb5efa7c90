//! Which agents there are, where they are, and how to get them.

use std::path::PathBuf;

use serde::Serialize;

use super::Said;
use crate::{
    aliases::{self, Alias},
    config::Config,
    exit::Exit,
    hiargs::Misuse,
    place, program, safe,
};

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

/// All of them.
pub(super) fn list(config: &Config) -> Result<Said, Misuse> {
    let all = aliases::all(config)?;
    let rows: Vec<Row> = all.into_iter().map(Row::new).collect();
    Ok(Said {
        text: rows.iter().map(Row::line).collect(),
        json: serde_json::to_string(&rows),
        exit: Exit::Ok,
    })
}

/// One of them, with its version.
pub(super) fn which(config: &Config, name: &str) -> Result<Said, Misuse> {
    let mut row = Row::new(aliases::find(config, name)?);
    row.version = row.path.clone().and_then(version);
    let exit = if row.path.is_some() {
        Exit::Ok
    } else {
        Exit::Failed
    };
    Ok(Said {
        text: row.page(),
        json: serde_json::to_string(&row),
        exit,
    })
}

fn version(path: PathBuf) -> Option<String> {
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build()
        .ok()?;
    runtime.block_on(async move { program::version(&path).await })
}

impl Row {
    fn new(alias: Alias) -> Self {
        let program = alias.command.first();
        Self {
            path: program.and_then(|program| program::find(program)),
            name: alias.name,
            title: alias.title,
            command: alias.command,
            version: None,
            install: alias.install,
            configured: alias.origin.is_some(),
            from: alias.origin.as_ref().map(ToString::to_string),
        }
    }

    fn line(&self) -> String {
        let mark = if self.path.is_some() { "●" } else { "○" };
        let command = safe::line(&self.command.join(" "), 48);
        let what = if self.path.is_some() {
            self.title.as_str()
        } else {
            self.install.as_deref().unwrap_or("not found")
        };
        format!(
            "{mark} {:<10}  {command:<24}  {}\n",
            safe::line(&self.name, 40),
            safe::line(what, 120)
        )
    }

    fn page(&self) -> String {
        let mut out = format!(
            "{}  {}\n  command  {}\n",
            safe::line(&self.name, 40),
            safe::line(&self.title, 60),
            safe::line(&self.command.join(" "), 300)
        );
        match &self.path {
            Some(path) => out.push_str(&format!("  path     {}\n", place::shown(path))),
            None => out.push_str("  path     not found in PATH\n"),
        }
        if let Some(version) = &self.version {
            out.push_str(&format!("  version  {version}\n"));
        }
        if let Some(install) = self.install.as_ref().filter(|_| self.path.is_none()) {
            out.push_str(&format!("  install  {}\n", safe::line(install, 200)));
        }
        if let Some(origin) = &self.from {
            out.push_str(&format!("  from     {origin}\n"));
        }
        out
    }
}
