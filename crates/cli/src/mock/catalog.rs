//! The modes by name, and how a list of them becomes one script.

use std::collections::BTreeMap;

use super::script::Script;

/// The files that hold them, a noun each.
const FILES: &[(&str, &str)] = &[
    ("silence", include_str!("modes/silence.toml")),
    ("noise", include_str!("modes/noise.toml")),
    ("framing", include_str!("modes/framing.toml")),
    ("ids", include_str!("modes/ids.toml")),
    ("version", include_str!("modes/version.toml")),
    ("order", include_str!("modes/order.toml")),
    ("openness", include_str!("modes/openness.toml")),
    ("cancel", include_str!("modes/cancel.toml")),
    ("permission", include_str!("modes/permission.toml")),
    ("request", include_str!("modes/request.toml")),
    ("death", include_str!("modes/death.toml")),
    ("process", include_str!("modes/process.toml")),
    ("size", include_str!("modes/size.toml")),
    ("rules", include_str!("modes/rules.toml")),
    ("client", include_str!("modes/client.toml")),
];

/// Every mode that this program has.
#[derive(Debug)]
pub(crate) struct Catalog {
    /// The noun and the modes of each file, in order.
    groups: Vec<(&'static str, BTreeMap<String, Script>)>,
}

impl Catalog {
    /// Reads them; `Err` names the file that cannot be read, which is a fault of this program.
    pub(crate) fn new() -> Result<Self, String> {
        let mut groups = Vec::new();
        for (noun, text) in FILES {
            let modes = toml::from_str(text).map_err(|error| format!("modes/{noun}: {error}"))?;
            groups.push((*noun, modes));
        }
        Ok(Self { groups })
    }

    /// The groups and their modes.
    pub(crate) fn groups(&self) -> impl Iterator<Item = (&'static str, &BTreeMap<String, Script>)> {
        self.groups.iter().map(|(noun, modes)| (*noun, modes))
    }

    fn find(&self, name: &str) -> Option<&Script> {
        self.groups.iter().find_map(|(_, modes)| modes.get(name))
    }

    /// Makes one script of a script and the modes that it names, in order; its own words come last.
    pub(crate) fn resolve(&self, script: &Script) -> Result<Script, String> {
        let mut whole = Script::default();
        for name in &script.modes {
            let mode = self
                .find(name)
                .ok_or_else(|| format!("there is no mode {}", crate::safe::line(name, 40)))?;
            // A mode of the catalogue is made of no other; the test of the catalogue holds it to that.
            whole.join(mode);
        }
        whole.join(script);
        Ok(whole)
    }
}

/// A script from a file.
pub(crate) fn read(text: &str) -> Result<Script, String> {
    toml::from_str(text).map_err(|error| error.to_string())
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::{Catalog, Script, read};

    #[test]
    fn modes_are_many_described_and_named_once() {
        let catalog = Catalog::new().expect("readable");
        let mut names = BTreeSet::new();
        for (noun, modes) in catalog.groups() {
            for (name, mode) in modes {
                assert!(
                    names.insert(name.clone()),
                    "{name} is in {noun} and elsewhere"
                );
                assert!(mode.what.ends_with('.'), "{name} says no sentence");
                assert!(mode.modes.is_empty(), "{name} is made of others");
            }
        }
        assert!(names.len() >= 30, "{} modes", names.len());
    }

    #[test]
    fn a_list_becomes_one_script() {
        let catalog = Catalog::new().expect("readable");
        let named = |names: &[&str]| Script {
            modes: names.iter().map(ToString::to_string).collect(),
            ..Script::default()
        };
        let both = catalog
            .resolve(&named(&["crlf", "string-ids"]))
            .expect("known");
        assert_eq!(both.wire.newline.as_deref(), Some("\r\n"));
        assert_eq!(both.wire.ids, super::super::script::Ids::String);
        assert!(catalog.resolve(&named(&["crlf", "nonsense"])).is_err());
    }

    #[test]
    fn a_file_is_read_and_its_mistakes_are_named() {
        let script = read(
            "modes = [\"crlf\"]\ninstead.\"session/prompt\" = [{ say = \"hi\" }, \"silence\"]",
        )
        .expect("readable");
        assert_eq!(script.modes, ["crlf"]);
        for wrong in [
            "nonsense = 1",
            "start = [{ shout = \"hi\" }]",
            "start = 1",
            "ignores = [\"rain\"]",
        ] {
            assert!(read(wrong).is_err(), "{wrong}");
        }
    }
}
