//! A bridge carries every byte once and in order, tells the end, and holds back a writer whose sink
//! is slow.

use std::{
    io::{self, Cursor, PipeReader, Read},
    time::Duration,
};

use tokio::{
    io::{AsyncReadExt, AsyncWriteExt},
    time::timeout,
};

use super::*;

const BOUND: Duration = Duration::from_secs(10);

fn pattern(length: usize) -> Vec<u8> {
    (0..length).map(|at| (at * 7 % 251) as u8).collect()
}

#[tokio::test]
async fn a_reader_gives_every_byte_and_then_the_end() {
    for length in [0, 1, CHUNK - 1, CHUNK, CHUNK + 1, 5 * CHUNK + 3] {
        let bytes = pattern(length);
        let mut reader = BridgedReader::start(Cursor::new(bytes.clone())).unwrap();
        let mut got = Vec::new();
        timeout(BOUND, reader.read_to_end(&mut got))
            .await
            .unwrap()
            .unwrap();
        assert_eq!(got, bytes, "{length}");
        assert_eq!(
            reader.read(&mut [0; 8]).await.unwrap(),
            0,
            "the end is told again"
        );
    }
}

#[tokio::test]
async fn a_reader_tells_an_error() {
    struct Broken;
    impl Read for Broken {
        fn read(&mut self, _: &mut [u8]) -> io::Result<usize> {
            Err(io::ErrorKind::ConnectionReset.into())
        }
    }
    let mut reader = BridgedReader::start(Broken).unwrap();
    let error = timeout(BOUND, reader.read(&mut [0; 8]))
        .await
        .unwrap()
        .unwrap_err();
    assert_eq!(error.kind(), io::ErrorKind::ConnectionReset);
}

fn read_all(mut source: PipeReader) -> Vec<u8> {
    let mut all = Vec::new();
    source.read_to_end(&mut all).unwrap();
    all
}

#[tokio::test]
async fn a_writer_is_held_back_by_its_sink_and_loses_nothing() {
    let (source, sink) = io::pipe().unwrap();
    let mut writer = BridgedWriter::start(sink).unwrap();
    let bytes = pattern(10 * CHUNK);
    // Nobody reads: the pipe and one chunk fill, then the writer waits.
    let mut offered = 0;
    while let Ok(written) =
        timeout(Duration::from_millis(50), writer.write(&bytes[offered..])).await
    {
        offered += written.unwrap();
        assert!(offered < bytes.len(), "a pipe of 64 KiB took everything");
    }
    let reading = tokio::task::spawn_blocking(move || read_all(source));
    timeout(BOUND, writer.write_all(&bytes[offered..]))
        .await
        .unwrap()
        .unwrap();
    timeout(BOUND, writer.shutdown()).await.unwrap().unwrap();
    drop(writer);
    assert_eq!(timeout(BOUND, reading).await.unwrap().unwrap(), bytes);
}

#[tokio::test]
async fn a_writer_tells_that_nobody_reads_any_more() {
    let (source, sink) = io::pipe().unwrap();
    drop(source);
    let mut writer = BridgedWriter::start(sink).unwrap();
    writer.write_all(b"x").await.unwrap();
    let error = timeout(BOUND, writer.flush()).await.unwrap().unwrap_err();
    assert_eq!(error.kind(), io::ErrorKind::BrokenPipe);
}
