//! Compaction of the context.

use crate::{
    compaction::CompactionStatus, content::ContentBlock, id::CompactionId, patch::Patch,
    wire::macros::wire_struct,
};

wire_struct! {
    /// A compaction of the context, keyed by its id; the first one fixes its place in the
    /// timeline.
    pub struct CompactionUpdate: N / S [patch_meta] {
        /// The compaction.
        required compaction_id: CompactionId = "compactionId": N / S,
        /// How far it is.
        patch status: Patch<CompactionStatus> = "status": N / S,
        /// The summary: absent keeps, `null` or empty clears.
        patch_items summary: Patch<Vec<ContentBlock>> = "summary": N / S,
        /// Why it failed.
        patch error: Patch<Box<str>> = "error": N / S,
    }
    new(compaction_id: CompactionId);
}
