//! Compaction of the context.

use crate::{
    compaction::CompactionStatus, content::ContentBlock, id::CompactionId, patch::Patch,
    wire::macros::wire_struct,
};

wire_struct! {
    /// A compaction of the context, keyed by its id; the first one fixes its place in the
    /// timeline.
    pub struct CompactionUpdate: S / N [patch_meta] {
        /// The compaction.
        required compaction_id: CompactionId = "compactionId": S / N,
        /// How far it is.
        required status: CompactionStatus = "status": S / N,
        /// The summary: absent keeps, `null` or empty clears.
        patch_items summary: Patch<Vec<ContentBlock>> = "summary": S / N,
        /// Why it failed.
        patch error: Patch<Box<str>> = "error": S / N,
    }
    new(compaction_id: CompactionId, status: CompactionStatus);
}
