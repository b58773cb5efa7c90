//! The table of outcomes: the one in `docs/serve.md` is the one in the code.

use std::{fs, path::Path};

use acp_serve::{Completed, Failure, FailureClass, Limit, Outcome, Said, Stop};
use acp_vocab::StopReason;

/// Every outcome there is, by the name that the table gives it.
fn all() -> Vec<(String, Outcome)> {
    let mut all = vec![
        ("Completed".to_owned(), Ok(Completed::new())),
        ("Stop::Cancelled".to_owned(), Err(Stop::Cancelled)),
        ("Stop::PolicyDenied".to_owned(), Err(Stop::PolicyDenied)),
        ("Stop::TimedOut".to_owned(), Err(Stop::TimedOut)),
    ];
    for (name, limit) in [
        ("Tokens", Limit::Tokens),
        ("ModelCalls", Limit::ModelCalls),
        ("ToolCalls", Limit::ToolCalls),
        ("Output", Limit::Output),
        ("Other", Limit::Other("rows".into())),
    ] {
        let outcome = Err(Stop::LimitExceeded(limit));
        all.push((format!("Stop::LimitExceeded({name})"), outcome));
    }
    for class in FailureClass::ALL {
        let outcome = Err(Stop::Failed(Failure::new(*class, "what happened")));
        all.push((format!("Stop::Failed({class:?})"), outcome));
    }
    all
}

/// The rows of the table: name, stop reason, error code.
fn documented() -> Vec<(String, String, String)> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/serve.md");
    let text = fs::read_to_string(path).expect("the document");
    let table = text.split("## Outcomes").nth(1).expect("the section");
    table
        .lines()
        .filter(|line| line.starts_with("| `"))
        .map(|line| {
            let cells: Vec<&str> = line
                .split('|')
                .map(|cell| cell.trim().trim_matches('`'))
                .collect();
            (
                cells[1].to_owned(),
                cells[2].to_owned(),
                cells[3].to_owned(),
            )
        })
        .collect()
}

#[test]
fn the_table_is_the_code() {
    let documented = documented();
    let all = all();
    assert_eq!(documented.len(), all.len(), "a row for each outcome");
    for (name, outcome) in all {
        let row = documented
            .iter()
            .find(|row| row.0 == name)
            .unwrap_or_else(|| panic!("no row for {name}"));
        let (reason, code) = match Said::of(&outcome, false) {
            Said::Reason(reason) => (reason.to_string(), String::new()),
            Said::Error(error) => (String::new(), error.code.0.to_string()),
            said => panic!("{said:?}"),
        };
        assert_eq!((&row.1, &row.2), (&reason, &code), "{name}");
    }
}

#[test]
fn nothing_but_completion_is_the_end_of_a_turn() {
    for (name, outcome) in all() {
        let ended = Said::of(&outcome, false) == Said::Reason(StopReason::EndTurn);
        assert_eq!(ended, outcome.is_ok(), "{name}");
    }
}

#[test]
fn after_a_cancel_the_client_waits_for_cancelled() {
    for (name, outcome) in all() {
        let said = Said::of(&outcome, true);
        assert_eq!(said, Said::Reason(StopReason::Cancelled), "{name}");
    }
}

#[test]
fn errors_say_what_happened() {
    for (name, outcome) in all() {
        if let Said::Error(error) = Said::of(&outcome, false) {
            let data = error.data.unwrap_or_else(|| panic!("{name} has no data"));
            assert!(
                data.get().contains("\"outcome\":"),
                "{name}: {}",
                data.get()
            );
        }
    }
}
