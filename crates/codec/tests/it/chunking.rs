//! Any chunking gives the same result.

use acp_codec::{Limits, Overflow};
use proptest::prelude::*;

use crate::checks;

/// Lines of every sort, with characters of one to four bytes to cut through.
fn line() -> impl Strategy<Value = Vec<u8>> {
    prop_oneof![
        4 => "[a-zé€😀\"\\\\ ]{0,40}".prop_map(|text| {
            let text = serde_json::to_string(&text).expect("a string");
            format!(r#"{{"jsonrpc":"2.0","method":"session/update","params":{text}}}"#).into()
        }),
        2 => any::<i64>().prop_map(|id| format!(r#"{{"id":{id},"result":{{"é":"😀"}}}}"#).into()),
        1 => any::<u64>().prop_map(|id| format!(r#"{{"id":{id},"method":"m"}}"#).into()),
        1 => any::<i32>().prop_map(|code| format!(r#"{{"id":"😀","error":{{"code":{code}}}}}"#).into()),
        1 => Just(br#"{"id":1,"error":"no"}"#.to_vec()),
        1 => Just("\u{feff}{\"method\":\"m\"}\r".into()),
        1 => Just(b" \r".to_vec()),
        1 => Just(b"[1]".to_vec()),
        1 => Just(b"{\"id\":1,\"result\":NaN}".to_vec()),
        1 => Just(br#"{"method":"\ud83d","params":"\ude00"}"#.to_vec()),
        1 => "[ -~\u{1b}é€😀]{0,60}".prop_map(String::into_bytes),
        1 => prop::collection::vec(any::<u8>(), 0..40),
    ]
}

fn stream() -> impl Strategy<Value = Vec<u8>> {
    (prop::collection::vec(line(), 0..12), any::<bool>()).prop_map(|(lines, ended)| {
        let mut stream = lines.join(&b'\n');
        if ended {
            stream.push(b'\n');
        }
        stream
    })
}

fn limits() -> impl Strategy<Value = Limits> {
    let max_line = prop_oneof![Just(64 << 20), 0usize..80];
    (
        max_line,
        prop_oneof![Just(Overflow::Stop), Just(Overflow::Drain)],
        0usize..100,
    )
        .prop_map(|(max_line, overflow, retain)| {
            let mut limits = Limits::default()
                .with_max_line(max_line)
                .with_overflow(overflow);
            limits.retain = retain;
            limits
        })
}

proptest! {
    #[test]
    fn cut_anywhere(
        limits in limits(),
        bytes in stream(),
        cuts in prop::collection::vec(1usize..50, 0..100),
    ) {
        checks::chunking(limits, &bytes, cuts);
    }

    #[test]
    fn byte_by_byte(limits in limits(), bytes in stream()) {
        checks::chunking(limits, &bytes, std::iter::repeat(1));
    }

    #[test]
    fn cut_in_two_at_every_byte(limits in limits(), bytes in stream()) {
        for at in 1..bytes.len().max(1) {
            checks::chunking(limits, &bytes, [at]);
        }
    }

    #[test]
    fn any_bytes(bytes in prop::collection::vec(any::<u8>(), 0..300), cut in 1usize..300) {
        checks::chunking(Limits::default(), &bytes, [cut]);
        checks::envelope(&bytes);
    }

    #[test]
    fn any_line_is_read_without_a_panic(line in line()) {
        checks::envelope(&line);
    }
}
