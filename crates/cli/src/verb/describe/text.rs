//! The same for people: aligned columns, wrapped to the terminal.

use super::{
    document::{MethodDocument, TypeDocument},
    form::{Form, Member, Word},
    layout::{table, wrapped},
    listed::List,
    settled::InVersion,
};

const LEGEND: &str = "\
A word without a label is stable. U: a draft. U>S: a draft that the newer schema has settled.
C:S, C:U: in the newer schema only. S-, U-: dropped by the newer schema. L: in no schema, and still spoken.
";

/// Everything that can be described.
pub(super) fn list(list: &List) -> String {
    let mut out = String::from(LEGEND);
    let mut directions: Vec<&str> = Vec::new();
    for row in &list.methods {
        if !directions.contains(&row.direction) {
            directions.push(row.direction);
        }
    }
    for direction in directions {
        heading(&mut out, &format!("Methods, {direction}"));
        let rows: Vec<[String; 3]> = list
            .methods
            .iter()
            .filter(|row| row.direction == direction)
            .map(|row| {
                [
                    row.method.to_owned(),
                    row.kind.to_owned(),
                    standing(&row.versions),
                ]
            })
            .collect();
        table(&mut out, 2, &rows);
    }
    heading(&mut out, "Types");
    let rows: Vec<[String; 3]> = list
        .types
        .iter()
        .map(|row| {
            [
                row.name.to_owned(),
                standing(&row.versions),
                first_sentence(&row.doc).to_owned(),
            ]
        })
        .collect();
    table(&mut out, 2, &rows);
    out
}

/// A method in each version that was asked for.
pub(super) fn methods(rows: &Vec<MethodDocument>) -> String {
    let mut out = String::new();
    for row in rows {
        heading(
            &mut out,
            &format!("{} (v{})", row.method, row.protocol_version),
        );
        let mut facts = vec![
            [String::from("direction"), row.direction.to_owned()],
            [String::from("kind"), row.kind.to_owned()],
            [String::from("stability"), row.stability.meaning.to_owned()],
            [String::from("needs"), row.gate.clone()],
        ];
        facts.push([String::from("params"), summary(&row.params)]);
        table(&mut out, 2, &facts);
        form(&mut out, 4, &row.params.form);
        let result = match &row.result {
            Some(result) => summary(result),
            None => String::from("none: it is never answered"),
        };
        table(&mut out, 2, &[[String::from("result   "), result]]);
        if let Some(result) = &row.result {
            form(&mut out, 4, &result.form);
        }
    }
    out
}

/// A type in each shape that was asked for.
pub(super) fn types(types: &Vec<TypeDocument>) -> String {
    let mut out = String::new();
    for ty in types {
        heading(
            &mut out,
            &format!("{} ({})", ty.name, standing(&ty.versions)),
        );
        wrapped(&mut out, 2, &ty.doc);
        form(&mut out, 2, &ty.form);
    }
    out
}

fn summary(ty: &TypeDocument) -> String {
    let unsettled: Vec<_> = ty
        .versions
        .iter()
        .filter(|there| !there.stability.is_plain())
        .map(|there| there.stability.meaning)
        .collect();
    let mut text = ty.name.to_owned();
    if !unsettled.is_empty() {
        text.push_str(&format!(" ({})", unsettled.join(", ")));
    }
    if !ty.doc.is_empty() {
        text.push_str(&format!(": {}", ty.doc));
    }
    text
}

fn form(out: &mut String, indent: usize, form: &Form) {
    let note = |out: &mut String, text: &str| wrapped(out, indent, text);
    match form {
        Form::Object {
            members,
            null_is_empty,
        } => {
            if members.is_empty() {
                note(out, "(no members)");
            }
            let rows: Vec<[String; 3]> = members.iter().map(member).collect();
            table(out, indent, &rows);
            if *null_is_empty {
                note(out, "null, or nothing at all, is read as the empty object");
            }
        }
        Form::Union {
            tag,
            variants,
            untagged,
        } => {
            note(out, &format!("one of, named by `{tag}`; others are kept:"));
            table(out, indent, &words(variants));
            if let Some(untagged) = untagged {
                note(out, &format!("without `{tag}` it is read as {untagged}"));
            }
        }
        Form::Enum { values } => {
            note(out, "one of these strings; others are kept:");
            table(out, indent, &words(values));
        }
        Form::Alias { of, target } => {
            note(out, &format!("the same as {of}"));
            if let Some(target) = target {
                self::form(out, indent, &target.form);
            }
        }
        Form::Choice { types } => note(out, &format!("one of {}", types.join(", "))),
        Form::Opaque => {}
    }
}

fn member(member: &Member) -> [String; 3] {
    let name = if member.name.is_empty() {
        String::from("(beside)")
    } else if member.required {
        member.name.to_owned()
    } else {
        format!("{}?", member.name)
    };
    let mut doc = member.doc.clone();
    if member.missing == "absent" && member.null == "kept" && !member.name.is_empty() {
        push(&mut doc, "`null` differs from missing.");
    }
    push(&mut doc, &unsettled(&member.versions));
    [name, member.ty.clone(), doc]
}

fn words(words: &[Word]) -> Vec<[String; 3]> {
    words
        .iter()
        .map(|word| {
            let mut doc = word.doc.clone();
            push(&mut doc, &unsettled(&word.versions));
            let body = word.body.unwrap_or_default().to_owned();
            [word.value.to_owned(), body, doc]
        })
        .collect()
}

fn push(text: &mut String, more: &str) {
    if !more.is_empty() {
        if !text.is_empty() {
            text.push(' ');
        }
        text.push_str(more);
    }
}

/// `v1, v2 a draft`: where a word is and how settled.
fn standing(versions: &[InVersion]) -> String {
    let there: Vec<String> = versions
        .iter()
        .map(|there| {
            if there.stability.is_plain() {
                format!("v{}", there.protocol_version)
            } else {
                format!("v{} {}", there.protocol_version, there.stability.label)
            }
        })
        .collect();
    there.join(", ")
}

/// What has to be said about where a member is: nothing for one that is stable in all versions shown.
fn unsettled(versions: &[InVersion]) -> String {
    if versions.iter().all(|there| there.stability.is_plain()) {
        String::new()
    } else {
        format!("[{}]", standing(versions))
    }
}

fn heading(out: &mut String, text: &str) {
    if !out.is_empty() {
        out.push('\n');
    }
    out.push_str(text);
    out.push('\n');
}

fn first_sentence(doc: &str) -> &str {
    doc.split_once(". ").map_or(doc, |(first, _)| first)
}
