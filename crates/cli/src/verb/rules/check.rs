//! `acp rules check`: can the file be read, and is every rule of it reached?

use std::path::Path;

use acp_harness::permission::{Decision, Overlap};
use serde::Serialize;

use super::Stop;
use crate::{
    filed::{self, Fault, Filed},
    hiargs::Misuse,
    safe,
};

/// A file of rules and what is wrong with it.
#[derive(Debug, Serialize)]
pub(super) struct Checked {
    file: String,
    /// What is decided where no rule matches.
    otherwise: &'static str,
    rules: Vec<Row>,
    pub(super) findings: Vec<Finding>,
}

#[derive(Debug, Serialize)]
struct Row {
    rule: usize,
    line: Option<usize>,
    effect: &'static str,
    scope: String,
}

/// Something that is wrong.
#[derive(Debug, Serialize)]
pub(super) struct Finding {
    /// `unreadable`; `unreached`: the rule never decides; `late`: an earlier one allows what it is about.
    class: &'static str,
    line: Option<usize>,
    rule: Option<usize>,
    /// The rule that is in its way.
    by: Option<usize>,
    message: String,
}

/// Checks a file.
pub(super) fn check(path: &Path) -> Result<Checked, Stop> {
    let file = safe::line(&path.to_string_lossy(), 200);
    let text = filed::text(path)
        .map_err(|why| Misuse::new(format!("{file} cannot be read: {}", safe::line(&why, 200))))?;
    let filed = match Filed::parse(&text, filed::is_json(path)) {
        Ok(filed) => filed,
        Err(Fault { line, why }) => {
            let finding = Finding {
                class: "unreadable",
                line,
                rule: None,
                by: None,
                message: safe::line(&why, 300),
            };
            return Ok(Checked {
                file,
                otherwise: Decision::Cancel.as_str(),
                rules: Vec::new(),
                findings: vec![finding],
            });
        }
    };
    let rows = filed
        .rules
        .iter()
        .enumerate()
        .map(|(at, (effect, scope))| Row {
            rule: at + 1,
            line: filed.line(at + 1),
            effect: effect.as_str(),
            scope: safe::line(&scope.to_string(), 200),
        });
    let rows: Vec<Row> = rows.collect();
    let overlaps = filed.rules.overlaps();
    let findings = overlaps.iter().filter_map(|overlap| found(&rows, *overlap));
    Ok(Checked {
        file,
        otherwise: filed.otherwise.as_ref().map_or("cancel", word),
        findings: findings.collect(),
        rules: rows,
    })
}

fn found(rows: &[Row], overlap: Overlap) -> Option<Finding> {
    let row = |rule: usize| rows.get(rule.checked_sub(1)?);
    let (late, by) = (row(overlap.rule)?, row(overlap.by)?);
    let earlier = format!(
        "rule {}{} ({} {})",
        by.rule,
        on(by.line),
        by.effect,
        by.scope
    );
    let (class, what) = if overlap.wholly {
        (
            "unreached",
            format!("is never reached: {earlier} decides first"),
        )
    } else {
        ("late", format!("comes too late: {earlier} allows it first"))
    };
    Some(Finding {
        class,
        line: late.line,
        rule: Some(late.rule),
        by: Some(by.rule),
        message: format!("rule {} ({} {}) {what}", late.rule, late.effect, late.scope),
    })
}

/// The word of a file for a decision.
fn word(decision: &Decision) -> &'static str {
    match decision {
        Decision::AllowOnce => "allow",
        other => other.as_str(),
    }
}

fn on(line: Option<usize>) -> String {
    line.map(|line| format!(" on line {line}"))
        .unwrap_or_default()
}

/// For people.
pub(super) fn text(checked: &Checked) -> String {
    let mut out = format!("{}: ", checked.file);
    match checked.findings.first() {
        Some(finding) if finding.class == "unreadable" => out.push_str("cannot be read\n"),
        _ => {
            let count = checked.rules.len();
            let rules = if count == 1 { "rule" } else { "rules" };
            out.push_str(&format!(
                "{count} {rules}, otherwise {}\n",
                checked.otherwise
            ));
        }
    }
    for row in &checked.rules {
        let line = row.line.map(|line| format!("line {line}"));
        out.push_str(&format!(
            "{:>4}  {:<9} {:<6} {}\n",
            row.rule,
            line.unwrap_or_default(),
            row.effect,
            row.scope
        ));
    }
    for finding in &checked.findings {
        let line = finding.line.map(|line| format!("line {line}: "));
        out.push_str(&format!(
            "! {}{}\n",
            line.unwrap_or_default(),
            finding.message
        ));
    }
    out
}
