//! The rules that stand: those that were typed, then those of a file, then the default.

use std::path::Path;

use acp_harness::permission::{Decision, Effect, Policy, Request, Rules, Verdict};

use crate::{
    filed::Filed,
    hiargs::{self, Misuse},
    links,
};

/// Who decided, where it was the file.
pub(crate) const BY_FILE: &str = "rules file";

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
            typed: typed.otherwise(otherwise.clone()),
            file: file.map(|file| file.rules.otherwise(otherwise.clone())),
            otherwise,
        }
    }

    /// On the file system that the agent works on, too: links are followed.
    fn here(self) -> Self {
        Self {
            typed: self.typed.following(links::real),
            file: self.file.map(|rules| rules.following(links::real)),
            otherwise: self.otherwise,
        }
    }

    /// The same file behind other words that were typed.
    pub(crate) fn retyped(&mut self, typed: Rules) {
        let typed = typed.otherwise(self.otherwise.clone());
        self.typed = typed.following(links::real);
    }

    /// The number of the rule that decides, where it is one of the file.
    pub(crate) fn rule_of_file(&self, request: &Request) -> Option<usize> {
        if self.typed.matching(request).is_some() {
            return None;
        }
        let (rule, ..) = self.file.as_ref()?.matching(request)?;
        Some(rule)
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
    let file = file.map(Filed::read).transpose()?;
    let file = file.map(|file| file.rooted(root));
    let otherwise = if asked {
        Decision::Ask
    } else {
        file.as_ref()
            .and_then(|file| file.otherwise.clone())
            .unwrap_or(default)
    };
    let standing = Standing::new(typed, file, otherwise.clone());
    Ok((standing.here(), otherwise))
}

#[cfg(test)]
mod tests;
