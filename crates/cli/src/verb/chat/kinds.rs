//! What was allowed and rejected in the course of a talk. The lists can always be read: one that cannot is not taken.

use std::fmt;

use acp_harness::permission::Rules;

use crate::{
    hiargs::{self, Misuse},
    safe,
};

/// The kinds as they were typed.
#[derive(Debug)]
pub(super) struct Kinds {
    allow: Vec<String>,
    deny: Vec<String>,
}

impl Kinds {
    /// Those of the command line, which were read before.
    pub(super) fn new(allow: &[String], deny: &[String]) -> Self {
        Self {
            allow: allow.to_vec(),
            deny: deny.to_vec(),
        }
    }

    /// The rules with more allowed.
    pub(super) fn allow(&mut self, more: String) -> Result<Rules, Misuse> {
        self.allow.push(more);
        let rules = self.rules();
        if rules.is_err() {
            self.allow.pop();
        }
        rules
    }

    /// The rules with more rejected.
    pub(super) fn deny(&mut self, more: String) -> Result<Rules, Misuse> {
        self.deny.push(more);
        let rules = self.rules();
        if rules.is_err() {
            self.deny.pop();
        }
        rules
    }

    fn rules(&self) -> Result<Rules, Misuse> {
        hiargs::rules(&self.allow, &self.deny)
    }
}

impl fmt::Display for Kinds {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let list = |kinds: &[String]| {
            if kinds.is_empty() {
                String::from("nothing")
            } else {
                safe::line(&kinds.join(","), 200)
            }
        };
        write!(
            f,
            "allowed: {}; rejected: {}; asked about: the rest",
            list(&self.allow),
            list(&self.deny)
        )
    }
}

#[cfg(test)]
mod tests {
    use super::Kinds;

    #[test]
    fn what_cannot_be_read_is_not_taken() {
        let mut kinds = Kinds::new(&["read".to_owned()], &[]);
        kinds.deny("execute".to_owned()).expect("it is a kind");
        kinds.allow("quux:".to_owned()).expect_err("it is none");
        kinds.deny("quux:".to_owned()).expect_err("it is none");
        kinds.allow("edit:src/**".to_owned()).expect("it is a kind");
        assert_eq!(
            kinds.to_string(),
            "allowed: read,edit:src/**; rejected: execute; asked about: the rest"
        );
    }
}
