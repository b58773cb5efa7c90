//! Anything in any order: bytes, commands and time interleaved. Nothing panics, bounds hold, every
//! request of the agent is answered once and every wait of the host ends.

use std::path::Path;

use proptest::prelude::*;

use self::world::Step;

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
    ]
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 200, ..ProptestConfig::default() })]

    #[test]
    fn nothing_breaks_v1(steps in proptest::collection::vec(step(), 0..120), ending: u8) {
        world::run(1, steps, ending);
    }

    #[test]
    fn nothing_breaks_v2(steps in proptest::collection::vec(step(), 0..120), ending: u8) {
        world::run(2, steps, ending);
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
    assert!(count >= 20, "{count} programs");
}
