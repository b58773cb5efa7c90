//! What a turn does, by the words of its prompt.

/// One thing that a turn does.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Step {
    /// Say this word.
    Say(String),
    /// Think aloud.
    Think,
    /// A tool call that begins, goes on and completes, with a diff.
    Tool,
    /// A plan.
    Plan,
    /// Ask for permission, and say what was decided.
    Ask,
    /// Ask by a form, and say what was answered.
    Form,
    /// Ask to open a page, and say what was answered.
    Page,
    /// Wait until the turn is cancelled.
    Wait,
    /// Read a file through the client (v1) and say what is in it.
    Read(String),
    /// Write a file through the client (v1).
    Write(String),
    /// Use every terminal method of the client (v1), or show a terminal of one's own (v2).
    Run,
    /// A tool call that can be cancelled by itself, and is waited for (v2).
    Detached,
    /// A terminal that can be cancelled by itself, and is waited for (v2).
    Server,
    /// Say what the session was opened with: servers, directories, instructions.
    Given,
    /// How full the context is.
    Usage,
    /// A new title.
    Title,
    /// The slash commands.
    Commands,
    /// Another mode (v1), and the options.
    Options,
    /// End as refused.
    Refuse,
    /// End by an error.
    Fail,
}

/// Reads a prompt: one step for each word.
#[must_use]
pub fn steps(prompt: &str) -> Vec<Step> {
    prompt.split_whitespace().map(step).collect()
}

fn step(word: &str) -> Step {
    if let Some(path) = word.strip_prefix("read=") {
        return Step::Read(path.to_owned());
    }
    if let Some(path) = word.strip_prefix("write=") {
        return Step::Write(path.to_owned());
    }
    match word {
        "think" => Step::Think,
        "tool" => Step::Tool,
        "plan" => Step::Plan,
        "ask" => Step::Ask,
        "form" => Step::Form,
        "page" => Step::Page,
        "wait" => Step::Wait,
        "run" => Step::Run,
        "detached" => Step::Detached,
        "server" => Step::Server,
        "given" => Step::Given,
        "usage" => Step::Usage,
        "title" => Step::Title,
        "commands" => Step::Commands,
        "options" => Step::Options,
        "refuse" => Step::Refuse,
        "fail" => Step::Fail,
        word => Step::Say(word.to_owned()),
    }
}
