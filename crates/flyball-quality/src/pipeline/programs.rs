//! Finds the programs of linters and their versions.

use std::collections::BTreeMap;

use flyball_core::path::AbsolutePath;
use flyball_core::workshop::{Job, JobResult, Places, Program, ProgramQuery, Workshop};

use super::keys;
use crate::linter::{Entry, Floor};
use crate::{builtin, version};

/// A command whose program was found.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Command {
    /// What runs it.
    pub runner: Runner,
    /// Its words behind the program.
    pub words: Vec<String>,
    /// The folder it runs in.
    pub folder: AbsolutePath,
    /// Changes when what it finds in the same content may change: program, words, configs, the entry.
    pub fingerprint: String,
}

/// What runs a command.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Runner {
    /// A built-in linter.
    Builtin(String),
    Program(Program),
}

impl Command {
    /// Changes when the program does.
    pub(super) fn identity(&self) -> &str {
        match &self.runner {
            Runner::Builtin(name) => name,
            Runner::Program(program) => &program.identity,
        }
    }
}

/// Programs that start what is in `node_modules` or on the search path, and nothing else.
const NODE_STARTERS: &[&str] = &["npx", "pnpm", "bunx"];

/// The programs that were looked for.
pub(super) struct Programs {
    places: Places,
    found: BTreeMap<(String, AbsolutePath), Option<Program>>,
}

impl Programs {
    pub(super) fn new(places: Places) -> Programs {
        Programs { places, found: BTreeMap::new() }
    }

    /// The command of a linter for files of a folder. `None` if its program is not installed.
    pub(super) fn command(
        &mut self,
        workshop: &dyn Workshop,
        (entry, words): (&Entry, &[String]),
        folder: &AbsolutePath,
    ) -> Option<Command> {
        // The caller replaces the folder; the program is found near the file, whatever that is.
        let command = |runner, words| Command {
            runner,
            words,
            folder: workshop.project_root().to_owned(),
            fingerprint: String::new(),
        };
        let (name, rest) = words.split_first()?;
        if name.starts_with(builtin::PREFIX) {
            return Some(command(Runner::Builtin(name.clone()), rest.to_vec()));
        }
        let via = entry.via.as_deref().unwrap_or_default();
        let Some((starter, between)) = via.split_first() else {
            let program = self.find(workshop, name, folder)?;
            return Some(command(Runner::Program(program), rest.to_vec()));
        };
        let mut program = self.find(workshop, starter, folder)?;
        match self.find(workshop, name, folder) {
            // Where the starter would find it too, a new version of the linter itself is noticed.
            Some(own) => program.identity = format!("{} {}", program.identity, own.identity),
            None if NODE_STARTERS.contains(&starter.as_str()) => return None,
            None => {}
        }
        let words = between.iter().chain(words).cloned().collect();
        Some(command(Runner::Program(program), words))
    }

    /// Whether a program is installed.
    pub(super) fn has(&mut self, workshop: &dyn Workshop, name: &str, folder: &AbsolutePath) -> bool {
        self.find(workshop, name, folder).is_some()
    }

    fn find(&mut self, workshop: &dyn Workshop, name: &str, folder: &AbsolutePath) -> Option<Program> {
        let place = (name.to_owned(), folder.to_owned());
        let places = self.places;
        let look = || workshop.find(&ProgramQuery { name: name.to_owned(), near: folder.to_owned(), places });
        self.found.entry(place).or_insert_with(look).clone()
    }
}

/// A query for a program's version.
#[derive(Clone, Debug)]
pub(super) struct VersionQuery {
    /// The cache key of the answer.
    pub key: String,
    /// The job that asks.
    pub job: Job,
}

impl VersionQuery {
    /// How to ask a command's program for its version; `None` if it is a part of flyball.
    pub(super) fn new(
        workshop: &dyn Workshop,
        (entry, words): (&Entry, &[String]),
        command: &Command,
    ) -> Option<VersionQuery> {
        let floor = entry.version.as_ref()?;
        let Runner::Program(program) = &command.runner else { return None };
        let ask = if floor.ask.is_empty() { &["--version".to_owned()] } else { floor.ask.as_slice() };
        // The words before the linter's own, if another program starts it.
        let own = words.len().saturating_sub(1);
        let before = command.words.get(..command.words.len().saturating_sub(own)).unwrap_or_default();
        let arguments: Vec<String> = before.iter().chain(ask).cloned().collect();
        let parts: Vec<&str> =
            [program.identity.as_str()].into_iter().chain(arguments.iter().map(String::as_str)).collect();
        let job = Job {
            program: program.path.clone(),
            arguments: arguments.clone(),
            folder: workshop.project_root().to_owned(),
            set: entry.env.clone().unwrap_or_default(),
            in_seatbelt: true,
            ..Job::default()
        };
        Some(VersionQuery { key: keys::key(workshop, "version", &parts), job })
    }

    /// Caches the version that the program printed.
    pub(super) fn store_version(&self, workshop: &dyn Workshop, ran: &JobResult) -> String {
        // Some programs print their version on standard error.
        let text = [ran.stdout.as_slice(), ran.stderr.as_slice()].concat();
        let version = version::find(&String::from_utf8_lossy(&text)).unwrap_or_default();
        workshop.cache_result(&self.key, version.as_bytes());
        version
    }
}

/// What is wrong with a version, if it is older than it should be.
pub(super) fn too_old(floor: &Floor, version: &str) -> Option<String> {
    // A version that cannot be read is not a reason to complain.
    let is_older = !version.is_empty() && version::is_older(version, &floor.at_least);
    is_older.then(|| format!("version {version} is older than {}", floor.at_least))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_version_that_is_too_old_is_reported() {
        let floor = |at_least: &str| Floor { ask: Vec::new(), at_least: at_least.to_owned() };
        let old = Some("version 2.9.3 is older than 2.12.0".to_owned());
        assert_eq!(too_old(&floor("2.12.0"), "2.9.3"), old);
        assert_eq!(too_old(&floor("2.12.0"), "2.12"), None);
        assert_eq!(too_old(&floor("2.12.0"), "10.0"), None);
        assert_eq!(too_old(&floor("2.12.0"), ""), None);
    }
}
