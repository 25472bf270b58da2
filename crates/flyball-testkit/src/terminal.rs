//! A person at a terminal, played by a small program in Python.

use std::path::PathBuf;
use std::process::Command;

use serde_json::{Value, json};

use crate::process::run;
use crate::{Project, program};

/// Types answers at a pseudo-terminal. The tests may themselves be run by an agent, which would be among the parents of
/// the program: so the process is detached before it starts the program.
pub struct TerminalUser<'a> {
    project: &'a Project,
    program: PathBuf,
    variables: Vec<(String, String)>,
    answers: Vec<String>,
    typing: PromptKind,
}

/// What the answers are typed at.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PromptKind {
    /// At each `[y/N] `.
    Decisions,
    /// At everything that ends like a question, without an echo; the end of input follows the last answer.
    Lines,
}

impl<'a> TerminalUser<'a> {
    /// Someone who answers nothing.
    pub fn new(project: &'a Project) -> TerminalUser<'a> {
        let (variables, answers) = (Vec::new(), Vec::new());
        TerminalUser { project, program: program(), variables, answers, typing: PromptKind::Decisions }
    }

    /// The same, starting another program.
    #[must_use]
    pub fn with_program(mut self, program: impl Into<PathBuf>) -> TerminalUser<'a> {
        self.program = program.into();
        self
    }

    /// The same, typing these answers.
    #[must_use]
    pub fn with_answers(mut self, typing: PromptKind, answers: &[&str]) -> TerminalUser<'a> {
        self.answers = answers.iter().map(|&answer| answer.to_owned()).collect();
        self.typing = typing;
        self
    }

    /// The same, with a variable.
    #[must_use]
    pub fn with(mut self, name: &str, value: &str) -> TerminalUser<'a> {
        self.variables.push((name.to_owned(), value.to_owned()));
        self
    }

    /// Runs the program, and returns its exit code and all that was seen: `{"status": 0, "text": "…"}`.
    #[track_caller]
    pub fn run(&self, arguments: &[&str]) -> Value {
        // Several processes may do this in one project.
        let folder = tempfile::tempdir().unwrap();
        let driver = folder.path().join("terminal.py");
        std::fs::write(&driver, include_str!("terminal.py")).unwrap();
        let command_line: Vec<String> = std::iter::once(self.program.to_string_lossy().into_owned())
            .chain(arguments.iter().map(|&argument| argument.to_owned()))
            .collect();
        let request = json!({ "command": command_line, "answers": self.answers, "lines": self.typing == PromptKind::Lines });
        let mut command = Command::new("python3");
        command.arg(&driver).arg(request.to_string()).current_dir(self.project.root()).env_clear();
        command.envs(self.variables.iter().map(|(name, value)| (name, value)));
        command.env("HOME", self.project.home()).env("PATH", std::env::var_os("PATH").unwrap_or_default());
        let ran = run(command, b"");
        assert_eq!((ran.status, ran.stderr.as_str()), (0, ""), "{}", ran.stdout);
        ran.json()
    }
}
