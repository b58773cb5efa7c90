//! The peers themselves: a test tool that lies is worse than none.

#[cfg(test)]
mod pipe;
#[cfg(test)]
mod script;
