//! Project automation: `cargo xtask VERB`.
fn main() {}
