//! A ready-made handler for `fs/read_text_file` and `fs/write_text_file`, confined to a root.
//!
//! The confinement is a directory handle and not a comparison of paths: every step below it is
//! opened relative to that handle (`openat2` with `RESOLVE_BENEATH` where the kernel has it, else
//! step by step without following links), by the `cap-std` crate. So a path that is swapped for a
//! symbolic link between a check and its use leads nowhere: there is no check to get ahead of.

mod fault;
mod read;
mod root;
mod write;

use std::{io, path::Path, sync::Arc};

use acp_handshake::{Ability, Declaration};
use acp_vocab::{ErrorObject, Method, Raw, v1};

use crate::{
    handler::{Handler, Handling, Question},
    served::{Served, ServedClass, Watcher},
    turns,
};

use self::{fault::Fault, read::Lines, root::Root};

/// The most bytes of one text, by default.
const MOST: u64 = 8 * 1024 * 1024;

/// Serves the text files below one directory to the agent (v1 section 8.1).
///
/// - Read-only, unless [`writable`](Self::writable); exactly what it serves is declared.
/// - Paths are absolute. One with `..` is refused, and so is one that leads outside by a symbolic
///   link; links that stay inside are followed when they are relative.
/// - Lines count from 1, and line 0 is line 1. Behind the end there is the empty text, and a limit
///   of 0 gives it too. Line ends stay as they are, in both directions.
/// - A file is written beside the old one and then takes its place, so a reader sees the one or
///   the other. Its permissions are kept, missing directories are made, a file that may not be
///   written is not replaced. Hard links and owners are not kept.
/// - Only regular files that are UTF-8, of at most 8 MiB by default; a few at a time, and no more
///   while an agent does not read its answers.
///
/// What an editor has not saved it does not know: an editor registers a handler of its own.
/// Requests that are not waited for may pass each other, as handlers run beside one another.
///
/// ```
/// use acp_client::{Client, Files};
///
/// # fn main() -> std::io::Result<()> {
/// # let project = std::env::temp_dir();
/// let builder = Client::builder("host", "1.0").handler(Files::new(project)?.writable());
/// assert_eq!(builder.declaration().iter().count(), 2);
/// # Ok(()) }
/// ```
#[derive(Clone, Debug)]
#[must_use = "it serves nothing until it is registered"]
pub struct Files {
    root: Arc<Root>,
    writable: bool,
    within_session: bool,
    missing_as_empty: bool,
    most: u64,
    watcher: Watcher,
}

impl Files {
    /// Serves what is below `root`, an existing directory, for reading. The directory is opened
    /// now; one that takes its place later is another one.
    ///
    /// # Errors
    /// The directory cannot be opened.
    pub fn new(root: impl AsRef<Path>) -> io::Result<Self> {
        Ok(Self {
            root: Arc::new(Root::open(root.as_ref())?),
            writable: false,
            within_session: false,
            missing_as_empty: false,
            most: MOST,
            watcher: Watcher::default(),
        })
    }

    /// For writing as well.
    pub const fn writable(mut self) -> Self {
        self.writable = true;
        self
    }

    /// Serves a session only what is below its working directory and its additional directories,
    /// as far as that is below the root.
    pub const fn within_session(mut self) -> Self {
        self.within_session = true;
        self
    }

    /// Reads a file that is not there as an empty one instead of answering `-32002`.
    ///
    /// For agents that read a file before they write it, and give up writing on any error.
    pub const fn missing_as_empty(mut self) -> Self {
        self.missing_as_empty = true;
        self
    }

    /// The most bytes of one text, read or written. Default 8 MiB. Looking for a line stops after
    /// 16 times as many.
    pub const fn limit(mut self, bytes: u64) -> Self {
        self.most = bytes;
        self
    }

    /// Tells a function of every request that was answered, on a thread of the runtime.
    pub fn on_served(mut self, watch: impl Fn(&Served) + Send + Sync + 'static) -> Self {
        self.watcher = Watcher::new(watch);
        self
    }

    async fn answer(&self, question: &Question) -> Result<(Raw, ServedClass, u64), Failure> {
        if question.method() == Method::FS_READ_TEXT_FILE.name() {
            let asked: v1::ReadTextFileRequest = question.params()?;
            let lines = Lines::new(asked.line, asked.limit);
            let most = self.most;
            turns::take(question).await;
            let read = self
                .below(question, &asked.path, move |root, path| {
                    read::read(&root, &path, lines, most)
                })
                .await;
            let (content, class) = match read {
                Ok(content) => (content, ServedClass::Done),
                Err(Fault::Missing) if self.missing_as_empty => (String::new(), ServedClass::Empty),
                Err(fault) => return Err(fault.into()),
            };
            let bytes = content.len() as u64;
            let response = v1::ReadTextFileResponse::new(content);
            Ok((question.result(&response)?, class, bytes))
        } else {
            let asked: v1::WriteTextFileRequest = question.params()?;
            let (content, most) = (asked.content, self.most);
            let bytes = content.len() as u64;
            self.below(question, &asked.path, move |root, path| {
                write::write(&root, &path, content.as_bytes(), most)
            })
            .await?;
            let response = v1::WriteTextFileResponse::new();
            Ok((question.result(&response)?, ServedClass::Done, bytes))
        }
    }

    /// Does something to a path, off the runtime's threads.
    async fn below<T: Send + 'static>(
        &self,
        question: &Question,
        path: &str,
        act: impl FnOnce(cap_std::fs::Dir, std::path::PathBuf) -> Result<T, Fault> + Send + 'static,
    ) -> Result<T, Fault> {
        let place = match (self.within_session, question.scope()) {
            (false, _) => None,
            (true, Some(scope)) => Some(scope.place().await.ok_or(Fault::Outside)?),
            (true, None) => return Err(Fault::Outside),
        };
        let (root, path) = (Arc::clone(&self.root), Path::new(path).to_path_buf());
        let done = tokio::task::spawn_blocking(move || {
            let (dir, below) = root.find(&path, place.as_deref())?;
            act(dir, below)
        });
        done.await
            .map_err(|_| Fault::System(io::ErrorKind::Other))?
    }
}

/// Why there is no result: a fault of ours, or params that cannot be read.
struct Failure {
    class: ServedClass,
    error: ErrorObject,
}

impl From<Fault> for Failure {
    fn from(fault: Fault) -> Self {
        Self {
            class: fault.class(),
            error: fault.into(),
        }
    }
}

impl From<ErrorObject> for Failure {
    fn from(error: ErrorObject) -> Self {
        Self {
            class: ServedClass::Failed,
            error,
        }
    }
}

impl Handler for Files {
    fn declares(&self) -> Declaration {
        let reads = Declaration::none().with(Ability::ReadTextFile);
        if self.writable {
            reads.with(Ability::WriteTextFile)
        } else {
            reads
        }
    }

    fn handle(self: Arc<Self>, question: Question) -> Handling {
        Box::pin(async move {
            let answered = self.answer(&question).await;
            let (answer, class, bytes) = match answered {
                Ok((result, class, bytes)) => (Ok(result), class, bytes),
                Err(failure) => (Err(failure.error), failure.class, 0),
            };
            let mut served = Served::new(question.method(), question.session(), class);
            served.bytes = bytes;
            self.watcher.tell(&served);
            answer
        })
    }
}

#[cfg(test)]
mod tests;
