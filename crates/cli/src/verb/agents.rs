//! `acp agents`: which agents can be named, whether they are here and well, and how to name more.

mod listed;
mod named;
mod seen;

use std::{
    io::{self, Write as _},
    rc::Rc,
};

use crate::{
    config::Config,
    exit::Exit,
    hiargs::Misuse,
    lowargs::{Agents, AgentsAct, Start},
    misused,
    output::Style,
};

/// One answer, for people and for scripts, and the number at the end.
struct Said {
    text: String,
    json: serde_json::Result<String>,
    exit: Exit,
}

/// Runs it.
pub(crate) fn agents(low: &Agents, config: &Rc<Config>, style: &Style) -> Exit {
    let said = fits(low).and_then(|()| match (low.act, &low.name) {
        (AgentsAct::List, _) => listed::list(config).map(Ok),
        (AgentsAct::Which, Some(name)) => listed::which(config, name).map(Ok),
        (AgentsAct::Add, Some(name)) => named::add(low, name).map(Ok),
        (AgentsAct::Remove, Some(name)) => named::remove(config, name).map(Ok),
        (AgentsAct::Doctor, None) if low.argv.is_empty() => seen::all(config).map(Ok),
        (AgentsAct::Doctor, _) => Ok(Err(seen::one(&seen::named(low, config), style))),
        (AgentsAct::Which | AgentsAct::Add | AgentsAct::Remove, None) => {
            Err(Misuse::new("which agent? A name is missing").hint("`acp agents` lists them"))
        }
    });
    match said {
        Ok(Ok(said)) => said.print(style),
        Ok(Err(exit)) => exit,
        Err(misuse) => misused(&misuse),
    }
}

/// `acp doctor`: the agent that is named, or all that are here.
pub(crate) fn doctor(start: &Start, style: &Style) -> Exit {
    if start.alias.is_some() || !start.agent.is_empty() {
        return seen::one(start, style);
    }
    match seen::all(&start.config) {
        Ok(said) => said.print(style),
        Err(misuse) => misused(&misuse),
    }
}

impl Said {
    fn print(self, style: &Style) -> Exit {
        let out = if style.json {
            self.json.map(|line| line + "\n").map_err(io::Error::from)
        } else {
            Ok(self.text)
        };
        match out.and_then(|out| io::stdout().lock().write_all(out.as_bytes())) {
            Ok(()) => self.exit,
            Err(error) if error.kind() == io::ErrorKind::BrokenPipe => Exit::PipeClosed,
            Err(_) => Exit::Failed,
        }
    }
}

/// Whether every word that was typed is one for what is to be done.
fn fits(low: &Agents) -> Result<(), Misuse> {
    let adds = low.act == AgentsAct::Add;
    let looks = low.act == AgentsAct::Doctor;
    let misplaced = [
        ("a name", low.name.is_some() && low.act == AgentsAct::List),
        ("a command", !low.argv.is_empty() && !adds && !looks),
        ("--env", !low.env.is_empty() && !adds && !looks),
        ("--install", low.install.is_some() && !adds),
        ("--replace", low.replace && !adds),
        ("--timeout", low.timeout.is_some() && !looks),
    ];
    if let Some((what, _)) = misplaced.iter().find(|(_, is)| *is) {
        let misuse = Misuse::new(format!("{what} has no meaning here"));
        return Err(if *what == "a name" {
            misuse.hint("`acp agents which NAME` shows one")
        } else {
            misuse
        });
    }
    if looks && low.name.is_some() && !low.argv.is_empty() {
        return Err(Misuse::new("a name and a command at once"));
    }
    if adds && low.argv.is_empty() {
        return Err(Misuse::new("its command is missing")
            .hint("`acp agents add NAME -- PROGRAM ARGUMENT`, word by word"));
    }
    Ok(())
}
