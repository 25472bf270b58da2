//! Pipelines and tasks in YAML.

use flyball_effects::Word;
use flyball_effects::yaml::Node;

use super::tree::texts;
use super::{Collector, matrix};
use crate::pipeline::chosen::commands;
use crate::pipeline::chosen::uses::{Use, UseKind, UsedOn};

/// The keys whose texts are run by a shell.
const RUN: &[&str] = &[
    "run",
    "script",
    "before_script",
    "after_script",
    "install",
    "before_install",
    "test_script",
    "build_script",
    "after_build",
    "command",
    "commands",
    "bash",
    "cmd",
    "cmds",
    "sh",
];
/// The keys that name the folder of a step.
const FOLDERS: &[&str] = &["working-directory", "working_directory", "workingDirectory", "dir"];
/// Parts of the names of actions that say nothing about the tool.
const ACTION_PARTS: (&[&str], &[&str]) =
    (&["action-", "setup-and-run-"], &["-github-action", "-action", "_action"]);

impl Collector<'_> {
    /// Steps of a pipeline, wherever they are.
    pub(super) fn pipeline(&mut self, value: &Node, above: &UsedOn) {
        let commands = if value.get("strategy").entries().is_empty() { Vec::new() } else { run_texts(value) };
        if let Some(jobs) = matrix::expand(value, &commands) {
            return jobs.iter().for_each(|job| self.pipeline(job, above));
        }
        value.items().iter().for_each(|item| self.pipeline(item, above));
        let mut files = above.clone();
        let default = value.get("defaults").get("run").get("working-directory").text();
        let folder = FOLDERS.iter().find_map(|name| value.get(name).text()).or(default);
        if let Some(folder) = folder.filter(|folder| !folder.is_empty()) {
            files.folder.clear();
            commands::enter(&mut files, folder);
        }
        // A step may be in another language.
        let is_shell =
            value.get("shell").text().is_none_or(|shell| shell.contains("sh") && !shell.contains("pwsh"));
        for (name, below) in value.entries() {
            match below {
                Node::Text(_) | Node::List(_) if RUN.contains(&name.as_str()) => {
                    if is_shell {
                        self.shells(below, &files);
                    }
                    // In a list there may be steps too.
                    below.items().iter().for_each(|item| self.pipeline(item, &files));
                }
                Node::Text(action) if name == "uses" => self.action(action, value.get("with"), &files),
                below => self.pipeline(below, &files),
            }
        }
    }

    /// An action of GitHub: `psf/black@stable`, `astral-sh/ruff-action@v3`.
    fn action(&mut self, action: &str, with: &Node, files: &UsedOn) {
        let action = action.split('@').next().unwrap_or(action);
        let name = action.rsplit('/').next().unwrap_or(action);
        let name = ACTION_PARTS.0.iter().find_map(|start| name.strip_prefix(start)).unwrap_or(name);
        let name = ACTION_PARTS.1.iter().find_map(|end| name.strip_suffix(end)).unwrap_or(name);
        let given = [with.get("args"), with.get("options")].map(texts).concat().join(" ");
        let arguments: Vec<Word> = given.split_whitespace().map(Word::literal).collect();
        self.uses.push(Use { kind: UseKind::Run, name: name.to_owned(), arguments, files: files.clone() });
    }

    /// `Taskfile.yml`: a task may be a command itself.
    pub(super) fn taskfile(&mut self, file: &Node) {
        for (_, task) in file.get("tasks").entries() {
            self.shells(task, &UsedOn::default());
            self.pipeline(task, &UsedOn::default());
        }
    }
}

/// The texts in a job that are run by a shell.
fn run_texts(value: &Node) -> Vec<&str> {
    let mut found: Vec<&str> = value.items().iter().flat_map(run_texts).collect();
    for (name, below) in value.entries() {
        match below.text() {
            Some(text) if RUN.contains(&name.as_str()) => found.push(text),
            Some(_) => {}
            None => found.extend(run_texts(below)),
        }
    }
    found
}
