//! Texts with a meaning that the decoder does not check.

/// An absolute path on the machine of the agent, as its system writes it.
pub type AbsolutePath = Box<str>;

/// A media type.
pub type MediaType = Box<str>;

/// Where a page of a list starts; opaque, and `""` is one.
pub type SessionListCursor = Box<str>;
