//! The guard alone: it kills at the end of its pipe, and only then.

use std::io::Write;

use super::*;

/// A group of two processes that ignore every polite signal; the pipe ends when both are dead.
fn stubborn_group() -> (Child, ChildStdout) {
    let mut leader = Command::new("/bin/sh")
        .args([
            "-c",
            "trap '' TERM HUP INT; echo ready; sleep 600 & sleep 600; echo survived",
        ])
        .stdout(Stdio::piped())
        .process_group(0)
        .spawn()
        .unwrap();
    let mut output = leader.stdout.take().unwrap();
    let mut ready = [0; 6];
    output.read_exact(&mut ready).unwrap();
    assert_eq!(&ready, b"ready\n");
    (leader, output)
}

/// What is left in the pipe when every holder of its other end is dead; `None` when somebody still
/// lives after `wait`.
fn end_of(output: &mut ChildStdout, wait: Timespec) -> Option<String> {
    let mut fds = [PollFd::new(output, PollFlags::IN)];
    if poll(&mut fds, Some(&wait)).unwrap() == 0 {
        return None;
    }
    let mut rest = String::new();
    output.read_to_string(&mut rest).unwrap();
    Some(rest)
}

const SOON: Timespec = Timespec {
    tv_sec: 10,
    tv_nsec: 0,
};
const NOW: Timespec = Timespec {
    tv_sec: 0,
    tv_nsec: 200_000_000,
};

fn tell(guard: &mut Guard, group: u32) {
    writeln!(guard.pipe.as_mut().unwrap(), "{group}").unwrap();
}

#[test]
fn the_end_of_its_pipe_makes_it_kill_the_group() {
    let (mut leader, mut output) = stubborn_group();
    let mut guard = Guard::start().unwrap();
    guard.confirm().unwrap();
    tell(&mut guard, leader.id());
    drop(guard.pipe.take());
    assert_eq!(end_of(&mut output, SOON).as_deref(), Some(""));
    assert!(guard.process.wait().unwrap().success());
    leader.wait().unwrap();
}

#[test]
fn polite_signals_do_not_move_it() {
    let (mut leader, mut output) = stubborn_group();
    let mut guard = Guard::start().unwrap();
    guard.confirm().unwrap();
    tell(&mut guard, leader.id());
    let id = rustix::process::Pid::from_child(&guard.process);
    for signal in [
        rustix::process::Signal::HUP,
        rustix::process::Signal::INT,
        rustix::process::Signal::TERM,
        rustix::process::Signal::TSTP,
    ] {
        rustix::process::kill_process(id, signal).unwrap();
    }
    drop(guard.pipe.take());
    assert_eq!(end_of(&mut output, SOON).as_deref(), Some(""));
    leader.wait().unwrap();
}

#[test]
fn standing_down_it_kills_nobody() {
    let (mut leader, mut output) = stubborn_group();
    let mut guard = Guard::start().unwrap();
    guard.confirm().unwrap();
    tell(&mut guard, leader.id());
    drop(guard);
    assert_eq!(end_of(&mut output, NOW), None, "the group lives on");
    rustix::process::kill_process_group(
        rustix::process::Pid::from_child(&leader),
        rustix::process::Signal::KILL,
    )
    .unwrap();
    leader.wait().unwrap();
}

#[test]
fn without_a_group_it_ends_quietly() {
    let mut guard = Guard::start().unwrap();
    drop(guard.pipe.take());
    guard.confirm().unwrap();
    assert!(guard.process.wait().unwrap().success());
}

/// A group that is stopped while its parent still ends gets `HUP` and `CONT` from the kernel, and its
/// tools lose the parent by which they are found.
#[cfg(target_os = "linux")]
#[test]
fn the_group_is_left_alone_until_its_parent_has_ended() {
    let (mut leader, mut output) = stubborn_group();
    let script = SCRIPT.replace("tries=2000\n", "tries=2000000000\n");
    assert_ne!(script, SCRIPT);
    let mut guard = Command::new("/bin/sh")
        .args(["-c", &script, "acp-guard"])
        .stdin(Stdio::piped())
        .stdout(Stdio::null())
        .process_group(0)
        .spawn()
        .unwrap();
    let mut pipe = guard.stdin.take().unwrap();
    writeln!(pipe, "{}", leader.id()).unwrap();
    drop(pipe);
    // We are the parent, and here: it looks again and again, which costs it time, and does nothing.
    let field = |id: u32, number: usize| {
        let stat = std::fs::read_to_string(format!("/proc/{id}/stat")).unwrap();
        let fields = stat.rsplit(')').next().unwrap();
        fields.split_whitespace().nth(number).unwrap().to_owned()
    };
    // Its own time in the system, in hundredths of a second.
    while field(guard.id(), 12).parse::<u32>().unwrap() < 3 {
        assert!(guard.try_wait().unwrap().is_none(), "it has acted");
        std::thread::yield_now();
    }
    assert_ne!(field(leader.id(), 0), "T");
    guard.kill().unwrap();
    guard.wait().unwrap();
    assert_eq!(end_of(&mut output, NOW), None, "the group lives on");
    rustix::process::kill_process_group(
        rustix::process::Pid::from_child(&leader),
        rustix::process::Signal::KILL,
    )
    .unwrap();
    leader.wait().unwrap();
}

/// Whether the guard of a group kills a process that a process table names as a member of it.
#[cfg(target_os = "linux")]
fn kills_by_table(is_ours: bool) -> bool {
    let folder = tempfile::tempdir().unwrap();
    let (mut leader, mut output) = stubborn_group();
    let mut named = Command::new("/bin/cat")
        .stdin(Stdio::piped())
        .stdout(Stdio::null())
        .process_group(0)
        .spawn()
        .unwrap();
    let (id, group) = (named.id(), leader.id());
    let entry = folder.path().join(id.to_string());
    std::fs::create_dir(&entry).unwrap();
    std::fs::write(entry.join("stat"), format!("{id} (cat) S 1 {group} 0\n")).unwrap();
    let itself = folder.path().join("self");
    if is_ours {
        std::os::unix::fs::symlink("/proc/self", itself).unwrap();
    } else {
        std::fs::create_dir(&itself).unwrap();
        std::fs::write(itself.join("stat"), format!("{id} (sh) S 1 {id} 0\n")).unwrap();
    }
    let script = SCRIPT.replace("/proc", folder.path().to_str().unwrap());
    let mut guard = Command::new("/bin/sh")
        .args(["-c", &script, "acp-guard"])
        .stdin(Stdio::piped())
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .process_group(0)
        .spawn()
        .unwrap();
    writeln!(guard.stdin.take().unwrap(), "{group}").unwrap();
    assert!(guard.wait().unwrap().success());
    assert_eq!(end_of(&mut output, SOON).as_deref(), Some(""));
    leader.wait().unwrap();
    // Its input ends, and it with it, unless it was killed before.
    drop(named.stdin.take());
    !named.wait().unwrap().success()
}

/// In a PID namespace that has no `/proc` of its own a number means one process in the table and another
/// one to `kill`.
#[cfg(target_os = "linux")]
#[test]
fn nobody_is_killed_by_a_table_with_other_numbers() {
    assert!(kills_by_table(true));
    assert!(!kills_by_table(false));
}
