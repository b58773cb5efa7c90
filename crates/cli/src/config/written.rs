//! Values of a config file, each with the place where it was written.

use toml::{
    Spanned,
    de::{DeTable, DeValue},
};

use super::fault::{Fault, mismatch};

/// A table as it was written.
pub(super) type Table<'a> = DeTable<'a>;
/// A value as it was written.
pub(super) type Written<'a> = Spanned<DeValue<'a>>;

/// The members of a table in the order in which they were written, each with the byte at which its key stands.
pub(super) fn in_order<'a, 'b>(table: &'a Table<'b>) -> Vec<(&'a str, &'a Written<'b>, usize)> {
    let mut members: Vec<_> = table
        .iter()
        .map(|(key, value)| (key.get_ref().as_ref(), value, key.span().start))
        .collect();
    members.sort_unstable_by_key(|(_, _, at)| *at);
    members
}

/// The table that this value has to be.
pub(super) fn table_of<'a, 'b>(key: &str, value: &'a Written<'b>) -> Result<&'a Table<'b>, Fault> {
    let table = value.get_ref().as_table();
    table.ok_or_else(|| mismatch(key, "a table", value))
}

/// The texts of an array, if it holds nothing else.
pub(super) fn list(value: &Written<'_>) -> Option<Vec<String>> {
    let items = value.get_ref().as_array()?.iter();
    items
        .map(|item| item.get_ref().as_str().map(ToOwned::to_owned))
        .collect()
}
