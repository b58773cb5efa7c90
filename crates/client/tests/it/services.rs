//! The ready-made handlers over the wire: files, terminals, elicitation.

#![cfg(unix)]

mod ends;
mod files;
mod held;
mod terminals;

use std::{path::Path, time::Duration};

use acp_client::{Budget, Client, ClientBuilder, Session};
use acp_testkit::{Peer, pipe};
use acp_transport::Link;
use acp_vocab::ProtocolVersion;
use serde_json::{Value, json};

/// A client with an open session `s`, and the agent in the test's own hands.
struct Rig {
    client: Client,
    session: Session,
    peer: Peer,
}

fn builder() -> ClientBuilder {
    Client::builder("host", "1.0").versions([ProtocolVersion::V1])
}

impl Rig {
    async fn open(builder: ClientBuilder, cwd: &Path) -> Self {
        let (host, agent) = pipe(4096);
        let client = builder
            .connect(Link::new(host.reader, host.writer))
            .unwrap();
        let (session, peer) = open(&client, Peer::from(agent), cwd).await;
        Self {
            client,
            session,
            peer,
        }
    }

    /// What the agent was told of the client's abilities.
    fn declared(&self) -> &Value {
        &self.peer.heard()[0]["params"]["clientCapabilities"]
    }

    /// Asks in session `s`, and gives the whole answer.
    async fn ask(&mut self, method: &str, params: Value) -> Value {
        let id = self.start(method, params).await;
        self.peer.expect_answer(id).await.unwrap()
    }

    async fn start(&mut self, method: &str, mut params: Value) -> i64 {
        if params.get("sessionId").is_none() {
            params["sessionId"] = json!("s");
        }
        self.peer.ask(method, params).await.unwrap()
    }

    /// Asks and gives the result.
    async fn result(&mut self, method: &str, params: Value) -> Value {
        let answer = self.ask(method, params).await;
        assert!(answer.get("error").is_none(), "{answer}");
        answer["result"].clone()
    }

    /// Asks and gives the code of the error. Nothing of what was asked may be in it.
    async fn refused(&mut self, method: &str, params: Value) -> i64 {
        let secrets: Vec<String> = ["path", "command", "content"]
            .iter()
            .filter_map(|name| params.get(name)?.as_str().map(ToOwned::to_owned))
            .collect();
        let answer = self.ask(method, params).await;
        let error = answer["error"].to_string();
        for secret in secrets.iter().filter(|secret| secret.len() > 3) {
            assert!(!error.contains(secret.as_str()), "{error}");
        }
        answer["error"]["code"].as_i64().unwrap()
    }
}

/// The usual opening, from both sides.
async fn open(client: &Client, mut peer: Peer, cwd: &Path) -> (Session, Peer) {
    let cwd = cwd.to_str().unwrap().to_owned();
    let host = async {
        client.initialize().await.unwrap();
        let budget = Budget::idle(Duration::from_secs(60));
        client.new_session(cwd).open_within(&budget).await.unwrap()
    };
    let (session, opened) = tokio::join!(host, peer.open("s"));
    opened.unwrap();
    (session, peer)
}

mod elicitation {
    use std::sync::{Arc, Mutex};

    use acp_client::{Elicitations, FormContent, ServedClass, UserReply};
    use acp_vocab::ElicitationContentValue;

    use super::*;

    fn form() -> Value {
        json!({"mode": "form", "message": "Name?", "requestedSchema": {
            "type": "object",
            "properties": {"name": {"type": "string", "maxLength": 3}},
            "required": ["name"],
        }})
    }

    fn url() -> Value {
        json!({"mode": "url", "message": "Log in", "elicitationId": "e", "url": "https://a.example/"})
    }

    fn named(name: &str) -> FormContent {
        let value = ElicitationContentValue::String(name.into());
        FormContent::from([("name".into(), value)])
    }

    #[tokio::test(start_paused = true)]
    async fn each_function_declares_its_mode() {
        for (questions, declared) in [
            (Elicitations::decline(), json!({"form": {}, "url": {}})),
            (Elicitations::prepared(named("Ada")), json!({"form": {}})),
            (
                Elicitations::new().on_url(|_, _| async { UserReply::Decline }),
                json!({"url": {}}),
            ),
            (Elicitations::new(), Value::Null),
        ] {
            let rig = Rig::open(builder().handler(questions), Path::new("/")).await;
            assert_eq!(rig.declared()["elicitation"], declared);
        }
    }

    #[tokio::test(start_paused = true)]
    async fn a_mode_that_was_not_declared_is_refused() {
        let questions = Elicitations::prepared(named("Ada"));
        let mut rig = Rig::open(builder().handler(questions), Path::new("/")).await;
        assert_eq!(rig.refused("elicitation/create", url()).await, -32602);
        let accepted = rig.result("elicitation/create", form()).await;
        assert_eq!(
            accepted,
            json!({"action": "accept", "content": {"name": "Ada"}})
        );
    }

    #[tokio::test(start_paused = true)]
    async fn what_does_not_fit_never_goes_out() {
        let served = Arc::new(Mutex::new(Vec::new()));
        let kept = Arc::clone(&served);
        let questions = Elicitations::new()
            .on_form(|_, _| async { UserReply::Accept(named("much too long")) })
            .on_url(|_, _| async { UserReply::Accept(named("secret")) })
            .on_served(move |served| kept.lock().unwrap().push(served.class));
        let mut rig = Rig::open(builder().handler(questions), Path::new("/")).await;
        let cancelled = rig.result("elicitation/create", form()).await;
        assert_eq!(cancelled, json!({"action": "cancel"}));
        // Agreeing to a URL says that and nothing else.
        let agreed = rig.result("elicitation/create", url()).await;
        assert_eq!(agreed, json!({"action": "accept"}));
        assert_eq!(
            *served.lock().unwrap(),
            [ServedClass::Cancelled, ServedClass::Done]
        );
    }

    // 20: without a user the answer is no, and there is one.
    #[tokio::test(start_paused = true)]
    async fn without_a_user_it_is_declined() {
        let mut rig = Rig::open(builder().handler(Elicitations::decline()), Path::new("/")).await;
        for question in [form(), url()] {
            let declined = rig.result("elicitation/create", question).await;
            assert_eq!(declined, json!({"action": "decline"}));
        }
    }

    #[tokio::test(start_paused = true)]
    async fn one_that_takes_for_ever_or_panics_is_answered_once() {
        let questions = Elicitations::new()
            .on_form(|_, _| std::future::pending())
            .on_url(|_, _| async { std::panic::panic_any("told to") });
        let mut rig = Rig::open(builder().handler(questions), Path::new("/")).await;
        let slow = rig.start("elicitation/create", form()).await;
        let broken = rig.ask("elicitation/create", url()).await;
        assert_eq!(broken["error"]["code"], -32603);
        // The bound of a handler, in virtual time.
        let answer = rig.peer.expect_answer(slow).await.unwrap();
        assert_eq!(answer["result"], json!({"action": "decline"}));
        rig.client.close().await;
        assert!(
            rig.peer
                .rest()
                .await
                .unwrap()
                .iter()
                .all(|frame| frame.get("id").is_none() || frame.get("method").is_some())
        );
        drop(rig.session);
    }
}
