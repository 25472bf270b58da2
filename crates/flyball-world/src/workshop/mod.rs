//! What policies may do on this machine before they judge: the real workshop.

mod child;
mod find;
mod identity;
mod lasting;
mod pipes;
mod post;
mod results;
mod rewrite;
mod run;
pub(crate) mod signals;

use std::path::PathBuf;
use std::time::Duration;

use flyball_core::failure::Trouble;
use flyball_core::workshop::{
    Alteration, Created, FileChanges, Job, Limits, Network, NoteChange, NoteChanges, OwnFolders, Program,
    Programs, Ran, Request, Response, Results, Rewritten, Scratch, Wanted,
};

use crate::machine::Machine;
use crate::scratch;

impl Programs for Machine {
    fn find(&self, wanted: &Wanted) -> Option<Program> {
        find::find(self, wanted)
    }

    fn run(&self, jobs: &[Job], limits: Limits) -> Vec<Ran> {
        run::run(jobs, limits)
    }

    fn variable(&self, name: &str) -> Option<String> {
        self.environment(name)
    }
}

impl Results for Machine {
    fn kept_result(&self, key: &str) -> Option<Vec<u8>> {
        results::Results::below(self.state()?).read(key)
    }

    fn keep_result(&self, key: &str, result: &[u8]) {
        if let Some(state) = self.state().filter(|_| !scratch::is_over()) {
            // What cannot be kept is worked out again.
            drop(results::Results::below(state).keep(key, result));
        }
    }
}

impl Network for Machine {
    fn post(&self, request: &Request) -> Result<Response, Trouble> {
        post::post(request)
    }

    fn pause(&self, millis: u64) {
        std::thread::sleep(Duration::from_millis(millis));
    }
}

impl OwnFolders for Machine {
    fn scratch(&self, files: &[(&str, &[u8])]) -> Result<Box<dyn Scratch>, Trouble> {
        let base = self.state().map_or_else(|| PathBuf::from("/tmp"), |state| state.join("scratch"));
        scratch::make(&base, files)
    }

    fn lasting(&self, name: &str, content: &[u8]) -> Option<String> {
        lasting::file(self.state()?, name, content)
    }
}

impl FileChanges for Machine {
    fn rewrite(&self, path: &str, from: &[u8], to: &[u8]) -> Result<Rewritten, Trouble> {
        rewrite::rewrite(path, from, to)
    }

    fn create(&self, path: &str, content: &[u8]) -> Result<Created, Trouble> {
        self.project()?.create(path, content)
    }

    fn alter(&self, path: &str, change: &mut Alteration<'_>) -> Result<bool, Trouble> {
        self.project()?.alter(path, change)
    }

    fn append(&self, path: &str, line: &str) -> Result<(), Trouble> {
        self.project()?.append(path, line)
    }

    fn link(&self, path: &str, to: &str) -> Result<bool, Trouble> {
        self.project()?.link(path, to)
    }
}

impl NoteChanges for Machine {
    fn change_note(&self, key: &str, change: &mut NoteChange<'_>) -> Result<(), Trouble> {
        self.project()?.change_note(key, change)
    }
}
