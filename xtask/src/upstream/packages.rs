//! The official packages: fetched once by their own tools, kept below `target/upstream`.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use anyhow::{Context, Result, bail};
use serde_json::{Map, Value};

use super::definition::{Definitions, collect};
use crate::process::{cargo, is_there};

/// The schema crate.
pub(super) const CRATE: &str = "agent-client-protocol-schema";

/// The npm package that carries the JSON schemas.
pub(super) const NPM: &str = "@agentclientprotocol/sdk";

/// The official Rust SDK.
pub(super) const SDK: &str = "agent-client-protocol";

/// Definitions of one version of the schema crate: its own types, printed as JSON Schema.
pub(super) fn of_crate(root: &Path, version: &str) -> Result<Definitions> {
    let committed = root.join("interop/upstream");
    let printer = printer(root, &committed, version)?;
    let locked = (printer == committed).then_some("--locked");
    let print = |features: &[&str]| -> Result<Value> {
        let output = Command::new(cargo())
            .args(["run", "--quiet"])
            .args(locked)
            .args(features)
            .current_dir(&printer)
            .env("CARGO_TARGET_DIR", root.join("target/upstream/build"))
            .stdin(Stdio::null())
            .stderr(Stdio::inherit())
            .output()
            .context("starting cargo")?;
        if !output.status.success() {
            bail!("{CRATE} {version} could not be built and printed");
        }
        serde_json::from_slice(&output.stdout).context("reading the printed schema")
    };
    definitions(&print(&["--features", "unstable"])?, &print(&[])?)
}

/// The committed printer for the pinned version, or a copy of it for another one.
fn printer(root: &Path, committed: &Path, version: &str) -> Result<PathBuf> {
    let manifest = fs::read_to_string(committed.join("Cargo.toml"))?;
    if manifest.contains(&format!("\"={version}\"")) {
        return Ok(committed.to_path_buf());
    }
    let pinned = manifest
        .split("\"=")
        .nth(1)
        .and_then(|rest| rest.split('"').next());
    let pinned = pinned.context("interop/upstream pins no version")?;
    let copy = root.join("target/upstream/printers").join(version);
    fs::create_dir_all(copy.join("src"))?;
    fs::write(copy.join("Cargo.toml"), manifest.replace(pinned, version))?;
    fs::copy(committed.join("src/main.rs"), copy.join("src/main.rs"))?;
    Ok(copy)
}

/// Definitions of one version of the npm package: the JSON schemas that it carries.
pub(super) fn of_npm(root: &Path, version: &str) -> Result<Definitions> {
    let folder = root.join("target/upstream/npm").join(version);
    if !folder.join("package/schema").is_dir() {
        fetch_npm(&folder, version)?;
    }
    let read = |channel: &str| -> Result<Value> {
        let mut both = Map::new();
        for protocol in ["v1", "v2"] {
            let path = format!("package/schema/{protocol}/{channel}.json");
            let text = fs::read(folder.join(&path)).with_context(|| path.clone())?;
            let schema: Value = serde_json::from_slice(&text).context(path)?;
            let definitions = schema.get("$defs").context("no $defs")?;
            both.insert(protocol.to_owned(), definitions.clone());
        }
        Ok(Value::Object(both))
    };
    definitions(&read("schema.unstable")?, &read("schema")?)
}

fn fetch_npm(folder: &Path, version: &str) -> Result<()> {
    if !is_there("npm", &["--version"]) {
        bail!("{NPM} {version} is not here and there is no npm to fetch it");
    }
    fs::create_dir_all(folder)?;
    let run = |command: &mut Command| -> Result<()> {
        let done = command.current_dir(folder).stdin(Stdio::null()).output()?;
        if !done.status.success() {
            bail!("could not fetch {NPM} {version}");
        }
        Ok(())
    };
    run(Command::new("npm").args(["pack", "--silent", &format!("{NPM}@{version}")]))?;
    let archive = fs::read_dir(folder)?
        .filter_map(|entry| Some(entry.ok()?.path()))
        .find(|path| path.extension().is_some_and(|extension| extension == "tgz"))
        .context("npm pack left no archive")?;
    run(Command::new("tar").arg("xzf").arg(archive))
}

fn definitions(unstable: &Value, stable: &Value) -> Result<Definitions> {
    let mut all = Definitions::new();
    for protocol in ["v1", "v2"] {
        let of = |value: &Value| -> Result<Map<String, Value>> {
            let map = value.get(protocol).and_then(Value::as_object);
            map.cloned()
                .with_context(|| format!("no definitions of {protocol}"))
        };
        collect(&mut all, protocol, &of(unstable)?, &of(stable)?)?;
    }
    Ok(all)
}

/// The folder that holds the sources of one version of the official Rust SDK.
pub(super) fn sdk_sources(root: &Path, version: &str) -> Result<PathBuf> {
    let folder = root.join("target/upstream/sdk").join(version);
    fs::create_dir_all(folder.join("src"))?;
    let manifest = format!(
        "[package]\nname = \"fetch\"\nversion = \"0.0.0\"\nedition = \"2024\"\n\n\
         [dependencies]\n{SDK} = \"={version}\"\n\n[workspace]\n"
    );
    fs::write(folder.join("Cargo.toml"), manifest)?;
    fs::write(
        folder.join("src/lib.rs"),
        "//! Nothing: a reason to fetch.\n",
    )?;
    let output = Command::new(cargo())
        .args(["metadata", "--format-version", "1"])
        .current_dir(&folder)
        .stdin(Stdio::null())
        .output()
        .context("starting cargo metadata")?;
    if !output.status.success() {
        bail!("could not fetch {SDK} {version}");
    }
    let metadata: Value = serde_json::from_slice(&output.stdout)?;
    let packages = metadata
        .get("packages")
        .and_then(Value::as_array)
        .context("no packages")?;
    let manifest = packages
        .iter()
        .find(|package| package.get("name").and_then(Value::as_str) == Some(SDK))
        .and_then(|package| package.get("manifest_path").and_then(Value::as_str))
        .with_context(|| format!("{SDK} was not fetched"))?;
    Ok(Path::new(manifest)
        .parent()
        .context("a manifest has a folder")?
        .to_path_buf())
}
