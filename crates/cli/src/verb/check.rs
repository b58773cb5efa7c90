//! `acp check`: does an agent keep the rules?

use std::{
    env, fs,
    io::{self, Write as _},
    path::Path,
    time::Duration,
};

use acp_harness::transport::Reaper;

use crate::{
    check::{self, Card, ClientSetting, Format, Report, Setting, Version},
    duration,
    exit::Exit,
    lowargs::Check,
    output::{Style, Verbosity},
    signal::Signals,
};

/// What an agent is asked when nobody names a prompt: an answer needs no tool.
const PROMPT: &str = "Answer with the one word pong and nothing else.";
/// What takes long enough to be cancelled.
const CANCEL_PROMPT: &str =
    "Count slowly from 1 to 500, one number a line, and explain each number in a sentence.";
/// How long killed agents may take to vanish.
const VANISH: Duration = Duration::from_secs(2);

/// Tests, tells and writes the reports.
pub(crate) fn check(low: &Check, style: &Style) -> Exit {
    match tested(low, style) {
        Ok(exit) => exit,
        Err(message) => {
            // With stderr gone there is nobody left to tell.
            drop(writeln!(io::stderr(), "acp: {message}"));
            Exit::Usage
        }
    }
}

fn tested(low: &Check, style: &Style) -> Result<Exit, String> {
    let setting = setting(low)?;
    let versions = match low.protocol.as_str() {
        "1" => vec![Version::One],
        "2" => vec![Version::Two],
        _ => vec![Version::One, Version::Two],
    };
    let wanted = |rule: &Card| {
        low.only.is_empty() || low.only.iter().any(|pattern| matches(pattern, rule.id))
    };
    let cards = check::cards(low.client);
    if !cards.iter().any(|card| wanted(card)) {
        return Err(format!(
            "no rule is called {}; `acp check --list` shows them",
            crate::safe::line(&low.only.join(" "), 80)
        ));
    }
    if low.list {
        return Ok(list(style, &cards, wanted));
    }
    if low.agent.is_empty() {
        return Err(String::from("name the command to test after --"));
    }
    if low.client
        && !low
            .agent
            .iter()
            .any(|word| word.to_string_lossy().contains("{agent"))
    {
        return Err(String::from(
            "say where the client takes its agent: put {agent} there",
        ));
    }
    let client = ClientSetting {
        argv: setting.argv.clone(),
        cwd: setting.cwd.clone(),
        bound: setting.bound,
    };
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build()
        .map_err(|error| format!("no runtime could be made: {error}"))?;
    let whole = duration::parse(&low.max_time)
        .ok_or_else(|| String::from("--max-time takes a length of time, 30m or none"))?;
    let mut closed = false;
    let report = runtime.block_on(async {
        let mut signals = Signals::new().map_err(|error| error.to_string())?;
        let tell = |finding: &check::Finding| {
            let lines = finding.lines(style.color, style.times);
            if !style.json && !closed {
                closed = io::stdout().lock().write_all(lines.as_bytes()).is_err();
            } else if style.json && style.verbosity >= Verbosity::Phases {
                drop(io::stderr().lock().write_all(lines.as_bytes()));
            }
        };
        let tested = async {
            if low.client {
                check::client(&client, whole, &versions, wanted, tell).await
            } else {
                check::agent(&setting, whole, &versions, wanted, tell).await
            }
        };
        tokio::select! {
            report = tested => Ok(Ok(report)),
            signal = signals.next() => Ok::<_, String>(Err(signal.exit())),
        }
    })?;
    drop(runtime);
    // What is still there then was killed and belongs to the kernel.
    let _: Result<(), acp_harness::transport::Unfinished> = Reaper::join(VANISH);
    let mut report = match report {
        Ok(report) => report,
        Err(exit) => return Ok(exit),
    };
    report.times = style.times;
    write_reports(low, &report)?;
    let last = if style.json {
        report.render(Format::Json)
    } else {
        report.summary()
    };
    drop(io::stdout().lock().write_all(last.as_bytes()));
    Ok(if report.conforms() {
        Exit::Ok
    } else {
        Exit::Failed
    })
}

fn write_reports(low: &Check, report: &Report) -> Result<(), String> {
    for (path, format) in [
        (&low.report_json, Format::Json),
        (&low.junit, Format::Junit),
        (&low.sarif, Format::Sarif),
    ] {
        if let Some(path) = path {
            write(path, &report.render(format))?;
        }
    }
    Ok(())
}

fn write(path: &Path, text: &str) -> Result<(), String> {
    fs::write(path, text).map_err(|error| format!("{} cannot be written: {error}", path.display()))
}

/// A pattern names a rule by a part of its id, or by all of it with `*` for anything.
fn matches(pattern: &str, id: &str) -> bool {
    let pattern = pattern.to_ascii_uppercase();
    if !pattern.contains('*') {
        return id.contains(&pattern);
    }
    let mut rest = id;
    for (index, part) in pattern.split('*').enumerate() {
        let Some(at) = rest.find(part) else {
            return false;
        };
        if index == 0 && at != 0 {
            return false;
        }
        rest = rest.get(at + part.len()..).unwrap_or_default();
    }
    pattern.ends_with('*') || rest.is_empty()
}

fn list(style: &Style, cards: &[&'static Card], wanted: impl Fn(&Card) -> bool) -> Exit {
    let mut out = String::new();
    let rows = cards.iter().filter(|rule| wanted(rule));
    if style.json {
        let rows: Vec<serde_json::Value> = rows
            .map(|rule| {
                let protocols: Vec<u16> = [Version::One, Version::Two]
                    .into_iter()
                    .filter(|version| rule.holds_in(*version))
                    .map(Version::number)
                    .collect();
                serde_json::json!({ "id": rule.id, "tier": rule.tier, "protocols": protocols, "what": rule.what })
            })
            .collect();
        out = format!("{}\n", serde_json::Value::from(rows));
    } else {
        for rule in rows {
            let holds = match rule.holds {
                check::Holds::Both => "v1 v2",
                check::Holds::One => "v1",
                check::Holds::Two => "v2",
            };
            out.push_str(&format!(
                "{:<24} {:<13} {holds:<5} {}\n",
                rule.id,
                rule.tier.name(),
                rule.what
            ));
        }
    }
    match io::stdout().lock().write_all(out.as_bytes()) {
        Ok(()) => Exit::Ok,
        Err(_) => Exit::PipeClosed,
    }
}

fn setting(low: &Check) -> Result<Setting, String> {
    let here = env::current_dir().map_err(|error| error.to_string())?;
    let cwd = low
        .agent_cwd
        .as_ref()
        .map_or_else(|| here.clone(), |dir| here.join(dir));
    if !cwd.is_dir() {
        return Err(format!("--agent-cwd {} is no directory", cwd.display()));
    }
    let time = |flag: &str, typed: &str| match duration::parse(typed) {
        Some(Some(time)) => Ok(time),
        _ => Err(format!("{flag} takes a length of time, 30s or 2m")),
    };
    Ok(Setting {
        argv: low.agent.clone(),
        cwd: fs::canonicalize(&cwd).unwrap_or(cwd),
        env: low
            .agent_env
            .iter()
            .map(crate::hiargs::variable)
            .collect::<Result<_, _>>()
            .map_err(|_| String::from("--agent-env takes NAME=VALUE in UTF-8"))?,
        prompt: low.prompt.clone().unwrap_or_else(|| PROMPT.to_owned()),
        cancel_prompt: Some(
            low.cancel_prompt
                .clone()
                .unwrap_or_else(|| CANCEL_PROMPT.to_owned()),
        ),
        auth_method: low.auth_method.clone(),
        allow_logout: low.allow_logout,
        startup: time("--startup-timeout", &low.startup_timeout)?,
        bound: time("--timeout", &low.timeout)?,
    })
}

#[cfg(test)]
mod tests {
    use super::matches;

    #[test]
    fn how_rules_are_named() {
        for (pattern, id, is) in [
            ("CANCEL", "CANCEL-001", true),
            ("cancel-001", "CANCEL-001", true),
            ("001", "CANCEL-001", true),
            ("CANCEL", "LOAD-001", false),
            ("INIT-2*", "INIT-201", true),
            ("INIT-2*", "INIT-001", false),
            ("*-001", "INIT-001", true),
            ("*-00", "INIT-001", false),
            ("I*1", "INIT-001", true),
            ("NIT*", "INIT-001", false),
        ] {
            assert_eq!(matches(pattern, id), is, "{pattern} {id}");
        }
    }
}
