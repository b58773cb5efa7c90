//! What this program does for an agent when it is told to: files, commands, answers to questions.
//!
//! Nothing is on by itself, and what is on is declared. What was served is shown as it happens, without a path or a text.

use std::{fs, io::Read as _, path::Path};

use acp_harness::{
    client::{ClientBuilder, Elicitations, Files, FormContent, Served, Terminals},
    handshake::Ability,
};
use tokio::sync::mpsc;

use crate::{
    hiargs::Misuse,
    lowargs::{self, Access},
    safe,
};

/// How many records wait to be shown: more than there can be open requests.
const MOST: usize = 1024;
/// How much of a file of answers is read.
const ANSWERS: u64 = 64 << 10;

/// What is served.
#[derive(Debug, Default)]
pub(crate) struct Services {
    files: Option<Files>,
    terminals: Option<Terminals>,
    questions: Option<Questions>,
}

/// Who answers the agent's questions to the user.
#[derive(Debug)]
enum Questions {
    Handler(Elicitations),
    /// A person at the terminal.
    Person,
}

/// What was served and is not shown yet.
pub(crate) type Log = mpsc::Receiver<Served>;

impl Services {
    /// Reads what was typed; files are those below `cwd`.
    pub(crate) fn new(low: &lowargs::Services, cwd: &Path) -> Result<Self, Misuse> {
        if low.missing_as_empty && low.fs.is_none() {
            return Err(
                Misuse::new("--missing-as-empty is about files that are served")
                    .hint("add --fs ro or --fs rw"),
            );
        }
        let files = low
            .fs
            .map(|access| {
                let files = Files::new(cwd).map_err(|error| {
                    Misuse::new(format!("--fs: the directory cannot be opened: {error}"))
                })?;
                let files = match access {
                    Access::Ro => files,
                    Access::Rw => files.writable(),
                };
                Ok(if low.missing_as_empty {
                    files.missing_as_empty()
                } else {
                    files
                })
            })
            .transpose()?;
        let questions = match low.elicit.as_deref() {
            None => None,
            Some("decline") => Some(Questions::Handler(Elicitations::decline())),
            Some("ask") => Some(Questions::Person),
            Some(file) => Some(Questions::Handler(Elicitations::prepared(answers(file)?))),
        };
        Ok(Self {
            files,
            terminals: low.terminal.then(|| Terminals::new().shell()),
            questions,
        })
    }

    /// Registers what is on; what it serves comes out of the log.
    pub(crate) fn register(&self, mut builder: ClientBuilder) -> (ClientBuilder, Log) {
        let (sender, log) = mpsc::channel(MOST);
        let watch = || {
            let sender = sender.clone();
            // With that many unread somebody has stopped reading, and there is nobody to show more to.
            move |served: &Served| drop(sender.try_send(served.clone()))
        };
        if let Some(files) = &self.files {
            builder = builder.handler(files.clone().on_served(watch()));
        }
        if let Some(terminals) = &self.terminals {
            builder = builder.handler(terminals.clone().on_served(watch()));
        }
        let builder = match &self.questions {
            None => builder,
            Some(Questions::Handler(questions)) => {
                builder.handler(questions.clone().on_served(watch()))
            }
            Some(Questions::Person) => builder
                .pull(Ability::ElicitationForm)
                .pull(Ability::ElicitationUrl),
        };
        (builder, log)
    }

    /// Whether a person answers the agent's questions.
    pub(crate) fn asks_person(&self) -> bool {
        matches!(self.questions, Some(Questions::Person))
    }
}

/// The values for forms, by the names of the fields.
fn answers(file: &str) -> Result<FormContent, Misuse> {
    let shown = safe::line(file, 200);
    let mut bytes = Vec::new();
    fs::File::open(file)
        .and_then(|file| file.take(ANSWERS + 1).read_to_end(&mut bytes))
        .map_err(|error| {
            Misuse::new(format!("--elicit {shown} cannot be read: {error}"))
                .hint("write a file, ask or decline")
        })?;
    if bytes.len() as u64 > ANSWERS {
        return Err(Misuse::new(format!(
            "--elicit {shown} has more than {} KiB",
            ANSWERS >> 10
        )));
    }
    serde_json::from_slice(&bytes).map_err(|_| {
        Misuse::new(format!("--elicit {shown} is no JSON object"))
            .hint(r#"it holds values by the names of fields: {"name": "Ada", "age": 36}"#)
    })
}
