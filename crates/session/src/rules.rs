//! The rules by which a connection stays alive and bounded, numbered as the code and the tests
//! (`rule_01_...` to `rule_17_...`) name them. This module has no items.
//!
//! # Reading
//!
//! 1. Unread events are bounded by bytes, for each session and for the connection. An event costs
//!    the larger of its frame and what it holds in memory plus 256. An event larger than a bound
//!    still gets in when there is room left.
//! 2. Under the bound one session does not notice another. At it nothing is read any more, so that
//!    the pipe slows the agent; what is to be written is still written.
//! 3. Who is parked on an answer, on an empty stream or on the writer may need what stands behind
//!    somebody else's unread events. For him reading continues into the overdraft. When that is
//!    full as well he waits, and is told why it is hopeless only after nobody has taken anything
//!    for 30 s. Reading starts again at three quarters of a bound.
//! 4. A queue has a reader who is alive, or it is emptied and counted, and the questions in it are
//!    answered as if they had been dropped. Children join the stream of their parent.
//! 5. A session has one stream. What comes belongs to its oldest turn that runs, up to and including
//!    the end of that turn; then to the next turn; then to the session, for whom it is marked late.
//!    Nobody has to wait until another reader has taken what is his.
//! 6. A frame for a session that nobody knows is kept only while a request is open that may make
//!    that session, and only so many of them.
//!
//! # Questions of the agent
//!
//! 7. A question stops the idle clocks of its session once somebody has it, and no earlier. One
//!    that nobody takes for 30 s while a call of its session waits is answered by default.
//! 8. Open questions are bounded in number, as are their answers that the agent has not taken.
//!    Beyond the bound they are refused at once. A handler has 5 minutes.
//!
//! # Writing
//!
//! 9. The writer takes what the pipe takes; a cursor marks how far it got.
//! 10. Cancelling, answering and dropping never wait and are never refused: their room was set
//!     aside beforehand. What the machine answers by itself is bounded, and at that bound nothing
//!     is read, whoever waits.
//! 11. An agent that takes no byte for 30 s although bytes are pending has stopped reading, and the
//!     connection ends.
//! 12. Starting a turn only queues its line. Whatever comes of the prompt is the end of the turn.
//!     The line of one that follows a cancelled turn goes out when the agent is done with that.
//!
//! # Clocks
//!
//! 13. Only frames that concern a wait reset its idle bound: those of its session and those of the
//!     connection as a whole. The bound stands still while we do not read and while we owe an
//!     answer. The absolute bound never does.
//! 14. Ends have room of their own and come behind the events before them. A turn whose bound
//!     elapses is cancelled on the wire as well.
//!
//! # Endings
//!
//! 15. A process that has ended may have said more than was read: reading goes on to the end of the
//!     stream, or for a second when somebody else holds the pipe. Only then do waits fail.
//! 16. Closing answers what is open, flushes for at most a second, then shuts the writing side
//!     down and drains the other. Events that were queued stay readable.
//! 17. Whoever drops the only handle to something ends it: a turn is given up, a request is
//!     cancelled, and a session that opens for nobody is closed and drained.
