//! What rules decide, by table.

use acp_permission::{
    Chain, Command, Decision, Effect, Kind, McpTool, Overlap, Policy, ReadOnly, Request, Rules,
    RulesFile, Scope,
};
use serde_json::value::RawValue;

fn ask() -> Request {
    Request::new("s", vec![]).in_directory("/ws")
}

fn raw(text: &str) -> Box<RawValue> {
    RawValue::from_string(text.to_owned()).unwrap()
}

fn run(line: &str) -> Request {
    ask()
        .of_kind(Kind::Execute)
        .titled("Run a harmless command")
        .with_command(Command::line(line))
}

fn edit(path: &str) -> Request {
    ask().of_kind(Kind::Edit).with_path(path)
}

/// Rules written as `allow LIST`, `deny LIST`, `ask LIST`, one a line.
fn rules(text: &str) -> Rules {
    text.lines()
        .map(str::trim)
        .filter(|line| !line.is_empty())
        .fold(Rules::new(), |rules, line| {
            let (effect, list) = line.split_once(' ').unwrap();
            let effect = match effect {
                "allow" => Effect::Allow,
                "deny" => Effect::Deny,
                _ => Effect::Ask,
            };
            rules.with_spelled(effect, list).unwrap()
        })
}

/// Shows `decision (why)`; a rule that nearly matched is shown as `rule N falls short`.
#[track_caller]
fn check(text: &str, request: &Request, expected: &str) {
    let verdict = rules(text).decide(request);
    let why = match verdict.why.strip_suffix(" does not cover all of it") {
        Some(nearly) => {
            let number = nearly.split([' ', ':']).nth(4).unwrap();
            format!("rule {number} falls short")
        }
        None => verdict.why.into_owned(),
    };
    assert_eq!(
        format!("{} ({why})", verdict.decision.as_str()),
        expected,
        "{text}\n{request:?}"
    );
}

#[test]
fn a_rule_that_nearly_matches_is_named() {
    let verdict = rules("allow read,execute:echo").decide(&run("echo hi > hi.txt"));
    assert_eq!(
        verdict.why,
        "no rule matches; rule 2: allow execute:echo does not cover all of it"
    );
    assert_eq!(
        rules("allow read").decide(&run("echo hi")).why,
        "no rule matches"
    );
}

#[test]
fn the_first_that_matches_decides() {
    let both = "deny execute:git push\nallow execute:git\nask execute";
    check(
        both,
        &run("git push origin"),
        "deny (rule 1: deny execute:git push)",
    );
    check(
        both,
        &run("git log"),
        "allow_once (rule 2: allow execute:git)",
    );
    check(both, &run("make"), "ask (rule 3: ask execute)");
    check(both, &edit("a"), "cancel (no rule matches)");
    check(
        "allow any\ndeny any",
        &run("x"),
        "allow_once (rule 1: allow any)",
    );
}

#[test]
fn paths_are_compared_after_normalisation() {
    check(
        "allow edit:src/**",
        &edit("/ws/src/a.rs"),
        "allow_once (rule 1: allow edit:src/**)",
    );
    check(
        "allow edit:src/**",
        &edit("src/./a.rs"),
        "allow_once (rule 1: allow edit:src/**)",
    );
    check(
        "allow edit:src/**",
        &edit("/ws/src/../../etc/passwd"),
        "cancel (no rule matches)",
    );
    check(
        "allow edit:src/**",
        &edit("~/src/a.rs"),
        "cancel (rule 1 falls short)",
    );
    check(
        "allow edit:src/**",
        &ask().of_kind(Kind::Edit),
        "cancel (no rule matches)",
    );
    check(
        "deny path:/etc\nallow edit",
        &edit("/ws/../etc/passwd"),
        "deny (rule 1: deny path:/etc)",
    );
    check(
        "deny path:**/.git\nallow edit",
        &edit(".git/hooks/x"),
        "deny (rule 1: deny path:**/.git)",
    );
    check(
        "deny path:/etc\nallow edit",
        &edit("$HOME/x"),
        "deny (rule 1: deny path:/etc)",
    );
}

#[test]
fn every_path_must_be_covered_and_one_is_enough_to_refuse() {
    let two = edit("src/a.rs").with_path("/etc/passwd");
    check("allow edit:src/**", &two, "cancel (rule 1 falls short)");
    check(
        "deny edit:/etc\nallow edit",
        &two,
        "deny (rule 1: deny edit:/etc)",
    );
    check(
        "allow edit:src/**",
        &edit("src/a.rs").reaching_elsewhere(),
        "cancel (rule 1 falls short)",
    );
}

#[test]
fn a_title_is_never_the_truth_where_there_is_input() {
    let liar = run("rm -rf /").titled("ls");
    check("allow title:ls", &liar, "cancel (rule 1 falls short)");
    check("allow execute:ls", &liar, "cancel (no rule matches)");
    check(
        "deny execute:rm\nallow any",
        &liar,
        "deny (rule 1: deny execute:rm)",
    );
    let unknown = ask().titled("ls").with_input(&raw(r#"{"odd":1}"#));
    check("allow title:ls", &unknown, "cancel (rule 1 falls short)");
    let bare = ask().of_kind(Kind::Execute).titled("ls -l");
    check(
        "allow title:ls *",
        &bare,
        "allow_once (rule 1: allow title:ls *)",
    );
    check("allow execute:ls", &bare, "cancel (rule 1 falls short)");
    check(
        "deny execute:ls\nallow any",
        &bare,
        "deny (rule 1: deny execute:ls)",
    );
    assert_eq!(
        rules("allow execute:ls")
            .trusting_titles()
            .decide(&bare)
            .decision,
        Decision::AllowOnce
    );
    assert_eq!(
        rules("allow execute:ls")
            .trusting_titles()
            .decide(&liar)
            .decision,
        Decision::Cancel
    );
}

#[test]
fn what_the_input_does_counts_beside_the_stated_kind() {
    let read = ask()
        .of_kind(Kind::Read)
        .with_command(Command::line("cat a; rm b"));
    check("allow read", &read, "cancel (rule 1 falls short)");
    check(
        "deny execute\nallow any",
        &read,
        "deny (rule 1: deny execute)",
    );
    check("deny read\nallow any", &read, "deny (rule 1: deny read)");
    let sneaky = ask().of_kind(Kind::Think).with_diff();
    check("allow think", &sneaky, "cancel (rule 1 falls short)");
    check("deny edit\nallow any", &sneaky, "deny (rule 1: deny edit)");
    check(
        "allow delete",
        &ask().of_kind(Kind::Delete).with_diff(),
        "allow_once (rule 1: allow delete)",
    );
    check(
        "allow any",
        &ask().of_kind(Kind::of("brand_new")),
        "allow_once (rule 1: allow any)",
    );
    check(
        "allow other",
        &ask().of_kind(Kind::of("brand_new")),
        "cancel (no rule matches)",
    );
}

#[test]
fn where_a_command_runs_its_paths_do_not_say_what_it_does() {
    let both = run("cat /etc/passwd > out").with_path("/ws/out");
    assert_eq!(
        Rules::new()
            .allow(Kind::Execute.inside("/ws"))
            .decide(&both)
            .decision,
        Decision::Cancel
    );
    check("allow path:/ws", &both, "cancel (rule 1 falls short)");
    let narrow = Rules::new().allow(Kind::Execute.command("touch").inside("/ws"));
    assert_eq!(
        narrow
            .decide(&run("touch out").with_path("/ws/out"))
            .decision,
        Decision::AllowOnce
    );
    assert_eq!(
        narrow
            .decide(&run("touch out").with_path("/etc/out"))
            .decision,
        Decision::Cancel
    );
}

#[test]
fn a_refused_path_is_seen_in_a_command_too() {
    let guarded = "deny path:/etc,path:**/.git\nallow execute:cat,execute:ls,execute:dd";
    check(
        guarded,
        &run("cat /etc/passwd"),
        "deny (rule 1: deny path:/etc)",
    );
    check(
        guarded,
        &run("cat ../etc/passwd"),
        "deny (rule 1: deny path:/etc)",
    );
    check(
        guarded,
        &run("dd if=/etc/passwd"),
        "deny (rule 1: deny path:/etc)",
    );
    check(
        guarded,
        &run("ls .git").run_in("/ws/sub"),
        "deny (rule 2: deny path:**/.git)",
    );
    check(
        guarded,
        &run("ls src"),
        "allow_once (rule 4: allow execute:ls)",
    );
}

#[test]
fn mcp_tools_by_server_and_tool() {
    let echo = ask().named("mcp__lab__echo");
    check(
        "allow mcp:lab/echo",
        &echo,
        "allow_once (rule 1: allow mcp:lab/echo)",
    );
    check(
        "allow mcp:lab",
        &echo,
        "allow_once (rule 1: allow mcp:lab/*)",
    );
    check("allow mcp:la/echo", &echo, "cancel (no rule matches)");
    let by_input = ask().with_input(&raw(r#"{"server":"lab","tool":"drop","arguments":{}}"#));
    check(
        "deny mcp:*/drop\nallow mcp:lab",
        &by_input,
        "deny (rule 1: deny mcp:*/drop)",
    );
    let by_title = ask().titled("lab_echo (lab MCP Server)");
    check("allow mcp:lab", &by_title, "cancel (rule 1 falls short)");
    check(
        "deny mcp:lab\nallow any",
        &by_title,
        "deny (rule 1: deny mcp:lab/*)",
    );
    assert_eq!(
        rules("allow mcp:lab/echo")
            .trusting_titles()
            .decide(&by_title)
            .decision,
        Decision::AllowOnce
    );
    assert_eq!(
        rules("allow mcp:lab")
            .decide(&ask().with_mcp(McpTool::new("lab", "x")))
            .decision,
        Decision::AllowOnce
    );
}

#[test]
fn a_root_of_their_own_wins_over_the_sessions_directory() {
    let rooted = rules("allow edit:src/**").rooted("/other");
    assert_eq!(
        rooted.decide(&edit("/other/src/a")).decision,
        Decision::AllowOnce
    );
    assert_eq!(rooted.decide(&edit("/ws/src/a")).decision, Decision::Cancel);
    // What the agent writes relative lies below the session's directory all the same.
    assert_eq!(rooted.decide(&edit("src/a")).decision, Decision::Cancel);
}

#[test]
fn flags_refuse_first_then_ask_then_allow() {
    let rules = Rules::from_flags(
        &["execute:rm"],
        &["execute:git push"],
        &["read,execute:git,execute:rm"],
    )
    .unwrap();
    let decide = |line: &str| rules.decide(&run(line)).decision;
    assert_eq!(
        (decide("rm x"), decide("git push"), decide("git log")),
        (Decision::Deny, Decision::Ask, Decision::AllowOnce)
    );
    assert_eq!(
        Rules::from_flags(&[], &[], &["red"])
            .unwrap_err()
            .to_string()
            .split(';')
            .next(),
        Some("`red` is no kind of tool")
    );
}

#[test]
fn files_are_read_and_their_errors_name_the_entry() {
    let read = |text: &str| {
        Rules::try_from(serde_json::from_str::<RulesFile>(text).unwrap())
            .map_err(|error| error.to_string())
    };
    let rules = read(r#"{"version":1,"otherwise":"deny","root":"/ws","rules":[{"deny":"execute:rm"},{"allow":["edit:a, b/**","read"]}]}"#).unwrap();
    assert_eq!(
        rules
            .iter()
            .map(|(effect, scope)| format!("{} {scope}", effect.as_str()))
            .collect::<Vec<_>>(),
        ["deny execute:rm", "allow edit:a, b/**", "allow read"]
    );
    assert_eq!(rules.decide(&run("x")).decision, Decision::Deny);
    assert_eq!(
        read(r#"{"version":2}"#).unwrap_err(),
        "rules of version 2 are not known here; this program reads version 1"
    );
    assert_eq!(
        read(r#"{"version":1,"rules":[{"deny":"any"},{}]}"#).unwrap_err(),
        "rule 2 must hold exactly one of allow, deny and ask; it holds 0"
    );
    assert_eq!(
        read(r#"{"version":1,"rules":[{"allow":"any","deny":"any"}]}"#).unwrap_err(),
        "rule 1 must hold exactly one of allow, deny and ask; it holds 2"
    );
    assert_eq!(
        read(r#"{"version":1,"rules":[{"allow":["edit:~/x"]}]}"#).unwrap_err(),
        "rule 1: `~/x` is not expanded here: write the path out"
    );
    assert_eq!(
        read(r#"{"version":1,"otherwise":"maybe"}"#).unwrap_err(),
        "`maybe` is no decision; known are cancel, deny, ask and allow"
    );
    let typo = serde_json::from_str::<RulesFile>(r#"{"version":1,"rulez":[]}"#)
        .unwrap_err()
        .to_string();
    assert!(typo.contains("rulez"), "{typo}");
}

#[test]
fn chains_go_on_only_where_there_is_no_opinion() {
    let guard = rules("deny execute:rm\nask execute:git push").otherwise(Decision::Defer);
    let chain = Chain::new().then(&guard).then(ReadOnly);
    assert_eq!(chain.decide(&run("rm x")).by, "rules");
    assert_eq!(chain.decide(&run("git push")).decision, Decision::Ask);
    assert_eq!(chain.decide(&edit("a")).by, "read-only");
    assert_eq!(Chain::new().decide(&edit("a")).decision, Decision::Defer);
}

#[test]
fn read_only_goes_by_what_is_done() {
    let decide = |request: &Request| ReadOnly.decide(request).decision;
    assert_eq!(
        decide(&ask().of_kind(Kind::Read).with_path("/etc/x")),
        Decision::AllowOnce
    );
    assert_eq!(decide(&ask().of_kind(Kind::Search)), Decision::AllowOnce);
    for request in [
        edit("a"),
        run("ls"),
        ask(),
        ask().of_kind(Kind::Read).with_diff(),
        ask()
            .of_kind(Kind::Read)
            .with_command(Command::line("cat x")),
    ] {
        assert_eq!(decide(&request), Decision::Deny, "{request:?}");
    }
}

#[test]
fn scopes_read_as_they_are_written() {
    for text in [
        "any",
        "read",
        "execute:git log",
        "edit:src/**",
        "path:/etc",
        "mcp:lab/echo",
        "title:Read *",
    ] {
        assert_eq!(text.parse::<Scope>().unwrap().to_string(), text);
    }
    assert_eq!(
        Kind::Execute.command("touch").inside("/ws").to_string(),
        "execute:touch + path:/ws"
    );
    assert_eq!(
        Scope::kinds([Kind::Read, Kind::Search]).to_string(),
        "read|search"
    );
}

/// An MCP tool is known by its name, or by an input that is its call and nothing else. Members that the model wrote into another tool's input do not make it one.
#[test]
fn an_input_does_not_make_a_tool_an_mcp_tool() {
    let claims = r#"{"server":"docs","tool":"find","arguments":{}}"#;
    check(
        "allow mcp:docs",
        &ask().named("deploy").with_input(&raw(claims)),
        "cancel (rule 1 falls short)",
    );
    let more = r#"{"server":"docs","tool":"find","target":"prod"}"#;
    check(
        "allow mcp:docs",
        &ask().with_input(&raw(more)),
        "cancel (rule 1 falls short)",
    );
    check(
        "deny mcp:docs\nallow any",
        &ask().named("deploy").with_input(&raw(claims)),
        "deny (rule 1: deny mcp:docs/*)",
    );
}

#[test]
fn a_name_that_can_be_cut_in_several_places_must_be_covered_in_each() {
    let call = ask().named("mcp__docs__evil__drop");
    check("allow mcp:docs", &call, "cancel (rule 1 falls short)");
    check(
        "deny mcp:docs__evil/drop\nallow any",
        &call,
        "deny (rule 1: deny mcp:docs__evil/drop)",
    );
    check(
        "allow mcp:docs*",
        &call,
        "allow_once (rule 1: allow mcp:docs*/*)",
    );
    let many = ask().named(&format!("mcp__docs{}__x", "_".repeat(60)));
    check("allow mcp:*", &many, "cancel (rule 1 falls short)");
}

#[test]
fn two_commands_in_one_input_are_not_allowed_by_either() {
    let two = ask()
        .of_kind(Kind::Execute)
        .with_input(&raw(r#"{"cmd":"rm -rf x","command":"ls"}"#));
    check("allow execute:ls", &two, "cancel (rule 1 falls short)");
    check("allow execute:rm", &two, "cancel (rule 1 falls short)");
    check(
        "deny execute:rm\nallow any",
        &two,
        "deny (rule 1: deny execute:rm)",
    );
}

#[test]
fn a_title_does_not_count_where_something_is_changed_or_unread() {
    let rule = "allow title:ok";
    check(
        rule,
        &ask().titled("ok"),
        "allow_once (rule 1: allow title:ok)",
    );
    for request in [
        ask().titled("ok").with_diff(),
        ask().titled("ok").reaching_elsewhere(),
    ] {
        check(rule, &request, "cancel (rule 1 falls short)");
    }
}

#[test]
fn a_refusal_without_a_root_holds_anywhere() {
    let edit = Request::new("s", vec![]).of_kind(Kind::Edit);
    check(
        "deny path:**/.git\nallow any",
        &edit.clone().with_path("/a/.git/config"),
        "deny (rule 1: deny path:**/.git)",
    );
    check(
        "deny path:secret\nallow any",
        &edit.clone().with_path("/a/secret/x"),
        "deny (rule 1: deny path:secret)",
    );
    check(
        "deny path:secret\nallow any",
        &edit.with_path("/a/other"),
        "allow_once (rule 2: allow any)",
    );
}

#[test]
fn a_refusal_sees_other_letters_and_whole_trees() {
    let guarded = "deny path:**/.git\nallow any";
    check(
        guarded,
        &edit("/ws/.GIT/config"),
        "deny (rule 1: deny path:**/.git)",
    );
    for kind in [Kind::Delete, Kind::Move] {
        check(
            guarded,
            &ask().of_kind(kind).with_path("/ws"),
            "deny (rule 1: deny path:**/.git)",
        );
    }
    check(guarded, &edit("/ws"), "allow_once (rule 2: allow any)");
}

#[test]
fn a_refusal_sees_what_a_shell_makes_of_a_word() {
    let guarded = "deny path:**/.git,path:/home/me/.ssh\nallow execute:cat";
    for line in [
        "cat .g*/config",
        "cat .gi?/config",
        "cat ~/.ssh/id_rsa",
        "cat \"$HOME/.ssh/id_rsa\"",
        "cat {.git,x}/config",
    ] {
        let verdict = rules(guarded).decide(&run(line));
        assert_eq!(verdict.decision, Decision::Deny, "{line}");
    }
    for line in ["cat *.rs", "cat ~/notes", "cat '.g*'", "cat $X"] {
        let verdict = rules(guarded).decide(&run(line));
        assert_eq!(verdict.decision, Decision::AllowOnce, "{line}");
    }
}

#[test]
fn a_path_that_a_tool_might_trim_is_not_allowed() {
    for path in [" /etc/passwd", "src/a\n"] {
        check("allow edit:**", &edit(path), "cancel (rule 1 falls short)");
    }
}

/// A host that shares a file system with the agent lends its eyes: `/ws/link` leads to `/etc`, `/tmp` to `/private/tmp`.
#[test]
fn links_are_followed_where_the_host_can() {
    let follow = |path: &str| {
        for (link, target) in [("/ws/link", "/etc"), ("/tmp", "/private/tmp")] {
            if let Some(rest) = path.strip_prefix(link) {
                let real = format!("{target}{rest}");
                // What a file system makes of `..` behind a link.
                return Some(real.replace("/etc/..", ""));
            }
        }
        (path != "/ws/unreadable").then(|| path.to_owned())
    };
    let decide = |text: &str, request: &Request| {
        let verdict = rules(text).following(follow).decide(request);
        verdict.decision
    };
    assert_eq!(
        rules("allow edit:**").decide(&edit("link/passwd")).decision,
        Decision::AllowOnce,
        "by its letters it lies inside"
    );
    assert_eq!(
        decide("allow edit:**", &edit("link/passwd")),
        Decision::Cancel
    );
    assert_eq!(
        decide("allow edit:**", &edit("link/../secret")),
        Decision::Cancel
    );
    assert_eq!(decide("allow edit:**", &edit("src/a")), Decision::AllowOnce);
    assert_eq!(
        decide("allow edit:**", &edit("unreadable")),
        Decision::Cancel
    );
    // Whoever names the link means where it leads.
    assert_eq!(
        decide("allow edit:link", &edit("link/passwd")),
        Decision::AllowOnce
    );
    let temporary = ask().of_kind(Kind::Edit).with_path("/tmp/a");
    assert_eq!(decide("allow edit:/tmp", &temporary), Decision::AllowOnce);
    let guarded = "deny path:/etc\nallow any";
    assert_eq!(decide(guarded, &edit("link/passwd")), Decision::Deny);
    assert_eq!(decide(guarded, &run("cat link/passwd")), Decision::Deny);
    assert_eq!(decide(guarded, &run("cat src/a")), Decision::AllowOnce);
    let long = |count: usize| -> String { (0..count).map(|n| format!(" {n}")).collect() };
    let note = |count| run(&format!("cat{}", long(count) + &" a".repeat(5000)));
    assert_eq!(decide(guarded, &note(4000)), Decision::AllowOnce);
    assert_eq!(
        decide(guarded, &note(5000)),
        Decision::Deny,
        "too many to look at each"
    );
}

/// Shows each rule that comes too late as `N behind M`, with `, partly` where something of it is left.
#[track_caller]
fn overlaps(text: &str, expected: &str) {
    let shown: Vec<String> = rules(text)
        .overlaps()
        .into_iter()
        .map(
            |Overlap {
                 rule, by, wholly, ..
             }| {
                format!("{rule} behind {by}{}", if wholly { "" } else { ", partly" })
            },
        )
        .collect();
    assert_eq!(shown.join("; "), expected, "{text}");
}

#[test]
fn rules_that_come_too_late_are_found() {
    overlaps("allow any\ndeny edit", "2 behind 1");
    overlaps("deny execute\nallow execute:git", "2 behind 1");
    overlaps("allow execute:git\nallow execute:git push", "2 behind 1");
    overlaps("allow execute:git *\nallow execute:git", "2 behind 1");
    // The dangerous one: a plain `git push` is allowed before anybody looks at the second.
    overlaps(
        "allow execute:git\ndeny execute:git push",
        "2 behind 1, partly",
    );
    overlaps("deny execute:git push\nallow execute:git", "");
    overlaps(
        "allow edit:src/**\nask edit:src/lib.rs",
        "2 behind 1, partly",
    );
    overlaps("deny path:**/.git\nallow edit:src/.git/**", "2 behind 1");
    overlaps("deny path:**/.git\nallow edit:src/**", "");
    overlaps("deny edit:src/*\nallow edit:src/**", "");
    overlaps("deny edit:src/*\nallow edit:src/a", "");
    overlaps("deny edit:src/**\nallow edit:src/a", "2 behind 1");
    overlaps("deny edit:/ws/?\nallow edit:/ws/*", "");
    overlaps("deny mcp:docs\nallow mcp:docs/find", "2 behind 1");
    overlaps("deny mcp:docs/find\nallow mcp:docs", "");
    overlaps("deny title:Read *\nallow title:Read it", "2 behind 1");
    overlaps("allow read,read\ndeny fetch", "2 behind 1");
    overlaps(
        "allow read\nallow edit\nask read,edit",
        "3 behind 1, partly; 4 behind 2, partly",
    );
}
