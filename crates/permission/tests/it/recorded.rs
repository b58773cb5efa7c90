//! Dry runs over every recorded conversation: what a careful set of rules would have decided about what real agents asked.

use std::{collections::BTreeSet, fmt::Write as _, fs, path::Path};

use acp_permission::{AllowOnce, Deny, DryRow, DryRun, Policy, RecordedAnswer, Rules, Side};

fn run(file: &Path, policy: &dyn Policy) -> Vec<DryRow> {
    #[derive(serde::Deserialize)]
    struct Line {
        dir: String,
        frame: String,
    }
    let mut run = DryRun::new(policy);
    for line in fs::read_to_string(file).unwrap().lines() {
        let line: Line = serde_json::from_str(line).unwrap();
        match line.dir.as_str() {
            "in" => run.line(Side::Agent, &line.frame),
            "out" => run.line(Side::Client, &line.frame),
            _ => {}
        }
    }
    run.finish()
}

fn transcripts() -> Vec<std::path::PathBuf> {
    let folder = Path::new(concat!(
        env!("CARGO_MANIFEST_DIR"),
        "/../../fixtures/transcripts"
    ));
    let mut files: Vec<_> = fs::read_dir(folder)
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .collect();
    files.retain(|file| file.extension().is_some_and(|ending| ending == "ndjson"));
    files.sort();
    files
}

fn rules() -> Rules {
    Rules::from_flags(
        &["path:/etc", "execute:seq"],
        &["execute:python3"],
        &["read,edit:**,execute:echo"],
    )
    .unwrap()
}

/// One line for each request that an agent asked, without those that differ only in their ids.
#[test]
fn what_rules_would_have_decided() {
    let rules = rules();
    let mut seen = BTreeSet::new();
    let mut text = String::new();
    for file in transcripts() {
        let name = file.file_stem().unwrap().to_str().unwrap().to_owned();
        let agent = name.split_inclusive("-v").take(1).collect::<String>()
            + if name.contains("-v2-") { "2" } else { "1" };
        for row in run(&file, &rules) {
            let request = &row.request;
            let mut asked = format!("{} {:?}", request.kind(), request.title());
            asked.extend(
                request
                    .command()
                    .map(|command| format!(" command={:?}", command.text())),
            );
            asked.extend(request.paths().map(|path| format!(" path={path}")));
            asked.extend(
                request
                    .mcp()
                    .map(|mcp| format!(" mcp={}/{}", mcp.server, mcp.tool)),
            );
            let answer = row.answer.option_id().map_or("cancelled", |id| id.as_str());
            let line = format!(
                "{agent}: {asked} -> {} ({}) {answer}",
                row.verdict.decision.as_str(),
                row.verdict.why
            );
            if seen.insert(line.clone()) {
                writeln!(text, "{line}").unwrap();
            }
        }
    }
    insta::assert_snapshot!("dry-run", text);
}

#[test]
fn every_recorded_request_can_be_allowed_once_and_refused_by_kind() {
    let (mut requests, mut answered) = (0, 0);
    for file in transcripts() {
        for row in run(&file, &AllowOnce) {
            requests += 1;
            assert!(
                row.answer.approves() && row.answer.note.is_none(),
                "{file:?} {row:?}"
            );
            assert!(
                row.request.directory().is_some(),
                "{file:?} says where its session works"
            );
            answered += usize::from(!matches!(row.recorded, RecordedAnswer::Missing));
        }
        for row in run(&file, &Deny) {
            assert!(
                row.answer.option_id().is_some()
                    && !row.answer.approves()
                    && row.answer.note.is_none(),
                "{file:?} {row:?}"
            );
        }
    }
    assert!(requests > 80 && answered > 60, "{requests} {answered}");
}
