//! What can be wrong with a command, and how it is said.

use std::{
    fs,
    os::unix::fs::PermissionsExt,
    path::{Path, PathBuf},
};

use acp_transport::{Child, Command, Connector, SpawnError, TransportError};

#[track_caller]
#[expect(clippy::panic, reason = "a test may panic")]
fn failure(command: &Command) -> SpawnError {
    match command.spawn() {
        Err(TransportError::Spawn(error)) => error,
        other => panic!("{other:?}"),
    }
}

fn file(directory: &Path, name: &str, text: &str, mode: u32) -> PathBuf {
    let path = directory.join(name);
    fs::write(&path, text).unwrap();
    fs::set_permissions(&path, fs::Permissions::from_mode(mode)).unwrap();
    path
}

#[tokio::test]
async fn an_empty_command() {
    let error = Child::spawn(Vec::<String>::new()).unwrap_err();
    assert_eq!(
        error.to_string(),
        "no program to start: the command is empty"
    );
}

#[tokio::test]
async fn a_name_that_is_nowhere_in_the_path() {
    let directory = tempfile::tempdir().unwrap();
    let path = std::env::join_paths([directory.path(), Path::new("/nowhere")]).unwrap();
    let error = failure(
        &Command::new("no-such-agent")
            .arg("secret")
            .env("PATH", path),
    );
    assert!(
        matches!(
            error,
            SpawnError::NotFound {
                searched: Some(2),
                ..
            }
        ),
        "{error:?}"
    );
    assert_eq!(
        error.to_string(),
        "no-such-agent was not found: it is in none of the 2 directories of PATH"
    );
}

#[tokio::test]
async fn a_path_that_does_not_exist() {
    let error = failure(&Command::new("/nowhere/agent"));
    assert!(
        matches!(error, SpawnError::NotFound { searched: None, .. }),
        "{error:?}"
    );
    assert_eq!(error.to_string(), "agent was not found at /nowhere/agent");
}

#[tokio::test]
async fn a_file_that_is_no_program() {
    #[track_caller]
    fn check(path: &Path, reason: &str) {
        let error = failure(&Command::new(path).arg("secret"));
        assert!(
            matches!(error, SpawnError::NotExecutable { .. }),
            "{error:?}"
        );
        let name = path.file_name().unwrap().to_str().unwrap();
        assert_eq!(
            error.to_string(),
            format!("{name} cannot be run: {} {reason}", path.display())
        );
    }
    let directory = tempfile::tempdir().unwrap();
    let directory = directory.path();
    check(directory, "is a directory");
    check(
        &file(directory, "plain", "text", 0o644),
        "is not marked executable",
    );
    check(
        &file(directory, "script", "#!/nowhere/interpreter\n", 0o755),
        "names an interpreter that does not exist",
    );
}

#[tokio::test]
async fn the_path_is_searched_to_the_first_that_runs() {
    let first = tempfile::tempdir().unwrap();
    let second = tempfile::tempdir().unwrap();
    let unfit = file(first.path(), "agent-x", "#!/bin/sh\n", 0o644);
    let path = std::env::join_paths([first.path(), second.path()]).unwrap();
    let command = Command::new("agent-x").env("PATH", &path);
    let error = failure(&command);
    assert!(
        matches!(&error, SpawnError::NotExecutable { path, .. } if *path == unfit),
        "{error:?}"
    );
    file(second.path(), "agent-x", "#!/bin/sh\nexit 0\n", 0o755);
    assert!(command.spawn().is_ok());
}

#[tokio::test]
async fn a_working_directory_that_is_none() {
    let directory = tempfile::tempdir().unwrap();
    let plain = file(directory.path(), "plain", "", 0o644);
    let missing = directory.path().join("missing");
    let error = failure(&Command::new("sh").cwd(&missing));
    assert!(matches!(error, SpawnError::Directory { .. }), "{error:?}");
    assert_eq!(
        error.to_string(),
        format!(
            "sh cannot be started in {}: entity not found",
            missing.display()
        )
    );
    let error = failure(&Command::new("sh").cwd(&plain));
    assert_eq!(
        error.to_string(),
        format!(
            "sh cannot be started in {}: not a directory",
            plain.display()
        )
    );
}

#[tokio::test]
async fn a_nul_byte() {
    let error = failure(&Command::new("sh").arg("a\0b"));
    assert!(matches!(error, SpawnError::Io { .. }), "{error:?}");
    assert!(!error.to_string().contains('\0'));
}

#[test]
fn outside_a_runtime() {
    let error = failure(&Command::new("sh"));
    assert_eq!(
        error.to_string(),
        "sh was not started: no tokio runtime is running here"
    );
}

#[tokio::test]
async fn a_connector_tells_the_same() {
    let error = Command::new("/nowhere/agent").connect().await.unwrap_err();
    assert_eq!(error.to_string(), "agent was not found at /nowhere/agent");
    assert_eq!((error.peer(), error.doing()), ("agent", "starting"));
}

/// Alone in a process, so that the guards of other tests are not seen.
#[cfg(target_os = "linux")]
#[tokio::test]
async fn a_failure_leaves_no_guard_behind() {
    if std::env::var_os("ACP_TRANSPORT_ALONE").is_none() {
        let alone = tokio::process::Command::new(std::env::current_exe().unwrap())
            .args([
                "--exact",
                "process::spawn::a_failure_leaves_no_guard_behind",
            ])
            .env("ACP_TRANSPORT_ALONE", "1")
            .output();
        let output = crate::soon(alone).await.unwrap();
        assert!(
            output.status.success(),
            "{}",
            String::from_utf8_lossy(&output.stdout)
        );
        return;
    }
    let directory = tempfile::tempdir().unwrap();
    let script = file(
        directory.path(),
        "script",
        "#!/nowhere/interpreter\n",
        0o755,
    );
    for _ in 0..5 {
        failure(&Command::new(&script));
    }
    assert_eq!(
        super::survivors::guards_of(std::process::id()),
        Vec::<i32>::new()
    );
}
