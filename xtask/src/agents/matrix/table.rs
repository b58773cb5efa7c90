//! The table, for a terminal and for `docs/agents.md`.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::fs;
use std::path::Path;

use anyhow::{Context, Result};

use super::Row;
use super::scenes::{SCENES, Verdict};

const FILE: &str = "docs/agents.md";
const OPEN: &str = "<!-- written by `cargo xtask agents --write` -->\n";
const CLOSE: &str = "<!-- end -->";

/// The table of these rows.
pub(super) fn render(rows: &[Row]) -> String {
    let lines = rows.iter().map(line).collect::<String>();
    format!("{}{lines}", head())
}

/// Replaces the rows of these agents in the page and leaves the others.
pub(super) fn write(root: &Path, rows: &[Row]) -> Result<()> {
    let path = root.join(FILE);
    let text = fs::read_to_string(&path).with_context(|| format!("reading {FILE}"))?;
    fs::write(path, replaced(&text, rows)?)?;
    Ok(())
}

fn replaced(text: &str, rows: &[Row]) -> Result<String> {
    let (before, rest) = text
        .split_once(OPEN)
        .context("the page has lost its mark")?;
    let (old, after) = rest
        .split_once(CLOSE)
        .context("the page has lost its end mark")?;
    let mut lines: BTreeMap<String, String> = old
        .lines()
        .filter(|line| line.starts_with("| `"))
        .map(|line| (key(line), format!("{line}\n")))
        .collect();
    for row in rows {
        let line = line(row);
        lines.insert(key(&line), line);
    }
    let lines: String = lines.into_values().collect();
    Ok(format!("{before}{OPEN}{}{lines}{CLOSE}{after}", head()))
}

/// Agent and protocol version: what a row is about.
fn key(line: &str) -> String {
    let cells: Vec<&str> = line.split('|').map(str::trim).collect();
    let cell = |index: usize| cells.get(index).copied().unwrap_or_default();
    format!("{} {}", cell(1), cell(3))
}

fn head() -> String {
    let mut head = "| agent | version | protocol |".to_owned();
    let mut rule = "|---|---|---|".to_owned();
    for scene in SCENES {
        write!(head, " {} |", scene.name).ok();
        rule.push_str("---|");
    }
    format!("{head}\n{rule}\n")
}

fn line(row: &Row) -> String {
    let mut line = format!("| `{}` | {} | {} |", row.agent, row.version, row.protocol);
    for scene in SCENES {
        let verdict = row.verdicts.iter().find(|(name, _)| *name == scene.name);
        let cell = match verdict {
            Some((_, Verdict::Right)) => "yes",
            Some((_, Verdict::NotOffered)) => "–",
            Some((_, Verdict::Wrong(_))) => "**no**",
            None => "?",
        };
        write!(line, " {cell} |").ok();
    }
    line.push('\n');
    line
}

#[cfg(test)]
mod tests {
    use super::*;

    fn row(agent: &'static str, protocol: u16) -> Row {
        let verdicts = vec![
            ("text", Verdict::Right),
            ("load", Verdict::NotOffered),
            ("dies", Verdict::Wrong("x".to_owned())),
        ];
        Row {
            agent,
            version: "1.0",
            protocol,
            verdicts,
        }
    }

    #[test]
    fn a_row_is_replaced_and_the_others_stay_in_order() {
        let text = format!(
            "before\n{OPEN}| `b` | 0.9 | 1 | no |\n| `c` | 0.9 | 1 | no |\n{CLOSE}\nafter\n"
        );
        let new = replaced(&text, &[row("b", 2), row("b", 1), row("a", 1)]).unwrap();
        let agents: Vec<String> = new
            .lines()
            .filter(|line| line.starts_with("| `"))
            .map(key)
            .collect();
        assert_eq!(agents, ["`a` 1", "`b` 1", "`b` 2", "`c` 1"]);
        assert!(
            new.starts_with("before\n") && new.ends_with("\nafter\n"),
            "{new}"
        );
        assert_eq!(replaced(&new, &[row("b", 1)]).unwrap(), new);
    }

    #[test]
    fn a_cell_says_what_came_of_it() {
        let line = line(&row("a", 1));
        assert!(line.starts_with("| `a` | 1.0 | 1 | yes | ? |"), "{line}");
        assert!(
            line.contains("| **no** |") && line.contains("| – |"),
            "{line}"
        );
    }
}
