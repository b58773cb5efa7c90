//! Cancelling at every moment, on both versions: the turn ends once, as cancelled, and no question
//! of it is left without an answer.

use acp_session::{
    Bound, Bounds, CallError, Config, Next, Outcome, Protocol, Received, SessionKey, Settled,
    Stream, TurnEnd, TurnKey, UsageError,
};
use acp_vocab::ProtocolVersion;
use serde_json::{Value, json};

use crate::pair::{Pair, S, cancelled, text};

/// A conversation in the words of one version.
struct Scene {
    pair: Pair,
    version: u16,
    session: SessionKey,
}

impl Scene {
    fn new(version: u16) -> Self {
        let mut pair = Pair::new(Config::default());
        let protocol = Protocol::new(ProtocolVersion(version)).closes_sessions(true);
        pair.machine.agree(protocol).unwrap();
        let session = pair.session("a");
        pair.sent();
        Self {
            pair,
            version,
            session,
        }
    }

    /// Starts a turn; its id on the wire.
    fn prompt(&mut self) -> (TurnKey, i64) {
        self.prompt_within(Bounds::TURN)
    }

    fn prompt_within(&mut self, bounds: Bounds) -> (TurnKey, i64) {
        let turn = self.pair.prompt_within(self.session, bounds);
        (turn, self.pair.sent()[0]["id"].as_i64().unwrap())
    }

    /// The agent has taken the prompt, where it says so.
    fn takes(&mut self, id: i64) {
        if self.version == 2 {
            let message = format!("u{id}");
            self.pair.answers(id, &json!({"messageId": message}));
        }
    }

    /// The agent ends its work.
    fn ends(&mut self, id: i64, reason: &str) {
        if self.version == 2 {
            self.update(json!({"sessionUpdate": "state_update", "state": "idle",
                "stopReason": reason}));
        } else {
            self.pair.answers(id, &json!({"stopReason": reason}));
        }
    }

    /// The agent fails.
    fn fails(&mut self, id: i64) {
        if self.version == 2 {
            self.update(json!({"sessionUpdate": "state_update", "state": "idle",
                "stopReason": "error", "error": {"code": -32603, "message": "aborted"}}));
        } else {
            self.refuses(id, -32603);
        }
    }

    fn refuses(&mut self, id: i64, code: i64) {
        let error = json!({"code": code, "message": "aborted"});
        self.pair
            .agent(&json!({"jsonrpc": "2.0", "id": id, "error": error}));
    }

    fn update(&mut self, update: Value) {
        self.pair
            .agent(&json!({"jsonrpc": "2.0", "method": "session/update",
            "params": {"sessionId": "a", "update": update}}));
    }

    fn says(&mut self, text: &str) {
        self.update(
            json!({"sessionUpdate": "agent_message_chunk", "messageId": "m",
            "content": {"type": "text", "text": text}}),
        );
    }

    fn asks(&mut self, id: i64) {
        self.pair.agent(
            &json!({"jsonrpc": "2.0", "id": id, "method": "session/request_permission",
            "params": {"sessionId": "a", "title": "t", "toolCall": {"toolCallId": "t"},
                "options": [{"optionId": "yes", "name": "Yes", "kind": "allow_once"}]}}),
        );
    }

    fn cancel(&mut self, turn: TurnKey) {
        self.pair.machine.cancel(self.pair.now, turn).unwrap();
    }

    /// The methods that went out, and the answers.
    fn sent(&mut self) -> Vec<Value> {
        let sent = self.pair.sent();
        let word = |line: Value| match line.get("method") {
            Some(method) => method.clone(),
            None => line,
        };
        sent.into_iter().map(word).collect()
    }

    /// So many events of a turn.
    fn said(&mut self, turn: TurnKey, count: usize) -> Vec<Received> {
        let mut next = || self.pair.event(Stream::Turn(turn));
        std::iter::repeat_with(&mut next).take(count).collect()
    }

    fn end(&mut self, turn: TurnKey) -> TurnEnd {
        loop {
            match self
                .pair
                .machine
                .next_event(self.pair.now, Stream::Turn(turn))
            {
                Next::Event(_) => {}
                Next::End(end) => return *end,
                other => panic!("expected the end, found {other:?}"),
            }
        }
    }

    #[track_caller]
    fn is_cancelled(&mut self, turn: TurnKey) -> TurnEnd {
        let end = self.end(turn);
        let word = format!("v{}: {end:?}", self.version);
        assert_eq!(end.outcome(), Outcome::Cancelled, "{word}");
        assert!(end.cancel_requested, "{word}");
        end
    }
}

fn both(scene: impl Fn(&mut Scene)) {
    for version in [1, 2] {
        scene(&mut Scene::new(version));
    }
}

#[test]
fn twice_is_once() {
    both(|scene| {
        let (turn, id) = scene.prompt();
        scene.takes(id);
        scene.cancel(turn);
        scene.cancel(turn);
        assert_eq!(scene.sent(), ["session/cancel"]);
        scene.says("still here");
        scene.ends(id, "cancelled");
        let events = scene.pair.event(Stream::Turn(turn));
        assert_eq!(text(&[events]), "still here");
        let end = scene.is_cancelled(turn);
        assert_eq!(&*end.result.unwrap().stop_reason, "cancelled");
        assert!(matches!(
            scene.pair.machine.cancel(scene.pair.now, turn),
            Err(UsageError::Gone { .. })
        ));
        assert!(scene.sent().is_empty());
    });
}

#[test]
fn whatever_the_agent_says_to_it_is_the_end_and_is_kept() {
    both(|scene| {
        for reason in ["end_turn", "refusal", "cancelled"] {
            let (turn, id) = scene.prompt();
            scene.takes(id);
            scene.cancel(turn);
            scene.sent();
            scene.ends(id, reason);
            let end = scene.is_cancelled(turn);
            assert_eq!(&*end.result.unwrap().stop_reason, reason);
        }
        let (turn, id) = scene.prompt();
        scene.takes(id);
        scene.cancel(turn);
        scene.sent();
        scene.fails(id);
        scene.is_cancelled(turn);
    });
}

#[test]
fn the_end_that_crosses_it_wins() {
    both(|scene| {
        let (turn, id) = scene.prompt();
        scene.takes(id);
        scene.ends(id, "end_turn");
        // The host has not read the end yet.
        scene.cancel(turn);
        assert!(scene.sent().is_empty());
        let end = scene.end(turn);
        assert_eq!(
            (end.outcome(), end.cancel_requested),
            (Outcome::Completed, false)
        );

        // The agent had ended before it read the cancel, and says no more.
        let (turn, id) = scene.prompt();
        scene.takes(id);
        scene.cancel(turn);
        scene.sent();
        scene.ends(id, "end_turn");
        scene.is_cancelled(turn);
        let (turn, id) = scene.prompt();
        scene.takes(id);
        scene.asks(0);
        scene.pair.ask(Stream::Turn(turn));
        assert!(scene.sent().is_empty(), "the next turn is not cancelled");
        scene.ends(id, "end_turn");
        assert_eq!(scene.end(turn).outcome(), Outcome::Completed);
    });
}

#[test]
fn before_the_agent_said_anything() {
    both(|scene| {
        let (turn, id) = scene.prompt();
        scene.cancel(turn);
        assert_eq!(scene.sent(), ["session/cancel"]);
        // A prompt that was not taken is refused; in v1 that is what some agents do always.
        scene.refuses(id, -32800);
        scene.is_cancelled(turn);
    });
}

#[test]
fn questions_are_answered_at_once_and_so_are_those_to_come() {
    both(|scene| {
        let (turn, id) = scene.prompt();
        scene.takes(id);
        scene.asks(0);
        let held = scene.pair.ask(Stream::Turn(turn));
        scene.asks(1);
        scene.cancel(turn);
        assert_eq!(
            scene.sent(),
            [json!("session/cancel"), cancelled(0), cancelled(1)]
        );
        scene.asks(2);
        assert_eq!(scene.sent(), [cancelled(2)]);
        let late = scene.pair.machine.answer(scene.pair.now, held, &json!({}));
        let settled = Settled::Cancelled;
        assert!(matches!(late, Err(UsageError::TooLate { settled: how }) if how == settled));
        // The agent takes them back as well; they were answered.
        scene
            .pair
            .agent(&json!({"jsonrpc": "2.0", "method": "$/cancel_request",
            "params": {"requestId": 0}}));
        scene.ends(id, "cancelled");
        assert!(scene.sent().is_empty());
        scene.is_cancelled(turn);
    });
}

#[test]
fn what_the_agent_makes_of_it_has_a_bound_and_then_the_host_chooses() {
    both(|scene| {
        let (turn, id) = scene.prompt();
        scene.takes(id);
        scene.asks(0);
        scene.pair.ask(Stream::Turn(turn));
        scene.pair.pass(60 * S);
        let machine = &mut scene.pair.machine;
        machine.cancel_within(scene.pair.now, turn, 5 * S).unwrap();
        assert_eq!(scene.sent(), [json!("session/cancel"), cancelled(0)]);
        // Later is not further away, and cancelled once is enough.
        let machine = &mut scene.pair.machine;
        machine.cancel_within(scene.pair.now, turn, 50 * S).unwrap();
        assert!(scene.sent().is_empty());
        for _ in 0..4 {
            scene.pair.pass(S);
            scene.says("not yet ");
        }
        scene.pair.pass(S);
        let said = scene.said(turn, 5);
        assert_eq!(said[0].event.name(), "settled");
        assert_eq!(text(&said), "not yet ".repeat(4));
        let end = scene.end(turn);
        assert_eq!((end.outcome(), end.cancel_requested), (Outcome::Lost, true));
        let Err(CallError::Deadline(error)) = end.result else {
            panic!("{:?}", end.result)
        };
        assert_eq!((error.bound, error.length), (Bound::Absolute, 5 * S));
        assert!(scene.sent().is_empty(), "it was cancelled before");
        // The choice: close the session, whatever the agent is still doing.
        let clock = scene.pair.clock();
        let params = json!({"sessionId": "a"});
        let (machine, now) = (&mut scene.pair.machine, scene.pair.now);
        let call = machine.end_session(now, "session/close", &params, scene.session, clock);
        assert_eq!(scene.sent(), ["session/close"]);
        scene.pair.answers(id + 1, &json!({}));
        scene.pair.reply(call.unwrap()).unwrap();
    });
}

#[test]
fn a_bound_that_is_nearer_stays() {
    both(|scene| {
        let (turn, id) = scene.prompt_within(Bounds::TURN.absolute(10 * S));
        scene.takes(id);
        scene.pair.pass(8 * S);
        let (machine, now) = (&mut scene.pair.machine, scene.pair.now);
        machine.cancel_within(now, turn, 5 * S).unwrap();
        scene.pair.pass(2 * S);
        let Err(CallError::Deadline(error)) = scene.end(turn).result else {
            panic!("no deadline")
        };
        assert_eq!(error.length, 10 * S);
    });
}

// The host is done with the turn, the agent is not: nobody else is asked about it.
#[test]
fn a_question_of_a_turn_that_a_bound_ended_is_cancelled() {
    both(|scene| {
        let (turn, id) = scene.prompt_within(Bounds::TURN.idle(5 * S));
        scene.takes(id);
        scene.pair.pass(6 * S);
        assert_eq!(scene.sent(), ["session/cancel"]);
        assert_eq!(scene.end(turn).outcome(), Outcome::Lost);
        scene.asks(0);
        assert_eq!(scene.sent(), [cancelled(0)]);
        scene.ends(id, "cancelled");
        scene.asks(1);
        assert!(scene.sent().is_empty(), "this is no work of that turn");
        scene.pair.take_all(Stream::Session(scene.session));
    });
}

// What the host says next is not cancelled; but until the agent takes it, all work is the old one.
#[test]
fn a_prompt_behind_it_gets_no_question_of_the_cancelled_work() {
    both(|scene| {
        let (first, id) = scene.prompt();
        scene.takes(id);
        scene.cancel(first);
        scene.sent();
        let second = scene.pair.prompt(scene.session);
        scene.sent();
        scene.asks(0);
        assert_eq!(scene.sent(), [cancelled(0)]);
        scene.ends(id, "cancelled");
        scene.sent();
        scene.takes(id + 1);
        scene.asks(1);
        assert!(scene.sent().is_empty());
        scene.pair.ask(Stream::Turn(second));
        scene.ends(id + 1, "end_turn");
        scene.is_cancelled(first);
        assert_eq!(scene.end(second).outcome(), Outcome::Completed);
    });
}

#[test]
fn a_prompt_of_v2_is_withdrawn_until_the_agent_has_taken_it() {
    let mut scene = Scene::new(2);
    let (first, id) = scene.prompt();
    scene.takes(id);
    let (held, _) = scene.prompt();
    scene.cancel(held);
    let sent = scene.pair.sent();
    assert_eq!(
        (&sent[0]["method"], &sent[0]["params"]["requestId"]),
        (&json!("$/cancel_request"), &json!(id + 1))
    );
    scene.refuses(id + 1, -32800);
    scene.is_cancelled(held);
    // Withdrawn too late: it is part of the work, which only a cancel of all of it ends.
    let (taken, _) = scene.prompt();
    scene.takes(id + 2);
    scene.cancel(taken);
    assert_eq!(scene.sent(), ["session/cancel"]);
    scene.ends(0, "cancelled");
    scene.is_cancelled(taken);
    assert_eq!(scene.end(first).outcome(), Outcome::Cancelled);
}

#[test]
fn dropping_a_prompt_that_became_part_of_a_turn_leaves_the_turn_alone() {
    let mut scene = Scene::new(2);
    let (first, id) = scene.prompt();
    scene.takes(id);
    let (steering, _) = scene.prompt();
    scene.takes(id + 1);
    scene.pair.machine.give_up(scene.pair.now, steering);
    assert!(scene.sent().is_empty());
    scene.says("as you wish");
    scene.ends(0, "end_turn");
    let said = scene.pair.event(Stream::Turn(first));
    assert_eq!(text(&[said]), "as you wish");
    assert_eq!(scene.end(first).outcome(), Outcome::Completed);
    // With nobody left who reads the work, the last one to go ends it.
    let (third, id) = scene.prompt();
    scene.takes(id);
    let (fourth, _) = scene.prompt();
    scene.takes(id + 1);
    scene.pair.machine.give_up(scene.pair.now, third);
    assert_eq!(scene.sent(), ["session/cancel"]);
    scene.pair.machine.give_up(scene.pair.now, fourth);
    scene.ends(0, "cancelled");
    assert_eq!(scene.pair.machine.unread_bytes(), 0);
}

#[test]
fn closing_the_session_cancels_its_turn_and_its_questions() {
    both(|scene| {
        let (turn, id) = scene.prompt();
        scene.takes(id);
        scene.asks(0);
        scene.pair.ask(Stream::Turn(turn));
        let clock = scene.pair.clock();
        let params = json!({"sessionId": "a"});
        let machine = &mut scene.pair.machine;
        let now = scene.pair.now;
        let call = machine.end_session(now, "session/close", &params, scene.session, clock);
        assert_eq!(scene.sent(), [json!("session/close"), cancelled(0)]);
        scene.asks(1);
        assert_eq!(scene.sent(), [cancelled(1)]);
        // In v1 the prompt may be answered behind the close, by an error or however it likes.
        scene.pair.answers(id + 1, &json!({}));
        scene.pair.reply(call.unwrap()).unwrap();
        if scene.version == 1 {
            scene.fails(id);
        }
        scene.is_cancelled(turn);
    });
}

#[test]
fn a_close_that_fails_leaves_the_turn_as_it_was() {
    both(|scene| {
        let (turn, id) = scene.prompt();
        scene.takes(id);
        let clock = scene.pair.clock();
        let params = json!({"sessionId": "a"});
        let machine = &mut scene.pair.machine;
        let now = scene.pair.now;
        let call = machine.end_session(now, "session/close", &params, scene.session, clock);
        scene.sent();
        scene.refuses(id + 1, -32603);
        scene.pair.reply(call.unwrap()).unwrap_err();
        scene.asks(0);
        assert!(scene.sent().is_empty());
        scene.pair.ask(Stream::Turn(turn));
        scene.ends(id, "end_turn");
        let end = scene.end(turn);
        assert_eq!(
            (end.outcome(), end.cancel_requested),
            (Outcome::Completed, false)
        );
    });
}
