//! Choosing on the session results of real agents, by the rules, and on anything at all.

mod agents;
mod answers;
mod cases;
mod choosing;
mod properties;
