//! What is trusted, until when, and what the store on disk looks like.

use std::{fs, path::Path};

use super::{Store, Verdict};
use crate::config::{file::File, origin::Layer};

struct Folder(tempfile::TempDir);

impl Folder {
    fn new(config: &str) -> Self {
        let folder = Self(tempfile::tempdir().expect("a folder"));
        folder.write(".acp.toml", config);
        folder
    }

    fn path(&self, name: &str) -> std::path::PathBuf {
        self.0.path().join(name)
    }

    fn write(&self, name: &str, text: &str) {
        fs::write(self.path(name), text).expect("it is written");
    }

    fn trusted(&self) -> Store {
        let mut store = Store::default();
        self.trust(&mut store);
        store
    }

    fn trust(&self, store: &mut Store) {
        let path = self.path(".acp.toml");
        let bytes = fs::read(&path).expect("it is there");
        let file = File::parse(&path, &bytes, Layer::Project).expect("it is fine");
        store
            .trust(&path, &bytes, &file)
            .expect("it can be trusted");
    }

    #[track_caller]
    fn check(&self, store: &Store, verdict: Verdict) {
        let path = self.path(".acp.toml");
        let bytes = fs::read(&path).expect("it is there");
        assert_eq!(store.judge(&path, &bytes), verdict);
    }
}

#[test]
fn trust_is_of_this_path_with_this_content() {
    let folder = Folder::new("allow = [\"read\"]\n");
    folder.check(&Store::default(), Verdict::Unknown);
    let store = folder.trusted();
    folder.check(&store, Verdict::Trusted);
    let elsewhere = Folder::new("allow = [\"read\"]\n");
    elsewhere.check(&store, Verdict::Unknown);
    folder.write(".acp.toml", "allow = [\"all\"]\n");
    folder.check(&store, Verdict::Changed(folder.path(".acp.toml")));
}

#[test]
fn what_it_names_for_reading_is_sealed_with_it() {
    let folder = Folder::new("rules = \"rules.toml\"\n[agents.claude]\ntools = \"tools.json\"\n");
    folder.write("rules.toml", "version = 1\n");
    folder.write("tools.json", "{}");
    let store = folder.trusted();
    folder.check(&store, Verdict::Trusted);
    folder.write("tools.json", "{\"mcpServers\":{}}");
    folder.check(&store, Verdict::Changed(folder.path("tools.json")));
    folder.write("tools.json", "{}");
    folder.check(&store, Verdict::Trusted);
    fs::remove_file(folder.path("rules.toml")).expect("it goes");
    folder.check(&store, Verdict::Changed(folder.path("rules.toml")));
}

#[test]
fn what_is_gone_is_forgotten_and_what_is_not_there_cannot_be_trusted() {
    let folder = Folder::new("");
    let mut store = folder.trusted();
    fs::remove_file(folder.path(".acp.toml")).expect("it goes");
    let other = Folder::new("rules = \"rules.toml\"\n");
    let path = other.path(".acp.toml");
    let bytes = fs::read(&path).expect("it is there");
    let file = File::parse(&path, &bytes, Layer::Project).expect("it is fine");
    let (named, _) = store
        .trust(&path, &bytes, &file)
        .expect_err("there are no rules");
    assert_eq!(named, other.path("rules.toml"));
    other.check(&store, Verdict::Unknown);
    other.write(".acp.toml", "");
    other.trust(&mut store);
    other.check(&store, Verdict::Trusted);
    assert!(!store.forget(&folder.path(".acp.toml")), "it was forgotten");
    assert!(store.forget(&path));
    other.check(&store, Verdict::Unknown);
}

#[test]
fn the_store_comes_back_as_it_was_written() {
    let folder = Folder::new("");
    let at = folder.path("state/acp/trust.json");
    assert!(
        Store::load(&at)
            .expect("none is as good as an empty one")
            .trusted
            .is_empty()
    );
    folder.trusted().save(&at).expect("it is written");
    folder.check(&Store::load(&at).expect("it is read"), Verdict::Trusted);
    fs::write(&at, "{\"v\":2,\"trusted\":{}}").expect("it is written");
    assert!(Store::load(&at).is_err(), "of another version");
    fs::write(&at, "trust").expect("it is written");
    assert!(Store::load(&at).is_err());
}

#[cfg(unix)]
#[test]
fn it_is_the_users_alone_and_believed_only_then() {
    use std::os::unix::fs::PermissionsExt as _;
    let mode = |path: &Path| {
        fs::metadata(path)
            .expect("it is there")
            .permissions()
            .mode()
            & 0o777
    };
    let folder = Folder::new("");
    let at = folder.path("state/acp/trust.json");
    folder.trusted().save(&at).expect("it is written");
    assert_eq!(mode(&at), 0o600);
    assert_eq!(mode(at.parent().expect("a folder")), 0o700);
    fs::set_permissions(&at, fs::Permissions::from_mode(0o620)).expect("it is changed");
    assert!(Store::load(&at).is_err());
}
