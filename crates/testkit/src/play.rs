//! Plays a [`Script`] over a [`Peer`].

use std::{pin::Pin, time::Duration};

use serde_json::Value;

use crate::{
    peer::{Call, Peer, PeerError},
    pipe::End,
    script::{Script, Step},
};

/// What a script heard by its end.
#[derive(Debug)]
#[non_exhaustive]
pub struct Played {
    /// Every frame the peer read, in wire order.
    pub heard: Vec<Value>,
    /// The exit code that the script asked for.
    pub exit: Option<i32>,
}

impl Played {
    /// The methods heard, in order; answers are `"<answer>"`.
    #[must_use]
    pub fn methods(&self) -> Vec<&str> {
        self.heard
            .iter()
            .map(|frame| frame["method"].as_str().unwrap_or("<answer>"))
            .collect()
    }
}

struct Player {
    peer: Peer,
    calls: Vec<Call>,
    asked: Option<i64>,
    exit: Option<i32>,
    in_child: bool,
}

impl Script {
    /// Plays the script over one end of a pipe; both halves are closed at its end.
    ///
    /// # Errors
    /// A frame that did not come, or a failing pipe.
    pub async fn play(self, end: End) -> Result<Played, PeerError> {
        self.play_on(&mut None, end.into(), false).await
    }

    /// Plays the script and leaves the peer in `kept`, so that nothing is closed.
    ///
    /// # Errors
    /// As [`Script::play`].
    pub async fn play_and_keep(
        self,
        end: End,
        kept: &mut Option<Peer>,
    ) -> Result<Played, PeerError> {
        self.play_on(kept, end.into(), false).await
    }

    pub(crate) async fn play_on(
        self,
        kept: &mut Option<Peer>,
        peer: Peer,
        in_child: bool,
    ) -> Result<Played, PeerError> {
        let mut player = Player {
            peer,
            calls: Vec::new(),
            asked: None,
            exit: None,
            in_child,
        };
        player.run(self.steps).await?;
        let played = Played {
            heard: player.peer.heard().to_vec(),
            exit: player.exit,
        };
        *kept = Some(player.peer);
        Ok(played)
    }
}

impl Player {
    fn run(
        &mut self,
        steps: Vec<Step>,
    ) -> Pin<Box<dyn Future<Output = Result<(), PeerError>> + Send + '_>> {
        Box::pin(async move {
            for step in steps {
                if self.exit.is_none() {
                    self.act(step).await?;
                }
            }
            Ok(())
        })
    }

    fn call(&self, method: Option<&str>) -> Result<Call, PeerError> {
        self.calls
            .iter()
            .rev()
            .find(|call| method.is_none_or(|method| call.method == method))
            .cloned()
            .ok_or(PeerError::Script("there is no call to answer"))
    }

    async fn act(&mut self, step: Step) -> Result<(), PeerError> {
        match step {
            Step::Expect(method) => {
                let call = self.peer.expect(&method).await?;
                self.calls.push(call);
            }
            Step::Reply { method, result } => {
                let id = self.call(method.as_deref())?.id.unwrap_or_default();
                let line = format!(r#"{{"jsonrpc":"2.0","id":{id},"result":{result}}}"#);
                self.peer.line(&line).await?;
            }
            Step::Answer {
                method,
                nth,
                member,
                value,
            } => {
                let mut calls = self.calls.iter().filter(|call| call.method == method);
                let call = calls
                    .nth(nth)
                    .ok_or(PeerError::Script("no such call to answer"))?;
                let id = call.id.clone().unwrap_or_default();
                let line = format!(r#"{{"jsonrpc":"2.0","id":{id},"{member}":{value}}}"#);
                self.peer.line(&line).await?;
            }
            Step::Refuse { code, message } => {
                let call = self.call(None)?;
                self.peer.refuse(&call, code, &message).await?;
            }
            Step::Line(line) => {
                let id = self
                    .calls
                    .last()
                    .and_then(|call| call.id.clone())
                    .unwrap_or_default();
                self.peer
                    .line(&line.replace("{id}", &id.to_string()))
                    .await?;
            }
            Step::Bytes(bytes) => self.peer.bytes(&bytes).await?,
            Step::Notify { method, params } => {
                let method = Value::String(method);
                let line = format!(r#"{{"jsonrpc":"2.0","method":{method},"params":{params}}}"#);
                self.peer.line(&line).await?;
            }
            Step::Ask { method, params } => {
                self.asked = Some(self.peer.ask_text(&method, params.get()).await?);
            }
            Step::ExpectAnswer(id) => {
                let id = id
                    .or(self.asked)
                    .ok_or(PeerError::Script("nothing was asked"))?;
                self.peer.expect_answer(id).await?;
            }
            Step::Blast(blast) => self.peer.blast(&blast).await?,
            Step::Silence(ms) => tokio::time::sleep(Duration::from_millis(ms)).await,
            Step::Listen(ms) => self.peer.listen(Duration::from_millis(ms)).await?,
            Step::Repeat(times, steps) => {
                for _ in 0..times {
                    self.run(steps.clone()).await?;
                }
            }
            Step::CloseOutput => self.peer.close_output().await?,
            Step::CloseInput => self.peer.close_input(),
            Step::Drain => {
                self.peer.rest().await?;
            }
            Step::Hang => std::future::pending::<()>().await,
            Step::Exit(code) => self.exit = Some(code),
            Step::Complain(text) if self.in_child => crate::child::complain(&text)?,
            Step::Orphan(ms) if self.in_child => crate::child::leave_orphan(ms)?,
            Step::Complain(_) | Step::Orphan(_) => {}
        }
        Ok(())
    }
}
