//! Distinguishes a person at a terminal from an agent.
//!
//! A determined agent can hide where it comes from. This stops the others; `guard.self` stops
//! their command lines before they run.

use std::path::Path;
use std::process::{Command, Stdio};

use flyball_clients::CLIENTS;

use crate::environment;
use crate::outcome::Failed;
use crate::terminal::Terminal;

/// More generations than any process has.
const MOST_ANCESTORS: usize = 64;

/// Refuses everyone but a person at a terminal.
pub(crate) fn require_person(what: &str, terminal: &Terminal) -> Result<(), Failed> {
    let fix = format!("open a terminal of your own and run `{what}` there");
    let refused = |why: String| Failed::refused(format!("only a person may do this: {why}"), fix.clone());
    // The cheap test first: clients mark what they start with a variable.
    for facts in CLIENTS.iter().map(|client| client.facts()) {
        if let Some(mark) = facts.marks.iter().find(|mark| environment::variable(mark).is_some()) {
            return Err(refused(format!("an agent started this ({mark} is set)")));
        }
    }
    // A variable can be unset in a command line; the chain of parents cannot.
    let ancestors = ancestors();
    for name in CLIENTS.iter().flat_map(|client| client.facts().processes) {
        if let Some(process) = ancestors.iter().find(|process| process.is(name)) {
            return Err(refused(format!(
                "an agent started this (process {}, `{}`)",
                process.id, process.name
            )));
        }
    }
    // Last, because the other two refusals say more.
    if !terminal.is_interactive() {
        return Err(refused("this is not a terminal".to_owned()));
    }
    Ok(())
}

#[derive(Clone, Debug, Default, PartialEq, Eq)]
struct Process {
    id: u32,
    parent: u32,
    name: String,
    /// Its command line, as far as it can be seen.
    words: Vec<String>,
}

impl Process {
    /// Whether it is the program of this name, run by itself or by an interpreter.
    fn is(&self, name: &str) -> bool {
        let mut words = self.words.iter().map(String::as_str);
        let (program, script) = (words.next().unwrap_or_default(), words.next().unwrap_or_default());
        // Part of a path: a client from npm is run as `node …/@scope/name/cli.js`.
        if name.contains('/') {
            return program.contains(name) || script.contains(name);
        }
        let is_interpreter = ["node", "bun", "deno", "sh", "bash", "dash", "zsh"].contains(&base(program));
        self.name == name || base(program) == name || is_interpreter && base(script) == name
    }
}

/// The last part of a path, without `.js`, `.exe` and the like. A login shell has a `-` in front.
fn base(path: &str) -> &str {
    let name = path.rsplit('/').next().unwrap_or(path).trim_start_matches('-');
    name.split_once('.').map_or(name, |(stem, _)| stem)
}

/// The processes that led to this one, nearest first.
fn ancestors() -> Vec<Process> {
    let mut found = Vec::new();
    let mut next = std::os::unix::process::parent_id();
    while next > 1 && found.len() < MOST_ANCESTORS {
        let Some(process) = from_proc(next).or_else(|| from_ps(next)) else { break };
        next = process.parent;
        found.push(process);
    }
    found
}

fn from_proc(id: u32) -> Option<Process> {
    let folder = Path::new("/proc").join(id.to_string());
    // `1234 (name) S 1 …`, and a name may hold anything.
    let stat = String::from_utf8_lossy(&std::fs::read(folder.join("stat")).ok()?).into_owned();
    // From the right: the name itself may contain a bracket.
    let (before, after) = stat.rsplit_once(')')?;
    let parent = after.split_whitespace().nth(1)?.parse().ok()?;
    let name = before.split_once('(')?.1.to_owned();
    let words = std::fs::read(folder.join("cmdline")).unwrap_or_default();
    let words =
        words.split(|byte| *byte == 0).map(|word| String::from_utf8_lossy(word).into_owned()).collect();
    Some(Process { id, parent, name, words })
}

/// Where there is no `/proc`.
fn from_ps(id: u32) -> Option<Process> {
    let mut ps = Command::new("/bin/ps");
    ps.args(["-o", "ppid=,command=", "-p", &id.to_string()]).stdin(Stdio::null()).stderr(Stdio::null());
    let printed = String::from_utf8_lossy(&ps.output().ok()?.stdout).into_owned();
    let mut words = printed.split_whitespace();
    let parent = words.next()?.parse().ok()?;
    let words: Vec<String> = words.map(str::to_owned).collect();
    Some(Process { id, parent, name: words.first().map(|word| base(word).to_owned())?, words })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn process(name: &str, words: &[&str]) -> Process {
        Process {
            name: name.to_owned(),
            words: words.iter().map(|&word| word.to_owned()).collect(),
            ..Process::default()
        }
    }

    #[test]
    fn clients_are_known_by_their_processes() {
        let cases = [
            ("its own program", process("claude", &["claude"]), true),
            ("by path", process("x", &["/home/dev/.local/bin/claude", "-p"]), true),
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
        let names: Vec<&str> = CLIENTS.iter().flat_map(|client| client.facts().processes).copied().collect();
        for (what, process, expected) in cases {
            assert_eq!(names.iter().any(|name| process.is(name)), expected, "{what}");
        }
    }

    #[test]
    fn the_parents_of_this_process_are_found() {
        assert!(!ancestors().is_empty());
    }
}
