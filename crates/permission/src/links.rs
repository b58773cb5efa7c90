//! Where a path really leads, as far as a host can tell.

use std::{fmt, sync::Arc};

/// Follows symbolic links, for rules over paths. Made by [`Rules::following`](crate::Rules::following).
///
/// Rules compare paths by their letters. A link inside an allowed directory may lead out of it, and this crate asks no file system;
/// a host that works on the same one as the agent lends its own.
#[derive(Clone)]
pub(crate) struct Links(Arc<Follow>);

/// From an absolute path to where it leads; `None` when that cannot be told.
type Follow = dyn Fn(&str) -> Option<String> + Send + Sync;

impl Links {
    pub(crate) fn new(follow: impl Fn(&str) -> Option<String> + Send + Sync + 'static) -> Self {
        Self(Arc::new(follow))
    }

    /// Where an absolute path leads, with its `..` still in it: behind a link that is another directory than the letters say.
    pub(crate) fn real(&self, path: &str) -> Option<String> {
        (self.0)(path)
    }
}

/// The same only if it is the very same.
impl PartialEq for Links {
    fn eq(&self, other: &Self) -> bool {
        Arc::ptr_eq(&self.0, &other.0)
    }
}

impl Eq for Links {}

impl fmt::Debug for Links {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Links")
    }
}
