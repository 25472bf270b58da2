//! A fresh checkout of a layout, and what flyball says in it.

use std::collections::BTreeMap;
use std::process::Command;

use serde_json::{Value, json};

use super::kinds::{Edit, Layout};
use super::tools::Found;
use crate::support::{ProcessResult, Project, commit, git, linters, search_path, unique};

/// What `flyball lint` reports.
#[derive(Debug, Default, PartialEq, Eq)]
pub(super) struct Report {
    pub(super) found: Found,
    /// Linters that did not run.
    pub(super) failed: Vec<String>,
}

pub(super) struct Checkout {
    project: Project,
}

impl Checkout {
    /// The layout at its first commit, on a machine with all linters, of a user who trusts it.
    pub(super) fn new(layout: &Layout) -> Checkout {
        let project = Project::new().with("PATH", &search_path(&[linters()])).with("RUSTUP_HOME", &rustup());
        let project = project.with("GOCACHE", concat!(env!("CARGO_TARGET_TMPDIR"), "/go-build"));
        std::fs::remove_dir(project.root().join(".git")).unwrap();
        for (name, text) in layout.files() {
            project.file(name, &text);
        }
        git(&project, &["init", "--quiet"]);
        commit(&project);
        let user = project.home().join(".config/flyball/config.toml");
        std::fs::create_dir_all(user.parent().unwrap()).unwrap();
        std::fs::write(&user, format!("[trust]\nprojects = [{:?}]\n", project.root())).unwrap();
        Checkout { project }
    }

    /// A command line of a person in the project, and all that it prints.
    pub(super) fn run(&self, line: &str) -> String {
        let like = self.project.command(&[]);
        let mut command = Command::new("sh");
        command.args(["-c", &format!("{line} 2>&1")]).current_dir(self.project.root()).env_clear();
        command.envs(like.get_envs().filter_map(|(name, value)| Some((name, value?))));
        String::from_utf8(command.output().unwrap().stdout).unwrap()
    }

    pub(super) fn read(&self, name: &str) -> String {
        std::fs::read_to_string(self.project.root().join(name)).unwrap()
    }

    /// The lines that git finds added and removed, by file.
    pub(super) fn changed(&self) -> String {
        self.run("git add --intent-to-add . && git diff --numstat").replace('\t', " ")
    }

    /// The linters that act on any file, each with what chose it. What is a part of flyball is no choice.
    pub(super) fn chosen(&self) -> BTreeMap<String, String> {
        let files = self.run("git ls-files");
        let arguments: Vec<&str> = ["lint", "--why"].into_iter().chain(files.lines()).collect();
        let ran = self.project.run(&arguments);
        assert_eq!((ran.status, ran.stderr.as_str()), (0, ""), "{}", ran.stdout);
        let chosen = ran.stdout.lines().filter_map(|line| line.trim_start().split_once("  chosen by "));
        let chosen = chosen.map(|(acts, by)| (acts.split(' ').next().unwrap().to_owned(), by.to_owned()));
        chosen.filter(|(_, by)| by != "a part of flyball").collect()
    }

    /// `flyball lint` for people who look at everything, with options.
    pub(super) fn lint(&self, options: &[&str]) -> Report {
        let ran = self.project.run(&[&["lint", "--project", "--format", "json"], options].concat());
        // A line of progress, now and then, is for people who wait.
        let told: Vec<&str> = ran.stderr.lines().filter(|line| !line.contains(" checks done (")).collect();
        assert_eq!(told, Vec::<&str>::new());
        let json = ran.json();
        let text = |value: &Value| value.as_str().unwrap().to_owned();
        let mut found = Found::default();
        for finding in json["findings"].as_array().unwrap() {
            if finding["code"] == "format" {
                found.unformatted.push(text(&finding["file"]));
            } else {
                *found.by_linter.entry(text(&finding["linter"])).or_default() += 1;
            }
        }
        let failed = json["troubles"].as_array().unwrap().iter().map(Value::to_string).collect();
        Report { found, failed }
    }

    /// A session begins.
    pub(super) fn start(&self) {
        self.project.hook("SessionStart", json!({ "source": "startup" })).assert_silent();
    }

    /// The agent edits a file. Nothing else is in it afterwards.
    #[track_caller]
    pub(super) fn edit(&self, edit: &Edit) -> ProcessResult {
        let path = self.project.root().join(edit.file);
        let input = json!({ "file_path": path, "old_string": edit.old, "new_string": edit.new });
        self.project.before("Edit", input.clone()).assert_silent();
        let text = self.read(edit.file);
        assert_eq!(text.matches(edit.old).count(), 1, "{} has it once: {}", edit.file, edit.old);
        let edited = text.replace(edit.old, edit.new);
        std::fs::write(&path, &edited).unwrap();
        let fields = json!({
            "tool_name": "Edit", "tool_input": input, "tool_use_id": unique(), "tool_response": { "filePath": path },
        });
        let ran = self.project.hook("PostToolUse", fields);
        assert_eq!(self.read(edit.file), edited, "{}: only the edit", edit.file);
        ran
    }

    /// The agent wants to stop.
    pub(super) fn stop(&self) -> ProcessResult {
        let fields = json!({ "stop_hook_active": false, "last_assistant_message": unique() });
        self.project.hook("Stop", fields)
    }
}

/// Where the toolchains are: rustup looks for them in the home, which is another one here.
pub(super) fn rustup() -> String {
    let home = std::env::var("HOME").unwrap_or_default();
    std::env::var("RUSTUP_HOME").unwrap_or_else(|_| format!("{home}/.rustup"))
}
