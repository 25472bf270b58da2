//! Tasks: what a file of the project says that a program starts. `make clean`, `npm test`, `crontab file`.
//!
//! Each format has a reader that returns the lines of the tasks that are asked for; they are read like the line itself.

mod just;
mod lists;
mod make;
mod package;
mod rake;

use crate::argv::{Grammar, OptionStyle, Parsed, parse};
use crate::model::{Directory, Word};

use super::launch::{Input, Launch, Shell};
use super::quoting::quote;
use super::reader::Reader;
use super::unwrap::Invocation;

/// More lines of tasks are not read for one command.
const MOST_LINES: usize = 256;

/// Whether a program runs what a file of the project says.
pub(super) fn runs_tasks(name: &str) -> bool {
    matches!(
        name,
        "make"
            | "gmake"
            | "just"
            | "task"
            | "go-task"
            | "npm"
            | "yarn"
            | "pnpm"
            | "bun"
            | "composer"
            | "rake"
            | "tox"
            | "pre-commit"
            | "prek"
            | "crontab"
            | "systemctl"
            | "foreman"
            | "honcho"
            | "overmind"
            | "direnv"
            | "git"
            | "uv"
            | "npx"
            | "bunx"
            | "poetry"
            | "hatch"
            | "pdm"
            | "pipx"
            | "uvx"
            | "bundle"
    )
}

/// Lines that a task runs, and the folder they run in, if it is another one.
#[derive(Default)]
struct Tasks {
    lines: Vec<String>,
    folder: Option<String>,
}

impl Tasks {
    fn here(lines: Vec<String>) -> Self {
        Self { lines, folder: None }
    }
}

/// A call of a task runner.
struct Runner<'a> {
    name: &'a str,
    arguments: &'a [Word],
    directory: &'a Directory,
    input: Option<&'a str>,
}

impl Runner<'_> {
    fn has(&self, options: &[&str]) -> bool {
        self.arguments.iter().any(|word| options.iter().any(|option| word.is(option)))
    }

    fn parsed(&self, letters: &'static str, names: &'static str) -> Parsed<'_> {
        parse(&Grammar { letters, optional: "", names, option_style: OptionStyle::Gnu }, self.arguments)
    }
}

/// The known texts of the operands.
fn texts<'a>(parsed: &Parsed<'a>) -> Vec<&'a str> {
    parsed.operands.iter().filter_map(|word| word.text.as_deref()).collect()
}

/// The text of an option's value.
fn value(parsed: &Parsed<'_>, names: &str) -> Option<String> {
    parsed.value(names, OptionStyle::Gnu).and_then(|word| word.text.clone())
}

impl Reader<'_> {
    /// What files of the project say that this command starts.
    pub(super) fn task_launches(&mut self, invocation: &Invocation, input: &Input) -> Vec<Launch> {
        let Some(name) = invocation.name().filter(|name| self.is_deep() && runs_tasks(name)) else {
            return Vec::new();
        };
        let (name, directory) = (name.to_owned(), invocation.directory.clone());
        let input = match input {
            Input::Text(text) => Some(&**text),
            Input::Unread | Input::Unknown => None,
        };
        let arguments = invocation.words.get(1..).unwrap_or_default();
        let runner = Runner { name: &name, arguments, directory: &directory, input };
        if runner.has(&["--help", "--version", "-h"]) {
            return Vec::new();
        }
        let Tasks { lines, folder } = self.tasks(&runner).unwrap_or_default();
        let go = folder.map(|folder| format!("cd {} &&\n", quote(&folder))).unwrap_or_default();
        let launch = |line: String| Launch::Text {
            text: format!("{go}{line}"),
            by: name.clone(),
            shell: Shell::Other,
            arguments: Vec::new(),
        };
        lines.into_iter().take(MOST_LINES).map(launch).collect()
    }

    fn tasks(&mut self, runner: &Runner<'_>) -> Option<Tasks> {
        match runner.name {
            "make" | "gmake" => self.make(runner),
            "just" => self.just(runner),
            "task" | "go-task" => self.taskfile(runner),
            "npm" | "yarn" | "pnpm" | "bun" => self.package_scripts(runner),
            "composer" => self.composer(runner),
            "rake" => self.rake(runner),
            "tox" => self.tox(runner),
            "pre-commit" | "prek" => self.hooks(runner),
            "crontab" => self.crontab(runner),
            "systemctl" => self.unit(runner),
            "foreman" | "honcho" | "overmind" => self.procfile(runner),
            "direnv" => self.task_file(".envrc", runner.directory).map(|text| Tasks::here(vec![text])),
            "git" => self.git_hooks(runner),
            _ => None,
        }
    }

    /// The text of a file of tasks.
    fn task_file(&mut self, path: &str, directory: &Directory) -> Option<String> {
        self.file_text(path, directory)
    }

    /// The first of these files that is there.
    fn first_file(&mut self, folder: Option<&str>, names: &[&str], directory: &Directory) -> Option<String> {
        names.iter().find_map(|name| {
            let path = folder.map_or_else(|| (*name).to_owned(), |folder| format!("{folder}/{name}"));
            self.task_file(&path, directory)
        })
    }
}
