//! The parts of a union that stands among the members of another object.

/// Reads the variant of a flat union.
macro_rules! flat_body {
    ($variant:ident, $text:literal, $members:ident) => {
        Ok(Self::$variant)
    };
    ($variant:ident ($body:ident), $text:literal, $members:ident) => {
        crate::wire::Body::read_members($members)
            .map(Self::$variant)
            .map_err(|error| error.tagged($text))
    };
}

/// The pattern of a variant of a flat union.
macro_rules! flat_pattern {
    ($variant:ident) => {
        Self::$variant
    };
    ($variant:ident ($name:ident $body:ident)) => {
        Self::$variant($name)
    };
}

/// Writes the body of a variant of a flat union.
macro_rules! flat_write {
    ($body:ident, $value:ident, $map:ident) => {
        crate::wire::Body::write_members($value, $map)?
    };
}

pub(crate) use {flat_body, flat_pattern, flat_write};
