//! Decisions by the field cases, by the recorded requests of real agents, in time, and on anything at all.

mod audit;
mod broker;
mod cases;
mod memory;
mod picking;
mod properties;
mod recorded;
mod rules;
mod wire;
