//! JSON that is well-formed and still not what a type asks for.

use std::fmt::{self, Write as _};

/// What stood where something else was expected.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Found {
    /// Nothing: the member is missing.
    Nothing,
    /// `null`.
    Null,
    /// `true` or `false`.
    Boolean,
    /// A number, of the wrong kind or out of range.
    Number,
    /// A string, or one that is not in the allowed form.
    String,
    /// An array.
    Array,
    /// An object.
    Object,
    /// The tag of a union, for the second time.
    SecondTag,
    /// Text that is no JSON at all.
    NotJson,
}

impl Found {
    const fn words(self) -> &'static str {
        match self {
            Self::Nothing => "nothing",
            Self::Null => "null",
            Self::Boolean => "a boolean",
            Self::Number => "a number",
            Self::String => "a string",
            Self::Array => "an array",
            Self::Object => "an object",
            Self::SecondTag => "the tag twice",
            Self::NotJson => "no JSON",
        }
    }
}

impl fmt::Display for Found {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.words())
    }
}

/// One step from the outermost value to the faulty one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Step {
    Member(&'static str),
    Item(usize),
}

/// A JSON value that has not the shape of the type it should be: the peer broke the protocol.
///
/// The error knows where ([`path`](Self::path)), what was expected and what was found there, and
/// inside which variant of a union ([`tag`](Self::tag)). It holds no text of the peer: member
/// names and tags in it are those of the protocol.
#[derive(Clone, PartialEq, Eq)]
pub struct ShapeError(Box<Fault>);

#[derive(Clone, PartialEq, Eq)]
struct Fault {
    /// Innermost step first.
    steps: Vec<Step>,
    expected: &'static str,
    found: Found,
    tag: Option<&'static str>,
}

impl ShapeError {
    /// A fault at the place where the reader stands.
    #[cold]
    pub(crate) fn expected(expected: &'static str, found: Found) -> Self {
        Self(Box::new(Fault {
            steps: Vec::new(),
            expected,
            found,
            tag: None,
        }))
    }

    /// A required member that is not there.
    #[cold]
    pub(crate) fn missing(member: &'static str, expected: &'static str) -> Self {
        Self::expected(expected, Found::Nothing).inside(member)
    }

    /// The same fault, seen from the object that holds it as `member`.
    #[cold]
    pub(crate) fn inside(mut self, member: &'static str) -> Self {
        self.0.steps.push(Step::Member(member));
        self
    }

    /// The same fault, seen from the list (or map) that holds it as entry `index`.
    #[cold]
    pub(crate) fn at(mut self, index: usize) -> Self {
        self.0.steps.push(Step::Item(index));
        self
    }

    /// The same fault, seen from the union whose known variant `tag` has it in its body.
    #[cold]
    pub(crate) fn tagged(mut self, tag: &'static str) -> Self {
        self.0.tag.get_or_insert(tag);
        self
    }

    /// Where the fault is, from the outermost value: `update.content[2].path`. Empty when the
    /// value itself is at fault.
    #[must_use]
    pub fn path(&self) -> String {
        let mut path = String::new();
        for step in self.0.steps.iter().rev() {
            match step {
                Step::Member(name) => {
                    if !path.is_empty() {
                        path.push('.');
                    }
                    path.push_str(name);
                }
                Step::Item(index) => {
                    // Writing to a string does not fail.
                    let _: fmt::Result = write!(path, "[{index}]");
                }
            }
        }
        path
    }

    /// What the type asks for at that place, as a noun phrase.
    #[must_use]
    pub fn expectation(&self) -> &'static str {
        self.0.expected
    }

    /// What was there instead.
    #[must_use]
    pub fn found(&self) -> Found {
        self.0.found
    }

    /// The innermost known union variant whose body is broken, for example `tool_call`.
    #[must_use]
    pub fn tag(&self) -> Option<&'static str> {
        self.0.tag
    }
}

impl fmt::Display for ShapeError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let path = self.path();
        if !path.is_empty() {
            write!(f, "{path}: ")?;
        }
        write!(f, "expected {}, found {}", self.0.expected, self.0.found)?;
        match self.0.tag {
            Some(tag) => write!(f, " (in a {tag})"),
            None => Ok(()),
        }
    }
}

impl fmt::Debug for ShapeError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "ShapeError({self})")
    }
}

impl std::error::Error for ShapeError {}
