//! What the client's commands left running, by the processes of the machine.
//!
//! A hook and the commands are started by the same client. What a command left has that client above it, or nobody any
//! more; a program of the user was started by another one, which ran before.

use std::collections::{BTreeMap, BTreeSet};
use std::time::Duration;

use flyball_core::path::AbsolutePath;
use flyball_core::world::LeftProcess;
use flyball_system::MetadataExt;

use crate::process_start::{self, TICKS_PER_SECOND, uptime};
use crate::processes::{Process, Processes};

/// More generations than any process has.
const MOST_ANCESTORS: usize = 64;
/// The machine's first process, which takes over what lost its parent.
const FIRST: i32 = 1;
/// How `/proc/net/tcp` writes that a socket waits for connections.
const LISTENS: &str = "0A";

/// What started in the last `age` and still runs, and was started by the client or lost its parent; `None` if that is not
/// the client above this process.
pub(crate) fn find(client: &str, age: Duration, root: &AbsolutePath) -> Option<Vec<LeftProcess>> {
    let from_ticks = ticks_before(age)?;
    let all = Processes::read();
    let family = Family::new(all.all(), client, from_ticks)?;
    let left = all.all().iter().filter(|process| family.may_have_left(process));
    let left: Vec<&Process> =
        left.filter(|process| family.has_client(process) || is_near(process.id, root)).collect();
    if left.is_empty() {
        return Some(Vec::new());
    }
    let sockets = listening_sockets();
    let servers: BTreeSet<i32> =
        left.iter().map(|process| process.id).filter(|id| has_socket(*id, &sockets)).collect();
    let serves = |process: &Process| {
        let of_server = |server: &i32| family.ancestors(*server).any(|id| id == process.id);
        servers.contains(&process.id)
            || servers.iter().any(of_server)
            || family.ancestors(process.id).any(|id| servers.contains(&id))
    };
    let seen = |process: &&Process| LeftProcess {
        id: identity(process),
        serves: serves(process),
        is_orphan: family.is_orphan(process),
    };
    Some(left.iter().map(seen).collect())
}

/// Which processes started which.
struct Family {
    by_id: BTreeMap<i32, Process>,
    /// Processes that started before this are not of the commands.
    from_ticks: u64,
    /// This process, and those above it up to the client.
    own: Vec<i32>,
    /// Those above the client.
    above: Vec<i32>,
    client: i32,
    user: u32,
}

impl Family {
    fn new(all: &[Process], client: &str, from_ticks: u64) -> Option<Family> {
        let by_id = all.iter().map(|process| (process.id, *process)).collect();
        let client = all.iter().find(|process| identity(process) == client)?.id;
        let this = i32::try_from(std::process::id()).ok()?;
        let user = flyball_system::effective_user()?;
        let mut family = Family { by_id, from_ticks, own: vec![this], above: Vec::new(), client, user };
        let ancestors: Vec<i32> = family.ancestors(this).collect();
        let at = ancestors.iter().position(|id| *id == client)?;
        family.own.extend(ancestors.get(..at)?);
        family.above.extend(ancestors.get(at + 1..)?);
        Some(family)
    }

    /// Nearest first.
    fn ancestors(&self, id: i32) -> impl Iterator<Item = i32> + '_ {
        let parent = |id: &i32| self.by_id.get(id).map(|process| process.parent).filter(|id| *id > 0);
        std::iter::successors(parent(&id), parent).take(MOST_ANCESTORS)
    }

    fn is_young(&self, id: i32) -> bool {
        self.by_id.get(&id).is_some_and(|process| process.start_ticks >= self.from_ticks)
    }

    fn may_have_left(&self, process: &Process) -> bool {
        if process.has_ended || !self.is_young(process.id) || self.own.contains(&process.id) {
            return false;
        }
        let started_by = self.ancestors(process.id).find(|id| *id == self.client || !self.is_young(*id));
        let is_lost = |id: i32| id == FIRST || self.above.contains(&id);
        let is_ours = started_by.is_none_or(|id| id == self.client || is_lost(id));
        is_ours && owner(process.id).is_none_or(|user| user == self.user)
    }

    fn has_client(&self, process: &Process) -> bool {
        self.ancestors(process.id).any(|id| id == self.client)
    }

    /// Whether the process that started it has ended: one far above has it now.
    fn is_orphan(&self, process: &Process) -> bool {
        process.parent == FIRST || self.above.contains(&process.parent)
    }
}

fn identity(process: &Process) -> String {
    process_start::identity(process.id, process.start_ticks)
}

fn owner(id: i32) -> Option<u32> {
    Some(std::fs::metadata(format!("/proc/{id}")).ok()?.uid())
}

/// The time on the clock of processes.
fn ticks_before(age: Duration) -> Option<u64> {
    let ticks = ((uptime()? - age.as_secs_f64()) * TICKS_PER_SECOND).max(0.0);
    #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "it is not negative")]
    Some(ticks as u64)
}

/// The sockets on which this machine waits for connections, by their numbers.
fn listening_sockets() -> BTreeSet<String> {
    let tables =
        ["/proc/net/tcp", "/proc/net/tcp6"].into_iter().filter_map(|path| std::fs::read_to_string(path).ok());
    let mut sockets = BTreeSet::new();
    for table in tables {
        let rows = table.lines().map(|line| line.split_ascii_whitespace().collect::<Vec<_>>());
        let listening = rows.filter(|row| row.get(3) == Some(&LISTENS));
        sockets.extend(listening.filter_map(|row| row.get(9).map(|&number| number.to_owned())));
    }
    sockets
}

fn has_socket(id: i32, sockets: &BTreeSet<String>) -> bool {
    let files = std::fs::read_dir(format!("/proc/{id}/fd")).into_iter().flatten().flatten();
    let mut targets = files.filter_map(|file| std::fs::read_link(file.path()).ok());
    targets.any(|target| {
        let number = target.to_str().and_then(|text| text.strip_prefix("socket:[")?.strip_suffix(']'));
        number.is_some_and(|number| sockets.contains(number))
    })
}

/// Whether a process works in a project or has it in its variables, or shows neither.
fn is_near(id: i32, root: &AbsolutePath) -> bool {
    let is_here =
        std::fs::read_link(format!("/proc/{id}/cwd")).map_or(true, |folder| folder.starts_with(root));
    is_here || {
        let variables = std::fs::read(format!("/proc/{id}/environ")).unwrap_or_default();
        let root = root.as_str().as_bytes();
        variables.is_empty() || variables.windows(root.len().max(1)).any(|part| part == root)
    }
}

#[cfg(test)]
mod tests {
    use std::io::Read as _;
    use std::process::{Child, Command, Stdio};

    use super::*;

    const AGE: Duration = Duration::from_secs(30);

    fn here() -> AbsolutePath {
        AbsolutePath::from_root(std::fs::canonicalize(std::env::temp_dir()).unwrap().to_string_lossy())
    }

    /// The client, for a test, is what runs the tests.
    fn client() -> String {
        let parent = i32::try_from(std::os::unix::process::parent_id()).unwrap();
        let all = Processes::read();
        identity(all.all().iter().find(|process| process.id == parent).unwrap())
    }

    fn start(line: &str) -> Child {
        let mut command = Command::new("/bin/sh");
        command.args(["-c", line]).current_dir(here()).stdin(Stdio::null()).stdout(Stdio::piped());
        command.spawn().unwrap()
    }

    fn found(id: u32) -> Option<LeftProcess> {
        let left = find(&client(), AGE, &here()).unwrap();
        left.into_iter().find(|process| process.id.starts_with(&format!("{id} ")))
    }

    fn kill(id: &str) {
        assert!(Command::new("/bin/sh").args(["-c", "kill \"$0\"", id]).status().unwrap().success());
    }

    #[test]
    fn what_was_started_lately_is_found_until_it_ends() {
        let mut child = start("exec sleep 60");
        let seen = found(child.id()).unwrap();
        assert!(!seen.serves && !seen.is_orphan, "{seen:?}");
        child.kill().unwrap();
        // It has ended, although nobody has asked how.
        while found(child.id()).is_some() {
            std::thread::sleep(Duration::from_millis(5));
        }
        child.wait().unwrap();
    }

    #[test]
    fn what_lost_its_parent_is_found_where_it_works_in_the_project() {
        let mut child = start("sleep 60 >/dev/null & echo $!");
        let mut id = String::new();
        child.stdout.take().unwrap().read_to_string(&mut id).unwrap();
        child.wait().unwrap();
        let id = id.trim();
        assert!(found(id.parse().unwrap()).unwrap().is_orphan);
        let elsewhere = find(&client(), AGE, &AbsolutePath::from_root("/nowhere/at/all")).unwrap();
        assert!(!elsewhere.iter().any(|it| it.id.starts_with(&format!("{id} "))));
        kill(id);
    }

    #[test]
    fn what_waits_for_connections_serves_and_so_does_what_started_it() {
        let program = "import os,socket,time;s=socket.socket();s.bind(('127.0.0.1',0));s.listen();print(os.getpid(),flush=True);time.sleep(60)";
        let mut child = start(&format!("python3 -c \"{program}\"; true"));
        let mut id = Vec::new();
        let mut printed = child.stdout.take().unwrap();
        while !id.ends_with(b"\n") {
            let mut byte = [0];
            printed.read_exact(&mut byte).unwrap();
            id.extend(byte);
        }
        let id = String::from_utf8(id).unwrap();
        assert!(found(child.id()).unwrap().serves);
        assert!(found(id.trim().parse().unwrap()).unwrap().serves);
        kill(id.trim());
        child.wait().unwrap();
    }

    #[test]
    fn of_a_client_that_is_not_above_nothing_is_known() {
        let mut child = start("exec sleep 60");
        let all = Processes::read();
        let id = i32::try_from(child.id()).unwrap();
        let other = identity(all.all().iter().find(|process| process.id == id).unwrap());
        assert_eq!(find(&other, AGE, &here()), None);
        child.kill().unwrap();
        child.wait().unwrap();
    }

    #[test]
    fn what_another_program_of_the_user_started_is_not_found() {
        // Higher numbers than any process has: these have no owner.
        let number = |id: i32| if id > FIRST { id + 50_000_000 } else { id };
        let process = |id, parent, start_ticks| {
            (number(id), Process::for_test(number(id), number(parent), start_ticks))
        };
        let by_id = BTreeMap::from([
            process(1, 0, 1),
            // A terminal, the client in it, and its hook.
            process(5, 1, 40),
            process(10, 5, 50),
            process(20, 10, 120),
            // Of a command.
            process(11, 10, 110),
            process(12, 11, 111),
            process(13, 1, 112),
            process(14, 5, 113),
            // Before.
            process(15, 10, 90),
            // In another shell of the user.
            process(30, 5, 60),
            process(31, 30, 113),
            process(32, 31, 114),
        ]);
        let user = rustix::process::geteuid().as_raw();
        let (own, above) = (vec![number(20)], vec![number(5), FIRST]);
        let family = Family { by_id, from_ticks: 100, own, above, client: number(10), user };
        let left = family.by_id.values().filter(|process| family.may_have_left(process));
        let left: Vec<i32> = left.map(|process| process.id).collect();
        assert_eq!(left, [11, 12, 13, 14].map(number));
    }
}
