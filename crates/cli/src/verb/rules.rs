//! `acp rules`: rules are looked at before they decide.

mod check;
mod rehearsal;

use std::io::{self, Write as _};

use serde::Serialize;

use crate::{
    exit::Exit,
    hiargs::Misuse,
    lowargs::{Rules, RulesAct},
    misused,
    output::Style,
};

/// Does it.
pub(crate) fn rules(args: &Rules, style: &Style) -> Exit {
    let done = match &args.act {
        RulesAct::Check(args) => check::check(&args.file).and_then(|checked| {
            let exit = if checked.findings.is_empty() {
                Exit::Ok
            } else {
                Exit::Failed
            };
            print(&checked, style, check::text).map(|()| exit)
        }),
        RulesAct::Try(args) => rehearsal::rehearse(args).and_then(|rehearsal| {
            let exit = if args.expect && rehearsal.differing > 0 {
                Exit::Failed
            } else {
                Exit::Ok
            };
            print(&rehearsal, style, rehearsal::text).map(|()| exit)
        }),
    };
    match done {
        Ok(exit) => exit,
        Err(Stop::Misuse(misuse)) => misused(&misuse),
        Err(Stop::Io(error)) if error.kind() == io::ErrorKind::BrokenPipe => Exit::PipeClosed,
        Err(Stop::Io(error)) => {
            // With stderr gone there is nobody left to tell.
            drop(writeln!(io::stderr(), "acp: {error}"));
            Exit::Failed
        }
    }
}

/// Why it was not done.
enum Stop {
    Misuse(Misuse),
    Io(io::Error),
}

impl From<Misuse> for Stop {
    fn from(misuse: Misuse) -> Self {
        Self::Misuse(misuse)
    }
}

impl From<io::Error> for Stop {
    fn from(error: io::Error) -> Self {
        Self::Io(error)
    }
}

fn print<T: Serialize>(
    document: &T,
    style: &Style,
    text: impl FnOnce(&T) -> String,
) -> Result<(), Stop> {
    let text = if style.json {
        let line = serde_json::to_string(document).map_err(io::Error::from)?;
        line + "\n"
    } else {
        text(document)
    };
    io::stdout().lock().write_all(text.as_bytes())?;
    Ok(())
}
