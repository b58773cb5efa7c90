//! Lengths of time as people type them, and as they read them.

use std::time::Duration;

/// A bound as typed: `90s`, `1.5m`, `500ms`, `2h`, `45` (seconds); `none` lifts it.
pub(crate) fn parse(text: &str) -> Option<Option<Duration>> {
    if text == "none" {
        return Some(None);
    }
    let unit = text
        .find(|c: char| !c.is_ascii_digit() && c != '.')
        .unwrap_or(text.len());
    let (number, unit) = text.split_at(unit);
    let scale = match unit {
        "ms" => 0.001,
        "" | "s" => 1.0,
        "m" | "min" => 60.0,
        "h" => 3_600.0,
        _ => return None,
    };
    let seconds = number.parse::<f64>().ok()? * scale;
    // A bound of nothing would end everything before it began.
    if seconds <= 0.0 {
        None
    } else {
        Duration::try_from_secs_f64(seconds).ok().map(Some)
    }
}

/// A length for people: `0.3s`, `14.2s`, `3m20s`, `1h05m`.
pub(crate) fn show(length: Duration) -> String {
    let whole = length.as_secs();
    match whole {
        0..=59 => format!("{:.1}s", length.as_secs_f64()),
        60..=3_599 => format!("{}m{:02}s", whole / 60, whole % 60),
        _ => format!("{}h{:02}m", whole / 3_600, whole % 3_600 / 60),
    }
}

#[cfg(test)]
mod tests {
    use super::{Duration, parse, show};

    #[track_caller]
    fn check(text: &str, millis: Option<u64>) {
        assert_eq!(
            parse(text),
            millis.map(|millis| Some(Duration::from_millis(millis))),
            "{text}"
        );
    }

    #[test]
    fn what_can_be_typed() {
        check("90s", Some(90_000));
        check("45", Some(45_000));
        check("1.5m", Some(90_000));
        check("250ms", Some(250));
        check("2h", Some(7_200_000));
        assert_eq!(parse("none"), Some(None));
        for wrong in [
            "", "s", "0", "-1s", "1d", "1 s", "1..5s", "1e300h", "inf", "nan",
        ] {
            check(wrong, None);
        }
    }

    #[test]
    fn what_is_shown() {
        let shown = |millis| show(Duration::from_millis(millis));
        assert_eq!(
            [shown(312), shown(59_940), shown(200_000), shown(3_900_000)],
            ["0.3s", "59.9s", "3m20s", "1h05m"]
        );
    }
}
