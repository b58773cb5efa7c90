//! What both versions say about plans in the same way.

use crate::{
    id::PlanId,
    wire::macros::{open_enum, wire_struct},
};

wire_struct! {
    /// One step of a plan.
    pub struct PlanEntry: S / S [meta] {
        /// What is to be done.
        required content: Box<str> = "content": S / S,
        /// How much it matters.
        required priority: PlanEntryPriority = "priority": S / S,
        /// How far it is.
        required status: PlanEntryStatus = "status": S / S,
    }
    new(content: Box<str>, priority: PlanEntryPriority, status: PlanEntryStatus);
}

open_enum! {
    /// How much a step matters.
    pub enum PlanEntryPriority: S / S {
        /// Much.
        High = "high": S / S,
        /// Some.
        Medium = "medium": S / S,
        /// Little.
        Low = "low": S / S,
    }
}

open_enum! {
    /// How far a step is.
    pub enum PlanEntryStatus: S / S {
        /// It has not begun, or waits for approval.
        Pending = "pending": S / S,
        /// It is going on.
        InProgress = "in_progress": S / S,
        /// It is done.
        Completed = "completed": S / S,
        /// It was cancelled.
        Cancelled = "cancelled": N / S,
    }
}

wire_struct! {
    /// A whole plan as Markdown; it replaces the plan of that id.
    pub struct PlanMarkdown: US / US [meta] {
        /// The plan.
        required plan_id: PlanId = "planId": US / US,
        /// The plan as Markdown.
        required content: Box<str> = "content": US / US,
        /// The file that holds it, absolute.
        lenient path: Option<Box<str>> = "path": CS / CS,
    }
    new(plan_id: PlanId, content: Box<str>);
}

wire_struct! {
    /// A plan that is kept in a file. Only drafts had it; newer agents send Markdown with a path.
    pub struct PlanFile: UX / UX [meta] {
        /// The plan.
        required plan_id: PlanId = "planId": UX / UX,
        /// Where it is.
        required uri: Box<str> = "uri": UX / UX,
    }
    new(plan_id: PlanId, uri: Box<str>);
}

wire_struct! {
    /// A plan is gone. An id that is not known changes nothing.
    pub struct PlanRemoved: US / US [meta] {
        /// The plan.
        required plan_id: PlanId = "planId": US / US,
    }
    new(plan_id: PlanId);
}
