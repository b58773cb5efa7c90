//! A misbehaving agent for people who test clients: a proper small agent, and scripts that say where it is improper.
//!
//! It writes its lines by hand and does nothing by chance, so that two runs are the same. A mode is data: a [`script::Script`] in one of
//! the files under `modes/`, in the words that `--script` files use, too.

pub(crate) mod catalog;
mod desk;
mod input;
mod output;
mod player;
pub(crate) mod report;
pub(crate) mod script;
mod shape;

use std::io;

use self::{
    player::Player,
    report::Report,
    script::{Ignored, Script},
};

/// Plays a script on stdin and stdout, and gives back the status of the process.
///
/// # Errors
/// When stdin cannot be read by a thread, or signals cannot be taken over.
pub(crate) fn play(script: Script, report: Option<Report>) -> io::Result<i32> {
    let ignores_signals = script.ignores.contains(&Ignored::Terminate);
    let _signals = ignores_signals.then(Deaf::new).transpose()?;
    Ok(Player::new(script, report)?.play())
}

/// Takes the signals over, once and for all, and does nothing about them.
#[derive(Debug)]
struct Deaf {
    _runtime: tokio::runtime::Runtime,
}

impl Deaf {
    fn new() -> io::Result<Self> {
        let runtime = tokio::runtime::Builder::new_current_thread()
            .enable_all()
            .build()?;
        let guard = runtime.enter();
        drop(crate::signal::Signals::new()?);
        drop(guard);
        Ok(Self { _runtime: runtime })
    }
}
