//! `acp mock`: be an agent that misbehaves in the ways that are named.

use std::{
    fmt::Write as _,
    fs,
    io::{self, Write as _},
    process,
};

use crate::{
    exit::Exit,
    lowargs::Mock,
    mock::{
        self,
        catalog::{self, Catalog},
        report::Report,
        script::Script,
    },
};

/// Plays, or lists what could be played.
pub(crate) fn mock(low: &Mock, json: bool) -> io::Result<Exit> {
    let catalog = match Catalog::new() {
        Ok(catalog) => catalog,
        Err(message) => return complain(Exit::Internal, &message),
    };
    if low.list {
        let text = if json {
            records(&catalog)
        } else {
            table(&catalog)
        };
        io::stdout().lock().write_all(text.as_bytes())?;
        return Ok(Exit::Ok);
    }
    let script = match script(low, &catalog) {
        Ok(script) => script,
        Err(message) => return complain(Exit::Usage, &message),
    };
    let report = low.report.as_deref().map(Report::new).transpose()?;
    let status = mock::play(script, report)?;
    // The number is the script's, and none of ours.
    process::exit(status)
}

fn complain(exit: Exit, message: &str) -> io::Result<Exit> {
    writeln!(
        io::stderr(),
        "acp: {}",
        crate::safe::text(message.trim_end())
    )?;
    Ok(exit)
}

fn script(low: &Mock, catalog: &Catalog) -> Result<Script, String> {
    let mut script = match &low.script {
        None => Script::default(),
        Some(path) => {
            let text = fs::read_to_string(path)
                .map_err(|error| format!("{} cannot be read: {error}", path.display()))?;
            catalog::read(&text).map_err(|error| format!("{}: {error}", path.display()))?
        }
    };
    let named = low.mode.iter().flat_map(|list| list.split(','));
    script
        .modes
        .splice(..0, named.map(|name| name.trim().to_owned()));
    let mut script = catalog
        .resolve(&script)
        .map_err(|error| format!("{error}; `acp mock --list` shows them"))?;
    script.protocol = low.protocol.or(script.protocol);
    Ok(script)
}

fn table(catalog: &Catalog) -> String {
    let width = catalog
        .groups()
        .flat_map(|(_, modes)| modes.keys().map(String::len))
        .max()
        .unwrap_or_default();
    let mut out = String::new();
    for (noun, modes) in catalog.groups() {
        // Writing to a string does not fail.
        let _: std::fmt::Result = writeln!(out, "{noun}");
        for (name, mode) in modes {
            let _: std::fmt::Result = writeln!(out, "  {name:width$}  {}", mode.what);
        }
    }
    out
}

fn records(catalog: &Catalog) -> String {
    let rows: Vec<serde_json::Value> = catalog
        .groups()
        .flat_map(|(noun, modes)| {
            modes.iter().map(move |(name, mode)| {
                serde_json::json!({ "mode": name, "group": noun, "what": mode.what, "protocol": mode.protocol })
            })
        })
        .collect();
    format!("{}\n", serde_json::Value::from(rows))
}
