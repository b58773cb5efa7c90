//! Files that the client reads and writes.

use crate::{id::SessionId, wire::macros::wire_struct};

wire_struct! {
    /// Params of `fs/read_text_file`, which reads a file, or some lines of it.
    pub struct ReadTextFileRequest: S / N [meta] {
        /// The session.
        required session_id: SessionId = "sessionId": S / N,
        /// The path, absolute.
        required path: Box<str> = "path": S / N,
        /// The first line, counted from 1.
        optional line: Option<u32> = "line": S / N,
        /// At most so many lines.
        optional limit: Option<u32> = "limit": S / N,
    }
    new(session_id: SessionId, path: Box<str>);
}

wire_struct! {
    /// Result of `fs/read_text_file`.
    pub struct ReadTextFileResponse: S / N [meta] {
        /// The text, with what the editor has not saved yet.
        required content: Box<str> = "content": S / N,
    }
    new(content: Box<str>);
}

wire_struct! {
    /// Params of `fs/write_text_file`, which writes a whole file.
    pub struct WriteTextFileRequest: S / N [meta] {
        /// The session.
        required session_id: SessionId = "sessionId": S / N,
        /// The path, absolute.
        required path: Box<str> = "path": S / N,
        /// The whole new text.
        required content: Box<str> = "content": S / N,
    }
    new(session_id: SessionId, path: Box<str>, content: Box<str>);
}

wire_struct! {
    /// Result of `fs/write_text_file`.
    pub struct WriteTextFileResponse: S / N [meta null] {
    }
    new();
}
