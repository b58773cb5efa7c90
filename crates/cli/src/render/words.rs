//! Moments in a few words.

use std::time::Duration;

use acp_harness::permission::{Record, WITHDRAWN};

use crate::{
    duration,
    moment::{AgentUp, PlanEntry, Served, Usage},
    safe,
};

/// Who answers.
pub(crate) fn agent(agent: &AgentUp, took: Option<Duration>) -> String {
    let mut line = format!("● {}", safe::line(&agent.name, 60));
    if let Some(version) = &agent.version {
        line.push_str(&format!(" {}", safe::line(version, 40)));
    }
    line.push_str(&format!(" · ACP v{}", agent.protocol_version));
    if let Some(took) = took {
        line.push_str(&format!(" · started in {}", duration::show(took)));
    }
    line
}

/// What a decision was: one word.
pub(crate) fn verdict(record: &Record) -> &'static str {
    match (record.approved, record.outcome) {
        (true, _) => "allowed",
        (false, "selected") => "denied",
        (false, WITHDRAWN) => "withdrawn",
        (false, _) => "cancelled",
    }
}

/// What was asked, what was decided, by whom and why.
pub(crate) fn permission(record: &Record) -> String {
    let (title, why) = (safe::line(&record.title, 80), safe::line(&record.why, 80));
    format!(
        "  ⚿ {}  {title}  {} by {} ({why})",
        record.kind,
        verdict(record),
        record.by
    )
}

/// One step of a plan.
pub(crate) fn step(entry: &PlanEntry) -> String {
    let mark = match entry.status.as_str() {
        "completed" => '☑',
        "in_progress" => '▣',
        _ => '☐',
    };
    format!("  {mark} {}", safe::line(&entry.content, 160))
}

/// What was done for the agent.
pub(crate) fn served(served: &Served) -> String {
    let mut line = format!("  · {}: {}", safe::line(&served.method, 60), served.class);
    if let Some(terminal) = &served.terminal {
        line.push_str(&format!(" {}", safe::line(terminal, 40)));
    }
    if served.bytes > 0 {
        line.push_str(&format!(" ({} bytes)", served.bytes));
    }
    if served.is_missing_file() {
        line.push_str("; an agent that gives up here may want --missing-as-empty");
    }
    line
}

/// How full the context is and what it has cost. What is unknown is said to be unknown.
pub(crate) fn usage(usage: &Usage) -> String {
    let context = match (usage.used, usage.size) {
        (Some(used), Some(size)) => format!("context {}/{}", tokens(used), tokens(size)),
        (Some(used), None) => format!("context {}", tokens(used)),
        (None, _) => String::from("context unknown"),
    };
    let cost = match &usage.cost {
        Some(cost) => format!("cost {:.4} {}", cost.amount, safe::line(&cost.currency, 8)),
        None => String::from("cost unknown"),
    };
    format!("{context} · {cost}")
}

fn tokens(tokens: u64) -> String {
    let short = |unit: u64, name: char| {
        let (whole, tenth) = (tokens / unit, tokens % unit / (unit / 10));
        if tenth == 0 {
            format!("{whole}{name}")
        } else {
            format!("{whole}.{tenth}{name}")
        }
    };
    match tokens {
        0..=999 => tokens.to_string(),
        1_000..=999_999 => short(1_000, 'k'),
        _ => short(1_000_000, 'M'),
    }
}

#[cfg(test)]
mod tests {
    use super::{Usage, tokens, usage};
    use crate::moment::Cost;

    #[test]
    fn tokens_in_short() {
        let shown = [
            0, 999, 1_000, 12_400, 200_000, 999_999, 1_000_000, 2_560_000,
        ]
        .map(tokens);
        assert_eq!(
            shown,
            ["0", "999", "1k", "12.4k", "200k", "999.9k", "1M", "2.5M"]
        );
    }

    #[test]
    fn what_is_unknown_is_never_zero() {
        let cost = Some(Cost {
            amount: 0.0024,
            currency: String::from("USD"),
        });
        let told = Usage {
            used: Some(120),
            size: None,
            cost,
        };
        assert_eq!(usage(&told), "context 120 · cost 0.0024 USD");
        let untold = Usage {
            used: None,
            size: None,
            cost: None,
        };
        assert_eq!(usage(&untold), "context unknown · cost unknown");
    }
}
