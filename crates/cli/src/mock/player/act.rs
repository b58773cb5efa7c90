//! One step of a script after the other.

use std::{
    env, io,
    io::Write as _,
    process::{Command, Stdio},
    time::Duration,
};

use super::{Here, Over, Player};
use crate::mock::{
    input::{Came, wait},
    script::{Ignored, Repeat, Step},
};

impl Player {
    /// Does these things one after the other, and looks up between them: a turn that was cancelled ends.
    pub(super) fn steps(&mut self, steps: &[Step], here: &mut Here) -> Result<(), Over> {
        for step in steps {
            if here.over {
                return Ok(());
            }
            self.step(step, here)?;
            self.look_up(here)?;
        }
        Ok(())
    }

    pub(super) fn look_up(&mut self, here: &mut Here) -> Result<(), Over> {
        if here.method != "session/prompt" || here.over {
            return Ok(());
        }
        while let Came::Line(line) = self.input.next(Some(Duration::ZERO)) {
            self.take(&line)?;
        }
        let heeds = !self.script.ignores.contains(&Ignored::Cancel);
        if heeds && self.is_cancelled(&here.session) {
            self.stop(here, "cancelled")?;
        }
        Ok(())
    }

    pub(super) fn step(&mut self, step: &Step, here: &mut Here) -> Result<(), Over> {
        match step {
            Step::Line(line) => self.out.message(&fill_in(line, here))?,
            Step::Write(text) => self.out.bytes(fill_in(text, here).as_bytes())?,
            Step::Bytes(bytes) => self.out.bytes(bytes)?,
            Step::Fill(count) => self.out.bytes(&vec![b'x'; *count])?,
            Step::Say(said) => self.say(here, &fill_in(said, here))?,
            Step::SayBytes(count) => self.say(here, &"x".repeat(*count))?,
            Step::Update(update) => {
                self.begin(here)?;
                self.update(&here.session, &fill_in(update, here))?;
            }
            Step::Result(result) => {
                let result = fill_in(result, here);
                self.answer(here, "result", &result)?;
            }
            Step::Error(refusal) => {
                let refusal = fill_in(refusal, here);
                self.answer(here, "error", &refusal)?;
            }
            Step::Stop(reason) => self.stop(here, reason)?,
            Step::Ask(options) => self.ask(here, options)?,
            Step::Answers => {
                let session = here.session.clone();
                let done = |player: &Self| {
                    player.asked.values().all(|answered| *answered) || player.is_cancelled(&session)
                };
                self.pump(done, None)?;
            }
            Step::Properly => self.properly(here)?,
            Step::Pause(millis) => self.pump(|_| false, Some(Duration::from_millis(*millis)))?,
            Step::Wait(millis) => wait(Duration::from_millis(*millis)),
            Step::Cancelled => {
                let session = here.session.clone();
                self.pump(|player| player.is_cancelled(&session), None)?;
            }
            Step::Silence => loop {
                match self.input.next(None) {
                    Came::End => self.end()?,
                    Came::Line(line) => {
                        if let Some(report) = &mut self.report {
                            report.line(&line);
                        }
                    }
                    Came::Nothing => {}
                }
            },
            Step::StopReading => self.input.stop(),
            Step::Exit(status) => return Err(Over(*status)),
            Step::Abort => std::process::abort(),
            Step::Stderr(text) => drop(io::stderr().write_all(text.as_bytes())),
            Step::StderrBytes(count) => {
                let line = format!("{}\n", "e".repeat(99));
                for _ in 0..count.div_ceil(line.len()) {
                    // With stderr gone there is nobody to tell.
                    drop(io::stderr().write_all(line.as_bytes()));
                }
            }
            Step::CloseOutput => close_output()?,
            Step::HoldFile => {
                let file = std::fs::File::open(env::current_exe()?)?;
                std::mem::forget(file);
            }
            Step::Grandchild(holds) => grandchild(*holds)?,
            Step::Repeat(repeat) => self.repeat(repeat, here)?,
        }
        Ok(())
    }

    pub(super) fn repeat(&mut self, repeat: &Repeat, here: &mut Here) -> Result<(), Over> {
        let outer = here.round;
        let mut round = 0;
        while repeat.times.is_none_or(|times| round < times) && !here.over {
            here.round = Some(round);
            self.steps(&repeat.steps, here)?;
            round += 1;
        }
        here.round = outer;
        Ok(())
    }
}

fn fill_in(text: &str, here: &Here) -> String {
    if !text.contains('$') {
        return text.to_owned();
    }
    text.replace("$id", here.id.as_deref().unwrap_or("null"))
        .replace("$session", &here.session)
        .replace("$n", &here.round.unwrap_or_default().to_string())
}

/// Starts a process that is in nobody's way but there: this program, as a mock that ends by nothing but SIGKILL or its own bound.
fn grandchild(holds_output: bool) -> io::Result<()> {
    let mut command = Command::new(env::current_exe()?);
    command
        .args(["mock", "--mode", "lingers"])
        .stdin(Stdio::null())
        .stderr(Stdio::null());
    if !holds_output {
        command.stdout(Stdio::null());
    }
    command.spawn().map(drop)
}

#[cfg(unix)]
fn close_output() -> io::Result<()> {
    let nowhere = std::fs::OpenOptions::new().write(true).open("/dev/null")?;
    Ok(rustix::stdio::dup2_stdout(nowhere)?)
}

/// Elsewhere the only way to close our output is to end.
#[cfg(not(unix))]
fn close_output() -> io::Result<()> {
    Err(io::ErrorKind::Unsupported.into())
}
