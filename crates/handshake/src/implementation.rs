//! The name and version card of one side.

use serde::{Deserialize, Serialize};

/// Who one side is. The same in both versions.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct Implementation {
    /// The machine's name for it; shown when there is no title.
    pub name: Box<str>,
    /// What to show to people.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub title: Option<Box<str>>,
    /// Free-form.
    pub version: Box<str>,
}

impl Implementation {
    /// A card without a title.
    pub fn new(name: impl Into<Box<str>>, version: impl Into<Box<str>>) -> Self {
        Self {
            name: name.into(),
            title: None,
            version: version.into(),
        }
    }
}
