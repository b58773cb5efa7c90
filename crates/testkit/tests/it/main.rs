//! The peers themselves: a test tool that lies is worse than none.

mod pipe;
mod script;
