//! Ten thousand reports cost a hook what none cost: the same calls, and no listing of a folder.

use std::fs;
use std::sync::Mutex;
use std::time::Duration;

use flyball_core::path::AbsolutePath;
use flyball_core::workshop::{
    FileChanges, FileUpdate, Job, JobResult, Limits, Network, NoteChange, NoteChanges, Program, ProgramQuery,
    Programs, Request, Response, ResultCache, Rewritten,
};
use flyball_core::world::{ChangedFiles, ContentHash, Contents, Files, Git, GitAnswer, Notes, Stat, Tail};
use flyball_world::machine::Machine;

use super::super::*;
use super::{TestProject, about};

/// A machine that records its calls.
struct Counting {
    machine: Machine,
    calls: Mutex<Vec<&'static str>>,
}

impl Counting {
    fn record_call(&self, what: &'static str) -> &Machine {
        self.calls.lock().unwrap().push(what);
        &self.machine
    }
}

flyball_core::delegate!(Counting, machine: Clock, Place, Processes, FileApprovals, Transcripts, KnowsClients, OwnFolders, Snapshots);

impl Files for Counting {
    fn real_path(&self, base: &AbsolutePath, path: &str) -> AbsolutePath {
        self.machine.real_path(base, path)
    }

    fn stat(&self, path: &AbsolutePath) -> Option<Stat> {
        self.record_call("stat").stat(path)
    }

    fn read(&self, path: &AbsolutePath, most: u64) -> Result<Option<Vec<u8>>, PolicyError> {
        self.record_call("read").read(path, most)
    }

    fn tail(&self, path: &AbsolutePath, most: u64) -> Result<Option<Tail>, PolicyError> {
        self.record_call("tail").tail(path, most)
    }

    fn list(&self, folder: &AbsolutePath) -> Vec<String> {
        self.record_call("list").list(folder)
    }

    fn unknown_fact(&self) -> Option<PolicyError> {
        self.machine.unknown_fact()
    }
}

impl Git for Counting {
    fn git(&self, folder: &AbsolutePath, question: &[&str]) -> Result<GitAnswer, PolicyError> {
        self.record_call("git").git(folder, question)
    }

    fn changed_files(&self, folder: &AbsolutePath, since: Time) -> Result<ChangedFiles, PolicyError> {
        self.record_call("changed_files").changed_files(folder, since)
    }
}

impl Contents for Counting {
    fn store(&self, content: &[u8]) -> Result<ContentHash, PolicyError> {
        self.record_call("store").store(content)
    }

    fn hash(&self, content: &[u8]) -> ContentHash {
        self.machine.hash(content)
    }
}

impl Notes for Counting {
    fn project_note(&self, key: &str) -> Result<Option<String>, PolicyError> {
        self.record_call("note").project_note(key)
    }
}

impl Programs for Counting {
    fn find(&self, query: &ProgramQuery) -> Option<Program> {
        self.record_call("find").find(query)
    }

    fn run(&self, jobs: &[Job], limits: Limits) -> Vec<JobResult> {
        self.record_call("run").run(jobs, limits)
    }

    fn variable(&self, name: &str) -> Option<String> {
        self.record_call("variable").variable(name)
    }

    fn trusts_project(&self) -> bool {
        self.record_call("trusts_project").trusts_project()
    }
}

impl ResultCache for Counting {
    fn cached_result(&self, key: &str) -> Option<Vec<u8>> {
        self.record_call("cached_result").cached_result(key)
    }

    fn cache_result(&self, key: &str, result: &[u8]) {
        self.record_call("cache_result").cache_result(key, result);
    }
}

impl Network for Counting {
    fn post(&self, request: &Request) -> Result<Response, PolicyError> {
        self.record_call("post").post(request)
    }

    fn pause(&self, duration: Duration) {
        self.record_call("pause").pause(duration);
    }
}

impl FileChanges for Counting {
    fn rewrite(&self, path: &AbsolutePath, from: &[u8], to: &[u8]) -> Result<Rewritten, PolicyError> {
        self.record_call("rewrite").rewrite(path, from, to)
    }

    fn create(&self, path: &AbsolutePath, content: &[u8]) -> Result<Created, PolicyError> {
        self.record_call("create").create(path, content)
    }

    fn update(&self, path: &AbsolutePath, change: &mut FileUpdate<'_>) -> Result<bool, PolicyError> {
        self.record_call("update").update(path, change)
    }

    fn append(&self, path: &AbsolutePath, line: &str) -> Result<(), PolicyError> {
        self.record_call("append").append(path, line)
    }

    fn link(&self, path: &AbsolutePath, to: &AbsolutePath) -> Result<bool, PolicyError> {
        self.record_call("link").link(path, to)
    }
}

impl NoteChanges for Counting {
    fn change_note(&self, key: &str, change: &mut NoteChange<'_>) -> Result<(), PolicyError> {
        self.record_call("change_note").change_note(key, change)
    }
}

/// The calls of hooks in a project with this many reports, and the length of its summary.
fn calls(reports: usize) -> (Vec<&'static str>, usize) {
    let project = TestProject::new();
    let pending = project.root().join(Status::Pending.folder());
    fs::create_dir_all(&pending).unwrap();
    for number in 0..reports {
        let folder = number % 50;
        let text = format!("## Learning Report\n\n**Directory**: src/{folder}\n**Operation**: {number}\n");
        fs::write(pending.join(format!("PITFALL-{number}.md")), text).unwrap();
    }
    rebuild(&project.machine()).unwrap();
    let counting = Counting { machine: project.machine(), calls: Mutex::default() };
    assert!(is_enabled(&counting));
    assert_eq!(summary(&counting).unwrap().pending, reports);
    count_for_folder(&counting, "src/api").unwrap();
    record(&counting, &about(1)).unwrap();
    record(&counting, &about(1)).unwrap();
    let length = counting.project_note(notes::LEDGER_KEY).unwrap().unwrap_or_default().len();
    (counting.calls.into_inner().unwrap(), length)
}

#[test]
fn defect_15_ten_thousand_reports_cost_what_none_cost() {
    let (empty, _) = calls(0);
    let (full, length) = calls(10_000);
    assert_eq!(full, empty);
    assert!(!full.contains(&"list") && !full.contains(&"read"), "{full:?}");
    assert!(length < 8_000, "{length}");
}
