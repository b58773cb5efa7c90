//! Rules about our manifests: what a registry needs, and no version where it would tie a knot.

use std::path::Path;

use super::Finding;
use crate::metadata::Package;

/// What is wrong with the manifest of one of our packages.
pub(super) fn check(root: &Path, package: &Package) -> Vec<Finding> {
    let mut findings = Vec::new();
    let place = Path::new(&package.manifest_path);
    let place = place
        .strip_prefix(root)
        .unwrap_or(place)
        .display()
        .to_string();
    let mut say = |says: String| findings.push(Finding::new(&place, says));
    for dependency in &package.dependencies {
        let dev = dependency.kind.as_deref() == Some("dev");
        if dev && dependency.path.is_some() && dependency.req != "*" {
            // A version would make a cycle that no first publication can break.
            say(format!(
                "dev-dependency {} of ours carries a version",
                dependency.name
            ));
        }
        if !dev && dependency.path.is_some() && dependency.req == "*" && package.is_publishable() {
            say(format!(
                "dependency {} of ours carries no version",
                dependency.name
            ));
        }
    }
    if package.description.as_deref().is_none_or(str::is_empty) {
        say("has no description".to_owned());
    }
    if package.is_publishable() && package.license.as_deref() != Some("MIT OR Apache-2.0") {
        say("is not under MIT OR Apache-2.0".to_owned());
    }
    let folder = Path::new(&package.manifest_path).parent().unwrap_or(root);
    if package.name != "xtask" && !folder.join("README.md").is_file() {
        say("has no README.md beside it".to_owned());
    }
    findings
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check_one(dependency: serde_json::Value, publish: Option<Vec<String>>, expected: &[&str]) {
        let folder = tempfile::tempdir().unwrap();
        std::fs::write(folder.path().join("README.md"), "text").unwrap();
        let package = serde_json::json!({"name": "acp-x", "version": "0.1.0", "features": {},
            "manifest_path": folder.path().join("Cargo.toml"), "description": "text",
            "license": "MIT OR Apache-2.0", "publish": publish, "dependencies": [dependency]});
        let package = serde_json::from_value(package).unwrap();
        let found: Vec<_> = check(folder.path(), &package)
            .into_iter()
            .map(|finding| finding.says)
            .collect();
        assert_eq!(found, expected);
    }

    #[test]
    fn versions_stand_on_what_is_published_only() {
        let edge = |kind: Option<&str>, req: &str| {
            serde_json::json!({"name": "acp-y", "req": req, "kind": kind, "optional": false,
                "path": "/y"})
        };
        check_one(edge(None, "^0.1.0"), None, &[]);
        check_one(
            edge(None, "*"),
            None,
            &["dependency acp-y of ours carries no version"],
        );
        check_one(edge(None, "*"), Some(Vec::new()), &[]);
        check_one(edge(Some("dev"), "*"), None, &[]);
        check_one(
            edge(Some("dev"), "^0.1.0"),
            None,
            &["dev-dependency acp-y of ours carries a version"],
        );
    }
}
