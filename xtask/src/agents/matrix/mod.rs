//! `agents`: whole turns of real agents with a scripted model, driven by `acp`, as a table.
//!
//! Opt-in: it installs agents from npm and takes about a minute for each. Nothing else is reached.

mod play;
mod processes;
mod record;
mod scenes;
mod table;

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, Result, bail};
use serde_json::Value;

use super::model::Model;
use super::{ALL, Agent, program};
use crate::flags::AgentsOptions;
use crate::process;
use play::Stage;
use scenes::{SCENES, Verdict};

/// Plays every scene with every chosen agent; fails when anything is not as it should be.
pub(crate) fn run(root: &Path, options: &AgentsOptions) -> Result<()> {
    let acp = match &options.acp {
        Some(path) => path.clone(),
        None => built(root)?,
    };
    let prefix = options
        .prefix
        .clone()
        .unwrap_or_else(|| root.join("target/agents"));
    let model = Model::start()?;
    let mut rows = Vec::new();
    for agent in ALL {
        if !options.agent.is_empty() && !options.agent.iter().any(|name| name == agent.name) {
            continue;
        }
        let program = program(agent, &prefix)?;
        for protocol in spoken(root, agent)? {
            let stage = Stage::new(agent, protocol, &program, &acp, &model)?;
            rows.push(row(root, stage, &prefix, options)?);
        }
    }
    let table = table::render(&rows);
    println!("\n{table}");
    if options.write {
        table::write(root, &rows)?;
    }
    let wrong = rows
        .iter()
        .flat_map(|row| &row.verdicts)
        .filter(|(_, verdict)| matches!(verdict, Verdict::Wrong(_)))
        .count();
    if wrong > 0 {
        bail!("{wrong} cells are wrong");
    }
    Ok(())
}

/// What one agent did at one protocol version.
#[derive(Debug)]
struct Row {
    agent: &'static str,
    version: &'static str,
    protocol: u16,
    /// By the name of the scene.
    verdicts: Vec<(&'static str, Verdict)>,
}

fn row(root: &Path, mut stage: Stage<'_>, prefix: &Path, options: &AgentsOptions) -> Result<Row> {
    let (agent, protocol) = (stage.agent, stage.protocol);
    let mut verdicts = Vec::new();
    for scene in SCENES {
        if !options.scene.is_empty() && !options.scene.iter().any(|name| name == scene.name) {
            continue;
        }
        let verdict = stage
            .play(scene)
            .with_context(|| format!("{} v{protocol}: {}", agent.name, scene.name))?;
        println!("{} v{protocol} {}: {verdict}", agent.name, scene.name);
        // What the clock decides would be recorded otherwise each time.
        let is_worth_it = verdict == Verdict::Right && scene.is_recorded();
        if options.record && is_worth_it {
            let name = format!(
                "{}-{}-v{protocol}-{}",
                agent.name, agent.version, scene.name
            );
            record::write(root, &name, &stage.recording()?, stage.normaliser(prefix))?;
        }
        verdicts.push((scene.name, verdict));
    }
    Ok(Row {
        agent: agent.name,
        version: agent.version,
        protocol,
        verdicts,
    })
}

/// The versions that an agent speaks, by its recordings.
fn spoken(root: &Path, agent: &Agent) -> Result<Vec<u16>> {
    let path = format!(
        "fixtures/adapters/{}/{}/v2/initialize.response.json",
        agent.name, agent.version
    );
    let text = fs::read_to_string(root.join(&path)).with_context(|| format!("reading {path}"))?;
    let response: Value = serde_json::from_str(&text)?;
    let newest = response.pointer("/result/protocolVersion");
    Ok(match newest.and_then(Value::as_u64) {
        Some(2) => vec![1, 2],
        _ => vec![1],
    })
}

/// The program of this work tree.
fn built(root: &Path) -> Result<PathBuf> {
    process::run(
        Command::new(process::cargo())
            .args(["build", "--quiet", "-p", "acp-cli"])
            .current_dir(root),
    )?;
    let here = std::env::current_exe()?;
    let folder = here.parent().context("a program is in a folder")?;
    Ok(folder.join("acp"))
}
