//! Reads the files of a project that run or bring tools. Only what is run, and the names of packages, are uses; other words of
//! such a file are not.

mod code;
mod hooks;
mod lines;
mod matrix;
mod packages;
mod pipelines;
mod pyproject;
mod tree;

use flyball_effects::Word;
use flyball_effects::yaml::{self, Node};

pub(super) use self::tree::settings;
use self::tree::tree;
use super::commands;
use super::uses::{Names, Use, UsedOn};

/// Collects the uses of one file.
struct Collector<'n> {
    names: &'n Names,
    uses: Vec<Use>,
}

/// The tools that a file uses. `name` is its path below the folder that is looked at.
pub(super) fn uses(name: &str, text: &str, names: &Names) -> Vec<Use> {
    let mut collector = Collector { names, uses: Vec::new() };
    // Most files name no linter, and need not be read.
    if names.may_be_in(text) {
        collector.read(name, text);
    }
    collector.uses
}

impl Collector<'_> {
    fn read(&mut self, path: &str, text: &str) {
        let name = path.rsplit('/').next().unwrap_or(path);
        let end = name.rsplit('.').next().unwrap_or_default();
        match name {
            "package.json" => self.package_json(&tree(end, text)),
            "composer.json" => self.composer_json(&tree(end, text)),
            "pyproject.toml" => self.pyproject(&tree(end, text)),
            "hatch.toml" => self.hatch(&tree(end, text)),
            "pixi.toml" => self.pixi(&tree(end, text)),
            "tox.toml" => self.tox(&tree(end, text)),
            "mise.toml" | ".mise.toml" => self.mise(&tree(end, text)),
            "Pipfile" => self.pipfile(&tree("toml", text)),
            "tox.ini" | "setup.cfg" => self.ini(text),
            "setup.py" => self.setup_py(text),
            "noxfile.py" | "tasks.py" => self.python_tasks(text),
            "dodo.py" => self.doit_tasks(text),
            "Gemfile" => self.gems(text),
            "Rakefile" => self.rake(text),
            "Jenkinsfile" => self.jenkins(text),
            "go.mod" => self.go_tools(text),
            "tools.go" => self.go_imports(text),
            "environment.yml" | "environment.yaml" => self.conda(&yaml::read(text)),
            _ if name.starts_with(".pre-commit-config") => self.pre_commit(&yaml::read(text)),
            _ if name.trim_start_matches('.').starts_with("lefthook") => {
                self.lefthook(&tree(end, text), &UsedOn::default());
            }
            _ if name.contains("lint-staged.config") || name.starts_with(".lintstagedrc") => {
                self.lint_staged_file(end, text);
            }
            _ if name.starts_with("build.gradle") => self.gradle(text),
            _ if name.starts_with("Taskfile") => self.taskfile(&yaml::read(text)),
            _ if name.to_ascii_lowercase().ends_with("makefile") => self.make(text),
            _ if name.to_ascii_lowercase().ends_with("justfile") => self.just(text),
            _ if path.starts_with("requirements/") || name.contains("requirements") => {
                self.requirements(text)
            }
            _ if matches!(end, "yml" | "yaml") => self.pipeline(&yaml::read(text), &UsedOn::default()),
            _ if is_shell(name, text) => self.shell(text, &UsedOn::default()),
            _ => {}
        }
    }

    fn shell(&mut self, text: &str, files: &UsedOn) {
        self.uses.extend(commands::tools(text, files, self.names));
    }

    /// Every text of a value as a command.
    fn shells(&mut self, value: &Node, files: &UsedOn) {
        match value {
            Node::Text(text) => self.shell(text, files),
            Node::List(items) => items.iter().for_each(|item| self.shells(item, files)),
            Node::Map(_) => {}
        }
    }

    /// A command that is written word by word.
    fn words(&mut self, words: &[&str]) {
        let words: Vec<Word> = words.iter().map(|word| Word::literal(*word)).collect();
        self.uses.extend(commands::tool(&words, &UsedOn::default()));
    }

    /// The package of a requirement: `black[d]>=24 ; python_version > "3.8"`.
    fn package(&mut self, requirement: &str) {
        let requirement = requirement.trim();
        let is_part = |letter: char| letter.is_alphanumeric() || "-_.@/".contains(letter);
        let end = requirement.find(|letter| !is_part(letter)).unwrap_or(requirement.len());
        let name = requirement.get(..end).unwrap_or_default();
        if !name.is_empty() {
            self.uses.push(Use::package(name));
        }
    }

    /// The packages of a list, or the keys of a table.
    fn packages(&mut self, value: &Node) {
        for item in value.items() {
            match item {
                Node::Text(text) => self.package(text),
                Node::List(_) | Node::Map(_) => {}
            }
        }
        for (name, _) in value.entries() {
            self.package(name);
        }
    }
}

/// Whether a file is a script for a shell.
fn is_shell(name: &str, text: &str) -> bool {
    let first = text.lines().next().unwrap_or_default();
    let is_run_by_shell = first.starts_with("#!") && first.trim_end_matches(" -e").ends_with("sh");
    // Hooks of husky have neither an end nor a first line.
    is_run_by_shell
        || name.ends_with(".sh")
        || name.ends_with(".bash")
        || (!name.contains('.') && !first.starts_with("#!"))
}

#[cfg(test)]
mod tests;
