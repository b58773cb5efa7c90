//! Links over streams in memory: the end, the names, the observer.

use std::sync::{Arc, Mutex};

use acp_transport::{
    Connector, Direction, Ended, Ending, Exit, Link, Observer, Peer, Reader, SpawnError,
    TransportError, Writer,
};
use proptest::prelude::*;
use tokio::io::{AsyncReadExt, AsyncWriteExt, DuplexStream};

use crate::soon;

fn pair() -> (Link, DuplexStream) {
    let (ours, theirs) = tokio::io::duplex(1024);
    (Link::from_stream(ours), theirs)
}

#[test]
fn everything_can_move_between_threads() {
    fn check<T: Send + 'static>() {}
    fn check_sync<T: Send + Sync + Clone + 'static>() {}
    check::<Link>();
    check::<Reader>();
    check::<Writer>();
    check::<Peer>();
    check::<Box<dyn Connector>>();
    check::<Arc<dyn Observer>>();
    check_sync::<Ending>();
    check_sync::<Ended>();
    check_sync::<TransportError>();
}

#[tokio::test]
async fn the_end_of_the_stream_is_the_end_of_the_peer() {
    let (link, theirs) = pair();
    let ended = link.ended();
    let (mut reader, _writer, peer) = link.into_parts();
    drop(theirs);
    assert_eq!(peer.ending().now(), None, "nobody has read so far");
    assert_eq!(soon(reader.read(&mut [0; 8])).await.unwrap(), 0);
    assert_eq!(peer.ending().now(), Some(Ended::eof()));
    assert_eq!(soon(ended).await, Ended::eof());
    assert_eq!(soon(peer.ended()).await, Ended::eof(), "it is told again");
    assert_eq!(soon(peer.shutdown()).await, Ended::eof());
}

#[tokio::test]
async fn an_empty_read_is_not_the_end() {
    let (link, mut theirs) = pair();
    let (mut reader, _writer, peer) = link.into_parts();
    theirs.write_all(b"x").await.unwrap();
    assert_eq!(soon(reader.read(&mut [])).await.unwrap(), 0);
    assert_eq!(peer.ending().now(), None);
}

#[tokio::test]
async fn without_a_reader_nobody_waits_for_the_end() {
    let (link, _theirs) = pair();
    let ended = link.ended();
    drop(link);
    assert_eq!(soon(ended).await, Ended::eof());
}

#[tokio::test]
async fn a_closure_is_a_connector() {
    let mut made = 0;
    let mut connector: Box<dyn Connector + '_> = Box::new(|| {
        made += 1;
        let name = format!("peer {made}");
        async move { Ok(pair().0.named(name)) }
    });
    for expected in ["peer 1", "peer 2"] {
        let link = connector.connect().await.unwrap();
        assert_eq!(&**link.peer().name(), expected);
    }
}

#[derive(Default)]
struct Notes(Mutex<Vec<String>>);

impl Observer for Notes {
    fn line(&self, direction: Direction, line: &[u8]) {
        self.note(format!("{direction:?} {}", String::from_utf8_lossy(line)));
    }

    fn skipped(&self, direction: Direction, kind: acp_codec::SkipKind, sample: &[u8], seen: usize) {
        self.note(format!(
            "{direction:?} {} {seen} {}",
            kind.name(),
            String::from_utf8_lossy(sample)
        ));
    }
}

impl Notes {
    fn note(&self, note: String) {
        self.0.lock().unwrap().push(note);
    }

    fn all(&self) -> Vec<String> {
        self.0.lock().unwrap().clone()
    }
}

const PING: &str = r#"{"jsonrpc":"2.0","id":1,"method":"ping"}"#;
const PONG: &str = r#"{"jsonrpc":"2.0","id":1,"result":{}}"#;

fn seen_in_chunks(received: &[u8], chunk: usize) -> Vec<String> {
    let runtime = tokio::runtime::Builder::new_current_thread()
        .build()
        .unwrap();
    runtime.block_on(async {
        let notes = Arc::new(Notes::default());
        let (link, theirs) = pair();
        let (mut reader, mut writer, _peer) = link.observed(notes.clone()).into_parts();
        let (mut their_reader, mut their_writer) = tokio::io::split(theirs);
        let send = async {
            for piece in received.chunks(chunk) {
                their_writer.write_all(piece).await.unwrap();
                their_writer.flush().await.unwrap();
            }
            their_writer.shutdown().await.unwrap();
        };
        let receive = async {
            let mut got = Vec::new();
            let mut buffer = vec![0; chunk];
            loop {
                match reader.read(&mut buffer).await.unwrap() {
                    0 => return got,
                    count => got.extend_from_slice(&buffer[..count]),
                }
            }
        };
        let ((), got) = tokio::join!(send, receive);
        assert_eq!(got, received, "an observer changes nothing");
        let sent = format!("{PONG}\n");
        for piece in sent.as_bytes().chunks(chunk) {
            writer.write_all(piece).await.unwrap();
        }
        let mut there = vec![0; sent.len()];
        their_reader.read_exact(&mut there).await.unwrap();
        assert_eq!(there, sent.as_bytes());
        notes.all()
    })
}

proptest! {
    #[test]
    fn an_observer_sees_whole_lines_however_they_come(chunk in 1_usize..200) {
        let received = format!("{PING}\r\n\n  banner \n{PING}\nhalf");
        prop_assert_eq!(
            seen_in_chunks(received.as_bytes(), chunk),
            [
                format!("Received {PING}"),
                "Received not_json 6 banner".into(),
                format!("Received {PING}"),
                "Received partial 4 half".into(),
                format!("Sent {PONG}"),
            ]
        );
    }
}

#[tokio::test]
async fn an_observer_that_panics_is_removed_and_the_link_goes_on() {
    struct Broken;
    impl Observer for Broken {
        fn line(&self, _: Direction, _: &[u8]) {
            panic!("a broken observer");
        }
    }
    let (link, mut theirs) = pair();
    let (mut reader, _writer, _peer) = link.observed(Arc::new(Broken)).into_parts();
    theirs
        .write_all(format!("{PING}\n{PING}\n").as_bytes())
        .await
        .unwrap();
    drop(theirs);
    let mut all = String::new();
    soon(reader.read_to_string(&mut all)).await.unwrap();
    assert_eq!(all, format!("{PING}\n{PING}\n"));
}

#[test]
fn errors_show_classes_and_numbers_and_keep_the_rest_behind_accessors() {
    let ended = Ended::exited(Exit::Code(3), *b"first\nsecret token\nlast words\n");
    let error = TransportError::ended_while("waiting for `initialize`", "some-agent", ended);
    assert_eq!(
        error.to_string(),
        "some-agent ended with exit status 3 while waiting for `initialize`"
    );
    assert!(!format!("{error:?}").contains("secret"));
    assert_eq!(error.exit(), Some(Exit::Code(3)));
    assert_eq!(
        (error.peer(), error.doing()),
        ("some-agent", "waiting for `initialize`")
    );
    assert_eq!(
        error.ended().unwrap().last_lines(2),
        "secret token\nlast words"
    );
    assert_eq!(error.stderr_tail(), b"first\nsecret token\nlast words\n");

    let error = TransportError::io("writing to", "some-agent", std::io::Error::other("secret"));
    assert_eq!(
        error.to_string(),
        "writing to some-agent failed: other error"
    );

    let error = TransportError::from(SpawnError::Empty);
    assert_eq!(
        (error.peer(), error.doing(), error.exit()),
        ("", "starting", None)
    );
}

#[test]
fn the_last_lines_are_counted_from_the_end() {
    #[track_caller]
    fn check(tail: &[u8], count: usize, expected: &str) {
        assert_eq!(
            Ended::exited(Exit::Code(1), tail).last_lines(count),
            expected
        );
    }
    check(b"", 3, "");
    check(b"one", 1, "one");
    check(b"one\ntwo\nthree", 1, "three");
    check(b"one\ntwo\nthree\n\n", 2, "two\nthree");
    check(b"one\ntwo\nthree\n", 9, "one\ntwo\nthree");
    check(b"\xff bad\n", 1, "\u{fffd} bad");
}

#[test]
fn an_end_is_told_in_words() {
    #[track_caller]
    fn check(ended: &Ended, expected: &str) {
        assert_eq!(ended.to_string(), expected);
    }
    check(
        &Ended::exited(Exit::Code(0), []),
        "ended with exit status 0",
    );
    check(
        &Ended::exited(Exit::Signal(9), []),
        "was ended by signal 9 (SIGKILL)",
    );
    check(
        &Ended::exited(Exit::Signal(64), []),
        "was ended by signal 64",
    );
    check(
        &Ended::exited(Exit::Unknown, []),
        "ended, and its exit status is unknown",
    );
    check(&Ended::eof(), "closed the stream");
}
