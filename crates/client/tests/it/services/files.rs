//! Files over the wire; path by path they are tested where they are served.

use std::{
    fs,
    path::PathBuf,
    sync::{Arc, Mutex},
};

use acp_client::{Files, Served, ServedClass};
use serde_json::json;

use super::*;

fn folder() -> (tempfile::TempDir, impl Fn(&str) -> String) {
    let folder = tempfile::tempdir().unwrap();
    let root: PathBuf = folder.path().into();
    let at = move |path: &str| root.join(path).to_str().unwrap().to_owned();
    fs::create_dir(at("root")).unwrap();
    fs::create_dir(at("root/work")).unwrap();
    fs::write(at("root/a"), "one\r\ntwo\n").unwrap();
    fs::write(at("secret"), "secret").unwrap();
    (folder, at)
}

// 13: what is declared is what is served.
#[tokio::test]
async fn exactly_what_is_served_is_declared() {
    let (_folder, at) = folder();
    let reads = Files::new(at("root")).unwrap();
    let writes = reads.clone().writable();
    for (files, can_write) in [(reads, false), (writes, true)] {
        let mut rig = Rig::open(builder().handler(files), Path::new(&at("root"))).await;
        let declared = json!({"readTextFile": true, "writeTextFile": can_write});
        assert_eq!(rig.declared()["fs"], declared);
        assert_eq!(rig.declared()["terminal"], false);
        let params = json!({"path": at("root/new"), "content": "text"});
        let answer = rig.ask("fs/write_text_file", params).await;
        assert_eq!(answer.get("result").is_some(), can_write, "{answer}");
        if !can_write {
            assert_eq!(answer["error"]["code"], -32601);
        }
    }
}

// 12, 13, 19: lines, missing files, line ends, and errors that say no more than they must.
#[tokio::test]
async fn reading_and_writing() {
    let (_folder, at) = folder();
    let served = Arc::new(Mutex::new(Vec::<Served>::new()));
    let kept = Arc::clone(&served);
    let files = Files::new(at("root"))
        .unwrap()
        .writable()
        .on_served(move |served| kept.lock().unwrap().push(served.clone()));
    let mut rig = Rig::open(builder().handler(files), Path::new(&at("root"))).await;
    let (read, write) = ("fs/read_text_file", "fs/write_text_file");
    for (params, expected) in [
        (json!({"path": at("root/a")}), "one\r\ntwo\n"),
        (
            json!({"path": at("root/a"), "line": 0, "limit": 1}),
            "one\r\n",
        ),
        (json!({"path": at("root/a"), "line": 2}), "two\n"),
        (json!({"path": at("root/a"), "line": 9}), ""),
        (json!({"path": at("root/a"), "limit": 0}), ""),
    ] {
        let result = rig.result(read, params.clone()).await;
        assert_eq!(result["content"], expected, "{params}");
    }
    let text = "a\r\nb\u{1F600}";
    let params = json!({"path": at("root/deep/new"), "content": text});
    rig.result(write, params).await;
    assert_eq!(fs::read_to_string(at("root/deep/new")).unwrap(), text);
    for (path, code) in [
        (at("root/missing"), -32002),
        (at("root/../secret"), -32602),
        (at("secret"), -32602),
        ("relative".to_owned(), -32602),
        (at("root"), -32602),
    ] {
        assert_eq!(rig.refused(read, json!({"path": path})).await, code);
        if code != -32002 {
            let params = json!({"path": path, "content": "content"});
            assert_eq!(rig.refused(write, params).await, code);
        }
    }
    let classes: Vec<_> = served.lock().unwrap().iter().map(|one| one.class).collect();
    assert!(classes[..6].iter().all(|class| *class == ServedClass::Done));
    assert_eq!(
        classes[6..],
        [
            ServedClass::Missing,
            ServedClass::Outside,
            ServedClass::Outside,
            ServedClass::Outside,
            ServedClass::Outside,
            ServedClass::Malformed,
            ServedClass::Malformed,
            ServedClass::NotAFile,
            ServedClass::NotAFile,
        ]
    );
    let written = served.lock().unwrap()[5].clone();
    assert_eq!((&*written.method, written.bytes), (write, 8));
}

#[tokio::test]
async fn a_missing_file_may_be_an_empty_one() {
    let (_folder, at) = folder();
    let files = Files::new(at("root")).unwrap().missing_as_empty();
    let mut rig = Rig::open(builder().handler(files), Path::new(&at("root"))).await;
    let read = "fs/read_text_file";
    let result = rig.result(read, json!({"path": at("root/no/such")})).await;
    assert_eq!(result["content"], "");
    assert_eq!(
        rig.refused(read, json!({"path": at("nothing")})).await,
        -32602
    );
}

#[tokio::test]
async fn a_session_sees_its_own_directory() {
    let (_folder, at) = folder();
    let files = Files::new(at("root")).unwrap().writable().within_session();
    let mut rig = Rig::open(builder().handler(files), Path::new(&at("root/work"))).await;
    let params = json!({"path": at("root/work/new"), "content": "text"});
    rig.result("fs/write_text_file", params).await;
    let outside = json!({"path": at("root/a")});
    assert_eq!(rig.refused("fs/read_text_file", outside).await, -32602);
}

// A request that overtakes the host's own view of its session is answered like any other.
#[tokio::test]
async fn a_request_right_behind_the_new_session_waits_for_it() {
    let (_folder, at) = folder();
    let files = Files::new(at("root")).unwrap().within_session();
    let (host, agent) = pipe(4096);
    let client = builder()
        .handler(files)
        .connect(Link::new(host.reader, host.writer))
        .unwrap();
    let mut peer = Peer::from(agent);
    let path = at("root/a");
    let cwd = at("root");
    let agent = async {
        peer.open("s").await.unwrap();
        let params = json!({"sessionId": "s", "path": path});
        let id = peer.ask("fs/read_text_file", params).await.unwrap();
        peer.expect_answer(id).await.unwrap()
    };
    let host = async {
        client.initialize().await.unwrap();
        client.new_session(cwd).open().await.unwrap()
    };
    let (answer, _session) = tokio::join!(agent, host);
    assert_eq!(answer["result"]["content"], "one\r\ntwo\n");
}

// Whoever watches and panics takes down one request, which has its answer.
#[tokio::test]
async fn a_watcher_that_panics_costs_one_request() {
    let (_folder, at) = folder();
    let files = Files::new(at("root")).unwrap().on_served(|served| {
        if served.class == ServedClass::Missing {
            std::panic::panic_any("told to");
        }
    });
    let mut rig = Rig::open(builder().handler(files), Path::new(&at("root"))).await;
    let read = "fs/read_text_file";
    let broken = rig.refused(read, json!({"path": at("root/none")})).await;
    assert_eq!(broken, -32603);
    let result = rig.result(read, json!({"path": at("root/a")})).await;
    assert_eq!(result["content"], "one\r\ntwo\n");
}

// An agent that asks for much and reads nothing makes us hold little: files are read as answers go
// out. Virtual time stands still while files are read, so a pause is as long as there is work.
#[tokio::test(start_paused = true)]
async fn files_are_not_read_ahead_of_an_agent_that_does_not_read() {
    const LARGE: usize = 1_100_000;
    let (_folder, at) = folder();
    fs::write(at("root/large"), "x".repeat(LARGE)).unwrap();
    let served = Arc::new(Mutex::new(0));
    let kept = Arc::clone(&served);
    let files = Files::new(at("root"))
        .unwrap()
        .on_served(move |_| *kept.lock().unwrap() += 1);
    let mut rig = Rig::open(builder().handler(files), Path::new(&at("root"))).await;
    let mut asked = Vec::new();
    for _ in 0..16 {
        let id = rig.start("fs/read_text_file", json!({"path": at("root/large")}));
        asked.push(id.await);
    }
    tokio::time::sleep(Duration::from_secs(5)).await;
    // Four at a time, and one alone is more than may wait when the next is read.
    let ahead = *served.lock().unwrap();
    assert!((1..=4).contains(&ahead), "{ahead} files were read ahead");
    for id in asked {
        let answer = rig.peer.expect_answer(id).await.unwrap();
        let content = answer["result"]["content"].as_str().unwrap();
        assert_eq!(content.len(), LARGE);
    }
    assert_eq!(*served.lock().unwrap(), 16);
}

// One that does not read keeps no other agent waiting, although both have the same handler.
#[tokio::test(start_paused = true)]
async fn an_agent_that_does_not_read_keeps_no_other_one_waiting() {
    let (_folder, at) = folder();
    fs::write(at("root/large"), "x".repeat(1_100_000)).unwrap();
    let files = Files::new(at("root")).unwrap();
    let cwd = at("root");
    let mut deaf = Rig::open(builder().handler(files.clone()), Path::new(&cwd)).await;
    for _ in 0..8 {
        deaf.start("fs/read_text_file", json!({"path": at("root/large")}))
            .await;
    }
    // So long that all that can be read was, and so short that the agent is not given up.
    tokio::time::sleep(Duration::from_secs(5)).await;
    let mut other = Rig::open(builder().handler(files), Path::new(&cwd)).await;
    let began = tokio::time::Instant::now();
    let read = other
        .result("fs/read_text_file", json!({"path": at("root/a")}))
        .await;
    assert_eq!(read["content"], "one\r\ntwo\n");
    assert!(began.elapsed() < Duration::from_secs(5));
}
