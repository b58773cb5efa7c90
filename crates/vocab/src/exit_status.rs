//! How a command ended.

use crate::wire::macros::wire_struct;

wire_struct! {
    /// How a command ended; both members may be unknown.
    pub struct TerminalExitStatus: S / S [meta] {
        /// The exit code; absent after a signal.
        lenient exit_code: Option<i64> = "exitCode": S / S,
        /// The signal that ended it.
        lenient signal: Option<Box<str>> = "signal": S / S,
    }
    new();
}
