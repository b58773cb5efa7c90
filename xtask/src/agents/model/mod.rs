//! A model that says what the prompt tells it to, on a port of this machine: real agents run whole
//! turns on it, with no vendor, no account and no network.
//!
//! It speaks the four dialects that coding agents speak, streamed, as far as a turn needs them.

mod anthropic;
mod chat;
mod gemini;
mod http;
mod request;
mod responses;
pub(super) mod script;
mod tool;

use std::net::{SocketAddr, TcpListener};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread;

use anyhow::Result;
use serde_json::Value;

use request::{Dialect, Request};

/// What a scripted answer consists of.
#[derive(Debug, Clone, PartialEq, Eq)]
enum Say {
    Thought(String),
    Text(String),
    /// The shell tool, with this command.
    Shell(String),
    /// A moment in which the reader may hang up.
    Pause,
    /// Nothing, until the reader hangs up.
    Silence,
}

/// One piece of a streamed answer.
#[derive(Debug, Clone, PartialEq, Eq)]
enum Piece {
    /// Bytes of the body.
    Bytes(String),
    Pause,
    Silence,
}

/// A running server; it ends with the program.
#[derive(Debug)]
pub(super) struct Model {
    address: SocketAddr,
    efforts: Arc<Mutex<Vec<String>>>,
}

impl Model {
    pub(super) fn start() -> Result<Self> {
        let listener = TcpListener::bind(("127.0.0.1", 0))?;
        let address = listener.local_addr()?;
        let efforts = Arc::new(Mutex::new(Vec::new()));
        let seen = Arc::clone(&efforts);
        thread::spawn(move || {
            for stream in listener.incoming().flatten() {
                let seen = Arc::clone(&seen);
                // A reader that hangs up is what some scenes are about.
                thread::spawn(move || {
                    drop(http::serve(stream, |path, body| answer(path, body, &seen)));
                });
            }
        });
        Ok(Self { address, efforts })
    }

    pub(super) fn address(&self) -> String {
        format!("http://{}", self.address)
    }

    /// The efforts that scripted turns asked for since the last call.
    pub(super) fn take_efforts(&self) -> Vec<String> {
        let mut efforts = self.efforts.lock().unwrap_or_else(PoisonError::into_inner);
        std::mem::take(&mut *efforts)
    }
}

/// The type of the body and its pieces.
fn answer(path: &str, body: &Value, efforts: &Mutex<Vec<String>>) -> (&'static str, Vec<Piece>) {
    let Some(dialect) = Dialect::of(path) else {
        return (http::JSON, vec![Piece::Bytes(other(path))]);
    };
    let request = Request::read(dialect, body);
    let says = script::says(&request);
    if script::is_scripted(&request)
        && let Some(effort) = &request.effort
    {
        let mut efforts = efforts.lock().unwrap_or_else(PoisonError::into_inner);
        efforts.push(effort.clone());
    }
    match dialect {
        Dialect::Anthropic => (http::EVENTS, anthropic::pieces(&request, &says)),
        Dialect::Chat => (http::EVENTS, chat::pieces(&request, &says)),
        Dialect::Responses => (http::EVENTS, responses::pieces(&request, &says)),
        Dialect::Gemini if path.contains("stream") => {
            (http::EVENTS, gemini::pieces(&request, &says))
        }
        Dialect::Gemini => (http::JSON, gemini::whole(&request, &says)),
    }
}

/// What is asked besides: a list of models, a count of tokens.
fn other(path: &str) -> String {
    let answer = if path.contains("ount") {
        serde_json::json!({"input_tokens": 100, "totalTokens": 100})
    } else {
        serde_json::json!({"object": "list", "data": [], "models": [], "has_more": false})
    };
    answer.to_string()
}

/// A server-sent event.
fn event(data: &Value) -> Piece {
    match data.get("type").and_then(Value::as_str) {
        Some(kind) => Piece::Bytes(format!("event: {kind}\ndata: {data}\n\n")),
        None => Piece::Bytes(format!("data: {data}\n\n")),
    }
}

#[cfg(test)]
mod tests;
