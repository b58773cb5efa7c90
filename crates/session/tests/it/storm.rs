//! Anything in any order: bytes, commands and time interleaved. Nothing panics, bounds hold, every
//! request of the agent is answered once and every wait of the host ends.

use std::path::Path;

use proptest::prelude::*;

use self::world::{Setting, Step};

mod heard;
mod world;

fn step() -> impl Strategy<Value = Step> {
    let byte = any::<u8>;
    prop_oneof![
        6 => (byte(), 0..2_000_usize).prop_map(|(s, n)| Step::Chunk(s, n)),
        3 => (byte(), byte()).prop_map(|(s, t)| Step::Tool(s, t)),
        2 => (byte(), any::<bool>()).prop_map(|(s, i)| Step::State(s, i)),
        1 => byte().prop_map(Step::Child),
        1 => byte().prop_map(Step::Unknown),
        4 => (byte(), byte()).prop_map(|(s, m)| Step::Ask(s, m)),
        1 => byte().prop_map(Step::Withdraw),
        4 => (byte(), byte()).prop_map(|(c, k)| Step::Answer(c, k)),
        1 => proptest::collection::vec(byte(), 0..40).prop_map(Step::Noise),
        3 => byte().prop_map(Step::Prompt),
        2 => (byte(), any::<bool>()).prop_map(|(s, c)| Step::Call(s, c)),
        2 => Just(Step::New),
        1 => byte().prop_map(Step::Load),
        8 => (byte(), 1..20_u8).prop_map(|(s, n)| Step::Take(s, n)),
        3 => (byte(), any::<bool>()).prop_map(|(a, d)| Step::Decide(a, d)),
        1 => byte().prop_map(Step::Cancel),
        1 => byte().prop_map(Step::GiveUp),
        1 => byte().prop_map(Step::Abandon),
        1 => byte().prop_map(Step::DropSession),
        2 => byte().prop_map(Step::Park),
        1 => byte().prop_map(Step::Unpark),
        6 => (0..3_000_usize).prop_map(Step::Read),
        2 => (0..40_u16).prop_map(Step::Pass),
        1 => any::<bool>().prop_map(Step::General),
        3 => raw().prop_map(Step::Raw),
        1 => byte().prop_map(Step::Repeat),
        1 => (0..200_u8).prop_map(|how| if how < 5 { Step::End(how) } else { Step::Read(usize::MAX) }),
    ]
}

/// Bytes that are nearly a message of the agent, or a part of one, or more than one.
fn raw() -> impl Strategy<Value = Vec<u8>> {
    const LINES: [&str; 12] = [
        r#"{"jsonrpc":"2.0","id":0,"result":{"sessionId":"s0","stopReason":"end_turn"}}"#,
        r#"{"jsonrpc":"2.0","id":"1","result":null}"#,
        r#"{"id":2,"error":{"code":-32000,"message":"no"},"result":{}}"#,
        r#"{"jsonrpc":"2.0","id":null,"error":{"code":-32700,"message":"what?"}}"#,
        r#"{"id":18446744073709551615,"method":"session/request_permission","params":{"sessionId":"s1","toolCall":{"toolCallId":"t"},"options":[{"optionId":"a","name":"a","kind":"allow_once"}]}}"#,
        r#"{"jsonrpc":"2.0","id":7,"method":"fs/read_text_file","params":{"sessionId":"s0","path":"/a"}}"#,
        r#"{"jsonrpc":"2.0","id":null,"method":"fs/read_text_file","params":[]}"#,
        r#"{"jsonrpc":"2.0","id":1.5,"method":"elicitation/create","params":{"requestId":0,"mode":"form","message":"m","requestedSchema":{"type":"object","properties":{}}}}"#,
        r#"{"jsonrpc":"2.0","method":"$/cancel_request","params":{"requestId":7}}"#,
        r#"{"jsonrpc":"2.0","method":"session/update","params":{"sessionId":"s0","update":{"sessionUpdate":"plan","entries":[{"content":"\ud800","priority":"high","status":"pending"}]}}}"#,
        r#"{"jsonrpc":"2.0","method":"session/update","params":{"sessionId":"s1","update":{"sessionUpdate":"config_option_update","configOptions":[{"id":"m","configId":"m","type":"select","options":[]}]}}}"#,
        "[{\"id\":0}]",
    ];
    let line = proptest::sample::select(&LINES[..]);
    let end = prop_oneof![4 => Just("\n"), 1 => Just(""), 1 => Just("\r\n{\"half\":\n")];
    let change = proptest::option::weighted(0.3, (any::<proptest::sample::Index>(), any::<u8>()));
    (line, end, change).prop_map(|(line, end, change)| {
        let mut bytes = format!("{line}{end}").into_bytes();
        if let Some((at, byte)) = change {
            let at = at.index(bytes.len());
            bytes[at] = byte;
        }
        bytes
    })
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 200, ..ProptestConfig::default() })]

    #[test]
    fn nothing_breaks_v1(
        steps in proptest::collection::vec(step(), 0..120), bits: u8, ending: u8,
    ) {
        world::run(Setting::of(bits & !1), steps, ending);
    }

    #[test]
    fn nothing_breaks_v2(
        steps in proptest::collection::vec(step(), 0..120), bits: u8, ending: u8,
    ) {
        world::run(Setting::of(bits | 1), steps, ending);
    }

    #[test]
    fn any_bytes_are_survived(chunks in proptest::collection::vec(
        proptest::collection::vec(any::<u8>(), 0..80), 0..40,
    )) {
        world::feed(chunks);
    }
}

#[test]
fn the_corpus_of_the_fuzz_target_is_replayed() {
    let corpus = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../fuzz/corpus/machine");
    let mut count = 0;
    for entry in std::fs::read_dir(corpus).unwrap() {
        world::interpret(&std::fs::read(entry.unwrap().path()).unwrap());
        count += 1;
    }
    assert!(count >= 180, "{count} programs");
}
