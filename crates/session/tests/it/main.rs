//! The machine from outside: bytes, commands and virtual time in; bytes, events and keys out.

mod asking;
mod clocks;
mod endings;
mod pair;
mod reading;
mod writing;
