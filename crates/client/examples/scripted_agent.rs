//! A single-threaded agent over real pipes, for the tests of this crate: plays the script in its
//! first argument.

fn main() -> std::process::ExitCode {
    acp_testkit::child_main()
}
