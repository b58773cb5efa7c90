//! The pipe of a child's standard error, which stops when the child's group is gone.

use std::{
    io::{self, PipeReader, Read},
    process::ChildStderr,
};

use rustix::event::{PollFd, PollFlags, poll};

/// The child's standard error, read until its end or until the group is released.
#[derive(Debug)]
pub(super) struct Stderr {
    pipe: ChildStderr,
    stopped: PipeReader,
}

impl Stderr {
    /// Reading stops at the end of the pipe, or when the other end of `stopped` is closed.
    pub(super) const fn new(pipe: ChildStderr, stopped: PipeReader) -> Self {
        Self { pipe, stopped }
    }
}

impl Read for Stderr {
    fn read(&mut self, buf: &mut [u8]) -> io::Result<usize> {
        let mut fds = [
            PollFd::new(&self.pipe, PollFlags::IN),
            PollFd::new(&self.stopped, PollFlags::IN),
        ];
        poll(&mut fds, None)?;
        let [_, stopped] = fds;
        if stopped.revents().is_empty() {
            self.pipe.read(buf)
        } else {
            Ok(0)
        }
    }
}
