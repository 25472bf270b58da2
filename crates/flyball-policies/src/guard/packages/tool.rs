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
    if is_python(name) || find_program(name).is_some() {
        return parse_program_call(name, command.arguments.clone());
    }
    started(name, &command.arguments)
}

/// The package manager that a program which is none starts: `corepack pnpm@9 install`, `uvx poetry add`.
fn started(name: &str, words: &[Word]) -> Option<Call> {
    let operand = |words: &[Word], valued: Words| {
        let mut at = 0;
        while let Some(text) = words.get(at).and_then(|word| word.text.as_deref()) {
            if !text.starts_with('-') {
                return Some(at);
            }
            at += if valued.contains(text) { 2 } else { 1 };
        }
        None
    };
    match name {
        "corepack" => {
            let at = operand(words, Words("--install-directory"))?;
            let first = words.get(at)?.text.as_deref()?;
            let after = words.get(at + 1..)?;
            if first == "use" {
                // It names another manager in the manifest, and installs with it.
                let manager =
                    after.iter().filter_map(|word| word.text.as_deref()).find(|it| !it.starts_with('-'))?;
                let (tool, program) = find_program(unversioned(manager))?;
                let called = format!("corepack {first} {manager}");
                return Some(Call { tool, program, words: vec![Word::literal("install")], called });
            }
            let found = parse_program_call(unversioned(first), after.to_vec())?;
            Some(Call { called: format!("corepack {first}"), ..found })
        }
        "uvx" | "pipx" => {
            let words = match name {
                "pipx" => words.split_first().filter(|(first, _)| first.is("run"))?.1,
                _ => words,
            };
            let at = operand(
                words,
                Words("--from|--with|--python|-p|--spec|--index-url|--pip-args|-w|--with-editable"),
            )?;
            let first = words.get(at)?.text.as_deref()?;
            let found = parse_program_call(unversioned(first), words.get(at + 1..)?.to_vec())?;
            // uv itself comes from anywhere, and pip alone touches no project.
            (!matches!(found.tool, Tool::Uv | Tool::Pip))
                .then(|| Call { called: format!("{name} {first}"), ..found })
        }
        // The script of a manager, started by its runtime.
        "node" => {
            let at = words.iter().position(|word| !word.raw.starts_with('-'))?;
            let script = words.get(at)?.raw.trim_matches(['"', '\'']).rsplit('/').next()?;
            let manager = match script {
                "yarn.js" | "yarn.cjs" => "yarn",
                "npm-cli.js" => "npm",
                "npx-cli.js" => "npx",
                "pnpm.cjs" | "pnpm.js" => "pnpm",
                _ => return None,
            };
            parse_program_call(manager, words.get(at + 1..)?.to_vec())
        }
        _ => None,
    }
}

/// `pnpm` of `pnpm@9`, `poetry` of `poetry==1.8`.
fn unversioned(name: &str) -> &str {
    name.split(['@', '=', '<', '>', '~', '[']).next().unwrap_or(name)
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
        if let Some(code) = code_of(text, words.as_slice()) {
            return pip_in_code(name, code);
        }
        let module = match text {
            "-m" => words.next()?.text.as_deref()?,
            "-X" | "-W" | "--check-hash-based-pycs" => {
                words.next();
                continue;
            }
            _ => match module_letter(text) {
                // `-Im pip`: the last of several letters.
                Some("") => words.next()?.text.as_deref()?,
                Some(module) => module,
                None if text.starts_with('-') && text.len() > 1 => continue,
                None if text.rsplit('/').next() == Some("get-pip.py") => {
                    let called = format!("{name} {text}");
                    return Some(Call {
                        tool: Tool::Pip,
                        program: Program::EnsurePip,
                        words: Vec::new(),
                        called,
                    });
                }
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

/// What follows the letter `m` in options of Python: the module, or nothing if it is the next word.
fn module_letter(text: &str) -> Option<&str> {
    let letters = text.strip_prefix('-').filter(|rest| !rest.starts_with('-'))?;
    let (before, module) = letters.split_once('m')?;
    // The letters that take no value.
    before.chars().all(|letter| "bBdEhiIOPqsSuvVx".contains(letter)).then_some(module)
}

/// The code behind `-c`, also among other letters: `-Ic`.
fn code_of<'w>(text: &'w str, after: &'w [Word]) -> Option<&'w str> {
    let letters = text.strip_prefix('-').filter(|rest| !rest.starts_with('-'))?;
    let (before, code) = letters.split_once('c')?;
    if !before.chars().all(|letter| "bBdEhiIOPqsSuvVx".contains(letter)) {
        return None;
    }
    if code.is_empty() { after.first()?.text.as_deref() } else { Some(code) }
}

/// pip, called as a library or as a module from code.
fn pip_in_code(name: &str, code: &str) -> Option<Call> {
    let texts: Vec<&str> = code.split(['\'', '"']).skip(1).step_by(2).collect();
    let is_library =
        code.contains("pip._internal") || code.contains("pip.main(") || code.contains("import pip");
    let module = texts.iter().zip(texts.iter().skip(1)).position(|pair| matches!(pair, (&"-m", &"pip")));
    let start = match module {
        Some(at) => at + 2,
        None => texts
            .iter()
            .position(|text| matches!(*text, "install" | "uninstall" | "download"))
            .filter(|_| is_library)?,
    };
    let words = texts.get(start..)?.iter().map(|text| Word::literal(*text)).collect();
    Some(Call { tool: Tool::Pip, program: Program::Main, words, called: format!("{name} -m pip") })
}
