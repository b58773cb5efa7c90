//! Command lines that cannot be done.

/// A command line that cannot be done as it stands; exit 2.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Misuse {
    pub(crate) message: String,
    pub(crate) hint: Option<String>,
}

impl Misuse {
    pub(crate) fn new(message: impl Into<String>) -> Self {
        Self {
            message: message.into(),
            hint: None,
        }
    }

    pub(crate) fn hint(self, hint: impl Into<String>) -> Self {
        Self {
            hint: Some(hint.into()),
            ..self
        }
    }
}
