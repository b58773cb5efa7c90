//! For test runners: a suite a version, a case a rule.

use std::fmt::Write as _;

use super::Report;
use crate::check::{verdict::Status, version::Version};

pub(super) fn render(report: &Report) -> String {
    let mut out = String::from(
        "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites name=\"acp check\">\n",
    );
    for version in [Version::One, Version::Two] {
        let findings: Vec<_> = report
            .findings
            .iter()
            .filter(|finding| finding.version == version)
            .collect();
        if findings.is_empty() {
            continue;
        }
        let of = |status| report.count(status, Some(version));
        // Writing to a string does not fail.
        let _: std::fmt::Result = writeln!(
            out,
            "  <testsuite name=\"acp-v{}\" tests=\"{}\" failures=\"{}\" skipped=\"{}\">",
            version.number(),
            findings.len(),
            findings
                .iter()
                .filter(|finding| finding.is_broken())
                .count(),
            of(Status::Skipped) + of(Status::NotTested),
        );
        for finding in findings {
            let time = if report.times {
                format!(" time=\"{:.3}\"", finding.took.as_secs_f64())
            } else {
                String::new()
            };
            let _: std::fmt::Result = write!(
                out,
                "    <testcase classname=\"acp-v{}.{}\" name=\"{}: {}\"{time}",
                version.number(),
                finding.rule.tier.name(),
                finding.rule.id,
                escaped(finding.rule.what),
            );
            let reason = escaped(finding.reason.as_deref().unwrap_or_default());
            let _: std::fmt::Result = match finding.status {
                Status::Pass => writeln!(out, "/>"),
                // Advice that was not followed costs no conformance, and no run of a test runner.
                Status::Fail if !finding.is_broken() => writeln!(
                    out,
                    ">\n      <system-out>{} not followed: {reason}\n{}</system-out>\n    </testcase>",
                    finding.rule.tier.name(),
                    escaped(&finding.evidence.join("\n")),
                ),
                Status::Fail => writeln!(
                    out,
                    ">\n      <failure type=\"{}\" message=\"{reason}\">{}</failure>\n    </testcase>",
                    finding.rule.tier.name(),
                    escaped(&finding.evidence.join("\n")),
                ),
                Status::Skipped | Status::NotTested => writeln!(
                    out,
                    ">\n      <skipped message=\"{}: {reason}\"/>\n    </testcase>",
                    finding.status.name(),
                ),
            };
        }
        out.push_str("  </testsuite>\n");
    }
    out.push_str("</testsuites>\n");
    out
}

/// Text in XML. Characters that XML cannot hold become U+FFFD.
fn escaped(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '"' => out.push_str("&quot;"),
            '\n' | '\t' => out.push(c),
            c if c.is_control() || matches!(c, '\u{fffe}' | '\u{ffff}') => out.push('\u{fffd}'),
            c => out.push(c),
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::escaped;

    #[test]
    fn text_in_xml() {
        assert_eq!(
            escaped("a<b & \"c\"\n\u{1b}[31m"),
            "a&lt;b &amp; &quot;c&quot;\n\u{fffd}[31m"
        );
    }
}
