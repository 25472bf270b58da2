//! The processes of this machine, as far as they tell who started this one.

use std::cell::OnceCell;
use std::io::Read as _;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use flyball_clients::CLIENTS;
use flyball_clients::install::Facts;
use flyball_world::process_start::{self, TICKS_PER_SECOND, uptime};

use crate::environment;

/// More generations than any process has.
pub(crate) const MOST_ANCESTORS: usize = 64;

/// The room for what the kernel reports about a process: nearly always enough.
const ROOM: usize = 4 * 1024;

/// What runs clients that are scripts; Node names its process by its first thread.
const INTERPRETERS: &[&str] = &["node", "MainThread", "bun", "deno", "python"];

#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Process {
    pub(crate) id: u32,
    pub(crate) parent: u32,
    pub(crate) name: String,
    /// Its command line, as far as it can be seen; read when it is first asked for.
    words: OnceCell<Vec<String>>,
    /// The leader of its session; 0 if that is not known.
    pub(crate) session: u32,
    /// When it started, in ticks since the machine did; 0 if that is not known.
    start_ticks: u64,
}

impl Process {
    /// The process with this number, if it is there.
    pub(crate) fn find(id: u32) -> Option<Process> {
        Process::from_stat(id).or_else(|| from_ps(id))
    }

    fn from_stat(id: u32) -> Option<Process> {
        // `1234 (name) S 1 …`, and a name may hold anything.
        let stat = String::from_utf8_lossy(&read_file(id, "stat").ok()?).into_owned();
        // From the right: the name itself may contain a bracket.
        let (before, after) = stat.rsplit_once(')')?;
        let field = |index: usize| after.split_whitespace().nth(index);
        let parent = field(1)?.parse().ok()?;
        let name = before.split_once('(')?.1.to_owned();
        let session = field(3).and_then(|text| text.parse().ok()).unwrap_or_default();
        let start_ticks = field(19).and_then(|text| text.parse().ok()).unwrap_or_default();
        Some(Process { id, parent, name, words: OnceCell::new(), session, start_ticks })
    }

    pub(crate) fn identity(&self) -> String {
        process_start::identity(self.id, self.start_ticks)
    }

    /// The process that was known by this, if it still runs.
    pub(crate) fn find_known(identity: &str) -> Option<Process> {
        let id = identity.split(' ').next()?.parse().ok()?;
        Process::find(id).filter(|process| process.start_ticks > 0 && process.identity() == identity)
    }

    /// The client that it is, if it is one.
    pub(crate) fn client(&self) -> Option<&'static Facts> {
        let is_it = |facts: &&Facts| facts.processes.iter().any(|name| self.is(name));
        CLIENTS.iter().map(|client| client.facts()).find(is_it)
    }

    /// Whether it is the program of this name, run by itself or by an interpreter.
    pub(crate) fn is(&self, name: &str) -> bool {
        if base(&self.name) == name {
            return true;
        }
        if !INTERPRETERS.iter().any(|known| self.name.starts_with(known)) {
            return false;
        }
        let mut words = self.words().iter().map(String::as_str);
        let (program, script) = (words.next().unwrap_or_default(), words.next().unwrap_or_default());
        // Part of a path: a client from npm is run as `node …/@scope/name/cli.js`.
        if name.contains('/') {
            return program.contains(name) || script.contains(name);
        }
        base(program) == name || base(script) == name
    }

    pub(crate) fn words(&self) -> &[String] {
        self.words.get_or_init(|| read_list(self.id, "cmdline"))
    }

    /// The first of these variables that it was started with.
    pub(crate) fn mark(&self, names: &[&'static str]) -> Option<&'static str> {
        let variables = read_list(self.id, "environ");
        let is_set = |name: &&&str| {
            variables.iter().any(|it| it.strip_prefix(**name).is_some_and(|rest| rest.starts_with('=')))
        };
        names.iter().find(is_set).copied()
    }

    /// The value of a variable that it was started with.
    pub(crate) fn variable(&self, name: &str) -> Option<String> {
        let variables = read_list(self.id, "environ");
        variables.iter().find_map(|it| Some(it.strip_prefix(name)?.strip_prefix('=')?.to_owned()))
    }

    /// The state directory that flyball uses if this process starts it.
    pub(crate) fn state_dir(&self) -> Option<PathBuf> {
        environment::state_dir_from(&|name| self.variable(name).map(PathBuf::from))
    }

    /// The name of the file that it runs.
    pub(crate) fn program(&self) -> Option<String> {
        let path = std::fs::read_link(format!("/proc/{}/exe", self.id)).ok()?;
        Some(path.file_name()?.to_string_lossy().into_owned())
    }

    /// How many seconds ago it started.
    pub(crate) fn age_seconds(&self) -> Option<f64> {
        // Exact for centuries of uptime.
        #[expect(clippy::cast_precision_loss, reason = "ticks since the start of the machine")]
        let started = self.start_ticks as f64 / TICKS_PER_SECOND;
        (self.start_ticks > 0).then(|| Some(uptime()? - started)).flatten()
    }

    /// The process that started it, unless that is the machine's first.
    pub(crate) fn parent(&self) -> Option<Process> {
        if self.parent > 1 { Process::find(self.parent) } else { None }
    }

    /// The processes that led to it, nearest first.
    pub(crate) fn ancestors(&self) -> Vec<Process> {
        std::iter::successors(self.parent(), Process::parent).take(MOST_ANCESTORS).collect()
    }
}

/// This process.
pub(crate) fn this() -> Process {
    let id = std::process::id();
    let parent = flyball_system::parent_id();
    Process::from_stat(id).unwrap_or(Process { id, parent, ..Process::default() })
}

/// The numbers of all processes; none where there is no `/proc`.
pub(crate) fn all() -> impl Iterator<Item = u32> {
    let entries = std::fs::read_dir("/proc").into_iter().flatten().flatten();
    entries.filter_map(|entry| entry.file_name().to_str()?.parse().ok())
}

/// The last part of a path, without `.js`, `.exe` and the like. A login shell has a `-` in front.
pub(crate) fn base(path: &str) -> &str {
    let name = path.rsplit('/').next().unwrap_or(path).trim_start_matches('-');
    name.split_once('.').map_or(name, |(stem, _)| stem)
}

/// A list of texts that the kernel separates by zeros; empty if it may not be read.
fn read_list(id: u32, file: &str) -> Vec<String> {
    let bytes = read_file(id, file).unwrap_or_default();
    bytes.split(|byte| *byte == 0).map(|word| String::from_utf8_lossy(word).into_owned()).collect()
}

/// What the kernel reports about a process: all of it with one call if there is room. The hook does this for every event.
fn read_file(id: u32, file: &str) -> std::io::Result<Vec<u8>> {
    let mut bytes = vec![0; ROOM];
    let mut opened = std::fs::File::open(format!("/proc/{id}/{file}"))?;
    let length = opened.read(&mut bytes)?;
    bytes.truncate(length);
    if length == ROOM {
        opened.read_to_end(&mut bytes)?;
    }
    Ok(bytes)
}

/// Where there is no `/proc`.
fn from_ps(id: u32) -> Option<Process> {
    if Path::new("/proc/self/stat").exists() {
        return None;
    }
    let mut ps = Command::new("/bin/ps");
    ps.args(["-o", "ppid=,command=", "-p", &id.to_string()]).stdin(Stdio::null()).stderr(Stdio::null());
    let printed = String::from_utf8_lossy(&ps.output().ok()?.stdout).into_owned();
    let mut words = printed.split_whitespace();
    let parent = words.next()?.parse().ok()?;
    let words: Vec<String> = words.map(str::to_owned).collect();
    let name = words.first().map(|word| base(word).to_owned())?;
    Some(Process { id, parent, name, words: OnceCell::from(words), ..Process::default() })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn process(name: &str, words: &[&str]) -> Process {
        Process {
            name: name.to_owned(),
            words: OnceCell::from(words.iter().map(|&word| word.to_owned()).collect::<Vec<_>>()),
            ..Process::default()
        }
    }

    #[test]
    fn clients_are_known_by_their_processes() {
        let cases = [
            ("its own program", process("claude", &["claude"]), true),
            ("its own program, by its name alone", process("claude.exe", &[]), true),
            ("by path", process("MainThread", &["/home/dev/.local/bin/claude", "-p"]), true),
            (
                "by its package",
                process("node", &["node", "/usr/lib/node_modules/@anthropic-ai/claude-code/cli.js"]),
                true,
            ),
            ("a script of that name", process("node", &["/usr/bin/node", "/usr/local/bin/claude"]), true),
            ("the other one", process("codex", &["codex"]), true),
            ("a login shell", process("bash", &["-bash"]), false),
            ("an editor that shows a file of that name", process("vim", &["vim", "claude"]), false),
            ("a user of that name", process("node", &["node", "/home/claude/app.js"]), false),
            ("a name that only begins so", process("claudette", &["claudette"]), false),
        ];
        for (what, process, expected) in cases {
            assert_eq!(process.client().is_some(), expected, "{what}");
        }
    }

    #[test]
    fn the_parents_of_this_process_are_found() {
        assert!(!this().ancestors().is_empty());
    }

    #[cfg(target_os = "linux")]
    #[test]
    fn a_process_has_an_age_and_variables() {
        assert!(this().age_seconds().is_some_and(|age| (0.0..3600.0).contains(&age)));
        assert!(this().mark(&["CARGO_MANIFEST_DIR", "PATH"]).is_some());
    }
}
