//! A bell that anybody rings and one task hears: rung twice before it was heard it has rung once.

use std::{
    sync::{
        Mutex,
        atomic::{AtomicBool, Ordering},
    },
    task::{Context, Waker},
};

use crate::shared::lock;

#[derive(Debug, Default)]
pub(crate) struct Bell {
    rung: AtomicBool,
    waker: Mutex<Option<Waker>>,
}

impl Bell {
    pub(crate) fn ring(&self) {
        self.rung.store(true, Ordering::Release);
        if let Some(waker) = lock(&self.waker).take() {
            waker.wake();
        }
    }

    /// Whether it was rung since the last time; if not, the task is woken when it is.
    pub(crate) fn heard(&self, cx: &Context<'_>) -> bool {
        if self.rung.swap(false, Ordering::AcqRel) {
            return true;
        }
        let mut waker = lock(&self.waker);
        if !waker
            .as_ref()
            .is_some_and(|waker| waker.will_wake(cx.waker()))
        {
            *waker = Some(cx.waker().clone());
        }
        drop(waker);
        // It may have been rung before there was a waker to wake.
        self.rung.swap(false, Ordering::AcqRel)
    }
}
