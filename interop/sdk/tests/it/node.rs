//! What runs on node: the agent and the client on the official TypeScript SDK, compiled by `npm ci && npm run build`.

use std::path::Path;

/// The command line of one of the compiled programs.
pub fn command(program: &str, args: &[&str]) -> Vec<String> {
    let compiled = Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("../typescript/dist")
        .join(program);
    assert!(
        compiled.is_file(),
        "run `npm ci && npm run build` in interop/typescript"
    );
    let program = compiled.to_str().unwrap();
    ["node", program]
        .iter()
        .chain(args)
        .map(|arg| (*arg).to_owned())
        .collect()
}
