//! Prompts that an agent suggests.

use crate::{content::ContentBlock, wire::macros::wire_struct};

wire_struct! {
    /// The prompts that the agent suggests now; they replace the ones before.
    pub struct PromptSuggestionsUpdate: CU / CU [meta] {
        /// The suggestions, all of them.
        strict_entries suggestions: Vec<PromptSuggestion> = "suggestions": CU / CU,
    }
    new(suggestions: Vec<PromptSuggestion>);
}

wire_struct! {
    /// A prompt that the user might send next.
    pub struct PromptSuggestion: CU / CU [meta] {
        /// What the user says.
        required prompt: Vec<ContentBlock> = "prompt": CU / CU,
    }
    new(prompt: Vec<ContentBlock>);
}
