//! Columns that wrap to the terminal.

use std::env;

/// The width of a line, where `COLUMNS` does not say.
const WIDTH: usize = 100;
/// The widest that a column grows before its text wraps under the next one.
const COLUMN: usize = 34;

/// Rows in columns; the last one wraps.
pub(super) fn table<const N: usize>(out: &mut String, indent: usize, rows: &[[String; N]]) {
    let mut widths = [0_usize; N];
    for row in rows {
        for (width, cell) in widths.iter_mut().zip(row) {
            let length = cell.chars().count();
            if length <= COLUMN {
                *width = (*width).max(length);
            }
        }
    }
    let last_at: usize = indent
        + widths
            .iter()
            .take(N - 1)
            .map(|width| if *width == 0 { 0 } else { width + 2 })
            .sum::<usize>();
    for row in rows {
        let mut line = " ".repeat(indent);
        for (cell, width) in row.iter().zip(widths).take(N - 1) {
            if width == 0 {
                continue;
            }
            line.push_str(cell);
            let pad = width.saturating_sub(cell.chars().count());
            line.extend(std::iter::repeat_n(' ', pad + 2));
        }
        let last = row.last().map(String::as_str).unwrap_or_default();
        let mut column = line.chars().count();
        for word in last.split(' ').filter(|word| !word.is_empty()) {
            let length = word.chars().count();
            if column > last_at && column + length > width() && column > line_start(&line, last_at)
            {
                out.push_str(line.trim_end());
                out.push('\n');
                line = " ".repeat(last_at);
                column = last_at;
            }
            line.push_str(word);
            line.push(' ');
            column += length + 1;
        }
        out.push_str(line.trim_end());
        out.push('\n');
    }
}

/// Where the text of the last column begins on a line that a long cell pushed out.
fn line_start(line: &str, last_at: usize) -> usize {
    line.chars().count().min(last_at)
}

/// A paragraph.
pub(super) fn wrapped(out: &mut String, indent: usize, text: &str) {
    if !text.is_empty() {
        table(out, indent, &[[text.to_owned()]]);
    }
}

/// The width of the terminal, as far as it is known.
fn width() -> usize {
    env::var("COLUMNS")
        .ok()
        .and_then(|columns| columns.parse().ok())
        .map_or(WIDTH, |columns: usize| columns.clamp(40, 200))
}
