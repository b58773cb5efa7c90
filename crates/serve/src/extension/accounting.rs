//! What a turn has used, exact beyond 2^53.

use std::collections::BTreeMap;

use serde::{Serialize, Serializer};

/// Counters of a turn by name: `input_tokens`, `model_calls`, `cost_micro_usd`.
///
/// On the wire each is a canonical decimal string, because readers in JavaScript lose numbers
/// beyond 2^53.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Accounting {
    counters: BTreeMap<Box<str>, u64>,
}

impl Accounting {
    /// Nothing was counted.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// With this counter.
    #[must_use]
    pub fn with(mut self, name: impl Into<Box<str>>, value: u64) -> Self {
        self.counters.insert(name.into(), value);
        self
    }
}

impl Serialize for Accounting {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_map(
            self.counters
                .iter()
                .map(|(name, value)| (name, Decimal(*value))),
        )
    }
}

/// A number as a canonical decimal string: no sign, no leading zero.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Decimal(pub(crate) u64);

impl Serialize for Decimal {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(&self.0)
    }
}
