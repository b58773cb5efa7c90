//! Exit codes: what a script learns from one number.

/// How the program ends.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Exit {
    /// 0: all went well.
    Ok,
    /// 1: the agent answered an error, or something that has no number of its own.
    Failed,
    /// 2: the command line or a file named on it is wrong.
    Usage,
    /// 3: a bound elapsed.
    Timeout,
    /// 4: the agent has no such session.
    NoSession,
    /// 5: something was not permitted, so that the turn could not finish as asked.
    Denied,
    /// 6: the agent wants a login first.
    AuthRequired,
    /// 7: the agent could not be started, or ended before it was done.
    AgentDied,
    /// 8: the agent broke the protocol, or speaks no version of ours.
    Protocol,
    /// 9: the agent refused.
    Refused,
    /// 10: a limit of the model or of the turn was reached.
    LimitReached,
    /// 70: a fault of this program.
    Internal,
    /// 130: interrupted.
    Interrupted,
    /// 141: nobody reads the answer any more.
    PipeClosed,
    /// 143: terminated.
    Terminated,
}

impl Exit {
    /// The number.
    pub(crate) fn code(self) -> u8 {
        match self {
            Self::Ok => 0,
            Self::Failed => 1,
            Self::Usage => 2,
            Self::Timeout => 3,
            Self::NoSession => 4,
            Self::Denied => 5,
            Self::AuthRequired => 6,
            Self::AgentDied => 7,
            Self::Protocol => 8,
            Self::Refused => 9,
            Self::LimitReached => 10,
            Self::Internal => 70,
            Self::Interrupted => 130,
            Self::PipeClosed => 141,
            Self::Terminated => 143,
        }
    }
}
