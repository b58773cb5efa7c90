//! The committed corpus of the fuzz targets, run through the same properties.

use std::{fs, path::Path};

use crate::checks;

#[track_caller]
fn replay(target: &str, property: fn(&[u8])) {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("../../fuzz/corpus")
        .join(target);
    let mut inputs = 0;
    for entry in fs::read_dir(folder).expect("a corpus") {
        property(&fs::read(entry.expect("an entry").path()).expect("an input"));
        inputs += 1;
    }
    assert!(inputs >= 10, "{inputs} inputs");
}

#[test]
fn chunking() {
    replay("chunking", checks::chunking_of);
}

#[test]
fn envelope() {
    replay("envelope", checks::envelope);
}

#[test]
fn round_trip() {
    replay("round_trip", checks::round_trip_of);
}
