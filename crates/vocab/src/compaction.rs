//! Compaction of the context.

use crate::{
    content::ContentBlock,
    id::CompactionId,
    wire::macros::{open_enum, wire_struct},
};

open_enum! {
    /// How far a compaction is.
    pub enum CompactionStatus: S / S {
        /// It is going on.
        InProgress = "in_progress": S / S,
        /// It is done.
        Completed = "completed": S / S,
        /// It did not work out.
        Failed = "failed": S / S,
        /// It was cancelled.
        Cancelled = "cancelled": S / S,
    }
}

wire_struct! {
    /// One more block of the summary of a compaction. An id that was not seen starts one.
    pub struct CompactionSummaryChunk: S / S [meta] {
        /// The compaction.
        required compaction_id: CompactionId = "compactionId": S / S,
        /// The content.
        required content: ContentBlock = "content": S / S,
    }
    new(compaction_id: CompactionId, content: ContentBlock);
}
