//! Reading the process table.

use super::*;

#[track_caller]
fn check(stat: &str, expected: Option<(i32, i32)>) {
    let entry = parse(100, stat.as_bytes());
    assert_eq!(
        entry.map(|entry| (entry.parent, entry.group)),
        expected,
        "{stat}"
    );
}

#[test]
fn a_process_lives_until_it_is_a_zombie() {
    check("100 (sh) S 1 4711 9 0 -1 4194560", Some((1, 4711)));
    check("100 (sh) R 1 4711 9 0 -1 4194560", Some((1, 4711)));
    check("100 (sh) T 1 4711 9 0 -1 4194560", Some((1, 4711)));
    check("100 (sh) Z 1 4711 9 0 -1 4194560", None);
    check("100 (sh) X 1 4711 9 0 -1 4194560", None);
}

#[test]
fn a_name_may_hold_anything() {
    check("100 (a) S 1 1 (b) S 1 4711 9", Some((1, 4711)));
    check("100 (S 1 4711) S 1 12 9", Some((1, 12)));
    check("100 ()) S 1 4711 9", Some((1, 4711)));
    check("100 (a\n) S 1 4711 9", Some((1, 4711)));
}

#[test]
fn what_cannot_be_read_is_no_process() {
    for stat in [
        "",
        "100",
        "100 (sh",
        "100 (sh)",
        "100 (sh) S",
        "100 (sh) S 1",
        "100 (sh) S 1 x",
        "100 (sh) S x 1",
    ] {
        check(stat, None);
    }
}

/// `table` holds id, parent and group.
#[track_caller]
fn check_descendants(table: &[(i32, i32, i32)], expected: &[i32]) {
    let entries: Vec<Entry> = table
        .iter()
        .map(|&(id, parent, group)| Entry { id, parent, group })
        .collect();
    let mut found: Vec<i32> = descendants(&entries, 10).map(|entry| entry.id).collect();
    found.sort_unstable();
    assert_eq!(found, expected);
}

#[test]
fn who_descends_from_the_group_is_found_and_nobody_else() {
    let others = [(1, 0, 1), (2, 1, 2), (3, 2, 2)];
    check_descendants(&others, &[]);
    check_descendants(&[(10, 2, 10), (11, 10, 10), (12, 11, 10)], &[]);
    // A session of its own, and its children, in whichever order the table names them.
    check_descendants(
        &[
            (1, 0, 1),
            (22, 21, 20),
            (21, 20, 20),
            (20, 11, 20),
            (11, 10, 10),
            (10, 1, 10),
        ],
        &[20, 21, 22],
    );
    // Below a member of the group that has lost its own parent.
    check_descendants(&[(10, 1, 10), (11, 1, 10), (20, 11, 20)], &[20]);
    // Whoever has lost its parents belongs to somebody else.
    check_descendants(&[(1, 0, 1), (10, 1, 10), (20, 1, 20)], &[]);
}

#[test]
fn a_table_that_runs_in_a_circle_ends() {
    check_descendants(
        &[(10, 20, 10), (20, 21, 20), (21, 20, 20), (30, 30, 30)],
        &[],
    );
    check_descendants(&[(10, 20, 10), (20, 10, 20)], &[20]);
}

#[test]
fn a_table_with_other_numbers_than_ours_is_none() {
    assert!(knows_us(Path::new("4711"), 4711));
    for itself in ["4712", "2", "", "x", "4711/task/4711"] {
        assert!(!knows_us(Path::new(itself), 4711), "{itself}");
    }
    let entries = living().unwrap();
    assert!(
        entries
            .iter()
            .any(|entry| u32::try_from(entry.id) == Ok(process::id()))
    );
}
