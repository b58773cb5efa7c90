//! A fast client for agents: it splits lines, checks every text by count and hash, and looks up in `/proc` what
//! the agent has used.
use crate::frames::Digest;
use crate::meter::percentiles;
use std::io::{BufRead, BufReader, Write};
use std::path::Path;
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};
use std::time::Instant;

/// An agent that has a session open.
#[derive(Debug)]
pub struct Reader {
    child: Child,
    input: ChildStdin,
    output: BufReader<ChildStdout>,
    session: String,
    line: String,
}

/// What an agent used for a flood.
#[derive(Debug)]
pub struct Flooded {
    /// Seconds until the prompt was answered.
    pub wall: f64,
    /// CPU seconds of the agent alone.
    pub cpu: f64,
    /// Peak memory of the agent, KiB.
    pub peak: u64,
    /// How many texts, and their hash.
    pub digest: (u64, u64),
}

impl Reader {
    /// Starts an agent and opens a session.
    ///
    /// # Errors
    /// The process's, or the pipe's.
    pub fn start(agent: &Path) -> std::io::Result<Self> {
        let mut child = Command::new(agent).stdin(Stdio::piped()).stdout(Stdio::piped()).spawn()?;
        let input = child.stdin.take().ok_or_else(|| std::io::Error::other("no stdin"))?;
        let output = child.stdout.take().ok_or_else(|| std::io::Error::other("no stdout"))?;
        let mut reader = Self {
            child,
            input,
            output: BufReader::with_capacity(256 * 1024, output),
            session: String::new(),
            line: String::new(),
        };
        reader.ask(r#"{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":1}}"#)?;
        reader.answer(1)?;
        reader.ask(r#"{"jsonrpc":"2.0","id":2,"method":"session/new","params":{"cwd":"/","mcpServers":[]}}"#)?;
        reader.answer(2)?;
        let session = reader.line.split("\"sessionId\":\"").nth(1).and_then(|rest| rest.split('"').next());
        reader.session = session.unwrap_or_default().to_owned();
        Ok(reader)
    }

    /// Prompts for this many updates and reads them all.
    ///
    /// # Errors
    /// The pipe's.
    pub fn flood(&mut self, count: u64) -> std::io::Result<Flooded> {
        let (start, before) = (Instant::now(), self.cpu());
        let session = self.session.clone();
        self.ask(&format!(
            r#"{{"jsonrpc":"2.0","id":3,"method":"session/prompt","params":{{"sessionId":"{session}","prompt":[{{"type":"text","text":"{count}"}}]}}}}"#
        ))?;
        let mut digest = Digest::default();
        loop {
            self.next()?;
            if let Some(rest) = self.line.split("\"text\":\"").nth(1) {
                digest.add(rest.split('"').next().unwrap_or_default());
            } else if self.line.contains("\"id\":3") {
                break;
            }
        }
        Ok(Flooded {
            wall: start.elapsed().as_secs_f64(),
            cpu: self.cpu() - before,
            peak: self.status("VmHWM"),
            digest: digest.finish(),
        })
    }

    /// Asks a small question this often; median and 99th percentile in microseconds.
    ///
    /// # Errors
    /// The pipe's.
    pub fn ping(&mut self, count: u64) -> std::io::Result<(u64, u64)> {
        let mut micros = Vec::new();
        for id in 10..10 + count {
            let start = Instant::now();
            self.ask(&format!(r#"{{"jsonrpc":"2.0","id":{id},"method":"session/list","params":{{}}}}"#))?;
            self.answer(id)?;
            micros.push(start.elapsed().as_micros() as u64);
        }
        Ok(percentiles(&mut micros))
    }

    fn ask(&mut self, line: &str) -> std::io::Result<()> {
        self.input.write_all(format!("{line}\n").as_bytes())
    }

    fn answer(&mut self, id: u64) -> std::io::Result<()> {
        let key = format!("\"id\":{id}");
        loop {
            self.next()?;
            if self.line.contains(&key) {
                return Ok(());
            }
        }
    }

    fn next(&mut self) -> std::io::Result<()> {
        self.line.clear();
        if self.output.read_line(&mut self.line)? == 0 {
            return Err(std::io::Error::other("the agent left"));
        }
        Ok(())
    }

    fn cpu(&self) -> f64 {
        let stat = std::fs::read_to_string(format!("/proc/{}/stat", self.child.id())).unwrap_or_default();
        let ticks: u64 = stat
            .rsplit(')')
            .next()
            .into_iter()
            .flat_map(|rest| rest.split_whitespace().skip(11).take(2))
            .filter_map(|ticks| ticks.parse::<u64>().ok())
            .sum();
        ticks as f64 / 100.0
    }

    fn status(&self, field: &str) -> u64 {
        let status = std::fs::read_to_string(format!("/proc/{}/status", self.child.id())).unwrap_or_default();
        status
            .lines()
            .find(|line| line.starts_with(field))
            .and_then(|line| line.split_whitespace().nth(1)?.parse().ok())
            .unwrap_or_default()
    }
}

impl Drop for Reader {
    fn drop(&mut self) {
        drop(self.child.kill());
        drop(self.child.wait());
    }
}
