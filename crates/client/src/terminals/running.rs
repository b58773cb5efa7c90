//! A command that was started: its output, its end, and the task that owns it.

use std::{
    sync::{Arc, Mutex, MutexGuard, PoisonError},
    time::Duration,
};

use acp_transport::{Connector, Ended, Exit, KillHandle, Peer, Reader};
use acp_vocab::ErrorObject;
use tokio::{io::AsyncReadExt, sync::watch, time::timeout};

use super::{command::Ordered, output::Output, table::Slot};

/// How long output is waited for behind the exit: it ends at once, unless somebody who has left the
/// group holds the pipe.
const OUTPUT_GRACE: Duration = Duration::from_millis(500);

/// How long an end that was asked for is waited for: longer than the ladder takes.
const KILL_GRACE: Duration = Duration::from_secs(3);

/// How a command ended; nothing is known when both are absent.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Ending {
    pub(super) code: Option<i32>,
    pub(super) signal: Option<Box<str>>,
}

impl Ending {
    fn new(ended: &Ended) -> Self {
        let exit = ended.exit();
        let named = |exit: Exit| {
            let number = exit.signal()?;
            Some(match exit.signal_name() {
                Some(name) => name.into(),
                None => format!("SIG{number}").into(),
            })
        };
        Self {
            code: exit.and_then(Exit::code),
            signal: exit.and_then(named),
        }
    }
}

/// A command, shared between the requests about it and the task that owns it.
#[derive(Debug)]
pub(super) struct Running {
    output: Mutex<Output>,
    process: Option<KillHandle>,
    /// Its exit, once its output was read to the end.
    ended: watch::Sender<Option<Ending>>,
}

/// The ownership of a command: dropping it ends the command.
#[derive(Debug)]
pub(super) struct Owned {
    running: Arc<Running>,
    reader: Reader,
    peer: Peer,
}

impl Running {
    /// Starts a command.
    pub(super) async fn start(ordered: &Ordered, limit: usize) -> Result<Owned, ErrorObject> {
        let link = ordered
            .command()
            .clone()
            .connect()
            .await
            .map_err(|error| ordered.refused(&error))?;
        // It has no input: without a writer it reads the end.
        let (reader, _, peer) = link.into_parts();
        let running = Arc::new(Self {
            output: Mutex::new(Output::new(limit)),
            process: peer.process().cloned(),
            ended: watch::Sender::new(None),
        });
        Ok(Owned {
            running,
            reader,
            peer,
        })
    }

    /// Puts a command into its slot and owns it, in a task, until it is taken out of there or the
    /// session is over.
    pub(super) fn keep(owned: Owned, slot: Slot, over: impl Future<Output = ()> + Send + 'static) {
        let Owned {
            running,
            reader,
            peer,
        } = owned;
        let kept = slot.fill(Arc::clone(&running));
        drop(tokio::spawn(async move {
            let mut watching = std::pin::pin!(async {
                running.watch(reader, &peer).await;
                std::future::pending::<()>().await;
            });
            let taken = tokio::select! {
                biased;
                () = over => false,
                () = kept.taken() => true,
                () = &mut watching => false,
            };
            if taken {
                // Whoever took it waits for its end.
                running.shut_down();
                drop(
                    timeout(KILL_GRACE, async {
                        tokio::select! {
                            _ = running.wait() => {}
                            () = &mut watching => {}
                        }
                    })
                    .await,
                );
            }
            drop(kept);
            // For whoever still waits for an end that cannot be seen.
            running.ended.send_if_modified(|ended| {
                let unknown = ended.is_none();
                ended.get_or_insert_default();
                unknown
            });
        }));
    }

    /// Reads the output to its end and then tells how the command ended.
    async fn watch(&self, mut reader: Reader, peer: &Peer) {
        let mut chunk = vec![0; 16 * 1024];
        let mut exit = std::pin::pin!(async {
            peer.ended().await;
            tokio::time::sleep(OUTPUT_GRACE).await;
        });
        loop {
            tokio::select! {
                read = reader.read(&mut chunk) => match read {
                    Ok(0) | Err(_) => break,
                    Ok(count) => self.lock().push(chunk.get(..count).unwrap_or_default()),
                },
                () = &mut exit => break,
            }
        }
        let ended = peer.ended().await;
        self.ended.send_replace(Some(Ending::new(&ended)));
    }

    fn lock(&self) -> MutexGuard<'_, Output> {
        self.output.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The end of what it has printed, and whether there was more.
    pub(super) fn output(&self) -> (Box<str>, bool) {
        let running = self.ended.borrow().is_none();
        self.lock().text(running)
    }

    /// How it ended, if it has and everything it printed was read.
    pub(super) fn ended(&self) -> Option<Ending> {
        self.ended.borrow().clone()
    }

    /// Waits for its end. Cancel-safe.
    pub(super) async fn wait(&self) -> Ending {
        let mut ended = self.ended.subscribe();
        match ended.wait_for(Option::is_some).await {
            Ok(ending) => ending.clone().unwrap_or_default(),
            Err(_) => Ending::default(),
        }
    }

    /// Ends it, and waits until that is done.
    pub(super) async fn kill(&self) {
        self.shut_down();
        drop(timeout(KILL_GRACE, self.wait()).await);
    }

    fn shut_down(&self) {
        if let Some(process) = &self.process {
            process.shut_down();
        }
    }
}
