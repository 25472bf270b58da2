//! Real files, changed by many threads.

use std::fs;
use std::os::unix::fs::symlink;

use super::*;

struct Fixture {
    _folder: tempfile::TempDir,
    root: PathBuf,
    project: Project,
}

fn fixture() -> Fixture {
    let folder = tempfile::tempdir().unwrap();
    let root = folder.path().canonicalize().unwrap().join("project");
    fs::create_dir(&root).unwrap();
    let project = Project::at(&folder.path().join("state"), &root);
    Fixture { _folder: folder, root, project }
}

#[test]
fn a_file_is_made_once_and_its_folders_with_it() {
    let Fixture { root, project, .. } = &fixture();
    assert_eq!(project.create("a/b/c.md", b"one").unwrap(), Created::Yes);
    assert_eq!(project.create("a/b/c.md", b"two").unwrap(), Created::AlreadyExists);
    assert_eq!(fs::read(root.join("a/b/c.md")).unwrap(), b"one");
    assert_eq!(fs::read_dir(root.join("a/b")).unwrap().count(), 1);
}

#[test]
fn nothing_is_written_outside_of_the_project() {
    let Fixture { root, project, .. } = &fixture();
    let outside = root.parent().unwrap().join("outside");
    fs::create_dir(&outside).unwrap();
    symlink(&outside, root.join("out")).unwrap();
    for path in ["out/x", "../outside/x", outside.join("x").to_str().unwrap()] {
        assert!(project.create(path, b"x").is_err(), "{path}");
        assert!(project.append(path, "x").is_err(), "{path}");
        assert!(project.alter(path, &mut |_| Ok(Some(b"x".to_vec()))).is_err(), "{path}");
    }
    assert_eq!(fs::read_dir(outside).unwrap().count(), 0);
}

#[test]
fn lines_of_many_threads_are_all_there_and_whole_while_the_file_is_rewritten() {
    let Fixture { root, project, .. } = &fixture();
    std::thread::scope(|scope| {
        for writer in 0..16 {
            scope.spawn(move || {
                for line in 0..20 {
                    project.append("k.jsonl", &format!("{writer} {line}")).unwrap();
                }
            });
        }
        scope.spawn(|| {
            for _ in 0..20 {
                let reverse = |text: &[u8]| {
                    let mut lines: Vec<&[u8]> = text.split_inclusive(|byte| *byte == b'\n').collect();
                    lines.reverse();
                    lines.concat()
                };
                project.alter("k.jsonl", &mut |text| Ok(text.map(reverse))).unwrap();
            }
        });
    });
    let text = fs::read_to_string(root.join("k.jsonl")).unwrap();
    let mut lines: Vec<&str> = text.lines().collect();
    lines.sort_unstable();
    let mut expected: Vec<String> =
        (0..16).flat_map(|writer| (0..20).map(move |line| format!("{writer} {line}"))).collect();
    expected.sort_unstable();
    assert_eq!(lines, expected);
}

#[test]
fn a_last_line_that_was_never_ended_is_kept_apart() {
    let Fixture { root, project, .. } = &fixture();
    fs::write(root.join("k"), "half").unwrap();
    project.append("k", "whole").unwrap();
    assert_eq!(fs::read_to_string(root.join("k")).unwrap(), "half\nwhole\n");
}

#[test]
fn a_change_is_called_again_if_another_process_was_faster() {
    let Fixture { root, project, .. } = &fixture();
    fs::write(root.join("a"), "1").unwrap();
    let mut seen = Vec::new();
    let changed = project.alter("a", &mut |text| {
        let text = String::from_utf8(text.unwrap().to_vec()).unwrap();
        if seen.is_empty() {
            fs::write(root.join("a"), "2").unwrap();
        }
        seen.push(text.clone());
        Ok(Some(format!("{text}!").into_bytes()))
    });
    assert!(changed.unwrap());
    assert_eq!(seen, ["1", "2"]);
    assert_eq!(fs::read_to_string(root.join("a")).unwrap(), "2!");
}

#[test]
fn a_note_is_changed_by_one_after_the_other() {
    let Fixture { project, .. } = &fixture();
    std::thread::scope(|scope| {
        for _ in 0..16 {
            scope.spawn(|| {
                project
                    .change_note("k", &mut |text| Ok(Some(text.unwrap_or_default().to_owned() + "x")))
                    .unwrap();
            });
        }
    });
    assert_eq!(project.note("k").unwrap().unwrap(), "x".repeat(16));
    assert_eq!(project.note("other").unwrap(), None);
    project.change_note("k", &mut |_| Ok(Some(String::new()))).unwrap();
    assert_eq!(project.note("k").unwrap(), None);
}

#[test]
fn only_a_link_into_the_same_folder_is_replaced() {
    let Fixture { root, project, .. } = &fixture();
    assert!(project.link("plans/LATEST.md", "/plans/a.md").unwrap());
    assert!(project.link("plans/LATEST.md", "/plans/b.md").unwrap());
    assert_eq!(fs::read_link(root.join("plans/LATEST.md")).unwrap(), Path::new("/plans/b.md"));
    assert!(!project.link("plans/LATEST.md", "/elsewhere/c.md").unwrap());
    fs::write(root.join("own.md"), "mine").unwrap();
    assert!(!project.link("own.md", "/plans/a.md").unwrap());
    assert_eq!(fs::read_to_string(root.join("own.md")).unwrap(), "mine");
}

#[test]
fn a_file_is_moved_to_where_nothing_is_and_never_onto_another() {
    let Fixture { root, project, .. } = &fixture();
    project.create("a/one.md", b"one").unwrap();
    project.create("a/two.md", b"two").unwrap();
    assert_eq!(project.move_to("a/one.md", "b/c/one.md").unwrap(), Moved::Yes);
    assert_eq!(project.move_to("a/one.md", "b/c/one.md").unwrap(), Moved::Gone);
    assert_eq!(project.move_to("a/one.md", "b/c/other.md").unwrap(), Moved::Gone);
    assert_eq!(project.move_to("a/two.md", "b/c/one.md").unwrap(), Moved::Taken);
    assert_eq!(fs::read(root.join("b/c/one.md")).unwrap(), b"one");
    assert_eq!(fs::read(root.join("a/two.md")).unwrap(), b"two");
    assert!(project.move_to("a/two.md", "../two.md").is_err());
    assert!(project.move_to("../two.md", "a/three.md").is_err());
}

#[test]
fn a_file_is_removed_and_a_folder_is_not() {
    let Fixture { root, project, .. } = &fixture();
    project.create("a/one.md", b"one").unwrap();
    assert!(project.remove("a").is_err());
    assert!(project.remove("a/one.md").unwrap());
    assert!(!project.remove("a/one.md").unwrap());
    assert!(root.join("a").is_dir());
    symlink("/etc", root.join("out")).unwrap();
    assert!(project.remove("out/hosts").is_err());
}
