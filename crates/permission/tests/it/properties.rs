//! What holds whatever is asked and whatever is decided.

use std::time::{Duration, Instant};

use acp_permission::{
    Broker, Command, Decision, DryRun, Effect, Kind, Memory, Opened, PendingId, Policy, Request,
    Rules, Scope, Side, Verdict, pick,
};
use acp_vocab::{PermissionOption, PermissionOptionKind, RequestId, SessionId};
use proptest::prelude::*;
use serde_json::value::RawValue;

fn option() -> impl Strategy<Value = PermissionOption> {
    let kind = prop::sample::select(vec![
        "allow_once",
        "allow_always",
        "reject_once",
        "reject_always",
        "allow_forever",
        "",
    ]);
    ("[a-c]", kind)
        .prop_map(|(id, kind)| PermissionOption::new(id, "Name", PermissionOptionKind::from(kind)))
}

fn decision() -> impl Strategy<Value = Decision> {
    prop_oneof![
        Just(Decision::AllowOnce),
        Just(Decision::AllowAlways),
        Just(Decision::AllowOnceOrAlways),
        Just(Decision::Deny),
        Just(Decision::DenyAlways),
        Just(Decision::Cancel),
        Just(Decision::Ask),
        Just(Decision::Defer),
        "[a-d]".prop_map(|id| Decision::Select(id.as_str().into())),
    ]
}

fn line() -> impl Strategy<Value = String> {
    prop::collection::vec(
        prop::sample::select(vec![
            "git", "rm", "sudo", " ", ";", "&&", "|", "$(", ")", "'", "\"", "`", "\\", ">", "\n",
            "a=b ", "x", "sh -c ",
        ]),
        0..12,
    )
    .prop_map(|parts| parts.concat())
}

fn path() -> impl Strategy<Value = String> {
    prop::collection::vec(
        prop::sample::select(vec!["/", "..", ".", "ws", "etc", "a", "~", "C:", "\\", "*"]),
        0..7,
    )
    .prop_map(|parts| parts.concat())
}

fn kind() -> impl Strategy<Value = Kind> {
    prop::sample::select(vec![
        "read", "edit", "execute", "delete", "other", "new_kind",
    ])
    .prop_map(Kind::of)
}

fn request() -> impl Strategy<Value = Request> {
    (
        prop::collection::vec(option(), 0..5),
        kind(),
        prop::option::of(line()),
        prop::collection::vec(path(), 0..3),
        any::<bool>(),
        prop::option::of(path()),
        ".{0,12}",
    )
        .prop_map(|(options, kind, command, paths, diff, directory, title)| {
            let mut request = Request::new("s", options).of_kind(kind).titled(&title);
            for path in &paths {
                request = request.with_path(path);
            }
            if let Some(line) = command {
                request = request.with_command(Command::line(&line));
            }
            if let Some(directory) = directory {
                request = request.in_directory(&directory);
            }
            if diff { request.with_diff() } else { request }
        })
}

fn scope() -> impl Strategy<Value = Scope> {
    prop_oneof![
        Just(Scope::any()),
        kind().prop_map(Scope::from),
        (kind(), path()).prop_map(|(kind, path)| kind.path(&path)),
        (kind(), path()).prop_map(|(kind, path)| kind.inside(path)),
        line().prop_map(|line| Scope::any().command(&line)),
        ".{0,6}".prop_map(|title| Scope::any().title(&title)),
        Just(Scope::mcp("*", "*")),
    ]
}

fn rules() -> impl Strategy<Value = Rules> {
    let effect = prop::sample::select(vec![Effect::Allow, Effect::Deny, Effect::Ask]);
    prop::collection::vec((effect, scope()), 0..5).prop_map(|rules| {
        rules
            .into_iter()
            .fold(Rules::new(), |all, (effect, scope)| all.with(effect, scope))
    })
}

proptest! {
    /// Never an option that was not offered, never one of a kind that we do not know, never wider than decided.
    #[test]
    fn picks_are_offered_and_no_wider_than_decided(options in prop::collection::vec(option(), 0..6), decision in decision()) {
        let answer = pick(&options, &decision);
        if let Some(id) = answer.option_id() {
            let named: Vec<_> = options.iter().filter(|option| option.option_id == *id).collect();
            prop_assert_eq!(named.len(), 1);
            prop_assert_eq!(Some(&named[0].kind), answer.option_kind());
            prop_assert!(!matches!(named[0].kind, PermissionOptionKind::Other(_)));
        }
        let kind = answer.option_kind();
        match decision {
            Decision::AllowOnce => prop_assert!(kind.is_none_or(|kind| *kind == PermissionOptionKind::AllowOnce)),
            Decision::AllowAlways => prop_assert!(kind.is_none_or(|kind| *kind == PermissionOptionKind::AllowAlways)),
            Decision::AllowOnceOrAlways => prop_assert!(answer.approves() != answer.note.is_some()),
            Decision::Deny | Decision::DenyAlways | Decision::Cancel | Decision::Ask | Decision::Defer => prop_assert!(!answer.approves()),
            Decision::Select(_) | _ => {}
        }
        if options.is_empty() {
            prop_assert!(answer.option_id().is_none() && answer.note.is_some());
        }
    }

    /// A policy that does not allow never ends in an approval, and one rule that denies everything in front denies everything.
    #[test]
    fn nothing_is_approved_that_a_policy_does_not_allow(request in request(), rules in rules()) {
        let verdict = rules.decide(&request);
        let answer = pick(request.options(), &verdict.decision);
        prop_assert!(!answer.approves() || verdict.decision == Decision::AllowOnce);
        if verdict.decision == Decision::AllowOnce {
            let (_, effect, _) = rules.matching(&request).unwrap();
            prop_assert_eq!(effect, Effect::Allow);
        }
        let guarded = rules.iter().fold(Rules::new().deny(Scope::any()), |all, (effect, scope)| all.with(effect, scope.clone()));
        prop_assert!(!pick(request.options(), &guarded.decide(&request).decision).approves());
    }

    /// What a scope allows it would also refuse: refusing is never blind to what allowing sees.
    #[test]
    fn denying_sees_all_that_allowing_sees(request in request(), scope in scope()) {
        let allowed = Rules::new().allow(scope.clone()).decide(&request).decision == Decision::AllowOnce;
        let denied = Rules::new().deny(scope).decide(&request).decision == Decision::Deny;
        prop_assert!(!allowed || denied);
    }

    /// An allowing rule for a directory never lets anything out of it, however the path is written.
    #[test]
    fn nothing_escapes_a_directory(path in path()) {
        let request = Request::new("s", vec![]).of_kind(Kind::Edit).with_path(&path).in_directory("/ws");
        if Rules::new().allow(Kind::Edit.inside("/ws")).decide(&request).decision == Decision::AllowOnce {
            // Counted by hand, name by name: never above the directory.
            let absolute = if path.starts_with('/') { path.clone() } else { format!("/ws/{path}") };
            let mut names: Vec<&str> = Vec::new();
            for name in absolute.split('/') {
                match name {
                    "" | "." => {}
                    ".." => { names.pop(); }
                    name => names.push(name),
                }
            }
            prop_assert_eq!(names.first(), Some(&"ws"), "{}", path);
        }
    }

    /// Every request that a broker took is answered exactly once, whatever happens in which order.
    #[test]
    fn a_broker_answers_each_request_once(
        steps in prop::collection::vec((0_u8..7, 0_u64..8, request(), decision()), 0..40),
    ) {
        #[expect(clippy::disallowed_methods, reason = "any instant will do; time is counted from it")]
        let mut now = Instant::now();
        let mut broker = Broker::new().remembering(Memory::new());
        let (mut taken, mut answered, mut id) = (Vec::new(), Vec::new(), 0_i64);
        for (step, number, request, decision) in steps {
            let ended = match step {
                0 | 1 => {
                    id += 1;
                    taken.push(RequestId::from(id));
                    match broker.open(now, RequestId::from(id), request, Some(Duration::from_secs(number))) {
                        Opened::Resolved(resolved) => vec![*resolved],
                        Opened::Pending(_) | _ => vec![],
                    }
                }
                2 => broker.answer(PendingId::of(number), Verdict::person(decision)).into_iter().collect(),
                3 => { now += Duration::from_secs(number); broker.handle_timeout(now) }
                4 => broker.withdraw(&RequestId::from(i64::try_from(number).unwrap())),
                5 if number == 0 => broker.end_turn(&SessionId::from("s")),
                _ => vec![],
            };
            answered.extend(ended.into_iter().map(|end| end.request_id));
        }
        answered.extend(broker.close().into_iter().map(|end| end.request_id));
        answered.sort();
        prop_assert_eq!(answered, taken);
        prop_assert!(broker.pending().next().is_none() && broker.poll_timeout().is_none());
    }

    #[test]
    fn nothing_panics(text in ".{0,120}", line in line(), path in path()) {
        let _parsed = text.parse::<Scope>();
        drop(Rules::new().with_spelled(Effect::Allow, &text));
        let request = Request::new("s", vec![]).titled(&text).with_path(&path).named(&text).with_command(Command::line(&line));
        let request = match RawValue::from_string(text.clone()) { Ok(raw) => request.with_input(&raw), Err(_) => request };
        let mut memory = Memory::new();
        memory.learn(&request, &PermissionOptionKind::AllowAlways);
        let rules = Rules::new().deny(Scope::any().command(&text)).allow(Scope::any().path(&text).title(&text));
        let mut run = DryRun::new(&rules);
        run.line(Side::Agent, &text);
        drop(rules.decide(&request));
    }
}
