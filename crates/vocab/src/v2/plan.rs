//! Plans.

use crate::{
    id::PlanId,
    plan::{PlanEntry, PlanFile, PlanMarkdown},
    wire::macros::{tagged, wire_struct},
};

wire_struct! {
    /// A plan is new or replaced, even when its kind changes.
    pub struct PlanUpdate: N / S [meta] {
        /// The plan.
        required plan: PlanUpdateContent = "plan": N / S,
    }
    new(plan: PlanUpdateContent);
}

tagged! {
    /// The plan, in one of its kinds.
    pub enum PlanUpdateContent("type"): N / S {
        /// A list of steps.
        Items(PlanItems) = "items": N / S,
        /// A file.
        File(PlanFile) = "file": N / UX,
        /// Markdown.
        Markdown(PlanMarkdown) = "markdown": N / US,
    }
}

wire_struct! {
    /// A whole plan as a list of steps; it replaces the plan of that id.
    pub struct PlanItems: N / S [meta] {
        /// The plan.
        required plan_id: PlanId = "planId": N / S,
        /// The steps, all of them.
        strict_entries entries: Vec<PlanEntry> = "entries": N / S,
    }
    new(plan_id: PlanId, entries: Vec<PlanEntry>);
}
