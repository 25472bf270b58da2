//! What the ledger promises.

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

/// A project that wants reports.
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
fn a_project_without_its_folder_wants_no_reports() {
    let yard = TestProject::new();
    assert!(is_enabled(&yard.machine()));
    fs::remove_dir(yard.root().join(layout::MEMORY)).unwrap();
    assert!(!is_enabled(&yard.machine()));
}

#[test]
fn the_same_is_counted_and_what_is_new_is_written() {
    let yard = TestProject::new();
    assert_eq!(yard.summary(), Summary::default());
    let id = new(yard.record(&draft()));
    assert_eq!(yard.record(&draft()), Recorded::Again(id.clone()));
    assert_eq!(yard.record(&Draft { said: "x".to_owned(), ..draft() }), Recorded::Again(id.clone()));
    let report = load(&yard.machine(), Status::Pending, &id).unwrap().unwrap();
    assert_eq!((report.times, &report.draft), (3, &draft()));
    let other = new(yard.record(&about(2)));
    let summary = yard.summary();
    assert_eq!((summary.pending, summary.is_stale), (2, false));
    assert_eq!(ids(&summary.newest_pending).len(), 2);
    assert!(ids(&summary.newest_pending).contains(&other.as_str()));
    assert_eq!(count_for_folder(&yard.machine(), "src/api").unwrap(), 2);
    assert_eq!(count_for_folder(&yard.machine(), "./src/api/").unwrap(), 2);
    assert_eq!(count_for_folder(&yard.machine(), "src/apiextra").unwrap(), 0);
    assert_eq!(count_for_folder(&yard.machine(), "src").unwrap(), 0);
}

#[test]
fn a_loop_of_failures_is_counted_without_writing_each_time() {
    let yard = TestProject::new();
    let id = new(yard.record(&draft()));
    for _ in 0..24 {
        yard.record(&draft());
    }
    assert_eq!(load(&yard.machine(), Status::Pending, &id).unwrap().unwrap().times, 20);
    assert_eq!(same_note(&yard.machine(), &draft().sameness).unwrap().unwrap().times, 25);
}

#[test]
fn what_people_decide_keeps_the_notes_true() {
    let yard = TestProject::new();
    let [one, two, three, four] = [1, 2, 3, 4].map(|number| new(yard.record(&about(number))));
    yard.shift(&one, Status::Pending, Some(Status::Accepted));
    yard.shift(&two, Status::Pending, Some(Status::Rejected));
    yard.shift(&three, Status::Pending, None);
    let summary = yard.summary();
    assert_eq!((summary.pending, summary.is_stale), (1, false));
    assert_eq!(ids(&summary.newest_pending), [four.as_str()]);
    assert_eq!(ids(&summary.newest_accepted), [one.as_str()]);
    assert_eq!(count_for_folder(&yard.machine(), "src/api").unwrap(), 2);
    // Accepted is counted again, rejected is not asked again, deleted is new.
    assert_eq!(yard.record(&about(1)), Recorded::Again(one.clone()));
    assert_eq!(yard.record(&about(2)), Recorded::Rejected(two));
    assert_eq!(yard.record(&about(3)), Recorded::New(three));
    yard.shift(&one, Status::Accepted, Some(Status::Integrated));
    let later = yard.summary();
    assert_eq!(later.newest_accepted, summary.newest_accepted);
    assert_eq!(count_for_folder(&yard.machine(), "src/api").unwrap(), 2);
    assert_eq!(yard.record(&about(1)), Recorded::Again(one));
}

#[test]
fn a_move_can_be_told_afterwards_too() {
    let yard = TestProject::new();
    let [one, two] = [1, 2].map(|number| new(yard.record(&about(number))));
    yard.rename(&one, Status::Pending, Status::Accepted);
    record_move(&yard.machine(), &one, Status::Pending, Status::Accepted).unwrap();
    let report = load(&yard.machine(), Status::Pending, &two).unwrap().unwrap();
    fs::remove_file(yard.file(Status::Pending, &two)).unwrap();
    record_deletion(&yard.machine(), &report).unwrap();
    let summary = yard.summary();
    assert_eq!((summary.pending, summary.is_stale), (0, false));
    assert_eq!(ids(&summary.newest_accepted), [one.as_str()]);
    assert_eq!(yard.record(&about(2)), Recorded::New(two));
}

#[test]
fn what_other_hands_change_is_stale_until_it_is_counted_anew() {
    let yard = TestProject::new();
    let [one, two] = [1, 2].map(|number| new(yard.record(&about(number))));
    let folder = yard.root().join(Status::Pending.folder());
    let stamp = || yard.machine().stat(&AbsolutePath::from_root(folder.to_string_lossy()));
    let before = stamp();
    yard.rename(&one, Status::Pending, Status::Rejected);
    // Clocks of file systems are coarse.
    while stamp() == before {
        fs::write(folder.join("passing"), "").unwrap();
        fs::remove_file(folder.join("passing")).unwrap();
    }
    assert!(yard.summary().is_stale);
    // Recording more does not make it true.
    let three = new(yard.record(&about(3)));
    assert!(yard.summary().is_stale);
    let old = "## Learning Report\n\n**Timestamp**: 2031-01-02T03:04:05Z\n**Directory**: /gone/src/api\n**Operation**: o\n";
    fs::create_dir_all(yard.root().join("src/api")).unwrap();
    fs::write(yard.file(Status::Pending, "CHECK-old"), old).unwrap();
    fs::write(yard.file(Status::Pending, "README"), "about").unwrap();
    let summary = rebuild(&yard.machine()).unwrap();
    assert_eq!(summary, yard.summary());
    assert_eq!((summary.pending, summary.is_stale), (3, false));
    assert_eq!(ids(&summary.newest_pending)[0], "CHECK-old");
    assert_eq!(count_for_folder(&yard.machine(), "src/api").unwrap(), 3);
    assert_eq!(yard.record(&about(1)), Recorded::Rejected(one));
    assert_eq!(yard.record(&about(2)), Recorded::Again(two));
    assert_eq!(yard.record(&about(3)), Recorded::Again(three));
    assert!(!yard.summary().is_stale);
}

#[test]
fn lost_notes_are_made_again_from_the_files() {
    let yard = TestProject::new();
    let one = new(yard.record(&about(1)));
    yard.record(&about(1));
    let two = new(yard.record(&about(2)));
    yard.shift(&two, Status::Pending, Some(Status::Accepted));
    fs::remove_dir_all(yard.folder.path().join("state")).unwrap();
    assert!(yard.summary().is_stale);
    // The same on the same day is found without any notes.
    assert_eq!(yard.record(&about(1)), Recorded::Again(one.clone()));
    assert_eq!(load(&yard.machine(), Status::Pending, &one).unwrap().unwrap().times, 3);
    rebuild(&yard.machine()).unwrap();
    assert_eq!(yard.record(&about(2)), Recorded::Again(two.clone()));
    let summary = yard.summary();
    assert_eq!((summary.pending, ids(&summary.newest_accepted)), (1, vec![two.as_str()]));
}

#[test]
fn a_folder_that_is_rebuilt_away_weighs_nothing() {
    let yard = TestProject::new();
    let one = new(yard.record(&about(1)));
    fs::remove_file(yard.file(Status::Pending, &one)).unwrap();
    rebuild(&yard.machine()).unwrap();
    assert_eq!(count_for_folder(&yard.machine(), "src/api").unwrap(), 0);
    yard.record(&about(1));
    assert_eq!(count_for_folder(&yard.machine(), "src/api").unwrap(), 1);
}

#[test]
fn defect_10_a_name_that_is_taken_is_never_written_over() {
    let yard = TestProject::new();
    let id = new_id(&draft(), yard.machine().unix_millis());
    let file = yard.file(Status::Pending, &id);
    fs::create_dir_all(file.parent().unwrap()).unwrap();
    fs::write(&file, "mine").unwrap();
    assert_eq!(new(yard.record(&draft())), format!("{id}-2"));
    assert_eq!(fs::read_to_string(file).unwrap(), "mine");
}

#[test]
fn many_at_once_lose_nothing() {
    let yard = TestProject::new();
    std::thread::scope(|scope| {
        for worker in 0..4 {
            let yard = &yard;
            scope.spawn(move || {
                for number in 0..5 {
                    yard.record(&about(worker * 100 + number));
                    yard.record(&about(7_000));
                }
            });
        }
    });
    let summary = yard.summary();
    assert_eq!((summary.pending, summary.is_stale), (21, false));
    assert_eq!(count_for_folder(&yard.machine(), "src/api").unwrap(), 21);
    assert_eq!(same_note(&yard.machine(), "same 7000").unwrap().unwrap().times, 20);
}
