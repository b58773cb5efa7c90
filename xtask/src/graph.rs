//! `graph`: the edges between our crates, against the allow-list. Edges point down only.

use std::path::Path;

use anyhow::{Result, bail};

use crate::metadata::{self, Metadata, Package};

/// One crate of the house: what it may know of the others.
#[derive(Debug)]
struct Room {
    layer: u8,
    name: &'static str,
    may_use: &'static [&'static str],
}

const fn room(layer: u8, name: &'static str, may_use: &'static [&'static str]) -> Room {
    Room {
        layer,
        name,
        may_use,
    }
}

/// The allow-list: the one place where it is written down. ARCHITECTURE.md explains it.
const HOUSE: &[Room] = &[
    room(0, "vocab", &[]),
    room(1, "codec", &["vocab"]),
    room(1, "handshake", &["vocab"]),
    room(1, "permission", &["vocab"]),
    room(1, "thinking", &["vocab"]),
    room(2, "session", &["vocab", "codec", "handshake"]),
    room(3, "transport", &["codec"]),
    room(
        4,
        "client",
        &[
            "vocab",
            "codec",
            "handshake",
            "session",
            "permission",
            "thinking",
            "transport",
        ],
    ),
    room(
        4,
        "serve",
        &["vocab", "codec", "handshake", "session", "transport"],
    ),
    room(4, "trace", &["vocab", "codec", "transport"]),
    room(5, "driver", &["client", "transport", "permission"]),
    room(
        6,
        "harness",
        &[
            "vocab",
            "codec",
            "handshake",
            "permission",
            "thinking",
            "session",
            "transport",
            "client",
            "serve",
            "trace",
            "driver",
        ],
    ),
    room(7, "cli", &["harness"]),
    room(8, "testkit", &["vocab", "codec", "session", "transport"]),
];

/// The first layer that may name a runtime, read a clock or touch the system.
pub(crate) const FIRST_SHELL_LAYER: u8 = 3;

/// Packages that are a runtime, or I/O that brings one.
const RUNTIMES: &[&str] = &[
    "tokio",
    "tokio-util",
    "async-std",
    "async-io",
    "smol",
    "mio",
    "futures",
    "futures-executor",
];

/// Runtime adapters that a pure crate may offer, only behind a feature of its own.
const ADAPTERS: &[(&str, &str)] = &[("codec", "tokio-util")];

/// Folder names of the crates below the shell.
pub(crate) fn pure_crates() -> impl Iterator<Item = &'static str> {
    HOUSE
        .iter()
        .filter(|room| room.layer < FIRST_SHELL_LAYER)
        .map(|room| room.name)
}

/// Prints the graph and fails on an edge that the list does not allow.
pub(crate) fn run(root: &Path) -> Result<()> {
    let metadata = metadata::members(root)?;
    print_table(&metadata);
    let faults = check(&metadata);
    for fault in &faults {
        println!("graph: {fault}");
    }
    if !faults.is_empty() {
        bail!("{} edges are not allowed", faults.len());
    }
    Ok(())
}

fn print_table(metadata: &Metadata) {
    println!("layer crate       uses (allowed and not used in brackets)");
    for room in HOUSE {
        let Some(package) = metadata
            .packages
            .iter()
            .find(|package| short(&package.name) == room.name)
        else {
            continue;
        };
        let edges = edges(package);
        let uses: Vec<String> = room
            .may_use
            .iter()
            .filter(|name| exists(metadata, name))
            .map(|name| {
                if edges.contains(name) {
                    (*name).to_owned()
                } else {
                    format!("[{name}]")
                }
            })
            .collect();
        let layer = if room.name == "testkit" {
            "-".to_owned()
        } else {
            room.layer.to_string()
        };
        println!("{layer:<5} {:<11} {}", room.name, uses.join(" "));
    }
}

fn check(metadata: &Metadata) -> Vec<String> {
    let mut faults = Vec::new();
    for package in metadata
        .packages
        .iter()
        .filter(|package| package.name.starts_with("acp-"))
    {
        let name = short(&package.name);
        let Some(room) = HOUSE.iter().find(|room| room.name == name) else {
            faults.push(format!("{name} is not in the allow-list"));
            continue;
        };
        for edge in edges(package) {
            if !room.may_use.contains(&edge) {
                faults.push(format!("{name} must not use {edge}"));
            }
        }
        if room.layer < FIRST_SHELL_LAYER {
            faults.extend(runtimes(package, name));
        }
    }
    faults
}

/// Normal and build edges to crates of ours; dev-dependencies are free.
fn edges(package: &Package) -> Vec<&str> {
    package
        .dependencies
        .iter()
        .filter(|dependency| dependency.path.is_some() && dependency.kind.as_deref() != Some("dev"))
        .map(|dependency| short(&dependency.name))
        .collect()
}

fn runtimes(package: &Package, name: &str) -> Vec<String> {
    package
        .dependencies
        .iter()
        .filter(|dependency| dependency.kind.as_deref() != Some("dev"))
        .filter(|dependency| RUNTIMES.contains(&dependency.name.as_str()))
        .filter(|dependency| {
            !(dependency.optional && ADAPTERS.contains(&(name, dependency.name.as_str())))
        })
        .map(|dependency| format!("{name} is pure and must not use {}", dependency.name))
        .collect()
}

fn exists(metadata: &Metadata, name: &str) -> bool {
    metadata
        .packages
        .iter()
        .any(|package| short(&package.name) == name)
}

/// Folder name: the package name without its prefix.
fn short(name: &str) -> &str {
    name.strip_prefix("acp-").unwrap_or(name)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// `edges`: `(name, kind, is ours, optional)`.
    fn package(name: &str, edges: &[(&str, Option<&str>, bool, bool)]) -> serde_json::Value {
        let dependencies: Vec<_> = edges
            .iter()
            .map(|(name, kind, ours, optional)| {
                serde_json::json!({"name": name, "req": "*", "kind": kind, "optional": optional,
                    "path": ours.then_some("/x")})
            })
            .collect();
        serde_json::json!({"name": name, "version": "0.1.0", "features": {}, "manifest_path": "",
            "dependencies": dependencies})
    }

    #[track_caller]
    fn check_one(name: &str, edges: &[(&str, Option<&str>, bool, bool)], expected: &[&str]) {
        let metadata = serde_json::json!({"packages": [package(name, edges)]});
        let metadata: Metadata = serde_json::from_value(metadata).unwrap();
        assert_eq!(check(&metadata), expected);
    }

    #[test]
    fn edges_point_down_only() {
        check_one("acp-session", &[("acp-vocab", None, true, false)], &[]);
        check_one(
            "acp-codec",
            &[("acp-handshake", None, true, false)],
            &["codec must not use handshake"],
        );
        check_one(
            "acp-vocab",
            &[("acp-codec", Some("build"), true, true)],
            &["vocab must not use codec"],
        );
        check_one(
            "acp-vocab",
            &[("acp-testkit", Some("dev"), true, false)],
            &[],
        );
        check_one("acp-new", &[], &["new is not in the allow-list"]);
    }

    #[test]
    fn pure_crates_name_no_runtime() {
        check_one(
            "acp-session",
            &[("tokio", None, false, true)],
            &["session is pure and must not use tokio"],
        );
        check_one("acp-codec", &[("tokio-util", None, false, true)], &[]);
        check_one(
            "acp-codec",
            &[("tokio-util", None, false, false)],
            &["codec is pure and must not use tokio-util"],
        );
        check_one("acp-session", &[("tokio", Some("dev"), false, false)], &[]);
        check_one("acp-transport", &[("tokio", None, false, false)], &[]);
    }

    #[test]
    fn the_list_itself_points_down() {
        for room in HOUSE {
            for name in room.may_use {
                let target = HOUSE.iter().find(|other| other.name == *name).unwrap();
                assert!(target.layer < room.layer, "{} uses {name}", room.name);
            }
        }
    }
}
