//! Plans.

use crate::{
    id::PlanId,
    plan::{PlanEntry, PlanFile, PlanMarkdown},
    wire::macros::{tagged, wire_struct},
};

wire_struct! {
    /// The whole plan; it replaces the one before.
    pub struct Plan: S / N [meta] {
        /// The steps, all of them.
        entries entries: Vec<PlanEntry> = "entries": S / N,
    }
    new(entries: Vec<PlanEntry>);
}

wire_struct! {
    /// A plan is new or replaced, even when its kind changes.
    pub struct PlanUpdate: US / N [meta] {
        /// The plan.
        required plan: PlanUpdateContent = "plan": US / N,
    }
    new(plan: PlanUpdateContent);
}

tagged! {
    /// The plan, in one of its kinds.
    pub enum PlanUpdateContent("type"): US / N {
        /// A list of steps.
        Items(PlanItems) = "items": US / N,
        /// A file.
        File(PlanFile) = "file": UX / N,
        /// Markdown.
        Markdown(PlanMarkdown) = "markdown": US / N,
    }
}

wire_struct! {
    /// A whole plan as a list of steps; it replaces the plan of that id.
    pub struct PlanItems: US / N [meta] {
        /// The plan.
        required plan_id: PlanId = "planId": US / N,
        /// The steps, all of them.
        entries entries: Vec<PlanEntry> = "entries": US / N,
    }
    new(plan_id: PlanId, entries: Vec<PlanEntry>);
}
