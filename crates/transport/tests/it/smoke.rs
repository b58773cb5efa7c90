//! smoke
use acp_transport::{Child, Exit};
use tokio::io::{AsyncReadExt, AsyncWriteExt};

#[tokio::test]
async fn echo() {
    let t = std::time::Instant::now();
    let child = Child::spawn(["sh", "-c", "echo oops >&2; cat; exit 3"]).unwrap();
    println!("{:?}", t.elapsed());
    let (mut r, mut w, peer) = child.into_link().into_parts();
    w.write_all(b"hi\n").await.unwrap();
    w.shutdown().await.unwrap();
    let mut s = String::new();
    r.read_to_string(&mut s).await.unwrap();
    assert_eq!(s, "hi\n");
    let e = peer.ended().await;
    println!("{:?}", t.elapsed());
    assert_eq!(e.exit(), Some(Exit::Code(3)));
    assert_eq!(e.last_lines(1), "oops");
    peer.shutdown().await;
    println!("{:?}", t.elapsed());
}
