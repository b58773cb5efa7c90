//! What the words promise: every type of both versions, every rule of every member, openness, and
//! that real agents are understood.

mod claims;
mod leniency;
mod methods;
mod openness;
mod sample;
