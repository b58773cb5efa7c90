//! Frames for sessions that are not known yet (rule 6). Some agents speak about a session before
//! they have answered the request that makes it; those frames are kept, bounded, and read again
//! once its id is known.

use std::collections::VecDeque;

use acp_codec::Message;
use acp_vocab::RequestId;

/// What a frame costs beyond its bytes: it will be an event in a queue, and is charged as one.
const OVERHEAD: usize = 512;

#[derive(Debug)]
pub(crate) struct EarlyFrame {
    session: Box<str>,
    pub(crate) line: Box<[u8]>,
}

impl EarlyFrame {
    fn charge(&self) -> usize {
        self.line.len() + OVERHEAD
    }

    /// The method of the message.
    pub(crate) fn method(&self) -> Box<str> {
        match acp_codec::decode(&self.line) {
            Ok(Message::Request { method, .. } | Message::Notification { method, .. }) => {
                method.into()
            }
            Ok(_) | Err(_) => "".into(),
        }
    }
}

#[derive(Debug)]
pub(crate) struct Early {
    frames: VecDeque<EarlyFrame>,
    bytes: usize,
    max_sessions: usize,
    max_bytes: usize,
}

impl Early {
    pub(crate) const fn new(limits: &crate::Limits) -> Self {
        Self {
            frames: VecDeque::new(),
            bytes: 0,
            max_sessions: limits.early_sessions,
            max_bytes: limits.early_bytes,
        }
    }

    /// Keeps a frame. What has to go for it comes back: the oldest frames, or the frame itself
    /// when it is the first of a session too many or longer than all there is room for.
    pub(crate) fn keep(&mut self, session: &str, line: &[u8]) -> Vec<EarlyFrame> {
        let frame = EarlyFrame {
            session: session.into(),
            line: line.into(),
        };
        if frame.charge() > self.max_bytes || !self.has_place_for(session) {
            return vec![frame];
        }
        self.bytes += frame.charge();
        self.frames.push_back(frame);
        let mut dropped = Vec::new();
        while self.bytes > self.max_bytes {
            let Some(oldest) = self.frames.pop_front() else {
                break;
            };
            self.bytes -= oldest.charge();
            dropped.push(oldest);
        }
        dropped
    }

    fn has_place_for(&self, session: &str) -> bool {
        let mut ids: Vec<&str> = Vec::new();
        for frame in &self.frames {
            if &*frame.session == session {
                return true;
            }
            if !ids.contains(&&*frame.session) {
                ids.push(&frame.session);
            }
        }
        ids.len() < self.max_sessions
    }

    /// Takes the frames of a session that is known now, in wire order.
    pub(crate) fn take(&mut self, session: &str) -> Vec<EarlyFrame> {
        let mut taken = Vec::new();
        let mut kept = VecDeque::with_capacity(self.frames.len());
        for frame in std::mem::take(&mut self.frames) {
            if &*frame.session == session {
                self.bytes -= frame.charge();
                taken.push(frame);
            } else {
                kept.push_back(frame);
            }
        }
        self.frames = kept;
        taken
    }

    /// Takes out the request with this id, and says its method.
    pub(crate) fn take_request(&mut self, id: &RequestId) -> Option<Box<str>> {
        let method_of = |frame: &EarlyFrame| match acp_codec::decode(&frame.line) {
            Ok(Message::Request { id: of, method, .. }) if of == *id => Some(method.into()),
            Ok(_) | Err(_) => None,
        };
        let found = self.frames.iter().enumerate();
        let (at, method) = found
            .filter_map(|(at, frame)| Some((at, method_of(frame)?)))
            .next()?;
        let frame = self.frames.remove(at)?;
        self.bytes -= frame.charge();
        Some(method)
    }

    /// Takes everything: no session can come any more.
    pub(crate) fn take_all(&mut self) -> Vec<EarlyFrame> {
        self.bytes = 0;
        self.frames.drain(..).collect()
    }
}

#[cfg(test)]
mod tests;
