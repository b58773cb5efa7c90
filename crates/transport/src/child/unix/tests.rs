//! Reading the process table.

#[cfg(target_os = "linux")]
mod stat {
    use super::super::lives_in;

    #[track_caller]
    fn check(stat: &str, expected: bool) {
        assert_eq!(lives_in(stat.as_bytes(), 4711), expected, "{stat}");
    }

    #[test]
    fn a_member_lives_until_it_is_a_zombie() {
        check("100 (sh) S 1 4711 9 0 -1 4194560", true);
        check("100 (sh) R 1 4711 9 0 -1 4194560", true);
        check("100 (sh) T 1 4711 9 0 -1 4194560", true);
        check("100 (sh) Z 1 4711 9 0 -1 4194560", false);
        check("100 (sh) X 1 4711 9 0 -1 4194560", false);
    }

    #[test]
    fn other_groups_do_not_count() {
        check("100 (sh) S 4711 100 4711 0", false);
        check("4711 (sh) S 1 100 9 0", false);
        check("100 (sh) S 1 47110 9 0", false);
    }

    #[test]
    fn a_name_may_hold_anything() {
        check("100 (a) S 1 1 (b) S 1 4711 9", true);
        check("100 (S 1 4711) S 1 12 9", false);
        check("100 ()) S 1 4711 9", true);
    }

    #[test]
    fn what_cannot_be_read_is_no_member() {
        for stat in [
            "",
            "100",
            "100 (sh",
            "100 (sh)",
            "100 (sh) S",
            "100 (sh) S 1",
            "100 (sh) S 1 x",
        ] {
            check(stat, false);
        }
    }
}
