//! Many files: as few processes and files of our own as possible, counted.

use std::path::Path;

use super::project;
use crate::support::{Project, commit, git};

/// More than one folder, and more files than are cached one by one.
const FILES: usize = 300;

fn name(number: usize) -> String {
    format!("d{}/f{number}.txt", number % 7)
}

/// A project with many files and a linter that notes each start, and has nothing to say.
fn site() -> Project {
    let project = project();
    std::fs::remove_dir(project.root().join(".git")).unwrap();
    git(&project, &["init", "--quiet"]);
    let script = "echo start >> starts";
    project.config(&format!(
        "[quality.linters.counted]\nfiles = ['f*.txt']\n\
         check = {{ command = ['sh', '-c', '{script}', 'sh', '{{files}}'], folder = 'root' }}\n"
    ));
    for number in 0..FILES {
        project.file(&name(number), "one\n");
    }
    commit(&project);
    project
}

fn count(file: &Path, text: &str) -> usize {
    std::fs::read_to_string(file).unwrap_or_default().lines().filter(|line| line.contains(text)).count()
}

/// How often the linter and git were started in a run.
fn starts(project: &Project, arguments: &[&str]) -> (usize, usize) {
    let [linter, git] = ["starts", "git-starts"].map(|name| project.root().join(name));
    let all = [&["lint", "--linter", "counted"], arguments].concat();
    let output = project.command(&all).env("GIT_TRACE2_EVENT", &git).output().unwrap();
    assert_eq!(output.status.code(), Some(0), "{output:?}");
    let counts = (count(&linter, "start"), count(&git, "\"event\":\"start\""));
    [linter, git].iter().for_each(|file| drop(std::fs::remove_file(file)));
    counts
}

#[test]
fn a_linter_is_started_once_for_each_core_and_its_results_are_cached_together() {
    let project = site();
    let cores = std::thread::available_parallelism().unwrap().get();
    let (linter, _) = starts(&project, &["--scope", "file"]);
    assert!((1..=cores).contains(&linter), "{linter} starts");
    let results = project.state().join("results");
    assert_eq!(std::fs::read_dir(results.join("packs")).unwrap().count(), 1);
    assert_eq!(starts(&project, &["--scope", "file"]).0, 0, "all of it is cached");
    // One file that changed is one start.
    project.file(&name(5), "two\n");
    assert_eq!(starts(&project, &["--scope", "file"]).0, 1);
    assert_eq!(starts(&project, &["--scope", "file"]).0, 0);
}

#[test]
fn git_is_not_started_for_each_file() {
    let project = site();
    let (_, unchanged) = starts(&project, &[]);
    for number in 0..50 {
        project.file(&name(number), "two\n").file(&format!("new/f{number}.txt"), "new\n");
    }
    let (_, changed) = starts(&project, &[]);
    // One more for all contents that changed, and one for what new files may have been before.
    assert_eq!(changed, unchanged + 2);
}
