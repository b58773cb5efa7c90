//! What can be seen of an agent without starting it.

use std::path::PathBuf;

use super::Finding;
use crate::{aliases::Alias, launcher::Launcher, place, program};

/// Variables that change how programs of all sorts run.
const CHANGING: [&str; 5] = [
    "DYLD_INSERT_LIBRARIES",
    "LD_PRELOAD",
    "NODE_OPTIONS",
    "PYTHONHOME",
    "PYTHONPATH",
];

/// Its program: where it is, what it runs on, what fetches it. The path is that of the program.
pub(crate) fn program(
    command: &[String],
    install: Option<&str>,
) -> (Vec<Finding>, Option<PathBuf>) {
    let name = command.first().map_or("", String::as_str);
    let places = program::everywhere(name);
    let Some((path, others)) = places.split_first() else {
        let is = if name.contains(['/', '\\']) {
            format!("{name} is not there, or may not be run")
        } else {
            format!("{name} is nowhere in PATH")
        };
        let next = install.map(|install| format!("install it: {install}"));
        let next = next.or_else(|| Some(String::from("install it, or give its path")));
        return (vec![Finding::bad("program", is, next)], None);
    };
    let mut findings = vec![Finding::good("program", place::shown(path))];
    if !others.is_empty() {
        let others: Vec<String> = others.iter().map(|path| place::shown(path)).collect();
        findings.push(Finding::good(
            "others",
            format!("of the same name and not used: {}", others.join(", ")),
        ));
    }
    if let Some(interpreter) = program::interpreter(path) {
        findings.push(match program::find(&interpreter) {
            Some(path) => Finding::good("runs on", place::shown(&path)),
            None => Finding::bad(
                "runs on",
                format!("{interpreter}, which is not there"),
                Some(format!("install {interpreter}")),
            ),
        });
    }
    if let Some(launcher) = Launcher::of(command.iter().map(String::as_str)) {
        findings.push(fetched(&launcher));
    }
    (findings, Some(path.clone()))
}

fn fetched(launcher: &Launcher) -> Finding {
    let Launcher { name, package, .. } = launcher;
    let plain = launcher.plain();
    let once = format!(
        "install it once (`{} {plain}`) and name its program",
        launcher.install
    );
    if launcher.pinned {
        Finding::warning(
            "launcher",
            format!(
                "{name} looks for {package} at each start, and downloads it where it is missing"
            ),
            once,
        )
    } else {
        Finding::warning(
            "launcher",
            format!(
                "{name} looks for {package} at each start, and downloads it where it is missing: slow, and another version tomorrow"
            ),
            format!("{once}, or name one version: {plain}@1.2.3"),
        )
    }
}

/// What the agent gets besides its words: the variables of its entry, and those of ours that matter. Values are not shown.
pub(crate) fn environment<'a>(
    alias: Option<&Alias>,
    ours: impl IntoIterator<Item = &'a str>,
) -> Vec<Finding> {
    let mut findings = Vec::new();
    let list = |names: &[&str]| match names {
        [] | [_] | [_, _] => names.join(" and "),
        [first, second, more @ ..] => format!("{first}, {second} and {} more", more.len()),
    };
    let ours: Vec<&str> = ours.into_iter().collect();
    if let Some(alias) = alias.filter(|alias| !alias.env.is_empty()) {
        let names: Vec<&str> = alias.env.keys().map(String::as_str).collect();
        findings.push(Finding::good(
            "variables",
            format!("its entry sets {}", list(&names)),
        ));
    }
    let mut npm: Vec<&str> = ours
        .iter()
        .copied()
        .filter(|name| name.starts_with("npm_"))
        .collect();
    npm.sort_unstable();
    if !npm.is_empty() {
        findings.push(Finding::warning(
            "variables",
            format!("acp runs inside npm, and passes on {}", list(&npm)),
            "start acp outside of `npm run` and `npx`, or unset them",
        ));
    }
    let changing: Vec<&str> = CHANGING
        .into_iter()
        .filter(|name| ours.contains(name))
        .collect();
    if !changing.is_empty() {
        findings.push(Finding::warning(
            "variables",
            format!("{} changes how it runs", list(&changing)),
            "try it without",
        ));
    }
    if cfg!(unix) && !ours.contains(&"HOME") {
        findings.push(Finding::warning(
            "variables",
            "HOME is not set: most agents keep their login there",
            "set HOME",
        ));
    }
    findings
}

#[cfg(test)]
mod tests {
    use super::{environment, fetched};
    use crate::{doctor::Weight, launcher::Launcher};

    #[track_caller]
    fn check(ours: &[&str], expected: &[&str]) {
        let findings = environment(None, ours.iter().copied().chain(["HOME", "PATH"]));
        let is: Vec<&str> = findings.iter().map(|finding| finding.is.as_str()).collect();
        assert_eq!(is, expected);
        assert!(
            findings
                .iter()
                .all(|finding| finding.weight == Weight::Warning && finding.next.is_some())
        );
    }

    #[test]
    fn report_22_variables_that_leak_into_an_agent_are_named_and_not_shown() {
        check(&[], &[]);
        check(
            &["npm_config_cache"],
            &["acp runs inside npm, and passes on npm_config_cache"],
        );
        check(
            &["npm_b", "npm_a", "npm_d", "npm_c"],
            &["acp runs inside npm, and passes on npm_a, npm_b and 2 more"],
        );
        check(
            &["NODE_OPTIONS", "LD_PRELOAD"],
            &["LD_PRELOAD and NODE_OPTIONS changes how it runs"],
        );
    }

    #[cfg(unix)]
    #[test]
    fn a_home_is_needed() {
        assert_eq!(environment(None, ["PATH"]).len(), 1);
    }

    #[test]
    fn report_22_a_launcher_is_a_warning_with_a_way_out() {
        let of = |line: &str| fetched(&Launcher::of(line.split(' ')).expect("a launcher"));
        let loose = of("npx -y @x/agent@latest");
        assert_eq!(loose.weight, Weight::Warning);
        assert!(
            loose.is.contains("another version tomorrow"),
            "{}",
            loose.is
        );
        let next = loose.next.expect("a way out");
        assert_eq!(
            next,
            "install it once (`npm install -g @x/agent`) and name its program, or name one version: @x/agent@1.2.3"
        );
        let pinned = of("uvx agent==1.2.3");
        assert_eq!(
            pinned.next.expect("a way out"),
            "install it once (`uv tool install agent`) and name its program"
        );
    }
}
