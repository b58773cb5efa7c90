//! What a mode is made of: steps at the points of a conversation, and a few standing habits. Built-in modes and `--script` files are
//! written in the same words.

use std::collections::BTreeMap;

use serde::Deserialize;

/// How an agent misbehaves. Everything that is not said is done properly.
#[derive(Debug, Clone, Default, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case", default)]
pub(crate) struct Script {
    /// A sentence for `--list`.
    pub(crate) what: String,
    /// The one protocol version in which it makes sense, or is to be spoken.
    pub(crate) protocol: Option<u8>,
    /// Modes that it is made of, before its own words.
    pub(crate) modes: Vec<String>,
    /// Done before the first line is read.
    pub(crate) start: Vec<Step>,
    /// Done when the client closes our input.
    pub(crate) eof: Vec<Step>,
    /// Done instead of the answer to a line that is no message.
    pub(crate) garbage: Vec<Step>,
    /// Done instead of taking a prompt while a turn runs.
    pub(crate) busy: Vec<Step>,
    /// Done before the proper answer to a method.
    pub(crate) before: BTreeMap<String, Vec<Step>>,
    /// Done instead of it.
    pub(crate) instead: BTreeMap<String, Vec<Step>>,
    /// Done after it, or after what was done instead.
    pub(crate) after: BTreeMap<String, Vec<Step>>,
    /// What it takes no notice of.
    pub(crate) ignores: Vec<Ignored>,
    /// The rules that it does not hold others to.
    pub(crate) accepts: Vec<Accepted>,
    /// `protocolVersion` of its `initialize` results, as JSON.
    pub(crate) version: Option<String>,
    /// `sessionId` of its new sessions, as JSON.
    pub(crate) session: Option<String>,
    /// Its capabilities, as JSON.
    pub(crate) capabilities: Option<String>,
    /// Its auth methods, as JSON.
    pub(crate) auth_methods: Option<String>,
    /// How its lines reach the wire.
    pub(crate) wire: Wire,
}

/// What an agent can fail to notice.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub(crate) enum Ignored {
    /// The end of its input.
    Eof,
    /// SIGTERM, SIGINT and SIGHUP.
    Terminate,
    /// `session/cancel` and `$/cancel_request`.
    Cancel,
}

/// What an agent can let pass.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub(crate) enum Accepted {
    /// A relative working directory.
    RelativeCwd,
    /// A session that it never opened.
    UnknownSession,
    /// A request before `initialize`.
    AnyOrder,
    /// A method that it does not know: the result is null.
    UnknownMethod,
    /// Params that lack what they need.
    BadParams,
    /// Garbage: no answer to a line that is no message.
    Garbage,
}

/// How lines reach the wire.
#[derive(Debug, Clone, Default, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case", default)]
pub(crate) struct Wire {
    /// What ends a line.
    pub(crate) newline: Option<String>,
    /// What stands before each line.
    pub(crate) prefix: Option<String>,
    /// How many bytes are written at once.
    pub(crate) chunk: Option<usize>,
    /// Whether a write ends inside of every character that has more than one byte.
    pub(crate) split_characters: bool,
    /// Whether JSON is printed over several lines.
    pub(crate) pretty: bool,
    /// How the ids of answers are written.
    pub(crate) ids: Ids,
    /// Whether each answer is sent twice.
    pub(crate) twice: bool,
    /// Whether the answers are withheld and sent in one array when this many are there.
    pub(crate) batch: Option<usize>,
    /// A member that answers lack.
    pub(crate) without: Option<String>,
}

/// How the ids of answers are written.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub(crate) enum Ids {
    /// As they came.
    #[default]
    Same,
    /// As strings, whatever they were.
    String,
    /// With a fraction.
    Float,
    /// As null.
    Null,
    /// A hundred too high.
    Other,
}

/// One thing that an agent does. In texts, `$id` stands for the id of the request at hand, `$session` for the id of the session,
/// `$n` for the number of the turn of the innermost `repeat`, from 0.
#[derive(Debug, Clone, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub(crate) enum Step {
    /// Write a line as it stands.
    Line(String),
    /// Write text as it stands, without an end of line.
    Write(String),
    /// Write bytes.
    Bytes(Vec<u8>),
    /// Write this many `x`, without an end of line.
    Fill(usize),
    /// A piece of the answer.
    Say(String),
    /// A piece of the answer of this many bytes.
    SayBytes(usize),
    /// A `session/update` with this JSON as its `update`.
    Update(String),
    /// Answer the request at hand with this JSON.
    Result(String),
    /// Refuse the request at hand with this JSON as its `error`.
    Error(String),
    /// End the turn for this reason.
    Stop(String),
    /// Ask for a permission, with this JSON as its `options`.
    Ask(String),
    /// Wait until everything that was asked is answered.
    Answers,
    /// Do what is proper.
    Properly,
    /// Do nothing for this many milliseconds, but read.
    Pause(u64),
    /// Do nothing at all for this many milliseconds.
    Wait(u64),
    /// Wait until the turn is cancelled.
    Cancelled,
    /// Never do anything again, but read.
    Silence,
    /// Never read anything again.
    StopReading,
    /// End with this status.
    Exit(i32),
    /// End by a signal.
    Abort,
    /// Write to stderr.
    Stderr(String),
    /// Write this many bytes in lines to stderr.
    StderrBytes(usize),
    /// Close our output and live on.
    CloseOutput,
    /// Open a file and never close it.
    HoldFile,
    /// Start a process that does not end by itself for ten minutes; `true` lets it hold our output.
    Grandchild(bool),
    /// Do something again and again.
    Repeat(Repeat),
}

/// Steps that are done again and again.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub(crate) struct Repeat {
    /// How often; for ever when it is not said.
    pub(crate) times: Option<u64>,
    /// What.
    pub(crate) steps: Vec<Step>,
}

impl Script {
    /// Adds another script to this one: its steps come after, and what it says about itself wins.
    pub(crate) fn join(&mut self, other: &Self) {
        let append = |mine: &mut BTreeMap<String, Vec<Step>>, theirs: &BTreeMap<_, Vec<Step>>| {
            for (method, steps) in theirs {
                let all: &mut Vec<Step> = mine.entry(String::clone(method)).or_default();
                all.extend(steps.iter().cloned());
            }
        };
        append(&mut self.before, &other.before);
        append(&mut self.after, &other.after);
        for (method, steps) in &other.instead {
            // Two ways to answer one request cannot both be taken: the first that was named is.
            self.instead
                .entry(method.clone())
                .or_insert_with(|| steps.clone());
        }
        self.start.extend(other.start.iter().cloned());
        self.eof.extend(other.eof.iter().cloned());
        self.garbage.extend(other.garbage.iter().cloned());
        self.busy.extend(other.busy.iter().cloned());
        self.ignores.extend(&other.ignores);
        self.accepts.extend(&other.accepts);
        let set = |mine: &mut Option<String>, theirs: &Option<String>| {
            if theirs.is_some() {
                mine.clone_from(theirs);
            }
        };
        set(&mut self.version, &other.version);
        set(&mut self.session, &other.session);
        set(&mut self.capabilities, &other.capabilities);
        set(&mut self.auth_methods, &other.auth_methods);
        self.protocol = other.protocol.or(self.protocol);
        self.wire.join(&other.wire);
    }
}

impl Wire {
    fn join(&mut self, other: &Self) {
        let set = |mine: &mut Option<String>, theirs: &Option<String>| {
            if theirs.is_some() {
                mine.clone_from(theirs);
            }
        };
        set(&mut self.newline, &other.newline);
        set(&mut self.prefix, &other.prefix);
        set(&mut self.without, &other.without);
        self.chunk = other.chunk.or(self.chunk);
        self.batch = other.batch.or(self.batch);
        self.split_characters |= other.split_characters;
        self.pretty |= other.pretty;
        self.twice |= other.twice;
        if other.ids != Ids::Same {
            self.ids = other.ids;
        }
    }
}
