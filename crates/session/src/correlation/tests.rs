//! Correlation by itself.

use acp_vocab::RequestId;
use proptest::prelude::*;

use super::*;

#[track_caller]
fn check(id: RequestId, expected: Completion<&'static str>) {
    let mut outgoing = Outgoing::default();
    outgoing.register("zero");
    outgoing.register("one");
    outgoing.complete(&RequestId::Number(0));
    assert_eq!(outgoing.complete(&id), expected, "{id}");
}

#[test]
fn replies_find_their_request() {
    check(
        RequestId::Number(1),
        Completion::Matched {
            waiter: "one",
            coerced: false,
        },
    );
    check(
        RequestId::String("1".into()),
        Completion::Matched {
            waiter: "one",
            coerced: true,
        },
    );
    check(RequestId::Number(0), Completion::Answered);
    check(RequestId::String("0".into()), Completion::Answered);
    check(RequestId::Number(2), Completion::Unknown);
    check(RequestId::Number(-1), Completion::Unknown);
    check(RequestId::String("01".into()), Completion::Unknown);
    check(RequestId::String("+1".into()), Completion::Unknown);
    check(RequestId::String("x".into()), Completion::Unknown);
    check(RequestId::Null, Completion::Null);
}

#[test]
fn the_same_id_twice_is_two_requests() {
    let mut incoming = Incoming::default();
    incoming.accept(1, RequestId::Number(7), "first");
    incoming.accept(2, RequestId::Number(7), "second");
    let key = incoming.find(&RequestId::Number(7)).unwrap();
    assert_eq!(incoming.settle(key), Some((RequestId::Number(7), "first")));
    assert_eq!(incoming.settle(key), None);
    assert_eq!(incoming.find(&RequestId::Number(7)), Some(2));
}

proptest! {
    #[test]
    fn any_order_of_replies_completes_each_request_once(
        count in 1_i64..40,
        replies in proptest::collection::vec((0_i64..60, any::<bool>()), 0..200),
    ) {
        let mut outgoing = Outgoing::default();
        for index in 0..count {
            prop_assert_eq!(outgoing.register(index), RequestId::Number(index));
        }
        let mut seen = std::collections::BTreeSet::new();
        for (number, as_string) in replies {
            let id = if as_string {
                RequestId::String(number.to_string().into())
            } else {
                RequestId::Number(number)
            };
            match outgoing.complete(&id) {
                Completion::Matched { waiter, coerced } => {
                    prop_assert_eq!((waiter, coerced), (number, as_string));
                    prop_assert!(seen.insert(number));
                }
                Completion::Answered => prop_assert!(seen.contains(&number)),
                Completion::Unknown => prop_assert!(number >= count),
                Completion::Null => prop_assert!(false),
            }
        }
        prop_assert_eq!(outgoing.len() as i64 + seen.len() as i64, count);
    }
}
