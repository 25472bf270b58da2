//! What policies may do on this machine before they judge: the real workshop.

#[cfg(any(not(unix), test))]
mod elsewhere;
mod find;
mod identity;
mod packs;
mod post;
mod results;
mod rewrite;
mod start;
mod state_files;
#[cfg(unix)]
mod unix;

use std::path::PathBuf;
use std::time::Duration;

use flyball_core::error::PolicyError;
use flyball_core::path::AbsolutePath;
use flyball_core::snapshot::{Extent, Snapshot, SnapshotRequest, Snapshots};
use flyball_core::workshop::{
    Created, FileChanges, FileUpdate, Job, JobResult, Limits, Network, NoteChange, NoteChanges, OwnFolders,
    Program, ProgramQuery, Programs, Request, Response, ResultCache, Rewritten, Scratch,
};

#[cfg(not(unix))]
use self::elsewhere::run;
#[cfg(not(unix))]
pub(crate) use self::elsewhere::signals;
#[cfg(unix)]
use self::unix::run;
#[cfg(unix)]
pub(crate) use self::unix::signals;
use crate::machine::Machine;
use crate::scratch;

impl Programs for Machine {
    fn find(&self, wanted: &ProgramQuery) -> Option<Program> {
        find::find(self, wanted)
    }

    fn run(&self, jobs: &[Job], limits: Limits) -> Vec<JobResult> {
        // What is put in front is the same for all of them.
        let words = if jobs.iter().any(|job| job.in_seatbelt) { self.seatbelt_words() } else { Vec::new() };
        let Some((program, words)) = words.split_first() else { return run::run(jobs, limits) };
        let jobs: Vec<Job> = jobs.iter().map(|job| started_by(program, words, job)).collect();
        run::run(&jobs, limits)
    }

    fn variable(&self, name: &str) -> Option<String> {
        self.environment(name)
    }

    fn trusts_project(&self) -> bool {
        self.is_trusted()
    }
}

/// The job, started by another program if it has to be in the seatbelt.
fn started_by(program: &str, words: &[String], job: &Job) -> Job {
    if !job.in_seatbelt {
        return job.clone();
    }
    let own = std::iter::once(job.program.to_string()).chain(job.arguments.iter().cloned());
    let arguments = words.iter().cloned().chain(own).collect();
    Job { program: AbsolutePath::from_root(program), arguments, ..job.clone() }
}

impl ResultCache for Machine {
    fn cached_result(&self, key: &str) -> Option<Vec<u8>> {
        results::Results::below(self.state()?).read(key)
    }

    fn cache_result(&self, key: &str, result: &[u8]) {
        if let Some(state) = self.state().filter(|_| !scratch::is_ending()) {
            // What cannot be cached is computed again.
            _ = results::Results::below(state).store(key, result);
        }
    }

    fn cached_results(&self, keys: &[&str]) -> Vec<Option<Vec<u8>>> {
        match self.state() {
            Some(state) => results::Results::below(state).read_many(keys),
            None => vec![None; keys.len()],
        }
    }

    fn cache_results(&self, results: &[(String, Vec<u8>)]) {
        if let Some(state) = self.state().filter(|_| !scratch::is_ending()) {
            // What cannot be cached is computed again.
            _ = results::Results::below(state).store_many(results);
        }
    }
}

impl Network for Machine {
    fn post(&self, request: &Request) -> Result<Response, PolicyError> {
        post::post(request)
    }

    fn pause(&self, duration: Duration) {
        std::thread::sleep(duration);
    }
}

impl OwnFolders for Machine {
    fn scratch(&self, files: &[(&str, &[u8])]) -> Result<Box<dyn Scratch>, PolicyError> {
        let base = self.state().map_or_else(|| PathBuf::from("/tmp"), |state| state.join("scratch"));
        scratch::make(&base, files)
    }

    fn persistent_file(&self, name: &str, content: &[u8]) -> Option<AbsolutePath> {
        state_files::file(self.state()?, name, content)
    }
}

impl FileChanges for Machine {
    fn rewrite(&self, path: &AbsolutePath, from: &[u8], to: &[u8]) -> Result<Rewritten, PolicyError> {
        rewrite::rewrite(path, from, to)
    }

    fn create(&self, path: &AbsolutePath, content: &[u8]) -> Result<Created, PolicyError> {
        self.project()?.create(path, content)
    }

    fn update(&self, path: &AbsolutePath, change: &mut FileUpdate<'_>) -> Result<bool, PolicyError> {
        self.project()?.alter(path, change)
    }

    fn append(&self, path: &AbsolutePath, line: &str) -> Result<(), PolicyError> {
        self.project()?.append(path, line)
    }

    fn link(&self, path: &AbsolutePath, to: &AbsolutePath) -> Result<bool, PolicyError> {
        self.project()?.link(path, to)
    }
}

impl NoteChanges for Machine {
    fn change_note(&self, key: &str, change: &mut NoteChange<'_>) -> Result<(), PolicyError> {
        self.project()?.change_note(key, change)
    }
}

impl Snapshots for Machine {
    fn take_snapshot(&self, wanted: &SnapshotRequest<'_>) -> Result<Snapshot, PolicyError> {
        // A session in the home folder must not copy all that its owner has.
        let extent = match wanted.extent {
            Extent::Tree { named, .. } if self.holds_home() => Extent::Files(named),
            extent => extent,
        };
        self.snapshots()?.take(self.found_git(), &SnapshotRequest { extent, ..*wanted })
    }
}
