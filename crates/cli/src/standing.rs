//! The rules that stand: those that were typed, then those of a file, then the default.

use std::{fs, io::Read as _, path::Path};

use acp_harness::permission::{Decision, Effect, Policy, Request, Rules, RulesFile, Verdict};

use crate::{
    hiargs::{self, Misuse},
    links, safe,
};

/// How much of a file of rules is read.
const MAX_BYTES: u64 = 64 << 10;
/// Who decided, where it was the file.
const BY_FILE: &str = "rules file";

/// Two lists, tried one after the other. They stay two: a file may have a root of its own and may trust titles, and neither
/// changes what a flag means.
#[derive(Debug, Clone)]
pub(crate) struct Standing {
    typed: Rules,
    file: Option<Rules>,
    otherwise: Decision,
}

impl Standing {
    /// Puts what was typed before the file.
    pub(crate) fn new(typed: Rules, file: Option<Filed>, otherwise: Decision) -> Self {
        Self {
            typed: typed.otherwise(otherwise.clone()).following(links::real),
            file: file.map(|file| {
                let rules = file.rules.otherwise(otherwise.clone());
                rules.following(links::real)
            }),
            otherwise,
        }
    }

    /// The same file behind other words that were typed.
    pub(crate) fn retyped(&mut self, typed: Rules) {
        let typed = typed.otherwise(self.otherwise.clone());
        self.typed = typed.following(links::real);
    }

    /// Whether a rule, wherever it stands, leaves something to a person.
    pub(crate) fn asks(&self) -> bool {
        let asking = |rules: &Rules| rules.iter().any(|(effect, _)| effect == Effect::Ask);
        asking(&self.typed) || self.file.as_ref().is_some_and(asking)
    }
}

impl Policy for Standing {
    fn decide(&self, request: &Request) -> Verdict {
        match &self.file {
            Some(file) if self.typed.matching(request).is_none() => {
                let verdict = file.decide(request);
                Verdict::new(verdict.decision, BY_FILE, verdict.why)
            }
            _ => self.typed.decide(request),
        }
    }
}

/// What a file says.
#[derive(Debug, Clone)]
pub(crate) struct Filed {
    rules: Rules,
    /// What it decides where none of its rules matches, if it says so.
    pub(crate) otherwise: Option<Decision>,
}

impl Filed {
    /// Reads it: TOML, or JSON where its name ends in `.json`. Relative patterns lie below `root`, unless it names a root.
    pub(crate) fn read(path: &Path, root: &Path) -> Result<Self, Misuse> {
        let unusable = |why: &str| {
            Misuse::new(format!(
                "--rules {} cannot be used: {}",
                safe::line(&path.to_string_lossy(), 200),
                safe::line(why, 300)
            ))
        };
        let mut bytes = Vec::new();
        fs::File::open(path)
            .and_then(|file| file.take(MAX_BYTES + 1).read_to_end(&mut bytes))
            .map_err(|error| unusable(&error.to_string()))?;
        if bytes.len() as u64 > MAX_BYTES {
            return Err(unusable("more than 64 KiB"));
        }
        let text = String::from_utf8(bytes).map_err(|_| unusable("it is not UTF-8"))?;
        let is_json = path
            .extension()
            .is_some_and(|extension| extension.eq_ignore_ascii_case("json"));
        Self::parse(&text, is_json, root).map_err(|why| unusable(&why))
    }

    fn parse(text: &str, is_json: bool, root: &Path) -> Result<Self, String> {
        let file: RulesFile = if is_json {
            serde_json::from_str(text).map_err(|error| {
                let said = error.to_string();
                let said = said.split(" at line ").next().unwrap_or_default();
                format!("line {}: {}", error.line(), without_value(said))
            })?
        } else {
            toml::from_str(text).map_err(|error| {
                let at = error.span().map_or(0, |span| span.start);
                let before = text.get(..at).unwrap_or_default();
                let line = before.matches('\n').count() + 1;
                format!("line {line}: {}", without_value(error.message()))
            })?
        };
        let root_named = file.root.is_some();
        let word = file.otherwise.clone();
        let mut rules = Rules::try_from(file).map_err(|error| error.to_string())?;
        if !root_named {
            rules = rules.rooted(root);
        }
        // The conversion has refused every other word.
        let otherwise = word.as_deref().map(|word| match word {
            "allow" => Decision::AllowOnce,
            "deny" => Decision::Deny,
            "ask" => Decision::Ask,
            _ => Decision::Cancel,
        });
        Ok(Self { rules, otherwise })
    }
}

/// What a parser says, without the value that it quotes: whoever names the wrong file must not find its contents in a log.
fn without_value(said: &str) -> String {
    let said = said.lines().next().unwrap_or_default();
    match (said.split_once(": "), said.rsplit_once(", expected ")) {
        (Some((what, _)), Some((_, expected))) if what.starts_with("invalid ") => {
            format!("{what}, expected {expected}")
        }
        _ => said.to_owned(),
    }
}

/// What stands for a run or a chat: the flags, then the file, then `asked` or what the file says, then `default`.
pub(crate) fn standing(
    allow: &[String],
    deny: &[String],
    file: Option<&Path>,
    root: &Path,
    asked: bool,
    default: Decision,
) -> Result<(Standing, Decision), Misuse> {
    let typed = hiargs::rules(allow, deny)?.rooted(root);
    let file = file.map(|path| Filed::read(path, root)).transpose()?;
    let otherwise = if asked {
        Decision::Ask
    } else {
        file.as_ref()
            .and_then(|file| file.otherwise.clone())
            .unwrap_or(default)
    };
    Ok((Standing::new(typed, file, otherwise.clone()), otherwise))
}

#[cfg(test)]
mod tests;
