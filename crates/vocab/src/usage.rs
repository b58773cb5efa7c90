//! Tokens and money.

use crate::{patch::Patch, wire::macros::wire_struct};

wire_struct! {
    /// Tokens that were used: by the session so far in version 1, by the work that just ended in
    /// version 2.
    pub struct Usage: U / U [meta] {
        /// All tokens.
        required total_tokens: u64 = "totalTokens": U / U,
        /// Tokens that went in.
        required input_tokens: u64 = "inputTokens": U / U,
        /// Tokens that came out.
        required output_tokens: u64 = "outputTokens": U / U,
        /// Tokens spent on thinking.
        lenient thought_tokens: Option<u64> = "thoughtTokens": U / U,
        /// Tokens read from a cache.
        lenient cached_read_tokens: Option<u64> = "cachedReadTokens": U / U,
        /// Tokens written to a cache.
        lenient cached_write_tokens: Option<u64> = "cachedWriteTokens": U / U,
    }
    new(total_tokens: u64, input_tokens: u64, output_tokens: u64);
}

wire_struct! {
    /// What a session has cost so far.
    pub struct Cost: S / S [meta] {
        /// How much.
        required amount: f64 = "amount": S / S,
        /// An ISO 4217 code, or a unit such as credits.
        required currency: Box<str> = "currency": S / S,
    }
    new(amount: f64, currency: Box<str>);
}

wire_struct! {
    /// How full the context window is, and what the session has cost. In version 1 a `null` cost
    /// is no cost; in version 2 it clears the one that is known.
    pub struct UsageUpdate: S / S [patch_meta] {
        /// Tokens in the context.
        required used: u64 = "used": S / S,
        /// The size of the context window in tokens; 0 when it is not known.
        required size: u64 = "size": S / S,
        /// What the session has cost.
        patch cost: Patch<Cost> = "cost": S / S,
    }
    new(used: u64, size: u64);
}
