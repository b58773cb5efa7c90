//! The machine from outside: bytes, commands and virtual time in; bytes, events and keys out.

mod endings;
mod pair;
mod reading;
mod asking;
mod writing;
mod clocks;
