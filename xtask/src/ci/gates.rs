//! The gates, cheap ones first. What a gate needs and cannot have here, it says and skips.

use std::path::Path;
use std::process::Command;

use anyhow::Result;

use super::{Gate, Passed, node, runner, toolchain};
use crate::process::{cargo, is_there, run};
use crate::{fixtures, graph, metadata, tidy, upstream};

/// Every gate, in order.
pub(super) const ALL: &[Gate] = &[
    Gate {
        name: "fmt",
        run: fmt,
    },
    Gate {
        name: "graph",
        run: |root| graph::run(root).map(|()| Passed::Clean),
    },
    Gate {
        name: "tidy",
        run: |root| tidy::run(root).map(|()| Passed::Clean),
    },
    Gate {
        name: "fixtures",
        run: |root| fixtures::check(root).map(|()| Passed::Clean),
    },
    Gate {
        name: "deny",
        run: deny,
    },
    Gate {
        name: "clippy",
        run: clippy,
    },
    Gate {
        name: "features",
        run: features,
    },
    Gate {
        name: "build",
        run: build,
    },
    Gate {
        name: "test",
        run: runner::workspace,
    },
    Gate {
        name: "doctest",
        run: runner::documentation,
    },
    Gate {
        name: "rustdoc",
        run: rustdoc,
    },
    Gate {
        name: "package",
        run: package,
    },
    Gate {
        name: "upstream",
        run: upstream,
    },
    Gate {
        name: "interop-schema",
        run: |root| runner::apart(root, "interop/schema"),
    },
    Gate {
        name: "interop-sdk",
        run: |root| runner::apart(root, "interop/sdk"),
    },
    Gate {
        name: "interop-typescript",
        run: node::interop,
    },
    Gate {
        name: "typescript-client",
        run: node::client,
    },
    Gate {
        name: "bench",
        run: |root| runner::apart(root, "bench"),
    },
];

fn clean(command: &mut Command) -> Result<Passed> {
    run(command).map(|()| Passed::Clean)
}

/// A cargo of this workspace, with the lock file as it is.
fn cargo_at(root: &Path, arguments: &[&str]) -> Command {
    let mut command = Command::new(cargo());
    command.args(arguments).current_dir(root);
    command
}

fn fmt(root: &Path) -> Result<Passed> {
    if let Some(why) = toolchain::missing("fmt", "rustfmt") {
        return Ok(Passed::Skipped(why));
    }
    clean(&mut cargo_at(
        root,
        &["fmt", "--all", "--", "--check", "-l"],
    ))
}

fn deny(root: &Path) -> Result<Passed> {
    if !is_there("cargo", &["deny", "--version"]) {
        return Ok(Passed::Skipped(
            "no cargo-deny here; tidy has read the licences".to_owned(),
        ));
    }
    clean(&mut cargo_at(
        root,
        &["deny", "check", "licenses", "bans", "sources"],
    ))
}

fn clippy(root: &Path) -> Result<Passed> {
    if let Some(why) = toolchain::missing("clippy", "clippy") {
        return Ok(Passed::Skipped(why));
    }
    clean(&mut cargo_at(
        root,
        &[
            "clippy",
            "--workspace",
            "--all-targets",
            "--locked",
            "--",
            "-D",
            "warnings",
        ],
    ))
}

/// Each crate with features, with none and with each alone: no edge hides behind unification.
fn features(root: &Path) -> Result<Passed> {
    for package in metadata::members(root)?.packages {
        let features: Vec<_> = package
            .features
            .keys()
            .filter(|name| name.as_str() != "default")
            .cloned()
            .collect();
        if features.is_empty() {
            continue;
        }
        let base = [
            "check",
            "--locked",
            "--package",
            &package.name,
            "--no-default-features",
        ];
        run(&mut cargo_at(root, &base))?;
        for feature in &features {
            run(cargo_at(root, &base).args(["--features", feature]))?;
        }
    }
    Ok(Passed::Clean)
}

fn build(root: &Path) -> Result<Passed> {
    clean(&mut cargo_at(
        root,
        &["build", "--workspace", "--all-targets", "--locked"],
    ))
}

fn rustdoc(root: &Path) -> Result<Passed> {
    let mut command = cargo_at(root, &["doc", "--workspace", "--no-deps", "--locked"]);
    clean(command.env("RUSTDOCFLAGS", "-D warnings"))
}

/// Every publishable crate packs, each against the others as they are here.
fn package(root: &Path) -> Result<Passed> {
    let mut command = cargo_at(
        root,
        &[
            "package",
            "--workspace",
            "--locked",
            "--no-verify",
            "--allow-dirty",
            "--quiet",
        ],
    );
    for package in metadata::members(root)?.packages {
        if !package.is_publishable() {
            command.args(["--exclude", &package.name]);
        }
    }
    clean(&mut command)
}

/// The map of upstream texts. A package that cannot be fetched here is said, not failed on.
fn upstream(root: &Path) -> Result<Passed> {
    let missing = upstream::recompute(root)?;
    Ok(if missing.is_empty() {
        Passed::Clean
    } else {
        Passed::Skipped(missing.join("; "))
    })
}
