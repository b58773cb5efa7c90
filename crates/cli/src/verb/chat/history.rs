//! The prompts that were sent, as far back as anybody looks.

use std::collections::VecDeque;

use crate::safe;

/// How many are remembered.
const MOST: usize = 100;

/// The latest prompts.
#[derive(Debug, Default)]
pub(super) struct History(VecDeque<String>);

impl History {
    /// Remembers one more; the oldest goes.
    pub(super) fn push(&mut self, prompt: &str) {
        if self.0.len() == MOST {
            self.0.pop_front();
        }
        self.0.push_back(prompt.to_owned());
    }

    /// One line for each, the oldest first.
    pub(super) fn lines(&self) -> Vec<String> {
        let numbered = self.0.iter().enumerate();
        numbered
            .map(|(index, prompt)| format!("  {:>3}  {}", index + 1, safe::line(prompt, 120)))
            .collect()
    }
}

#[cfg(test)]
mod tests {
    use super::{History, MOST};

    #[test]
    fn the_oldest_goes() {
        let mut history = History::default();
        for number in 0..=MOST {
            history.push(&format!("prompt {number}"));
        }
        let lines = history.lines();
        assert_eq!(lines.len(), MOST);
        assert_eq!(lines.first().map(String::as_str), Some("    1  prompt 1"));
    }
}
