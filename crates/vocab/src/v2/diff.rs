//! Changes of files.

use crate::{
    text::{AbsolutePath, MediaType},
    wire::macros::{flat_tagged, open_enum, wire_struct},
};

wire_struct! {
    /// A change of files, as the output of a tool call.
    pub struct Diff: N / S [meta] {
        /// What happened to which file; at least one.
        strict_entries changes: Vec<DiffChange> = "changes": N / S,
        /// The same as text, for display.
        lenient patch: Option<DiffPatch> = "patch": N / S,
    }
    new(changes: Vec<DiffChange>);
}

wire_struct! {
    /// One change to one file.
    pub struct DiffChange: N / S [meta] {
        /// What sort of file it is after the change.
        lenient file_type: Option<DiffFileType> = "fileType": N / S,
        /// The media type.
        lenient mime_type: Option<MediaType> = "mimeType": N / S,
        /// What happened.
        flattened operation: DiffOperation = "operation": N / S,
    }
    new(operation: DiffOperation);
}

flat_tagged! {
    /// What happened to the file.
    pub enum DiffOperation("operation"): N / S {
        /// It is new.
        Add(DiffPathChange) = "add": N / S,
        /// It is gone.
        Delete(DiffPathChange) = "delete": N / S,
        /// It changed.
        Modify(DiffPathChange) = "modify": N / S,
        /// It has another path.
        Move(DiffPathPairChange) = "move": N / S,
        /// It has a copy.
        Copy(DiffPathPairChange) = "copy": N / S,
    }
}

wire_struct! {
    /// A change at one path.
    pub struct DiffPathChange: N / S [] {
        /// The path, absolute.
        required path: AbsolutePath = "path": N / S,
    }
    new(path: AbsolutePath);
}

wire_struct! {
    /// A change from one path to another.
    pub struct DiffPathPairChange: N / S [] {
        /// The path before, absolute.
        required old_path: AbsolutePath = "oldPath": N / S,
        /// The path after, absolute.
        required path: AbsolutePath = "path": N / S,
    }
    new(old_path: AbsolutePath, path: AbsolutePath);
}

open_enum! {
    /// What sort of file it is after the change.
    pub enum DiffFileType: N / S {
        /// A text file.
        Text = "text": N / S,
        /// A binary file.
        Binary = "binary": N / S,
        /// A directory.
        Directory = "directory": N / S,
        /// A symbolic link.
        Symlink = "symlink": N / S,
    }
}

wire_struct! {
    /// The changes as text, for display. It must agree with the list of changes.
    pub struct DiffPatch: N / S [meta] {
        /// How it is written.
        required format: DiffPatchFormat = "format": N / S,
        /// The patch.
        required text: Box<str> = "text": N / S,
    }
    new(format: DiffPatchFormat, text: Box<str>);
}

open_enum! {
    /// How a patch is written.
    pub enum DiffPatchFormat: N / S {
        /// As `git diff` writes it, with absolute paths.
        GitPatch = "git_patch": N / S,
    }
}
