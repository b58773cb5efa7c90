//! Every package that the workspace names from outside has its reason in `docs/DESIGN.md`.

use super::Finding;

/// Where the reasons stand.
pub(super) const REASONS: &str = "docs/DESIGN.md";

/// Packages of `[workspace.dependencies]` that no table row of the document names.
pub(super) fn check(manifest: &str, reasons: &str) -> Vec<Finding> {
    let rows: Vec<&str> = reasons
        .lines()
        .filter(|line| line.starts_with('|'))
        .filter_map(|line| line.split('|').nth(1))
        .collect();
    packages(manifest)
        .filter(|package| {
            let quoted = format!("`{package}`");
            !rows.iter().any(|row| row.contains(&quoted))
        })
        .map(|package| Finding::new(REASONS, format!("gives no reason for {package}")))
        .collect()
}

fn packages(manifest: &str) -> impl Iterator<Item = &str> {
    manifest
        .lines()
        .skip_while(|line| *line != "[workspace.dependencies]")
        .skip(1)
        .take_while(|line| !line.starts_with('['))
        .filter(|line| !line.starts_with('#') && !line.contains("path = "))
        .filter_map(|line| line.split_once(" = "))
        .map(|(name, _)| name)
}

#[cfg(test)]
mod tests {
    #[track_caller]
    fn check_says(manifest: &str, expected: &[&str]) {
        let reasons =
            "Prose names `left-pad`.\n| `serde`, `serde_json` (`raw_value`) | all | the wire |\n";
        let manifest =
            format!("[workspace]\n[workspace.dependencies]\n{manifest}\n[profile.dev]\nx = 1\n");
        let found: Vec<String> = super::check(&manifest, reasons)
            .into_iter()
            .map(|finding| finding.says)
            .collect();
        assert_eq!(found, expected);
    }

    #[test]
    fn a_package_without_a_row_is_found() {
        check_says(
            "# Ours.\nacp-x = { path = \"crates/x\" }\nserde_json = \"1\"",
            &[],
        );
        check_says("left-pad = \"1\"", &["gives no reason for left-pad"]);
    }
}
