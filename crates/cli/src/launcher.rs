//! Programs that fetch the one they are told to run: `npx`, `uvx` and their like.
//!
//! They look for a package at each start, and download it where it is missing: that may take longer than anybody waits, and brings
//! another version tomorrow.

use std::path::Path;

use crate::hiargs::Agent;

/// A command that begins with one of them.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Launcher {
    /// As it is called: `npx`, `pnpm dlx`.
    pub(crate) name: &'static str,
    /// What it is told to run.
    pub(crate) package: String,
    /// Whether exactly one version of that is meant.
    pub(crate) pinned: bool,
    /// How to have it without being fetched.
    pub(crate) install: &'static str,
}

/// One of them: its words, the flags before the package that take a value, the flag that names the package, and how to install.
struct Known {
    words: &'static [&'static str],
    name: &'static str,
    valued: &'static [&'static str],
    package: &'static [&'static str],
    install: &'static str,
}

const NPM: &str = "npm install -g";
const UV: &str = "uv tool install";

const KNOWN: &[Known] = &[
    known(&["npx"], "npx", NPM),
    known(&["npm", "exec"], "npm exec", NPM),
    known(&["npm", "x"], "npm x", NPM),
    known(&["bunx"], "bunx", "bun add -g"),
    known(&["bun", "x"], "bun x", "bun add -g"),
    known(&["pnpx"], "pnpx", "pnpm add -g"),
    known(&["pnpm", "dlx"], "pnpm dlx", "pnpm add -g"),
    known(&["yarn", "dlx"], "yarn dlx", NPM),
    python(&["uvx"], "uvx", UV),
    python(&["uv", "tool", "run"], "uv tool run", UV),
    python(&["pipx", "run"], "pipx run", "pipx install"),
];

const fn known(words: &'static [&'static str], name: &'static str, install: &'static str) -> Known {
    Known {
        words,
        name,
        valued: &["-c", "--call", "--registry", "--cache", "-w", "--workspace"],
        package: &["-p", "--package"],
        install,
    }
}

const fn python(
    words: &'static [&'static str],
    name: &'static str,
    install: &'static str,
) -> Known {
    Known {
        words,
        name,
        valued: &["--python", "-p", "--with", "--index", "--index-url"],
        package: &["--from", "--spec"],
        install,
    }
}

impl Launcher {
    /// The one that these words begin with.
    pub(crate) fn of<'a>(argv: impl IntoIterator<Item = &'a str>) -> Option<Self> {
        let argv: Vec<&str> = argv.into_iter().collect();
        let program = Path::new(argv.first()?).file_stem()?.to_str()?;
        let rest = argv.get(1..)?;
        KNOWN.iter().find_map(|known| {
            let (first, more) = known.words.split_first()?;
            let rest = rest.strip_prefix(more).filter(|_| program == *first)?;
            let package = package(known, rest)?;
            Some(Self {
                name: known.name,
                pinned: is_pinned(package),
                package: package.to_owned(),
                install: known.install,
            })
        })
    }

    /// The one that starts this agent.
    pub(crate) fn of_agent(agent: &Agent) -> Option<Self> {
        match agent {
            Agent::Demo => None,
            Agent::Command(argv) => Self::of(argv.iter().map_while(|word| word.to_str())),
        }
    }

    /// The package without its version.
    pub(crate) fn plain(&self) -> &str {
        let text = self.package.as_str();
        let end = text
            .find("==")
            .or_else(|| text.rfind('@').filter(|at| *at > 0));
        end.and_then(|end| text.get(..end)).unwrap_or(text)
    }
}

/// What it is told to run: behind a flag that says so, else the first word that is no flag.
fn package<'a>(known: &Known, words: &[&'a str]) -> Option<&'a str> {
    let mut words = words.iter().copied();
    while let Some(word) = words.next() {
        let (flag, value) = match word.split_once('=') {
            Some((flag, value)) if flag.starts_with('-') => (flag, Some(value)),
            _ => (word, None),
        };
        if known.package.contains(&flag) {
            return value.or_else(|| words.next());
        }
        if known.valued.contains(&flag) && value.is_none() {
            words.next();
        } else if !word.starts_with('-') {
            return Some(word);
        }
    }
    None
}

/// `name@1.2.3` and `name==1.2.3` are; a range, a tag, an address and a bare name are not.
fn is_pinned(package: &str) -> bool {
    let version = match package.split_once("==") {
        Some((_, version)) => version,
        None => match package.rfind('@') {
            Some(at) if at > 0 => package.get(at + 1..).unwrap_or_default(),
            _ => return false,
        },
    };
    version.split('.').count() >= 3
        && version.starts_with(|c: char| c.is_ascii_digit())
        && !version.contains(['*', 'x', ' ', '|'])
}

#[cfg(test)]
mod tests {
    use super::Launcher;

    #[track_caller]
    fn check(line: &str, expected: Option<(&str, &str, &str, bool)>) {
        let launcher = Launcher::of(line.split(' '));
        let found = launcher
            .as_ref()
            .map(|it| (it.name, it.package.as_str(), it.plain(), it.pinned));
        assert_eq!(found, expected, "{line}");
    }

    #[test]
    fn report_22_what_is_fetched_at_each_start_is_known_by_its_launcher() {
        check("npx gemini", Some(("npx", "gemini", "gemini", false)));
        check(
            "npx -y @google/gemini-cli --acp",
            Some(("npx", "@google/gemini-cli", "@google/gemini-cli", false)),
        );
        check(
            "npx --yes @google/gemini-cli@0.61.0",
            Some((
                "npx",
                "@google/gemini-cli@0.61.0",
                "@google/gemini-cli",
                true,
            )),
        );
        check(
            "npx pi-acp@latest",
            Some(("npx", "pi-acp@latest", "pi-acp", false)),
        );
        check(
            "npx pi-acp@^1.2.3",
            Some(("npx", "pi-acp@^1.2.3", "pi-acp", false)),
        );
        check("npx pi-acp@1", Some(("npx", "pi-acp@1", "pi-acp", false)));
        check(
            "npx pi-acp@1.2.x",
            Some(("npx", "pi-acp@1.2.x", "pi-acp", false)),
        );
        check(
            "/usr/local/bin/npx -p cline@1.0.0 cline",
            Some(("npx", "cline@1.0.0", "cline", true)),
        );
        check(
            "npx.cmd --package=cline cline",
            Some(("npx", "cline", "cline", false)),
        );
        check(
            "npx --registry here cline",
            Some(("npx", "cline", "cline", false)),
        );
        check(
            "npm exec -- cline",
            Some(("npm exec", "cline", "cline", false)),
        );
        check(
            "pnpm dlx cline@1.0.0",
            Some(("pnpm dlx", "cline@1.0.0", "cline", true)),
        );
        check("bunx cline", Some(("bunx", "cline", "cline", false)));
        check(
            "uvx kimi-cli acp",
            Some(("uvx", "kimi-cli", "kimi-cli", false)),
        );
        check(
            "uvx --from mistral-vibe==1.2.3 vibe-acp",
            Some(("uvx", "mistral-vibe==1.2.3", "mistral-vibe", true)),
        );
        check(
            "uv tool run kimi-cli@1.2.3",
            Some(("uv tool run", "kimi-cli@1.2.3", "kimi-cli", true)),
        );
        check(
            "pipx run kimi-cli",
            Some(("pipx run", "kimi-cli", "kimi-cli", false)),
        );
    }

    #[test]
    fn what_is_there_already_is_not() {
        for line in [
            "gemini --acp",
            "npm run agent",
            "npx",
            "npx -y",
            "node npx.js",
            "uv run agent",
            "uvx --from",
        ] {
            check(line, None);
        }
    }
}
