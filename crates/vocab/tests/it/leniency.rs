//! Every member of every type against what the official implementation tolerates.
//!
//! `leniency.json` has a row for each member: what happens when it is missing, `null` or ill-typed,
//! and a few more probes. The rule is: at least as tolerant. What is tolerated beyond that is
//! listed in [`DIFFERENCES`], which is strict both ways.

use acp_vocab::{FieldInfo, ProtocolVersion, Rule, Shape, TypeRef};
use serde::Deserialize;
use serde_json::{Value, json};

use crate::sample;

#[derive(Debug, Deserialize)]
struct Row {
    version: u16,
    #[serde(rename = "type")]
    ty: String,
    field: String,
    kind: String,
    missing: String,
    null: String,
    ill: String,
    probes: String,
}

impl Row {
    fn version(&self) -> ProtocolVersion {
        ProtocolVersion(self.version)
    }

    /// The member as our table has it.
    fn member(&self) -> &'static FieldInfo {
        let Shape::Struct { fields, .. } = sample::find(&self.ty, self.version()).shape else {
            panic!("{} is no object", self.ty);
        };
        fields
            .iter()
            .find(|field| field.name == self.field)
            .unwrap_or_else(|| panic!("{}.{} is no member", self.ty, self.field))
    }

    /// A good value of the member.
    fn good(&self) -> Value {
        match self.member() {
            field if field.rule == Rule::Flattened => json!("end_turn"),
            field => sample::reference(field.ty, self.version()),
        }
    }

    /// A good value of an item of the member.
    fn good_item(&self) -> Value {
        match self.member().ty {
            TypeRef::List(item) => sample::reference(*item, self.version()),
            other => panic!("{other} is no list"),
        }
    }

    /// Decodes the object with the member set, or left out, and gives what became of the member.
    fn read(&self, value: Option<&Value>) -> Outcome {
        let mut object = sample::named(&self.ty, self.version());
        let members = object.as_object_mut().unwrap();
        match value {
            Some(value) => members.insert(self.field.clone(), value.clone()),
            None => members.remove(&self.field),
        };
        match sample::recode(&self.ty, self.version(), &object) {
            Err(_) => Outcome::Reject,
            Ok(back) => match back.get(&self.field) {
                None => Outcome::Absent,
                Some(back) if is_default(back) => Outcome::Default,
                Some(back) => Outcome::Kept(back.clone()),
            },
        }
    }
}

#[derive(Clone, Debug, PartialEq)]
enum Outcome {
    Reject,
    /// Not written back.
    Absent,
    /// Written back as the default of its type.
    Default,
    Kept(Value),
}

/// The defaults that are written: off, nothing in the list, nothing known.
fn is_default(value: &Value) -> bool {
    match value {
        Value::Bool(on) => !on,
        Value::Array(items) => items.is_empty(),
        Value::Object(members) => members.values().all(is_default),
        Value::String(text) => matches!(text.as_str(), "object" | "pending" | "other"),
        Value::Null | Value::Number(_) => false,
    }
}

/// What a cell of the tables says, in our words.
fn expected(cell: &str, sent: &Value) -> Vec<Outcome> {
    match cell {
        "reject" | "x" => vec![Outcome::Reject],
        "ok" | "any" => vec![Outcome::Kept(sent.clone())],
        "absent" | "default" | "[]" => vec![Outcome::Absent, Outcome::Default],
        "null" => vec![Outcome::Kept(Value::Null)],
        cell if cell.starts_with('=') => vec![Outcome::Default, Outcome::Absent],
        other => panic!("an unknown cell: {other}"),
    }
}

/// Values of every kind that a member of this kind is not.
fn ill_typed(kind: &str) -> Vec<Value> {
    let all = [
        ("string", json!("text")),
        ("number", json!(5)),
        ("boolean", json!(true)),
        ("object", json!({"unheard": 1})),
        ("array", json!([{"unheard": 1}])),
    ];
    let fits: &[&str] = match kind {
        "string" | "enum" | "enum-open" => &["string"],
        "number" | "integer" => &["number"],
        "boolean" => &["boolean"],
        "object" | "union" => &["object"],
        "array" => &["array"],
        "scalar-union" => &["string", "number", "array"],
        "any" => &["string", "number", "boolean", "object", "array"],
        other => panic!("an unknown kind: {other}"),
    };
    all.into_iter()
        .filter(|(kind, _)| !fits.contains(kind))
        .map(|(_, value)| value)
        .collect()
}

/// One input, what the tables say about it and what we did.
struct Case {
    name: String,
    expected: Vec<Outcome>,
    got: Outcome,
}

/// The inputs of one row.
struct Cases<'r> {
    row: &'r Row,
    cases: Vec<Case>,
}

impl Cases<'_> {
    /// Sends a value, or leaves the member out, and expects one of some outcomes.
    fn send(&mut self, name: &str, value: Option<&Value>, expected: Vec<Outcome>) {
        self.cases.push(Case {
            name: name.to_owned(),
            expected,
            got: self.row.read(value),
        });
    }

    /// Sends a value and expects what a cell of the table says.
    fn cell(&mut self, name: &str, value: &Value, cell: &str) {
        let mut expected = expected(cell, value);
        if cell == "ok" && is_default(value) {
            expected.extend([Outcome::Default, Outcome::Absent]);
        }
        self.send(name, Some(value), expected);
    }

    /// Sends a list with a bad item in the middle and expects the others.
    fn without_the_bad_one(&mut self, name: &str, bad: &Value) {
        let good = self.row.good_item();
        let list = json!([good, bad, good]);
        self.send(name, Some(&list), vec![Outcome::Kept(json!([good, good]))]);
    }

    /// Sends a list with a bad item in the middle and expects what a cell says.
    fn with_the_bad_one(&mut self, name: &str, bad: &Value, cell: &str) {
        let good = self.row.good_item();
        self.cell(name, &json!([good, bad, good]), cell);
    }
}

fn cases(row: &Row) -> Vec<Case> {
    let mut cases = Cases {
        row,
        cases: Vec::new(),
    };
    let missing = if row.missing == "ok" {
        "absent"
    } else {
        &row.missing
    };
    cases.send("missing", None, expected(missing, &Value::Null));
    cases.cell("null", &Value::Null, &row.null);
    cases.cell("good", &row.good(), "ok");
    let mut words = row.ill.split("; ");
    let ill = words.next().unwrap();
    for value in ill_typed(&row.kind) {
        cases.cell(&format!("ill-typed {value}"), &value, ill);
    }
    if row.kind == "array" {
        // No item of any list is a list of booleans.
        let bad = json!([true]);
        match words.next() {
            Some("bad item skipped") => cases.without_the_bad_one("bad item", &bad),
            Some("bad item: whole list absent") => {
                cases.with_the_bad_one("bad item", &bad, "absent");
            }
            _ => cases.with_the_bad_one("bad item", &bad, "reject"),
        }
    }
    for probe in row.probes.split("; ").filter(|probe| !probe.is_empty()) {
        let (name, cell) = probe.rsplit_once(": ").unwrap();
        match (name, cell) {
            ("null item", "skip") => cases.without_the_bad_one(name, &Value::Null),
            ("null item", cell) => cases.with_the_bad_one(name, &Value::Null, cell),
            ("unknown item" | "unknown str" | "unknown tag", _) => {
                // An unknown word is kept, where the official types drop it or fail.
                if let Some(sent) = unknown(row, name) {
                    cases.send(name, Some(&sent), vec![Outcome::Kept(sent.clone())]);
                }
            }
            (value, cell) => cases.cell(value, &serde_json::from_str(value).unwrap(), cell),
        }
    }
    cases.cases
}

/// A value with a word that nobody knows; `None` for a union that has no words.
fn unknown(row: &Row, probe: &str) -> Option<Value> {
    let ty = match (probe, row.member().ty) {
        ("unknown item", TypeRef::List(item)) => *item,
        (_, ty) => ty,
    };
    let TypeRef::Named(name) = ty else {
        return None;
    };
    let word = match sample::find(name, row.version()).shape {
        Shape::Enum(_) => json!("_unheard"),
        Shape::Union { tag, .. } => json!({tag: "_unheard", "more": [1, {"two": null}]}),
        _ => return None,
    };
    Some(if probe == "unknown item" {
        json!([word])
    } else {
        word
    })
}

/// Where we read what the official types refuse or drop, and why. `(version, type, member, probe)`;
/// `*` stands for any.
const DIFFERENCES: &[(u16, &str, &str, &str, &str)] = &[
    (
        1,
        "ResourceLink",
        "size",
        "-1",
        "no resource has a size below zero, and v2 has none to write",
    ),
    (
        1,
        "TerminalExitStatus",
        "exitCode",
        "-1",
        "one type for both versions; v2 knows codes below zero",
    ),
    (
        1,
        "WaitForTerminalExitResponse",
        "exitCode",
        "-1",
        "the same code as in an exit status",
    ),
    (
        1,
        "UsageUpdate",
        "cost",
        "null",
        "one type for both versions; v2 clears the cost by null",
    ),
    (
        2,
        "CancelRequestNotification",
        "requestId",
        "null",
        "one type of id; v1 allows null",
    ),
    (
        2,
        "ElicitationRequestScope",
        "requestId",
        "null",
        "one type of id; v1 allows null",
    ),
    (
        2,
        "ElicitationSchema",
        "type",
        "*",
        "v1 fills it in, and it can only be one thing",
    ),
    (
        2,
        "ElicitationSchema",
        "properties",
        "missing",
        "v1 reads a form without fields",
    ),
    (
        2,
        "RequestPermissionRequest",
        "options",
        "[]",
        "answered cancelled; a fault would leave it open",
    ),
    (
        1,
        "SessionConfigOption",
        "name",
        "*",
        "real agents leave it out; the id is enough to set it",
    ),
    (
        2,
        "SessionConfigOption",
        "name",
        "*",
        "real agents leave it out; the id is enough to set it",
    ),
];

#[test]
fn at_least_as_tolerant() {
    let rows: Vec<Row> = serde_json::from_str(include_str!("leniency.json")).unwrap();
    let mut ran = 0;
    let mut used = vec![0; DIFFERENCES.len()];
    let mut wrong = Vec::new();
    for row in &rows {
        for case in cases(row) {
            ran += 1;
            if case.expected.contains(&case.got) {
                continue;
            }
            let listed = DIFFERENCES
                .iter()
                .position(|(version, ty, field, probe, _)| {
                    *version == row.version
                        && *ty == row.ty
                        && *field == row.field
                        && (*probe == "*" || case.name == *probe)
                });
            match listed {
                Some(index) => used[index] += 1,
                None => wrong.push(format!(
                    "v{} {}.{}, {}: expected {:?}, got {:?}",
                    row.version, row.ty, row.field, case.name, case.expected, case.got
                )),
            }
        }
    }
    println!("{} members, {ran} inputs", rows.len());
    assert!(
        wrong.is_empty(),
        "{} differences:\n{}",
        wrong.len(),
        wrong.join("\n")
    );
    for (difference, used) in DIFFERENCES.iter().zip(used) {
        assert!(used > 0, "a difference that has gone: {difference:?}");
    }
}
