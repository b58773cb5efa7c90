//! The agent on stdin and stdout: `sdk-agent 1|2|both`.

use std::process::ExitCode;

use interop_sdk::Spoken;

#[tokio::main(flavor = "current_thread")]
async fn main() -> ExitCode {
    let spoken = match std::env::args().nth(1).as_deref() {
        Some("1") => Spoken::V1,
        Some("2") => Spoken::V2,
        Some("both") => Spoken::Both,
        _ => {
            eprintln!("usage: sdk-agent 1|2|both");
            return ExitCode::from(2);
        }
    };
    match interop_sdk::serve(spoken, agent_client_protocol::Stdio::new()).await {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("sdk-agent: {error}");
            ExitCode::FAILURE
        }
    }
}
