//! Widths, closing and the meter.

use acp_testkit::pipe;
use tokio::io::{AsyncReadExt, AsyncWriteExt};

#[tokio::test(start_paused = true)]
async fn every_byte_passes_at_any_width() {
    for width in [1, 2, 7, 64 * 1024] {
        let (mut left, mut right) = pipe(width);
        let meter = right.reader.meter();
        let text: Vec<u8> = (0..2000u32).map(|n| (n % 251) as u8).collect();
        let sent = text.clone();
        let write = async move {
            left.writer.write_all(&sent).await.unwrap();
            drop(left.writer);
            left.reader
        };
        let mut got = Vec::new();
        let (_reader, read) = tokio::join!(write, right.reader.read_to_end(&mut got));
        read.unwrap();
        assert_eq!(got, text, "width {width}");
        assert_eq!((meter.written(), meter.taken()), (2000, 2000));
        assert!(meter.is_closed());
    }
}

#[tokio::test(start_paused = true)]
async fn a_full_pipe_holds_the_writer_back() {
    let (mut left, right) = pipe(4);
    assert_eq!(left.writer.write(b"123456").await.unwrap(), 4);
    let waited = tokio::time::timeout(std::time::Duration::from_secs(60), left.writer.write(b"5"));
    assert!(waited.await.is_err());
    assert_eq!(right.reader.meter().written(), 4);
}

#[tokio::test(start_paused = true)]
async fn a_dropped_reader_breaks_the_pipe() {
    let (mut left, right) = pipe(4);
    drop(right.reader);
    let error = left.writer.write(b"1").await.unwrap_err();
    assert_eq!(error.kind(), std::io::ErrorKind::BrokenPipe);
}
