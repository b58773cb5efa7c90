//! The demo agent: deterministic, offline, and a whole agent all the same. A peer for people who try
//! this program, and for people who build a client.

mod account;
mod agent;
mod commands;
mod options;
mod record;
mod store;
mod work;

use std::io::{self, Write as _};

use acp_harness::serve::{Extension, Server};

use self::agent::Demo;
use crate::{exit::Exit, lowargs::DemoAgent};

/// The key of the outcome extension in `_meta`.
const NAMESPACE: &str = "acp-harness.dev/outcome";

/// Serves one client on stdin and stdout.
pub(crate) fn demo_agent(args: &DemoAgent) -> Exit {
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build();
    let runtime = match runtime {
        Ok(runtime) => runtime,
        Err(error) => return failed(&error),
    };
    let demo = match Demo::new(args.state.clone(), args.login) {
        Ok(demo) => demo,
        Err(error) => {
            drop(writeln!(
                io::stderr(),
                "acp: the state directory cannot be used: {error}"
            ));
            return Exit::Usage;
        }
    };
    match runtime.block_on(server(demo).stdio()) {
        Ok(_) => Exit::Ok,
        Err(error) => failed(&error),
    }
}

/// The demo agent with everything that it can do.
fn server(demo: Demo) -> Server<Demo> {
    Server::new(demo)
        .with_load_session()
        .with_list_sessions()
        .with_close_session()
        .with_delete_session()
        .with_fork_session()
        .with_archive_session()
        .with_set_title()
        .with_session_status()
        .with_setup_options()
        .with_auth()
        .with_auth_status()
        .with_providers()
        .with_images()
        .with_audio()
        .with_embedded_context()
        .with_additional_directories()
        .with_system_prompt_override()
        .with_mcp_http()
        .with_mcp_hosted()
        .extension(Extension::new(NAMESPACE))
}

fn failed(error: &dyn std::error::Error) -> Exit {
    drop(writeln!(io::stderr(), "acp: demo-agent: {error}"));
    Exit::Failed
}

#[cfg(test)]
mod tests;
