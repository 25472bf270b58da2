//! An older program that finds what a newer one wrote: it goes on judging, says one line, and leaves the file alone. Every form below the
//! state directory is here.

#![expect(clippy::indexing_slicing, reason = "a place that was found is within the bytes")]

use std::fs;
use std::path::{Path, PathBuf};

use serde_json::json;

use crate::support::{Project, git};

/// A form, the files that have it below the state directory, and what is replaced by what in one of them.
struct Form {
    name: &'static str,
    folder: &'static str,
    /// How the names of its files end.
    ending: &'static str,
    known: &'static str,
    newer: &'static str,
    /// A command that says so, and a part of what it prints.
    says: Option<(&'static [&'static str], &'static str)>,
}

const FORMS: &[Form] = &[
    Form {
        name: "journal",
        folder: "sessions",
        ending: ".journal",
        known: "flyball-journal 2",
        newer: "flyball-journal 9",
        says: Some((&["doctor"], "written by a newer flyball (journal")),
    },
    Form {
        name: "approvals",
        folder: "approvals",
        ending: ".json",
        known: "\"version\": 1",
        newer: "\"version\": 9",
        says: Some((&["doctor"], "was written by a newer flyball (format 9)")),
    },
    Form {
        name: "trust",
        folder: "",
        ending: "trust.json",
        known: "\"version\":1",
        newer: "\"version\":9",
        says: Some((&["doctor"], "was written by a newer flyball (format 9)")),
    },
    Form {
        name: "snapshot",
        folder: "snapshots",
        ending: "/1",
        known: "flyball snapshot 1",
        newer: "flyball snapshot 9",
        says: Some((&["undo", "--list"], "another version wrote it")),
    },
    // What can be made again may be replaced; it is only never believed.
    Form {
        name: "seen",
        folder: "snapshots",
        ending: "/seen",
        known: "flyball seen 1",
        newer: "flyball seen 9",
        says: None,
    },
    Form {
        name: "cache",
        folder: "cache",
        ending: ".bin",
        known: "flyconf\u{5}",
        newer: "flyconf\u{9}",
        says: None,
    },
];

fn project() -> Project {
    let project = Project::new().with("COLUMNS", "400");
    project.file("ruff.toml", "line-length = 100\n").config("[guard.packages]\npython = \"uv\"\n");
    git(&project, &["init", "--quiet"]);
    project.hook("SessionStart", json!({ "source": "startup" }));
    project.shell("touch a.txt && rm a.txt");
    project
}

fn files(folder: &Path, ending: &str, found: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(folder).into_iter().flatten().flatten() {
        let path = entry.path();
        if path.is_dir() {
            files(&path, ending, found);
        } else if path.to_string_lossy().ends_with(ending) {
            found.push(path);
        }
    }
}

fn replaced(bytes: &[u8], known: &str, newer: &str) -> Option<Vec<u8>> {
    let at = bytes.windows(known.len()).position(|part| part == known.as_bytes())?;
    Some([&bytes[..at], newer.as_bytes(), &bytes[at + known.len()..]].concat())
}

#[test]
fn what_a_newer_program_wrote_is_left_alone_and_stops_no_guard() {
    for form in FORMS {
        let project = project();
        let mut found = Vec::new();
        files(&project.state().join(form.folder), form.ending, &mut found);
        let newer = |path: &PathBuf| replaced(&fs::read(path).unwrap(), form.known, form.newer);
        let changed: Vec<(PathBuf, Vec<u8>)> =
            found.into_iter().filter_map(|path| Some((path.clone(), newer(&path)?))).collect();
        assert!(!changed.is_empty(), "there is no {}", form.name);
        for (path, bytes) in &changed {
            fs::write(path, bytes).unwrap();
        }
        assert_eq!(project.shell("ls").status, 0, "{}", form.name);
        let refused = project.shell("git push --force origin main");
        assert!(
            refused.stdout.contains("\"deny\"") || refused.stdout.contains("\"ask\""),
            "{}: {}",
            form.name,
            refused.stdout
        );
        if let Some((command, part)) = form.says {
            let said = project.run(command);
            let text = format!("{}{}", said.stdout, said.stderr);
            assert!(text.contains(part), "{}: {text}", form.name);
            project.run(&["doctor", "--repair"]);
            for (path, bytes) in &changed {
                assert_eq!(&fs::read(path).unwrap(), bytes, "{} was changed", form.name);
            }
        }
    }
}
