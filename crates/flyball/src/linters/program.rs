//! Whether the program of a linter is on this machine, and new enough.

use std::time::Duration;

use flyball_core::path::AbsolutePath;
use flyball_core::workshop::{Ending, Job, JobResult, Limits, Places, ProgramQuery, Programs};
use flyball_core::world::Place;
use flyball_quality::linter::{Entry, Floor, Linter};
use flyball_quality::{builtin, version};
use flyball_world::machine::Machine;

/// How long all programs together may take to print their versions.
const TIMEOUT: Duration = Duration::from_secs(10);

/// The result of the search for a linter's program.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum State {
    /// It is a part of flyball.
    Builtin,
    /// It is there, and new enough as far as that matters.
    Found { program: AbsolutePath, version: Option<String> },
    /// It is there, but older than it should be.
    Outdated { program: AbsolutePath, version: String, at_least: String },
    /// It is there but does not print its version.
    Broken { program: AbsolutePath, why: String },
    /// It is not there.
    Missing,
}

/// Looks for all linters' programs; those whose version matters are asked for it, all at once.
///
/// A program may be installed in a part of the project only, next to the files that it is for:
/// `folders` names those of a linter, below the root.
pub(super) fn states(
    machine: &Machine,
    linters: &[&Linter],
    folders: impl Fn(&Linter) -> Vec<String>,
) -> Vec<State> {
    let look = |linter: &&Linter| match find(machine, &linter.entry, "") {
        State::Missing => {
            let mut below = folders(linter).into_iter().map(|folder| find(machine, &linter.entry, &folder));
            below.find(|state| *state != State::Missing).unwrap_or(State::Missing)
        }
        state => state,
    };
    let mut states: Vec<State> = linters.iter().map(look).collect();
    let asked: Vec<(usize, Job)> = linters
        .iter()
        .zip(&states)
        .enumerate()
        .filter_map(|(at, (linter, state))| Some((at, version_job(machine, &linter.entry, state)?)))
        .collect();
    let jobs: Vec<Job> = asked.iter().map(|(_, job)| job.clone()).collect();
    let limits = Limits { timeout: TIMEOUT, ..Limits::default() };
    // All at once: one after the other, a dozen of slow interpreters would take half a minute.
    let answers = if jobs.is_empty() { Vec::new() } else { machine.run(&jobs, limits) };
    for ((at, job), ran) in asked.into_iter().zip(answers) {
        if let (Some(state), Some(linter)) = (states.get_mut(at), linters.get(at)) {
            *state = judge_version(job.program, &ran, &linter.entry);
        }
    }
    states
}

fn find(machine: &Machine, entry: &Entry, folder: &str) -> State {
    let Some(name) = entry.program() else { return State::Missing };
    if name.starts_with(builtin::PREFIX) {
        return State::Builtin;
    }
    let root = machine.project_root();
    let near = if folder.is_empty() { root.clone() } else { root.join(folder) };
    let query = ProgramQuery { name: name.to_owned(), near, places: Places::ProjectFirst };
    match machine.find(&query) {
        Some(program) => State::Found { program: program.path, version: None },
        None => State::Missing,
    }
}

/// What to run to learn the version, where it matters.
fn version_job(machine: &Machine, entry: &Entry, state: &State) -> Option<Job> {
    let State::Found { program, .. } = state else { return None };
    let Floor { ask, .. } = entry.version.as_ref()?;
    // What is started by another program cannot be asked without it.
    let own = if ask.is_empty() { vec!["--version".to_owned()] } else { ask.clone() };
    let name = || entry.check.as_ref().and_then(|check| check.command.first()).cloned();
    let before = entry
        .via
        .as_deref()
        .map_or_else(Vec::new, |via| via.iter().skip(1).cloned().chain(name()).collect::<Vec<String>>());
    Some(Job {
        program: program.clone(),
        arguments: before.into_iter().chain(own).collect(),
        folder: machine.project_root().to_owned(),
        set: entry.env.clone().unwrap_or_default(),
        ..Job::default()
    })
}

fn judge_version(program: AbsolutePath, ran: &JobResult, entry: &Entry) -> State {
    let why = match &ran.ending {
        Ending::Exited(0) => None,
        Ending::Exited(code) => Some(format!("exit code {code} when asked for its version")),
        Ending::Killed(signal) => Some(format!("killed by signal {signal} when asked for its version")),
        Ending::TimedOut | Ending::OverLimit(_) => Some("no version within the time limit".to_owned()),
        Ending::NotStarted(why) => Some(why.clone()),
    };
    // Some print their version to standard error.
    let output = [ran.stdout.as_slice(), ran.stderr.as_slice()].concat();
    let version = version::find(&String::from_utf8_lossy(&output));
    let at_least = entry.version.as_ref().map(|floor| floor.at_least.clone()).unwrap_or_default();
    match (version, why) {
        // Some print their version as part of their help, with an exit code that is not 0.
        (Some(version), _) if version::is_older(&version, &at_least) => {
            State::Outdated { program, version, at_least }
        }
        (None, Some(why)) => State::Broken { program, why },
        (version, _) => State::Found { program, version },
    }
}
