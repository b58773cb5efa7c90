//! From an event of a session to a moment of the run.

mod parts;

use acp_harness::{
    client::{Event, Received, Speaker},
    session::{Chunk, PlanContent, Tool as ToolCall},
    vocab::{Patch, PlanEntryPriority, ToolCallStatus, UsageUpdate},
};

use self::parts::Remembered;
use crate::{
    moment::{Cost, Diagnostic, Moment, Notice, Plan, PlanEntry, Text, Tool, Usage},
    render::diff::Diff,
    spoken::Spoken,
};

/// What is remembered from event to event.
#[derive(Debug, Default)]
pub(crate) struct Translator {
    /// What later updates of a tool call leave out.
    tools: Remembered,
    spoken: Spoken,
}

impl Translator {
    /// How many tool calls there were.
    pub(crate) fn tools(&self) -> usize {
        self.tools.count()
    }

    /// The moment of an event; `None` for what only a host with a session view cares about.
    pub(crate) fn translate(&mut self, received: &Received) -> Option<Moment> {
        let late = received.late;
        let text = |chunk: &Chunk| Text {
            text: chunk.to_string(),
            late,
        };
        let notice = |about: &str, text: String| {
            Some(Moment::Notice(Notice {
                about: about.to_owned(),
                text,
                raw: None,
            }))
        };
        match &received.event {
            Event::Text(chunk) => {
                self.spoken.piece(Speaker::Agent, chunk);
                Some(Moment::AgentText(text(chunk)))
            }
            Event::Thought(chunk) => {
                self.spoken.piece(Speaker::Thought, chunk);
                Some(Moment::Thought(text(chunk)))
            }
            Event::User(chunk) => {
                self.spoken.piece(Speaker::User, chunk);
                Some(Moment::UserText(text(chunk)))
            }
            Event::Message(message) => {
                let text = Text {
                    text: self.spoken.rest(message)?,
                    late,
                };
                match message.speaker {
                    Speaker::Agent => Some(Moment::AgentText(text)),
                    Speaker::Thought => Some(Moment::Thought(text)),
                    _ => Some(Moment::UserText(text)),
                }
            }
            Event::Tool(tool) => Some(Moment::Tool(self.tool(tool, late))),
            Event::Plan(plan) => Some(match &plan.content {
                PlanContent::Steps(steps) => Moment::Plan(Plan {
                    entries: steps
                        .iter()
                        .map(|step| PlanEntry {
                            content: step.content.to_string(),
                            priority: priority(&step.priority),
                            status: step.status.as_str().to_owned(),
                        })
                        .collect(),
                }),
                PlanContent::Markdown(plan) => Moment::Notice(Notice {
                    about: String::from("plan"),
                    text: plan.content.to_string(),
                    raw: None,
                }),
                _ => return notice("plan", String::from("of a kind that is not known")),
            }),
            Event::Usage(update) => Some(Moment::Usage(usage(update))),
            Event::Mode(mode) => notice("mode", mode.to_string()),
            Event::Commands(commands) => {
                notice("commands", format!("{} available", commands.len()))
            }
            Event::Options(options) => notice("options", format!("{} in force", options.len())),
            Event::Info(info) => match &info.title {
                Patch::Value(title) => notice("title", title.to_string()),
                Patch::Absent | Patch::Null => None,
            },
            Event::Notice(told) => {
                let description = told
                    .description
                    .as_deref()
                    .map(|text| format!(": {text}"))
                    .unwrap_or_default();
                notice(
                    told.severity.as_str(),
                    format!("{}{description}", told.title),
                )
            }
            Event::Notification(told) => notice("notification", told.method.to_string()),
            Event::Settled(settled) => notice(
                "request",
                format!("{} (id {}): {}", settled.method, settled.id, settled.how),
            ),
            Event::Unknown { tag } => Some(Moment::Notice(Notice {
                about: format!("update:{tag}"),
                text: String::from("of a kind that is not known"),
                raw: received
                    .raw
                    .as_ref()
                    .and_then(|raw| serde_json::from_str(raw.get()).ok()),
            })),
            Event::Diagnostic(diagnostic) => Some(Moment::Diagnostic(Diagnostic {
                message: diagnostic.to_string(),
            })),
            Event::Subagent(_) => notice("subagent", String::from("a child session changed")),
            Event::Compaction(_) => {
                notice("compaction", String::from("the context is being shortened"))
            }
            _ => None,
        }
    }

    /// Notes that a tool call exists: what announces it may be its own update or a permission request.
    pub(crate) fn note(&mut self, id: &str) {
        self.tools.note(id);
    }

    /// The changes of files that a tool call has shown so far.
    pub(crate) fn changes(&self, id: &str) -> &[Diff] {
        self.tools.changes(id)
    }

    /// A tool call as it stands after an event.
    pub(crate) fn tool(&mut self, call: &ToolCall, late: bool) -> Tool {
        let parts = self.tools.apply(call);
        let is_final = matches!(
            call.status,
            ToolCallStatus::Completed | ToolCallStatus::Failed | ToolCallStatus::Cancelled
        );
        Tool {
            id: call.id.as_str().to_owned(),
            title: call.title.to_string(),
            kind: call.kind.as_str().to_owned(),
            status: call.status.as_str().to_owned(),
            is_final,
            paths: parts.paths,
            diffs: parts.diffs,
            late,
        }
    }
}

fn usage(update: &UsageUpdate) -> Usage {
    Usage {
        used: Some(update.used),
        // 0 is how some agents say that they do not know.
        size: Some(update.size).filter(|size| *size > 0),
        cost: match &update.cost {
            Patch::Value(cost) => Some(Cost {
                amount: cost.amount,
                currency: cost.currency.to_string(),
            }),
            Patch::Absent | Patch::Null => None,
        },
    }
}

fn priority(priority: &PlanEntryPriority) -> String {
    priority.as_str().to_owned()
}

#[cfg(test)]
mod tests {
    use super::{Usage, UsageUpdate, usage};

    #[test]
    fn trap_37_a_context_window_of_nothing_is_one_that_is_not_known() {
        for (size, known) in [(0_u64, None), (1, Some(1)), (200_000, Some(200_000))] {
            let Usage { used, size, cost } = usage(&UsageUpdate::new(0_u64, size));
            // What is used may well be nothing.
            assert_eq!((used, size), (Some(0), known));
            assert!(cost.is_none(), "an agent that names no cost has not said 0");
        }
    }
}
