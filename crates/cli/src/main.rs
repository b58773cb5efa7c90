//! The program `acp`.
fn main() {}
