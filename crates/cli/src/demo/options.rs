//! What can be set about a session of the demo agent, and what each does.

use acp_harness::{
    serve::{OptionValue, SessionOption},
    vocab::{
        SessionConfigBoolean, SessionConfigOptionCategory as Category, SessionConfigSelectOption,
        v2::{SessionConfigKind, SessionConfigSelect, SessionConfigSelectOptions},
    },
};
use serde::{Deserialize, Serialize};

/// The settings of one session.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Settings {
    pub(super) mode: Mode,
    pub(super) model: String,
    pub(super) effort: Effort,
    pub(super) usage: bool,
}

impl Default for Settings {
    fn default() -> Self {
        Self {
            mode: Mode::Ask,
            model: String::from("demo-small"),
            effort: Effort::Medium,
            usage: true,
        }
    }
}

/// Whether it edits, and whether it asks before.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(super) enum Mode {
    Ask,
    Plan,
    Auto,
}

/// How much it thinks aloud.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(super) enum Effort {
    Low,
    Medium,
    High,
}

impl Settings {
    /// Sets one option. The server has checked that there is such an option and that it takes the
    /// value.
    pub(super) fn set(&mut self, option: &str, value: &OptionValue) {
        match (option, value) {
            ("mode", OptionValue::Id(id)) => {
                self.mode = match id.as_str() {
                    "plan" => Mode::Plan,
                    "auto" => Mode::Auto,
                    _ => Mode::Ask,
                };
            }
            ("model", OptionValue::Id(id)) => self.model = id.to_string(),
            ("effort", OptionValue::Id(id)) => {
                self.effort = match id.as_str() {
                    "low" => Effort::Low,
                    "high" => Effort::High,
                    _ => Effort::Medium,
                };
            }
            ("usage", OptionValue::Boolean(on)) => self.usage = *on,
            _ => {}
        }
    }

    /// The options as a client is shown them.
    pub(super) fn options(&self) -> Vec<SessionOption> {
        let mode = match self.mode {
            Mode::Ask => "ask",
            Mode::Plan => "plan",
            Mode::Auto => "auto",
        };
        let effort = match self.effort {
            Effort::Low => "low",
            Effort::Medium => "medium",
            Effort::High => "high",
        };
        let mut usage = SessionOption::new(
            "usage",
            "Usage",
            SessionConfigKind::Boolean(SessionConfigBoolean::new(self.usage)),
        );
        usage.description = Some("Tell how full the context is".into());
        vec![
            select(
                ("mode", "Mode", Category::Mode),
                mode,
                &[
                    ("ask", "Ask", "Ask before the file is edited"),
                    ("plan", "Plan", "Read and plan; edit nothing"),
                    ("auto", "Auto", "Edit without asking"),
                ],
            ),
            select(
                ("model", "Model", Category::Model),
                &self.model,
                &[
                    ("demo-small", "Demo Small", "Answers in one sentence"),
                    ("demo-large", "Demo Large", "Answers in three"),
                ],
            ),
            select(
                ("effort", "Effort", Category::ThoughtLevel),
                effort,
                &[
                    ("low", "Low", "One thought"),
                    ("medium", "Medium", "Two thoughts"),
                    ("high", "High", "Three thoughts"),
                ],
            ),
            usage,
        ]
    }
}

fn select(
    (id, name, category): (&str, &str, Category),
    now: &str,
    values: &[(&str, &str, &str)],
) -> SessionOption {
    let values: Vec<_> = values
        .iter()
        .map(|(value, name, description)| {
            let mut value = SessionConfigSelectOption::new(*value, *name);
            value.description = Some((*description).into());
            value
        })
        .collect();
    let values = SessionConfigSelectOptions::Ungrouped(values);
    let kind = SessionConfigKind::Select(SessionConfigSelect::new(now, values));
    let mut option = SessionOption::new(id, name, kind);
    option.category = Some(category);
    option
}
