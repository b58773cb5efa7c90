//! `acp describe`: what this program knows about a method or a type, without an agent and without a network.

mod document;
mod form;
mod layout;
mod listed;
mod settled;
mod text;

use std::io::{self, Write as _};

use acp_harness::vocab::{ALIASES, Method, ProtocolVersion, TYPES, TypeInfo};

use self::{
    document::{MethodDocument, TypeDocument},
    listed::List,
};
use crate::{exit::Exit, lowargs::Describe, nearest, offer, output::Style, safe};

/// Prints it.
pub(crate) fn describe(args: &Describe, style: &Style) -> Exit {
    let version = match offer::version(args.protocol.as_deref()) {
        Ok(version) => version,
        Err(envelope) => return misuse(&envelope.message, &[]),
    };
    let printed = match &args.what {
        None => print(&List::new(version), style, text::list),
        Some(name) => match find(name, version) {
            Found::Method(rows) => print(&rows, style, text::methods),
            Found::Type(types) => print(&types, style, text::types),
            Found::OtherVersion(versions) => {
                let versions = versions.join(" and ");
                let message = format!("{} is a word of {versions} only", safe::line(name, 80));
                return misuse(&message, &[]);
            }
            Found::Nothing(nearest) => {
                let message = format!("no method and no type is called {}", safe::line(name, 80));
                return misuse(&message, &nearest);
            }
        },
    };
    match printed {
        Ok(()) => Exit::Ok,
        Err(error) if error.kind() == io::ErrorKind::BrokenPipe => Exit::PipeClosed,
        Err(_) => Exit::Failed,
    }
}

fn misuse(message: &str, nearest: &[&'static str]) -> Exit {
    let mut stderr = io::stderr().lock();
    // With stderr gone there is nobody left to tell.
    drop(writeln!(stderr, "acp: {message}"));
    if !nearest.is_empty() {
        drop(writeln!(stderr, "  did you mean {}?", nearest.join(", ")));
    }
    drop(writeln!(
        stderr,
        "  `acp describe` lists the methods and the types"
    ));
    Exit::Usage
}

fn print<T: serde::Serialize + ?Sized>(
    document: &T,
    style: &Style,
    text: impl FnOnce(&T) -> String,
) -> io::Result<()> {
    let text = if style.json {
        let mut line = serde_json::to_string(document)?;
        line.push('\n');
        line
    } else {
        text(document)
    };
    io::stdout().lock().write_all(text.as_bytes())
}

/// What a name stands for.
enum Found {
    Method(Vec<MethodDocument>),
    Type(Vec<TypeDocument>),
    /// It is known, and not in the version that was asked for.
    OtherVersion(Vec<String>),
    Nothing(Vec<&'static str>),
}

fn find(name: &str, version: Option<ProtocolVersion>) -> Found {
    let asked = |other: ProtocolVersion| version.is_none_or(|version| version == other);
    if let Some(method) = Method::find(name) {
        let rows: Vec<_> = method
            .specs()
            .filter(|spec| asked(spec.version))
            .map(MethodDocument::new)
            .collect();
        return if rows.is_empty() {
            let versions = method.specs().map(|spec| format!("v{}", spec.version));
            Found::OtherVersion(versions.collect())
        } else {
            Found::Method(rows)
        };
    }
    let named: Vec<&TypeInfo> = TYPES
        .iter()
        .chain(ALIASES)
        .copied()
        .filter(|info| info.name.eq_ignore_ascii_case(name))
        .collect();
    if named.is_empty() {
        let names = Method::ALL
            .iter()
            .map(|method| method.name())
            .chain(TYPES.iter().chain(ALIASES).map(|info| info.name));
        return Found::Nothing(nearest::nearest(name, names));
    }
    let versions = [ProtocolVersion::V1, ProtocolVersion::V2];
    let wanted = |info: &&&TypeInfo| {
        versions
            .iter()
            .any(|other| asked(*other) && info.presence.within(*other).is_some())
    };
    let types: Vec<_> = named
        .iter()
        .filter(wanted)
        .map(|info| TypeDocument::new(info, version))
        .collect();
    if types.is_empty() {
        let there = versions
            .iter()
            .filter(|version| {
                named
                    .iter()
                    .any(|info| info.presence.within(**version).is_some())
            })
            .map(|version| format!("v{version}"));
        Found::OtherVersion(there.collect())
    } else {
        Found::Type(types)
    }
}

#[cfg(test)]
mod tests;
