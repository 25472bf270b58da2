//! An interrupted run leaves nothing behind: no children, no temporary folders.

use std::os::unix::process::{CommandExt, ExitStatusExt};
use std::path::Path;
use std::process::{Command, Stdio};

use super::{UNUSED, project};
use crate::support::{commit, git};

/// A linter that reports its start and then never ends.
const ENDLESS: &str = "[quality.linters.endless]\nfiles = ['*.txt']\n\
    check = { command = ['sh', '-c', 'echo $$ > there; sleep 600'], folder = 'root' }\n";

fn is_there(file: &Path) -> Option<String> {
    std::fs::read_to_string(file).ok().filter(|text| text.ends_with('\n'))
}

#[test]
fn an_interrupted_run_ends_its_linters_and_removes_its_folders() {
    let project = project();
    std::fs::remove_dir(project.root().join(".git")).unwrap();
    let tmp = project.folder().join("tmp");
    std::fs::create_dir(&tmp).unwrap();
    git(&project, &["init", "--quiet"]);
    project.config(ENDLESS).file("a.txt", "one\n").file("a.py", UNUSED);
    commit(&project);
    // The staged content differs from the working copy, so it is written to a temporary folder.
    project.file("a.txt", "two\n");
    git(&project, &["add", "."]);
    project.file("a.txt", "three\n");
    for (signal, number) in [("-INT", 2), ("-TERM", 15), ("-HUP", 1)] {
        let mut command = project.command(&["lint", "--staged", "--no-cache", "--linter", "endless"]);
        command.env("TMPDIR", &tmp).process_group(0);
        let mut child = command.stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap();
        let folders = || std::fs::read_dir(&tmp).unwrap().map(|entry| entry.unwrap().path());
        let linter = loop {
            assert_eq!(child.try_wait().unwrap(), None, "it waits for its linter");
            if let Some(text) = folders().find_map(|folder| is_there(&folder.join("there"))) {
                break text.trim().to_owned();
            }
            std::thread::yield_now();
        };
        assert_eq!(folders().count(), 2, "the staged files, and the cache");
        let status = Command::new("kill").args([signal, &child.id().to_string()]).status().unwrap();
        assert!(status.success());
        assert_eq!(child.wait().unwrap().signal(), Some(number));
        assert_eq!(folders().next(), None, "{signal}");
        let ended = Command::new("kill").args(["-0", &linter]).stderr(Stdio::null()).status().unwrap();
        assert!(!ended.success(), "{signal}");
    }
}
