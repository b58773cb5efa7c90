//! What is known of a tool call: what its reports said, one laid over the other.
//!
//! A permission request carries a patch of its tool call. Some agents say everything in it, some (Vibe) only the id, some never announced the call at all;
//! so the patch is laid over what was reported before, whichever came first.

use acp_vocab::{Patch, Raw, ToolCallLocation, v1, v2};

use crate::{Kind, Request};

/// What the reports of one tool call said so far.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ToolReport {
    title: Option<Box<str>>,
    name: Option<Box<str>>,
    kind: Option<Kind>,
    input: Option<Raw>,
    locations: Vec<Box<str>>,
    diffs: Option<Diffs>,
}

impl ToolReport {
    /// Lays a v1 `tool_call` over it.
    pub fn apply_call(&mut self, call: &v1::ToolCall) {
        *self = Self {
            title: Some(call.title.clone()),
            name: call.name.clone(),
            kind: Some(Kind::of(call.kind.as_str())),
            input: call.raw_input.clone(),
            locations: paths(&call.locations),
            diffs: v1_diffs(&call.content),
        };
    }

    /// Lays a v1 patch over it: what is absent keeps what was known.
    pub fn apply_v1(&mut self, update: &v1::ToolCallUpdate) {
        set(&mut self.title, update.title.as_ref());
        set(&mut self.name, update.name.as_ref());
        set(
            &mut self.kind,
            update
                .kind
                .as_ref()
                .map(|kind| Kind::of(kind.as_str()))
                .as_ref(),
        );
        set(&mut self.input, update.raw_input.as_ref());
        if let Some(locations) = &update.locations {
            self.locations = paths(locations);
        }
        if let Some(content) = &update.content {
            self.diffs = v1_diffs(content);
        }
    }

    /// Lays a v2 patch over it: what is absent keeps what was known, null clears it.
    pub fn apply_v2(&mut self, update: &v2::ToolCallUpdate) {
        patch(&mut self.title, &update.title);
        patch(&mut self.name, &update.name);
        patch(&mut self.input, &update.raw_input);
        match &update.kind {
            Patch::Absent => {}
            Patch::Null => self.kind = None,
            Patch::Value(kind) => self.kind = Some(Kind::of(kind.as_str())),
        }
        match &update.locations {
            Patch::Absent => {}
            Patch::Null => self.locations.clear(),
            Patch::Value(locations) => self.locations = paths(locations),
        }
        match &update.content {
            Patch::Absent => {}
            Patch::Null => self.diffs = None,
            Patch::Value(content) => self.diffs = v2_diffs(content),
        }
    }

    /// Adds a v2 piece of content to it.
    pub fn apply_chunk(&mut self, chunk: &v2::ToolCallContentChunk) {
        if let Some(more) = v2_diffs(std::slice::from_ref(&chunk.content)) {
            let diffs = self.diffs.get_or_insert_default();
            diffs.paths.extend(more.paths);
            diffs.elsewhere |= more.elsewhere;
        }
    }

    /// Bytes that it takes, roughly.
    pub(crate) fn size(&self) -> usize {
        let texts = [&self.title, &self.name]
            .into_iter()
            .flatten()
            .map(|text| text.len());
        let diffs = self.diffs.iter().flat_map(|diffs| &diffs.paths);
        let paths = self
            .locations
            .iter()
            .chain(diffs)
            .map(|path| path.len() + size_of::<Box<str>>());
        let input = self.input.as_ref().map_or(0, |input| input.get().len());
        size_of::<Self>() + texts.sum::<usize>() + paths.sum::<usize>() + input
    }

    /// Puts what is known into a request.
    pub(crate) fn describe(&self, mut request: Request) -> Request {
        if let Some(title) = &self.title {
            request = request.calling(title);
        }
        if let Some(kind) = &self.kind {
            request = request.of_kind(kind.clone());
        }
        if let Some(input) = &self.input {
            request = request.with_input(input);
        }
        if let Some(name) = &self.name {
            request = request.named(name);
        }
        for path in &self.locations {
            request.add_path(path);
        }
        if let Some(diffs) = &self.diffs {
            request = request.with_diff();
            for path in &diffs.paths {
                request.add_path(path);
            }
            if diffs.elsewhere {
                request = request.reaching_elsewhere();
            }
        }
        request
    }
}

fn set<T: Clone>(known: &mut Option<T>, said: Option<&T>) {
    if let Some(said) = said {
        *known = Some(said.clone());
    }
}

fn patch<T: Clone>(known: &mut Option<T>, said: &Patch<T>) {
    match said {
        Patch::Absent => {}
        Patch::Null => *known = None,
        Patch::Value(value) => *known = Some(value.clone()),
    }
}

fn paths(locations: &[ToolCallLocation]) -> Vec<Box<str>> {
    locations
        .iter()
        .map(|location| location.path.clone())
        .collect()
}

/// What the diffs of a call touch.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
struct Diffs {
    paths: Vec<Box<str>>,
    /// There is a change of a sort that is not known, so where it happens is not known either.
    elsewhere: bool,
}

/// `None` when there is no diff.
fn v1_diffs(content: &[v1::ToolCallContent]) -> Option<Diffs> {
    let mut diffs: Option<Diffs> = None;
    for item in content {
        if let v1::ToolCallContent::Diff(diff) = item {
            diffs.get_or_insert_default().paths.push(diff.path.clone());
        }
    }
    diffs
}

fn v2_diffs(content: &[v2::ToolCallContent]) -> Option<Diffs> {
    use v2::DiffOperation as Operation;
    let mut diffs: Option<Diffs> = None;
    for item in content {
        let v2::ToolCallContent::Diff(diff) = item else {
            continue;
        };
        let diffs = diffs.get_or_insert_default();
        for change in &diff.changes {
            match &change.operation {
                Operation::Add(one) | Operation::Delete(one) | Operation::Modify(one) => {
                    diffs.paths.push(one.path.clone());
                }
                Operation::Move(two) | Operation::Copy(two) => {
                    diffs.paths.extend([two.old_path.clone(), two.path.clone()]);
                }
                Operation::Unknown { .. } | _ => diffs.elsewhere = true,
            }
        }
    }
    diffs
}
