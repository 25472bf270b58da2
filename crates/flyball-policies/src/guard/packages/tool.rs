//! The package managers, and the commands that are theirs.

use flyball_core::text::Words;
use flyball_effects::{Command, Word};

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Ecosystem {
    Python,
    JavaScript,
}

impl Ecosystem {
    /// The key in the config.
    pub(super) const fn key(self) -> &'static str {
        match self {
            Ecosystem::Python => "python",
            Ecosystem::JavaScript => "javascript",
        }
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Tool {
    Pip,
    Poetry,
    Pipenv,
    Uv,
    Conda,
    Npm,
    Yarn,
    Pnpm,
    Bun,
}

impl Tool {
    pub(super) fn from_name(name: &str) -> Option<Tool> {
        use Tool::{Bun, Conda, Npm, Pip, Pipenv, Pnpm, Poetry, Uv, Yarn};
        let all = [Pip, Poetry, Pipenv, Uv, Conda, Npm, Yarn, Pnpm, Bun];
        all.into_iter().find(|tool| tool.name() == name)
    }

    pub(super) const fn name(self) -> &'static str {
        match self {
            Tool::Pip => "pip",
            Tool::Poetry => "poetry",
            Tool::Pipenv => "pipenv",
            Tool::Uv => "uv",
            Tool::Conda => "conda",
            Tool::Npm => "npm",
            Tool::Yarn => "yarn",
            Tool::Pnpm => "pnpm",
            Tool::Bun => "bun",
        }
    }

    pub(super) const fn ecosystem(self) -> Ecosystem {
        match self {
            Tool::Pip | Tool::Poetry | Tool::Pipenv | Tool::Uv | Tool::Conda => Ecosystem::Python,
            Tool::Npm | Tool::Yarn | Tool::Pnpm | Tool::Bun => Ecosystem::JavaScript,
        }
    }
}

/// A program that belongs to a package manager.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Program {
    /// The package manager itself.
    Main,
    /// `npx`, `bunx`, `pnpx`: starts a program of a package.
    Runner,
    /// `python -m venv`, `virtualenv`.
    Venv,
    /// `python -m ensurepip`.
    EnsurePip,
    /// `easy_install`.
    EasyInstall,
}

/// A command of a package manager.
#[derive(Clone, Debug)]
pub(super) struct Call {
    pub(super) tool: Tool,
    pub(super) program: Program,
    pub(super) words: Vec<Word>,
    /// The program as it is called: `python3 -m pip`.
    pub(super) called: String,
}

/// One of these is in every line that calls a package manager.
const TRACES: Words = Words(
    "pip|python|pypy|venv|virtualenv|poetry|easy_install|conda|mamba|uv|npm|npx|yarn|pnpm|pnpx|bun|py ",
);

/// Whether a command line could call a package manager: a cheap test before anything is parsed.
pub(super) fn may_call_package_manager(line: &str) -> bool {
    let has_trace = |text: &str| TRACES.iter().any(|trace| text.contains(trace));
    // The shell reads `p\ip` and `n'p'm` as pip and npm.
    has_trace(line)
        || (line.contains(['\\', '\'', '"']) && has_trace(&line.replace(['\\', '\'', '"', '\n'], "")))
}

/// The command as one of a package manager, if it is one.
pub(super) fn parse_call(command: &Command) -> Option<Call> {
    let name = command.program_name()?;
    // The words of other programs, most of them, are not copied.
    (is_python(name) || find_program(name).is_some())
        .then(|| parse_program_call(name, command.arguments.clone()))?
}

pub(super) fn parse_program_call(name: &str, words: Vec<Word>) -> Option<Call> {
    if is_python(name) {
        return python_module(name, &words);
    }
    let (tool, program) = find_program(name)?;
    Some(Call { tool, program, words, called: name.to_owned() })
}

fn find_program(name: &str) -> Option<(Tool, Program)> {
    Some(match name {
        "easy_install" => (Tool::Pip, Program::EasyInstall),
        "virtualenv" => (Tool::Pip, Program::Venv),
        "mamba" | "micromamba" => (Tool::Conda, Program::Main),
        "yarnpkg" => (Tool::Yarn, Program::Main),
        "npx" => (Tool::Npm, Program::Runner),
        "pnpx" => (Tool::Pnpm, Program::Runner),
        "bunx" => (Tool::Bun, Program::Runner),
        _ if is_versioned(name, "pip") => (Tool::Pip, Program::Main),
        _ => (Tool::from_name(name)?, Program::Main),
    })
}

/// `pip3`, `pip3.11`, but not `pip-compile` or `pipx`.
fn is_versioned(name: &str, stem: &str) -> bool {
    let version = name.strip_prefix(stem);
    version.is_some_and(|version| {
        version.starts_with(|first: char| first.is_ascii_digit())
            && version.chars().all(|letter| letter.is_ascii_digit() || letter == '.')
    })
}

fn is_python(name: &str) -> bool {
    matches!(name, "python" | "py" | "pypy") || is_versioned(name, "python") || is_versioned(name, "pypy")
}

/// `python -m pip …`; `None` for a file or code.
fn python_module(name: &str, arguments: &[Word]) -> Option<Call> {
    let mut words = arguments.iter();
    while let Some(word) = words.next() {
        let text = word.text.as_deref()?;
        let module = match text {
            "-m" => words.next()?.text.as_deref()?,
            "-X" | "-W" | "--check-hash-based-pycs" => {
                words.next();
                continue;
            }
            _ => match text.strip_prefix("-m") {
                Some(module) => module,
                // After `-c`, also among other letters (`-Ic`), the next word is code.
                None if text.starts_with('-') && text.len() > 1 && !text.contains('c') => continue,
                None => return None,
            },
        };
        let (tool, program) = match module {
            "venv" => (Tool::Pip, Program::Venv),
            "ensurepip" => (Tool::Pip, Program::EnsurePip),
            "pip" | "poetry" | "pipenv" | "uv" | "virtualenv" | "easy_install" => find_program(module)?,
            _ => return None,
        };
        let called = format!("{name} -m {module}");
        return Some(Call { tool, program, words: words.cloned().collect(), called });
    }
    None
}
