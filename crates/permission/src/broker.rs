//! Decisions that are still open: listed, answered by number, timed out, withdrawn; each ends exactly once.
//!
//! The broker sends nothing and reads no clock. Whoever drives it passes the time in and carries each [`Resolved`] to the wire.
//! Every way out of the table yields exactly one of those, so every request that was taken is answered exactly once.

use std::{
    collections::{BTreeMap, VecDeque},
    time::{Duration, Instant},
};

use acp_vocab::{PermissionOptionKind, RequestId, SessionId};

use crate::{
    Answer, AnswerError, BrokerLimits, Decision, Ended, Memory, Opened, Pending, PendingId,
    Request, Resolved, Verdict, pick,
};

/// The open decisions of one connection.
///
/// # Examples
/// ```
/// use std::time::{Duration, Instant};
/// use acp_permission::{Broker, Decision, Opened, Request, Verdict};
/// use acp_vocab::{PermissionOption, PermissionOptionKind, RequestId};
///
/// let now = Instant::now();
/// let mut broker = Broker::new();
/// let offered = vec![PermissionOption::new("ok", "Yes", PermissionOptionKind::AllowOnce)];
/// let opened = broker.open(now, RequestId::from(0_i64), Request::new("s", offered), Some(Duration::from_secs(60)));
/// let Opened::Pending(id) = opened else { panic!("nothing is remembered") };
///
/// let resolved = broker.answer(id, Verdict::person(Decision::AllowOnce))?;
/// assert!(resolved.answer.approves());
/// assert!(broker.answer(id, Verdict::person(Decision::Deny)).is_err()); // too late
/// # Ok::<(), acp_permission::AnswerError>(())
/// ```
#[derive(Debug, Default)]
pub struct Broker {
    pending: BTreeMap<PendingId, Pending>,
    next: u64,
    ended: VecDeque<(PendingId, Ended)>,
    memory: Option<Memory>,
    limits: BrokerLimits,
}

impl Broker {
    /// A broker with the default limits and without a memory.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// With other limits.
    #[must_use]
    pub fn with_limits(mut self, limits: BrokerLimits) -> Self {
        self.limits = limits;
        self
    }

    /// With a memory: what a person decides for always is not asked again within the session where the input is the same.
    #[must_use]
    pub fn remembering(mut self, memory: Memory) -> Self {
        self.memory = Some(memory);
        self
    }

    /// Takes a request in. It waits at most `patience`, or until something ends it.
    pub fn open(
        &mut self,
        now: Instant,
        request_id: RequestId,
        request: Request,
        patience: Option<Duration>,
    ) -> Opened {
        if request.options().is_empty() {
            let verdict = Verdict::new(Decision::Cancel, "broker", "nothing was offered");
            let answer = pick(request.options(), &verdict.decision);
            return Opened::Resolved(Box::new(Resolved::new(
                None,
                request_id,
                &request,
                &verdict,
                answer,
                Ended::Answered,
            )));
        }
        if let Some(verdict) = self
            .memory
            .as_ref()
            .and_then(|memory| memory.recall(&request))
        {
            let answer = pick(request.options(), &verdict.decision);
            if answer.carries_out(&verdict.decision) {
                return Opened::Resolved(Box::new(Resolved::new(
                    None,
                    request_id,
                    &request,
                    &verdict,
                    answer,
                    Ended::Answered,
                )));
            }
        }
        let of_session = self
            .pending
            .values()
            .filter(|pending| pending.request.session() == request.session())
            .count();
        if self.pending.len() >= self.limits.total || of_session >= self.limits.per_session {
            let verdict = Verdict::new(Decision::Cancel, "broker", "too many requests are pending");
            let answer = Answer::cancelled();
            return Opened::Resolved(Box::new(Resolved::new(
                None,
                request_id,
                &request,
                &verdict,
                answer,
                Ended::Answered,
            )));
        }
        self.next += 1;
        let id = PendingId::of(self.next);
        let deadline = patience.and_then(|patience| now.checked_add(patience));
        self.pending.insert(
            id,
            Pending {
                id,
                request_id,
                request,
                since: now,
                deadline,
            },
        );
        Opened::Pending(id)
    }

    /// What waits, oldest first.
    pub fn pending(&self) -> impl Iterator<Item = &Pending> {
        self.pending.values()
    }

    /// The pending decision of this number.
    #[must_use]
    pub fn find(&self, id: PendingId) -> Option<&Pending> {
        self.pending.get(&id)
    }

    /// Answers one request. What a person decides for always is remembered, if there is a memory.
    ///
    /// # Errors
    /// The request has ended already or never was; or the decision cannot be carried out as asked
    /// (nothing of that kind is offered, several are), and then the request goes on waiting.
    pub fn answer(&mut self, id: PendingId, verdict: Verdict) -> Result<Resolved, AnswerError> {
        let pending = self.pending.get(&id).ok_or_else(|| self.late(id))?;
        if verdict.decision.is_open() {
            return Err(AnswerError::NoDecision);
        }
        let answer = pick(pending.request.options(), &verdict.decision);
        if let Some(note) = answer
            .note
            .filter(|_| !answer.carries_out(&verdict.decision))
        {
            return Err(AnswerError::NotHonoured(note));
        }
        let pending = self.pending.remove(&id).ok_or_else(|| self.late(id))?;
        if let (Some(memory), Some(kind)) = (&mut self.memory, for_always(&verdict, &answer)) {
            memory.learn(&pending.request, &kind);
        }
        self.note_end(id, Ended::Answered);
        Ok(Resolved::new(
            Some(id),
            pending.request_id,
            &pending.request,
            &verdict,
            answer,
            Ended::Answered,
        ))
    }

    /// The agent withdrew a request (`$/cancel_request`). Nothing where it does not wait any more.
    pub fn withdraw(&mut self, request_id: &RequestId) -> Vec<Resolved> {
        self.end_where(Ended::Withdrawn, |pending| {
            pending.request_id == *request_id
        })
    }

    /// A turn of `session` ended or is being cancelled: whatever it asked is answered `cancelled`, at once.
    pub fn end_turn(&mut self, session: &SessionId) -> Vec<Resolved> {
        self.end_where(Ended::TurnEnded, |pending| {
            pending.request.session() == session
        })
    }

    /// The session is gone: as [`end_turn`](Self::end_turn), and what was remembered for it is forgotten.
    pub fn end_session(&mut self, session: &SessionId) -> Vec<Resolved> {
        if let Some(memory) = &mut self.memory {
            memory.forget(session);
        }
        self.end_turn(session)
    }

    /// The connection ends: everything is answered `cancelled`.
    pub fn close(&mut self) -> Vec<Resolved> {
        self.end_where(Ended::Closed, |_| true)
    }

    /// When [`handle_timeout`](Self::handle_timeout) next has something to do.
    #[must_use]
    pub fn poll_timeout(&self) -> Option<Instant> {
        self.pending
            .values()
            .filter_map(|pending| pending.deadline)
            .min()
    }

    /// Cancels what nobody decided in time.
    pub fn handle_timeout(&mut self, now: Instant) -> Vec<Resolved> {
        self.end_where(Ended::TimedOut, |pending| {
            pending.deadline.is_some_and(|deadline| deadline <= now)
        })
    }

    fn end_where(&mut self, ended: Ended, ends: impl Fn(&Pending) -> bool) -> Vec<Resolved> {
        let ids: Vec<PendingId> = self
            .pending
            .values()
            .filter(|pending| ends(pending))
            .map(|pending| pending.id)
            .collect();
        let verdict = Verdict::new(Decision::Cancel, "broker", ended.why());
        ids.into_iter()
            .filter_map(|id| {
                let Pending {
                    request_id,
                    request,
                    ..
                } = self.pending.remove(&id)?;
                self.note_end(id, ended);
                Some(Resolved::new(
                    Some(id),
                    request_id,
                    &request,
                    &verdict,
                    Answer::cancelled(),
                    ended,
                ))
            })
            .collect()
    }

    fn note_end(&mut self, id: PendingId, ended: Ended) {
        self.ended.push_back((id, ended));
        while self.ended.len() > self.limits.ended {
            self.ended.pop_front();
        }
    }

    fn late(&self, id: PendingId) -> AnswerError {
        if id.number() == 0 || id.number() > self.next {
            return AnswerError::Unknown { id: id.number() };
        }
        let ended = self
            .ended
            .iter()
            .find(|(known, _)| *known == id)
            .map(|(_, ended)| *ended);
        AnswerError::TooLate { ended }
    }
}

/// What a person decided for always: by the option that was selected, or by asking for it where no option refuses for always.
fn for_always(verdict: &Verdict, answer: &Answer) -> Option<PermissionOptionKind> {
    let asked = match &verdict.decision {
        Decision::AllowAlways | Decision::Select(_) => answer.option_kind().cloned(),
        Decision::DenyAlways => Some(PermissionOptionKind::RejectAlways),
        Decision::AllowOnce
        | Decision::AllowOnceOrAlways
        | Decision::Deny
        | Decision::Cancel
        | Decision::Ask
        | Decision::Defer => None,
    };
    asked.filter(|_| verdict.is_by_person())
}
