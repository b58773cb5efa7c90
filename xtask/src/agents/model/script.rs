//! What the model says: the last mark in what a person wrote decides, and whether the tool that it
//! asks for has run.
//!
//! Marks: `[model:text]`, `[model:think]`, `[model:shell COMMAND]`, `[model:slow]`, `[model:hang]`.

use super::Say;
use super::request::{Request, Role};

/// Text of an ordinary answer.
pub(crate) const HELLO: &str = "Hello from the model.";
/// A thought, and the text behind it.
pub(crate) const WEIGHED: &str = "Both ways were weighed.";
pub(crate) const ANSWER: &str = "The second way it is.";
/// The text after a tool.
pub(crate) const DONE: &str = "The command was asked for.";
/// How the slow answer begins; and how many pieces it has, a tenth of a second each.
pub(crate) const SLOWLY: &str = "Slowly:";
const PIECES: usize = 600;

const MARK: &str = "[model:";

/// Whether a person's words hold a mark and tools were offered: a turn, not a title for it.
pub(super) fn is_scripted(request: &Request) -> bool {
    !request.tools.is_empty() && mark(request).is_some()
}

pub(super) fn says(request: &Request) -> Vec<Say> {
    let text = |text: &str| vec![Say::Text(text.to_owned())];
    let Some((at, mark)) = mark(request).filter(|_| !request.tools.is_empty()) else {
        return text(HELLO);
    };
    let tool_ran = request
        .turns
        .iter()
        .skip(at)
        .any(|(role, _)| *role == Role::Tool);
    match mark.split_once(' ').unwrap_or((mark, "")) {
        ("think", _) => vec![
            Say::Thought(WEIGHED.to_owned()),
            Say::Text(ANSWER.to_owned()),
        ],
        ("shell", _) if tool_ran => text(DONE),
        ("shell", command) => vec![
            Say::Text("A command is needed.".to_owned()),
            Say::Shell(command.to_owned()),
        ],
        ("slow", _) => {
            let mut says = text(SLOWLY);
            for piece in 1..=PIECES {
                says.extend([Say::Pause, Say::Text(format!(" {piece}"))]);
            }
            says
        }
        ("hang", _) => vec![Say::Text(SLOWLY.to_owned()), Say::Silence],
        _ => text(HELLO),
    }
}

/// The last mark of a person, without its brackets, and the turn that it stands in.
fn mark(request: &Request) -> Option<(usize, &str)> {
    request
        .turns
        .iter()
        .enumerate()
        .rev()
        .find_map(|(at, (role, said))| {
            let start = said.rfind(MARK)? + MARK.len();
            let rest = said.get(start..)?;
            (*role == Role::Person).then_some((at, rest.get(..rest.find(']')?)?))
        })
}
