//! The ledger on real files.

mod flat;

use flyball_core::path::AbsolutePath;
use flyball_core::world::{Clock, Files};
use std::fs;
use std::path::{Path, PathBuf};
use std::time::Instant;

use flyball_world::machine::Machine;

use super::*;
use crate::layout;
use crate::report::tests::draft;

/// A project with reports enabled.
struct TestProject {
    folder: tempfile::TempDir,
}

impl TestProject {
    fn new() -> TestProject {
        let folder = tempfile::tempdir().unwrap();
        fs::create_dir_all(folder.path().join("project").join(layout::MEMORY)).unwrap();
        TestProject { folder }
    }

    fn root(&self) -> PathBuf {
        self.folder.path().canonicalize().unwrap().join("project")
    }

    fn machine(&self) -> Machine {
        let state = self.folder.path().join("state");
        Machine::new(Instant::now(), None, &self.root(), Vec::new(), &[]).with_state(Some(Path::new(&state)))
    }

    fn record(&self, draft: &Draft) -> Recorded {
        record(&self.machine(), draft).unwrap()
    }

    fn summary(&self) -> Summary {
        summary(&self.machine()).unwrap()
    }

    fn file(&self, status: Status, id: &str) -> PathBuf {
        self.root().join(status.folder()).join(format!("{id}.md"))
    }

    /// Moves a report as a command does.
    fn shift(&self, id: &str, from: Status, to: Option<Status>) {
        let machine = self.machine();
        let report = load(&machine, from, id).unwrap().unwrap();
        move_report(&machine, &report, to, &mut || {
            match to {
                Some(to) => self.rename(id, from, to),
                None => fs::remove_file(self.file(from, id)).unwrap(),
            }
            Ok(())
        })
        .unwrap();
    }

    fn rename(&self, id: &str, from: Status, to: Status) {
        fs::create_dir_all(self.root().join(to.folder())).unwrap();
        fs::rename(self.file(from, id), self.file(to, id)).unwrap();
    }
}

fn about(number: usize) -> Draft {
    Draft { sameness: format!("same {number}"), title: format!("title {number}"), ..draft() }
}

fn new(recorded: Recorded) -> String {
    match recorded {
        Recorded::New(id) => id,
        Recorded::Again(_) | Recorded::Rejected(_) => panic!("{recorded:?}"),
    }
}

fn ids(lines: &[Line]) -> Vec<&str> {
    lines.iter().map(|line| line.id.as_str()).collect()
}

#[test]
fn without_its_folder_a_project_has_reports_disabled() {
    let project = TestProject::new();
    assert!(is_enabled(&project.machine()));
    fs::remove_dir(project.root().join(layout::MEMORY)).unwrap();
    assert!(!is_enabled(&project.machine()));
}

#[test]
fn the_same_is_counted_and_what_is_new_is_written() {
    let project = TestProject::new();
    assert_eq!(project.summary(), Summary::default());
    let id = new(project.record(&draft()));
    assert_eq!(project.record(&draft()), Recorded::Again(id.clone()));
    assert_eq!(project.record(&Draft { said: "x".to_owned(), ..draft() }), Recorded::Again(id.clone()));
    let report = load(&project.machine(), Status::Pending, &id).unwrap().unwrap();
    assert_eq!((report.times, &report.draft), (3, &draft()));
    let other = new(project.record(&about(2)));
    let summary = project.summary();
    assert_eq!((summary.pending, summary.is_stale), (2, false));
    assert_eq!(ids(&summary.newest_pending).len(), 2);
    assert!(ids(&summary.newest_pending).contains(&other.as_str()));
    assert_eq!(count_for_folder(&project.machine(), "src/api").unwrap(), 2);
    assert_eq!(count_for_folder(&project.machine(), "./src/api/").unwrap(), 2);
    assert_eq!(count_for_folder(&project.machine(), "src/apiextra").unwrap(), 0);
    assert_eq!(count_for_folder(&project.machine(), "src").unwrap(), 0);
}

#[test]
fn a_loop_of_failures_is_counted_without_writing_each_time() {
    let project = TestProject::new();
    let id = new(project.record(&draft()));
    for _ in 0..24 {
        project.record(&draft());
    }
    assert_eq!(load(&project.machine(), Status::Pending, &id).unwrap().unwrap().times, 20);
    assert_eq!(same_note(&project.machine(), &draft().sameness).unwrap().unwrap().times, 25);
}

#[test]
fn decisions_of_people_update_the_notes() {
    let project = TestProject::new();
    let [one, two, three, four] = [1, 2, 3, 4].map(|number| new(project.record(&about(number))));
    project.shift(&one, Status::Pending, Some(Status::Accepted));
    project.shift(&two, Status::Pending, Some(Status::Rejected));
    project.shift(&three, Status::Pending, None);
    let summary = project.summary();
    assert_eq!((summary.pending, summary.is_stale), (1, false));
    assert_eq!(ids(&summary.newest_pending), [four.as_str()]);
    assert_eq!(ids(&summary.newest_accepted), [one.as_str()]);
    assert_eq!(count_for_folder(&project.machine(), "src/api").unwrap(), 2);
    // Accepted is counted again, rejected is not asked again, deleted is new.
    assert_eq!(project.record(&about(1)), Recorded::Again(one.clone()));
    assert_eq!(project.record(&about(2)), Recorded::Rejected(two));
    assert_eq!(project.record(&about(3)), Recorded::New(three));
    project.shift(&one, Status::Accepted, Some(Status::Integrated));
    let later = project.summary();
    assert_eq!(later.newest_accepted, summary.newest_accepted);
    assert_eq!(count_for_folder(&project.machine(), "src/api").unwrap(), 2);
    assert_eq!(project.record(&about(1)), Recorded::Again(one));
}

#[test]
fn a_move_can_be_recorded_afterwards_too() {
    let project = TestProject::new();
    let [one, two] = [1, 2].map(|number| new(project.record(&about(number))));
    project.rename(&one, Status::Pending, Status::Accepted);
    record_move(&project.machine(), &one, Status::Pending, Status::Accepted).unwrap();
    let report = load(&project.machine(), Status::Pending, &two).unwrap().unwrap();
    fs::remove_file(project.file(Status::Pending, &two)).unwrap();
    record_deletion(&project.machine(), &report).unwrap();
    let summary = project.summary();
    assert_eq!((summary.pending, summary.is_stale), (0, false));
    assert_eq!(ids(&summary.newest_accepted), [one.as_str()]);
    assert_eq!(project.record(&about(2)), Recorded::New(two));
}

#[test]
fn changes_by_others_make_the_notes_stale_until_a_rebuild() {
    let project = TestProject::new();
    let [one, two] = [1, 2].map(|number| new(project.record(&about(number))));
    let folder = project.root().join(Status::Pending.folder());
    let stamp = || project.machine().stat(&AbsolutePath::from_root(folder.to_string_lossy()));
    let before = stamp();
    project.rename(&one, Status::Pending, Status::Rejected);
    // Clocks of file systems are coarse.
    while stamp() == before {
        fs::write(folder.join("passing"), "").unwrap();
        fs::remove_file(folder.join("passing")).unwrap();
    }
    assert!(project.summary().is_stale);
    // Recording more does not make it fresh.
    let three = new(project.record(&about(3)));
    assert!(project.summary().is_stale);
    let old = "## Learning Report\n\n**Timestamp**: 2031-01-02T03:04:05Z\n**Directory**: /gone/src/api\n**Operation**: o\n";
    fs::create_dir_all(project.root().join("src/api")).unwrap();
    fs::write(project.file(Status::Pending, "CHECK-old"), old).unwrap();
    fs::write(project.file(Status::Pending, "README"), "about").unwrap();
    let summary = rebuild(&project.machine()).unwrap();
    assert_eq!(summary, project.summary());
    assert_eq!((summary.pending, summary.is_stale), (3, false));
    assert_eq!(ids(&summary.newest_pending)[0], "CHECK-old");
    assert_eq!(count_for_folder(&project.machine(), "src/api").unwrap(), 3);
    assert_eq!(project.record(&about(1)), Recorded::Rejected(one));
    assert_eq!(project.record(&about(2)), Recorded::Again(two));
    assert_eq!(project.record(&about(3)), Recorded::Again(three));
    assert!(!project.summary().is_stale);
}

#[test]
fn lost_notes_are_rebuilt_from_the_files() {
    let project = TestProject::new();
    let one = new(project.record(&about(1)));
    project.record(&about(1));
    let two = new(project.record(&about(2)));
    project.shift(&two, Status::Pending, Some(Status::Accepted));
    fs::remove_dir_all(project.folder.path().join("state")).unwrap();
    assert!(project.summary().is_stale);
    // The same on the same day is found without any notes.
    assert_eq!(project.record(&about(1)), Recorded::Again(one.clone()));
    assert_eq!(load(&project.machine(), Status::Pending, &one).unwrap().unwrap().times, 3);
    rebuild(&project.machine()).unwrap();
    assert_eq!(project.record(&about(2)), Recorded::Again(two.clone()));
    let summary = project.summary();
    assert_eq!((summary.pending, ids(&summary.newest_accepted)), (1, vec![two.as_str()]));
}

#[test]
fn a_folder_without_reports_counts_zero_after_a_rebuild() {
    let project = TestProject::new();
    let one = new(project.record(&about(1)));
    fs::remove_file(project.file(Status::Pending, &one)).unwrap();
    rebuild(&project.machine()).unwrap();
    assert_eq!(count_for_folder(&project.machine(), "src/api").unwrap(), 0);
    project.record(&about(1));
    assert_eq!(count_for_folder(&project.machine(), "src/api").unwrap(), 1);
}

#[test]
fn defect_10_an_existing_file_is_never_overwritten() {
    let project = TestProject::new();
    let id = new_id(&draft(), project.machine().now());
    let file = project.file(Status::Pending, &id);
    fs::create_dir_all(file.parent().unwrap()).unwrap();
    fs::write(&file, "mine").unwrap();
    assert_eq!(new(project.record(&draft())), format!("{id}-2"));
    assert_eq!(fs::read_to_string(file).unwrap(), "mine");
}

#[test]
fn many_at_once_lose_nothing() {
    let project = TestProject::new();
    std::thread::scope(|scope| {
        for worker in 0..4 {
            let project = &project;
            scope.spawn(move || {
                for number in 0..5 {
                    project.record(&about(worker * 100 + number));
                    project.record(&about(7_000));
                }
            });
        }
    });
    let summary = project.summary();
    assert_eq!((summary.pending, summary.is_stale), (21, false));
    assert_eq!(count_for_folder(&project.machine(), "src/api").unwrap(), 21);
    assert_eq!(same_note(&project.machine(), "same 7000").unwrap().unwrap().times, 20);
}
