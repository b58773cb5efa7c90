//! Commands of the agent over the wire, with real processes.

use std::sync::{Arc, Mutex};

use acp_client::{Served, ServedClass, Terminals};
use serde_json::json;

use super::*;

fn sh(script: &str) -> Value {
    json!({"command": "/bin/sh", "args": ["-c", script]})
}

impl Rig {
    async fn with(terminals: Terminals) -> Self {
        Self::open(builder().handler(terminals), Path::new("/")).await
    }

    async fn create(&mut self, params: Value) -> Value {
        let made = self.result("terminal/create", params).await;
        json!({"terminalId": made["terminalId"]})
    }

    /// Runs a command to its end: what it printed and how it ended.
    async fn run(&mut self, params: Value) -> (Value, Value) {
        let terminal = self.create(params).await;
        let ended = self
            .result("terminal/wait_for_exit", terminal.clone())
            .await;
        let output = self.result("terminal/output", terminal.clone()).await;
        assert_eq!(output["exitStatus"], ended);
        self.result("terminal/release", terminal).await;
        (output, ended)
    }
}

#[tokio::test]
async fn output_and_exit() {
    let mut rig = Rig::with(Terminals::new()).await;
    assert_eq!(rig.declared()["terminal"], true);
    let (output, ended) = rig
        .run(sh("printf one; printf two >&2; printf three; exit 3"))
        .await;
    assert_eq!(output["output"], "onetwothree", "in the order of writing");
    assert_eq!(output["truncated"], false);
    assert_eq!(ended, json!({"exitCode": 3}));
}

// 31: the signal's name, and no code.
#[tokio::test]
async fn an_end_by_a_signal() {
    let mut rig = Rig::with(Terminals::new()).await;
    let (_, ended) = rig.run(sh("kill -KILL $$")).await;
    assert_eq!(ended, json!({"signal": "SIGKILL"}));
}

// 29: variables are added. The vector is exact, and the directory the session's.
#[tokio::test]
async fn what_a_command_is_given() {
    let folder = tempfile::tempdir().unwrap();
    let cwd = folder.path().canonicalize().unwrap();
    std::fs::create_dir(cwd.join("sub")).unwrap();
    let rig = Rig::open(builder().handler(Terminals::new()), &cwd).await;
    let mut rig = rig;
    let (output, _) = rig.run(sh("pwd")).await;
    assert_eq!(output["output"], format!("{}\n", cwd.display()));
    let mut params = sh("pwd");
    params["cwd"] = json!(cwd.join("sub"));
    let (output, _) = rig.run(params).await;
    assert_eq!(output["output"], format!("{}\n", cwd.join("sub").display()));
    let mut params = sh(r#"printf %s "$ACP_TEST_ADDED-${PATH:+path}""#);
    params["env"] = json!([{"name": "ACP_TEST_ADDED", "value": "a b"}]);
    let (output, _) = rig.run(params).await;
    assert_eq!(output["output"], "a b-path");
    let params = json!({"command": "printf", "args": ["[%s]", "a b", "$HOME", "*", ""]});
    let (output, _) = rig.run(params).await;
    assert_eq!(output["output"], "[a b][$HOME][*][]");
    // A command has no input to wait for.
    let (output, ended) = rig.run(json!({"command": "cat"})).await;
    assert_eq!(output["output"], "");
    assert_eq!(ended, json!({"exitCode": 0}));
}

// 10: a shell line is one only where the host says so.
#[tokio::test]
async fn a_shell_line() {
    let line = || json!({"command": "printf '%s' one | cat; exit 4"});
    let served = Arc::new(Mutex::new(Vec::<Served>::new()));
    let kept = Arc::clone(&served);
    let terminals = Terminals::new()
        .shell()
        .on_served(move |served| kept.lock().unwrap().push(served.clone()));
    let mut rig = Rig::with(terminals).await;
    let (output, ended) = rig.run(line()).await;
    assert_eq!(output["output"], "one");
    assert_eq!(ended, json!({"exitCode": 4}));
    assert_eq!(served.lock().unwrap()[0].class, ServedClass::Shell);
    let mut exact = Rig::with(Terminals::new()).await;
    assert_eq!(exact.refused("terminal/create", line()).await, -32602);
}

#[tokio::test]
async fn what_cannot_be_run() {
    let mut rig = Rig::with(Terminals::new()).await;
    for params in [
        json!({"command": "acp-no-such-program"}),
        json!({"command": "/etc/passwd"}),
        json!({"command": "true", "cwd": "relative"}),
        json!({"command": "true", "cwd": "/no/such/directory"}),
        json!({"command": "true", "env": [{"name": "A=B", "value": ""}]}),
    ] {
        assert_eq!(rig.refused("terminal/create", params).await, -32602);
    }
}

// 30: the tail, at a character; with a limit of 0 nothing, and a word about it.
#[tokio::test]
async fn the_end_of_the_output_is_kept() {
    let mut rig = Rig::with(Terminals::new().output_limit(8)).await;
    for (limit, expected) in [
        (json!(4), ("\u{1F600}", true)),
        (json!(5), ("\u{1F600}", true)),
        (json!(6), ("é\u{1F600}", true)),
        (json!(0), ("", true)),
        (json!(null), ("abé\u{1F600}", true)),
        (json!(1000), ("abé\u{1F600}", true)),
    ] {
        let mut params = sh("printf 'aaabé\u{1F600}'");
        params["outputByteLimit"] = limit.clone();
        let (output, _) = rig.run(params).await;
        let found = (
            output["output"].as_str().unwrap(),
            output["truncated"] == true,
        );
        assert_eq!(found, expected, "{limit}");
    }
}

#[tokio::test]
async fn waiting_is_ended_by_kill_and_by_release() {
    for method in ["terminal/kill", "terminal/release"] {
        let terminals = Terminals::new();
        let count = terminals.clone();
        let mut rig = Rig::with(terminals).await;
        let terminal = rig.create(sh("echo up; exec sleep 1000")).await;
        let wait = rig.start("terminal/wait_for_exit", terminal.clone()).await;
        // Output is told while somebody waits.
        while rig.result("terminal/output", terminal.clone()).await["output"] != "up\n" {}
        assert_eq!(rig.result(method, terminal.clone()).await, json!({}));
        let ended = rig.peer.expect_answer(wait).await.unwrap();
        assert_eq!(ended["result"], json!({"signal": "SIGTERM"}));
        let again = rig.ask("terminal/output", terminal.clone()).await;
        if method == "terminal/kill" {
            assert_eq!(again["result"]["output"], "up\n", "it stays valid");
            assert_eq!(
                rig.result("terminal/kill", terminal.clone()).await,
                json!({})
            );
            rig.result("terminal/release", terminal.clone()).await;
        }
        assert_eq!(count.open(), 0);
        assert_eq!(rig.refused("terminal/output", terminal).await, -32002);
    }
}

#[tokio::test]
async fn unknown_terminals() {
    let mut rig = Rig::with(Terminals::new()).await;
    let terminal = rig.create(sh("exec sleep 1000")).await;
    for method in ["output", "wait_for_exit", "kill", "release"] {
        let method = format!("terminal/{method}");
        let unknown = json!({"terminalId": "term-99"});
        assert_eq!(rig.refused(&method, unknown).await, -32002);
    }
    // Of another session it is unknown, too.
    let (client, cwd) = (rig.client.clone(), "/");
    let host = async { client.new_session(cwd).open().await.unwrap() };
    let agent = async {
        let call = rig.peer.expect("session/new").await.unwrap();
        let made = json!({"sessionId": "t"});
        rig.peer.reply(&call, made).await.unwrap();
    };
    let (_other, ()) = tokio::join!(host, agent);
    let mut other = terminal.clone();
    other["sessionId"] = json!("t");
    assert_eq!(rig.refused("terminal/kill", other).await, -32002);
    assert!(rig.result("terminal/output", terminal).await["exitStatus"].is_null());
}

#[tokio::test]
async fn a_session_has_so_many() {
    let terminals = Terminals::new().terminals(2);
    let count = terminals.clone();
    let mut rig = Rig::with(terminals).await;
    let first = rig.create(sh("exec sleep 1000")).await;
    let second = rig.create(sh("exec sleep 1000")).await;
    assert_eq!(rig.refused("terminal/create", sh("true")).await, -32603);
    // One that has ended makes room, released or not.
    rig.result("terminal/kill", second.clone()).await;
    rig.create(sh("exec sleep 1000")).await;
    assert_eq!(count.open(), 2);
    assert_eq!(rig.refused("terminal/output", second).await, -32002);
    rig.result("terminal/output", first).await;
}

// A flood costs the bound and holds nobody up.
#[tokio::test]
async fn a_flood_is_bounded() {
    let mut rig = Rig::with(Terminals::new().output_limit(1000)).await;
    let (output, ended) = rig
        .run(sh(
            "i=0; while [ $i -lt 400 ]; do printf '%01000d' $i; i=$((i+1)); done",
        ))
        .await;
    assert_eq!(ended, json!({"exitCode": 0}));
    assert_eq!(output["output"].as_str().unwrap().len(), 1000);
    assert!(output["output"].as_str().unwrap().ends_with("399"));
    assert_eq!(output["truncated"], true);
}

// The same of an agent that asks for the output over and over, and reads nothing. Each answer alone
// is more than waits to be read before the next is made.
#[tokio::test]
async fn output_is_made_as_fast_as_it_is_read() {
    const LARGE: usize = 1_100_000;
    let served = Arc::new(Mutex::new(0));
    let kept = Arc::clone(&served);
    let terminals = Terminals::new()
        .output_limit(LARGE)
        .on_served(move |served| {
            if &*served.method == "terminal/output" {
                *kept.lock().unwrap() += 1;
            }
        });
    let mut rig = Rig::with(terminals).await;
    let terminal = rig
        .create(sh("head -c 2000000 /dev/zero | tr '\\0' x"))
        .await;
    rig.result("terminal/wait_for_exit", terminal.clone()).await;
    let mut asked = Vec::new();
    for _ in 0..16 {
        asked.push(rig.start("terminal/output", terminal.clone()).await);
    }
    // The first is read; unread are four that were made together, and a rest before them.
    let first = rig.peer.expect_answer(asked[0]).await.unwrap();
    assert_eq!(first["result"]["truncated"], true);
    let ahead = *served.lock().unwrap();
    assert!(ahead <= 6, "{ahead} answers were made ahead");
    asked.remove(0);
    for id in asked {
        let answer = rig.peer.expect_answer(id).await.unwrap();
        assert_eq!(answer["result"]["output"].as_str().unwrap().len(), LARGE);
    }
    assert_eq!(*served.lock().unwrap(), 16);
}

// What a command leaves in its group ends with it, and its output is not waited for.
#[tokio::test]
async fn a_command_that_leaves_something_behind() {
    let mut rig = Rig::with(Terminals::new()).await;
    let (output, ended) = rig.run(sh("sleep 1000 & echo $!")).await;
    assert_eq!(ended, json!({"exitCode": 0}));
    let left: i32 = output["output"].as_str().unwrap().trim().parse().unwrap();
    ends::gone(left).await;
}
