//! Ten thousand reports cost a hook what none cost: the same calls, and no look into a folder.

use std::fs;
use std::sync::Mutex;

use flyball_core::workshop::{
    Alteration, FileChanges, Job, Limits, Network, NoteChange, NoteChanges, Program, Programs, Ran, Request,
    Response, Results, Rewritten, Wanted,
};
use flyball_core::world::{ContentHash, Contents, Files, Git, Notes, Stat, Tail};
use flyball_world::machine::Machine;

use super::super::*;
use super::{Yard, about};

/// A machine that writes down what it is asked.
struct Counting {
    machine: Machine,
    asked: Mutex<Vec<&'static str>>,
}

impl Counting {
    fn ask(&self, what: &'static str) -> &Machine {
        self.asked.lock().unwrap().push(what);
        &self.machine
    }
}

flyball_core::delegate!(Counting, machine: Clock, Place, FileApprovals, Transcripts, KnowsClients, OwnFolders);

impl Files for Counting {
    fn real_path(&self, base: &str, path: &str) -> String {
        self.machine.real_path(base, path)
    }

    fn stat(&self, path: &str) -> Option<Stat> {
        self.ask("stat").stat(path)
    }

    fn read(&self, path: &str, most: u64) -> Result<Option<Vec<u8>>, Trouble> {
        self.ask("read").read(path, most)
    }

    fn tail(&self, path: &str, most: u64) -> Result<Option<Tail>, Trouble> {
        self.ask("tail").tail(path, most)
    }

    fn list(&self, folder: &str) -> Vec<String> {
        self.ask("list").list(folder)
    }
}

impl Git for Counting {
    fn git(&self, folder: &str, question: &[&str]) -> Result<Option<String>, Trouble> {
        self.ask("git").git(folder, question)
    }

    fn changed_files(&self, since: u64) -> Result<Vec<String>, Trouble> {
        self.ask("changed_files").changed_files(since)
    }
}

impl Contents for Counting {
    fn keep(&self, content: &[u8]) -> Result<ContentHash, Trouble> {
        self.ask("keep").keep(content)
    }

    fn hash(&self, content: &[u8]) -> ContentHash {
        self.machine.hash(content)
    }
}

impl Notes for Counting {
    fn project_note(&self, key: &str) -> Result<Option<String>, Trouble> {
        self.ask("note").project_note(key)
    }
}

impl Programs for Counting {
    fn find(&self, wanted: &Wanted) -> Option<Program> {
        self.ask("find").find(wanted)
    }

    fn run(&self, jobs: &[Job], limits: Limits) -> Vec<Ran> {
        self.ask("run").run(jobs, limits)
    }

    fn variable(&self, name: &str) -> Option<String> {
        self.ask("variable").variable(name)
    }
}

impl Results for Counting {
    fn kept_result(&self, key: &str) -> Option<Vec<u8>> {
        self.ask("kept").kept_result(key)
    }

    fn keep_result(&self, key: &str, result: &[u8]) {
        self.ask("keep").keep_result(key, result);
    }
}

impl Network for Counting {
    fn post(&self, request: &Request) -> Result<Response, Trouble> {
        self.ask("post").post(request)
    }

    fn pause(&self, millis: u64) {
        self.ask("pause").pause(millis);
    }
}

impl FileChanges for Counting {
    fn rewrite(&self, path: &str, from: &[u8], to: &[u8]) -> Result<Rewritten, Trouble> {
        self.ask("rewrite").rewrite(path, from, to)
    }

    fn create(&self, path: &str, content: &[u8]) -> Result<Created, Trouble> {
        self.ask("create").create(path, content)
    }

    fn alter(&self, path: &str, change: &mut Alteration<'_>) -> Result<bool, Trouble> {
        self.ask("alter").alter(path, change)
    }

    fn append(&self, path: &str, line: &str) -> Result<(), Trouble> {
        self.ask("append").append(path, line)
    }

    fn link(&self, path: &str, to: &str) -> Result<bool, Trouble> {
        self.ask("link").link(path, to)
    }
}

impl NoteChanges for Counting {
    fn change_note(&self, key: &str, change: &mut NoteChange<'_>) -> Result<(), Trouble> {
        self.ask("change_note").change_note(key, change)
    }
}

/// What hooks ask of a project with so many reports.
fn asked(reports: usize) -> (Vec<&'static str>, usize) {
    let yard = Yard::new();
    let pending = yard.root().join(Status::Pending.folder());
    fs::create_dir_all(&pending).unwrap();
    for number in 0..reports {
        let folder = number % 50;
        let text = format!("## Learning Report\n\n**Directory**: src/{folder}\n**Operation**: {number}\n");
        fs::write(pending.join(format!("PITFALL-{number}.md")), text).unwrap();
    }
    rebuild(&yard.machine()).unwrap();
    let counting = Counting { machine: yard.machine(), asked: Mutex::default() };
    assert!(is_wanted(&counting));
    assert_eq!(summary(&counting).unwrap().pending, reports);
    risk(&counting, "src/api").unwrap();
    record(&counting, &about(1)).unwrap();
    record(&counting, &about(1)).unwrap();
    let length = counting.project_note(notes::BOOK).unwrap().unwrap_or_default().len();
    (counting.asked.into_inner().unwrap(), length)
}

#[test]
fn defect_15_ten_thousand_reports_cost_what_none_cost() {
    let (empty, _) = asked(0);
    let (full, length) = asked(10_000);
    assert_eq!(full, empty);
    assert!(!full.contains(&"list") && !full.contains(&"read"), "{full:?}");
    assert!(length < 8_000, "{length}");
}
