//! Which nodes cover a file, in real repositories, and what their rules are.

use std::fs;
use std::os::unix::fs::{PermissionsExt, symlink};
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Instant;

use flyball_world::machine::Machine;
use proptest::prelude::*;

use flyball_core::path::AbsolutePath;

use super::*;

mod reading;
use crate::markdown;

/// A folder with real files, and a project in it.
struct Place {
    folder: tempfile::TempDir,
    project: &'static str,
}

impl Place {
    /// The project is at this path below the folder; every listed file is written, its path being its text.
    fn new(project: &'static str, files: &[&str]) -> Place {
        let place = Place { folder: tempfile::tempdir().unwrap(), project };
        fs::create_dir_all(place.path(project)).unwrap();
        for file in files {
            place.write(file, file);
        }
        place
    }

    fn path(&self, below: &str) -> PathBuf {
        self.folder.path().canonicalize().unwrap().join(below)
    }

    fn write(&self, file: &str, text: &str) {
        let path = self.path(file);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    }

    fn git(&self, folder: &str, words: &[&str]) {
        let identity =
            ["-c", "user.name=a", "-c", "user.email=a@example.org", "-c", "protocol.file.allow=always"];
        let mut git = Command::new("git");
        git.args(identity).args(words).current_dir(self.path(folder));
        for name in ["GIT_DIR", "GIT_WORK_TREE", "GIT_INDEX_FILE"] {
            git.env_remove(name);
        }
        let output = git.output().unwrap();
        assert!(output.status.success(), "{words:?}: {}", String::from_utf8_lossy(&output.stderr));
    }

    fn machine(&self) -> Machine {
        Machine::new(Instant::now(), None, &self.path(self.project), Vec::new(), flyball_clients::FACTS)
    }

    /// The nodes that cover a file, by their paths below the folder.
    fn covering(&self, file: &str) -> Vec<String> {
        let nodes = covering(&self.machine(), &self.path(file).to_string_lossy()).unwrap();
        let base = self.path("");
        let inside = |path: &str| Path::new(path).strip_prefix(&base).unwrap().to_string_lossy().into_owned();
        nodes.iter().map(|node| inside(&node.path)).collect()
    }

    fn root_of(&self, file: &str) -> Option<String> {
        let root = repository_root(&self.machine(), &self.path(file).to_string_lossy())?;
        Some(Path::new(&root).strip_prefix(self.path("")).unwrap().to_string_lossy().into_owned())
    }
}

#[test]
fn nodes_are_found_from_the_root_down_to_the_file() {
    let files =
        ["repo/CLAUDE.md", "repo/src/AGENTS.md", "repo/src/CLAUDE.md", "repo/src/api/CLAUDE.md", "CLAUDE.md"];
    let place = Place::new("repo", &files);
    place.git("repo", &["init", "-q"]);
    let all = ["repo/CLAUDE.md", "repo/src/AGENTS.md", "repo/src/CLAUDE.md", "repo/src/api/CLAUDE.md"];
    assert_eq!(place.covering("repo/src/api/a.ts"), all);
    assert_eq!(place.covering("repo/src/api"), all, "a folder");
    assert_eq!(place.covering("repo/src/apiextra/a.ts"), all[..3]);
    assert_eq!(place.covering("repo/a.ts"), all[..1]);
    assert_eq!(place.covering("repo"), all[..1]);
    assert_eq!(place.root_of("repo/src/api/a.ts").as_deref(), Some("repo"));
    assert_eq!(place.covering("elsewhere/a.ts"), Vec::<String>::new());
    assert_eq!(place.root_of("elsewhere/a.ts"), None);
}

#[test]
fn a_node_does_not_cover_itself() {
    let place = Place::new("repo", &["repo/AGENTS.md", "repo/src/AGENTS.md"]);
    place.git("repo", &["init", "-q"]);
    symlink("AGENTS.md", place.path("repo/src/CLAUDE.md")).unwrap();
    assert_eq!(place.covering("repo/src/AGENTS.md"), ["repo/AGENTS.md"]);
    assert_eq!(place.covering("repo/src/CLAUDE.md"), ["repo/AGENTS.md"], "a link to it");
    assert_eq!(place.covering("repo/AGENTS.md"), Vec::<String>::new());
    assert_eq!(place.covering("repo/src/README.md"), ["repo/AGENTS.md", "repo/src/AGENTS.md"]);
}

#[test]
fn without_a_repository_only_the_project_counts() {
    let place =
        Place::new("work/project", &["work/AGENTS.md", "work/project/AGENTS.md", "work/project2/AGENTS.md"]);
    assert_eq!(place.covering("work/project/src/a.py"), ["work/project/AGENTS.md"]);
    assert_eq!(place.covering("work/project2/a.py"), Vec::<String>::new());
    assert_eq!(place.root_of("work/project/src/a.py").as_deref(), Some("work/project"));
}

#[test]
fn a_project_inside_of_a_repository_is_covered_from_the_root_of_the_repository() {
    let place = Place::new("repo/app", &["repo/AGENTS.md", "repo/app/AGENTS.md"]);
    place.git("repo", &["init", "-q"]);
    assert_eq!(place.covering("repo/app/a.py"), ["repo/AGENTS.md", "repo/app/AGENTS.md"]);
}

#[test]
fn links_are_followed_to_where_the_file_is() {
    let place = Place::new("repo", &["repo/real/AGENTS.md", "repo/other/AGENTS.md"]);
    place.git("repo", &["init", "-q"]);
    symlink(place.path("repo/real"), place.path("repo/other/link")).unwrap();
    assert_eq!(place.covering("repo/other/link/new/a.py"), ["repo/real/AGENTS.md"]);
}

#[test]
fn a_node_that_cannot_be_read_or_is_too_long_is_skipped() {
    let place = Place::new("repo", &["repo/CLAUDE.md", "repo/a/CLAUDE.md"]);
    place.git("repo", &["init", "-q"]);
    place.write("repo/AGENTS.md", &"x".repeat(300 * 1024));
    fs::create_dir(place.path("repo/a/AGENTS.md")).unwrap();
    assert_eq!(place.covering("repo/a/x.py"), ["repo/CLAUDE.md", "repo/a/CLAUDE.md"]);
    symlink("loop", place.path("repo/a/loop")).unwrap();
    fs::remove_file(place.path("repo/a/CLAUDE.md")).unwrap();
    symlink("loop", place.path("repo/a/CLAUDE.md")).unwrap();
    assert_eq!(place.covering("repo/a/x.py"), ["repo/CLAUDE.md"], "a link to itself");
    fs::set_permissions(place.path("repo/CLAUDE.md"), fs::Permissions::from_mode(0o000)).unwrap();
    // Root reads everything.
    let expected: &[&str] =
        if fs::read(place.path("repo/CLAUDE.md")).is_ok() { &["repo/CLAUDE.md"] } else { &[] };
    assert_eq!(place.covering("repo/a/x.py"), expected);
}

#[test]
fn invalid_bytes_do_not_hide_the_rest() {
    let place = Place::new("repo", &[]);
    fs::write(place.path("repo/AGENTS.md"), b"\xff\xfe\n## Checks\n- run it\n").unwrap();
    let nodes = covering(&place.machine(), &place.path("repo/a.py").to_string_lossy()).unwrap();
    assert_eq!(read_rules(&nodes[0].text), ["Checks//- run it"]);
}

#[test]
fn defect_02_a_folder_that_does_not_exist_yet_is_covered_by_those_above_it() {
    let place = Place::new("repo", &["repo/CLAUDE.md", "repo/src/AGENTS.md"]);
    place.git("repo", &["init", "-q"]);
    assert_eq!(place.covering("repo/src/new/deep/a.ts"), ["repo/CLAUDE.md", "repo/src/AGENTS.md"]);
    assert_eq!(place.covering("repo/new/a.ts"), ["repo/CLAUDE.md"]);
}

#[test]
fn defect_03_a_worktree_and_a_submodule_are_repositories_of_their_own() {
    let place = Place::new("outer", &["outer/CLAUDE.md", "lib/AGENTS.md", "lib/src/a.py"]);
    for repository in ["outer", "lib"] {
        place.git(repository, &["init", "-q"]);
        place.git(repository, &["add", "-A"]);
        place.git(repository, &["commit", "-qm", "begin"]);
    }
    let lib = place.path("lib").to_string_lossy().into_owned();
    place.git("outer", &["submodule", "--quiet", "add", &lib, "vendor/lib"]);
    place.git("lib", &["worktree", "add", "-q", "../outer/trees/lib"]);
    for inner in ["outer/vendor/lib", "outer/trees/lib"] {
        assert!(place.path(inner).join(".git").is_file(), "{inner}");
        assert_eq!(place.covering(&format!("{inner}/src/a.py")), [format!("{inner}/AGENTS.md")]);
        assert_eq!(place.root_of(&format!("{inner}/new/a.py")).as_deref(), Some(inner));
    }
    fs::remove_file(place.path("outer/trees/lib/AGENTS.md")).unwrap();
    assert_eq!(place.covering("outer/trees/lib/src/a.py"), Vec::<String>::new());
    assert_eq!(place.covering("outer/src/a.py"), ["outer/CLAUDE.md"]);
}

#[test]
fn defect_04_the_rules_of_the_root_stay_when_a_folder_has_its_own() {
    let place = Place::new("repo", &["repo/CLAUDE.md", "repo/a/AGENTS.md", "repo/a/b/AGENTS.md"]);
    place.git("repo", &["init", "-q"]);
    assert_eq!(place.covering("repo/a/b/x.go"), ["repo/CLAUDE.md", "repo/a/AGENTS.md", "repo/a/b/AGENTS.md"]);
}

/// The rules of a text: topic, title and text of each.
fn read_rules(text: &str) -> Vec<String> {
    let node = Node::new(AbsolutePath::from_root("/p/AGENTS.md"), text);
    let line = |rule: Rule| format!("{}/{}/{}", rule.topic.heading(), rule.title, rule.text);
    rules(&node).into_iter().map(line).collect()
}

#[test]
fn rules_are_entries_items_and_paragraphs_of_the_four_sections() {
    let text = "# Project\n\nWords.\n\n## Pitfalls\n\nOne\nparagraph.\n\nAnother.\n\n- an item\n  with more\n\n  - and below\n- the next\n\n### An `entry`\n\nbody\n\n#### Deeper\n\nmore\n\n### Empty\n\n## Entry Points\n\n- none\n\n## Checks\n- [ ] run it\n";
    let expected = [
        "Pitfalls//One\nparagraph.",
        "Pitfalls//Another.",
        "Pitfalls//- an item\n  with more\n\n  - and below",
        "Pitfalls//- the next",
        "Pitfalls/An entry/body\n\n#### Deeper\n\nmore",
        "Pitfalls/Empty/",
        "Checks//- [ ] run it",
    ];
    assert_eq!(read_rules(text), expected);
}

#[test]
fn a_topic_is_the_whole_title() {
    let cases = [
        ("## Pitfalls and gotchas\n- x\n", vec!["Rules//- x"]),
        ("# Pitfalls\n- x\n", vec!["Pitfalls//- x"]),
        ("## Common Pitfalls\n- x\n", vec!["Rules//- x"]),
        ("Pitfalls\n- x\n", vec!["Rules//- x"]),
        ("## PITFALLS ##\n- x\n", vec!["Pitfalls//- x"]),
        ("## **Pitfalls**\n- x\n", vec!["Pitfalls//- x"]),
        ("Pitfalls\n---\n- x\n", vec!["Pitfalls//- x"]),
        (
            "# A\n## Guide\n### context\n- x\n#### B\ny\n### Other\n- z\n",
            vec!["Context//- x", "Context/B/y", "Rules//- z"],
        ),
        (
            "## Checks\n- a\n### Patterns\n- b\n### C\n#### Context\n- d\n",
            vec!["Checks//- a", "Patterns//- b", "Checks/C/#### Context\n- d"],
        ),
        ("## Checks\n- a\n## Checks\n- b\n", vec!["Checks//- a", "Checks//- b"]),
        ("## Checks\n\n<!-- nothing yet -->\n\n---\n", vec![]),
        ("## Checks\n", vec![]),
        ("", vec![]),
    ];
    for (text, expected) in cases {
        assert_eq!(read_rules(text), expected, "{text}");
    }
}

#[test]
fn a_node_of_nothing_but_marks_is_read_in_one_walk() {
    // Comparing each with all others would take an hour.
    for line in ["## Checks\n", "- a\n", "# a\n## Checks\n### b\n", "a:\n- b\n\n", "```\n", "<!--\n"] {
        let text = format!("## Checks\n{}", line.repeat(250_000 / line.len()));
        assert!(read_rules(&text).len() <= text.len());
    }
}

#[test]
fn code_and_announced_lists_stay_with_their_words() {
    let text = "## Patterns\n\nWrite it so:\n\n```sh\n- no item\n\n## no heading\n```\n\n**Before a release:**\n\n- one\n- two\n\nApart.\n\n- three\n\n    code of it\n\n```\nof three too\n```\n- four\n\n> said by somebody\n\n[link]: https://example.org\n";
    let expected = [
        "Patterns//Write it so:\n\n```sh\n- no item\n\n## no heading\n```",
        "Patterns//**Before a release:**\n\n- one\n- two",
        "Patterns//Apart.",
        "Patterns//- three\n\n    code of it\n\n```\nof three too\n```",
        "Patterns//- four",
        "Patterns//> said by somebody\n\n[link]: https://example.org",
    ];
    assert_eq!(read_rules(text), expected);
}

#[test]
fn defect_01_fences_spaces_and_case_do_not_hide_rules() {
    let text = "## Pitfalls  \r\n\r\nBefore.\r\n\r\n```md\r\n## Not a heading\r\n```\r\n\r\nAfter.\r\n\r\n## CHECKS\r\n- look\r\n";
    let expected =
        ["Pitfalls//Before.\r\n\r\n```md\r\n## Not a heading\r\n```", "Pitfalls//After.", "Checks//- look"];
    assert_eq!(read_rules(text), expected);
}

proptest! {
    #[test]
    fn rules_lose_no_text_of_their_sections(text in crate::markdown::tests::pages()) {
        // Comments are not part of rules.
        let text = text.replace("<!--", "");
        let rules = read_rules(&text).join("\n");
        for section in markdown::sections(&text) {
            if section.level < 2 || Topic::from_heading(&section.title).is_none() {
                continue;
            }
            let body = &text[section.body];
            for word in ["item", "box", "plain", "words", "quote", "one", "ü", "example", "announced", "entry", "deep"] {
                let (here, there) = (body.matches(word).count(), rules.matches(word).count());
                prop_assert!(there >= here, "{word} of {body:?} is lost: {rules:?}");
            }
        }
    }

    #[test]
    fn rules_never_tear_a_fence(before in "[a-z ]{0,10}", inside in "[a-z#\n -]{0,40}", after in "[a-z ]{0,10}") {
        let text = format!("## Checks\n\n- {before}x\n\n```\n{inside}\n```\n\n{after}y\n");
        let whole = format!("```\n{inside}\n```");
        prop_assert!(read_rules(&text).iter().any(|rule| rule.contains(&whole)));
    }
}

#[test]
fn a_link_that_leads_out_of_the_repository_is_not_a_node() {
    let place = Place::new("repo", &["outside/secret.md", "repo/docs/rules.md", "repo/b/CLAUDE.md"]);
    place.git("repo", &["init", "-q"]);
    for folder in ["repo/a", "repo/c"] {
        fs::create_dir_all(place.path(folder)).unwrap();
    }
    symlink(place.path("outside/secret.md"), place.path("repo/a/AGENTS.md")).unwrap();
    symlink("../../outside/secret.md", place.path("repo/b/AGENTS.md")).unwrap();
    symlink("../docs/rules.md", place.path("repo/c/AGENTS.md")).unwrap();
    assert_eq!(place.covering("repo/a/x.rs"), Vec::<String>::new());
    assert_eq!(place.covering("repo/b/x.rs"), ["repo/b/CLAUDE.md"], "the other one counts");
    assert_eq!(place.covering("repo/c/x.rs"), ["repo/c/AGENTS.md"], "inside of it");
}

#[test]
fn a_pipe_or_a_folder_of_that_name_is_not_a_node() {
    let place = Place::new("repo", &["repo/a/CLAUDE.md", "repo/b/AGENTS.md/x"]);
    place.git("repo", &["init", "-q"]);
    assert!(Command::new("mkfifo").arg(place.path("repo/a/AGENTS.md")).status().unwrap().success());
    assert_eq!(place.covering("repo/a/x.rs"), ["repo/a/CLAUDE.md"]);
    assert_eq!(place.covering("repo/b/x.rs"), Vec::<String>::new());
}

#[test]
fn strange_text_is_read_without_loss_or_harm() {
    let rules = |text: &str| -> Vec<(Topic, String, String)> {
        let node = Node::new(AbsolutePath::from_root("/AGENTS.md"), text);
        rules(&node).into_iter().map(|rule| (rule.topic, rule.title, rule.text)).collect()
    };
    let check = |text: &str| (Topic::Checks, String::new(), text.to_owned());
    let long = "x".repeat(1 << 20);
    let cases = [
        ("a mark of the encoding", "\u{feff}## Checks\n- a\n".to_owned(), vec![check("- a")]),
        ("lines of Windows", "## Checks\r\n\r\n- a\r\n- b\r\n".to_owned(), vec![check("- a"), check("- b")]),
        ("no letters", "## Checks\n- a\0b\n".to_owned(), vec![check("- a\0b")]),
        ("a long line", format!("## Checks\n- {long}\n"), vec![check(&format!("- {long}"))]),
        (
            "lists in lists",
            "## Checks\n- a\n  - b\n    - c\n- d\n".to_owned(),
            vec![check("- a\n  - b\n    - c"), check("- d")],
        ),
        (
            "an open fence",
            "## Checks\n- a\n\n```\n## Pitfalls\n- no\n".to_owned(),
            vec![check("- a\n\n```\n## Pitfalls\n- no")],
        ),
        (
            "a comment",
            "<!--\n## Checks\n- no\n-->\n## Checks\n<!-- no -->\n- a\n".to_owned(),
            vec![check("- a")],
        ),
        ("an open comment", "## Checks\n- a\n\n<!--\n## Pitfalls\n- no\n".to_owned(), vec![check("- a")]),
    ];
    for (case, text, expected) in cases {
        assert!(
            rules(&text) == expected,
            "{case}: {:?}",
            rules(&text).iter().map(|it| it.2.get(..40).unwrap_or(&it.2)).collect::<Vec<_>>()
        );
    }
}
