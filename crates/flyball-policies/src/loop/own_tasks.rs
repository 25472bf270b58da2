//! Builds, installs and checks as the project itself defines them. They write no code of the agent, as long as what defines
//! them is as it was when the session began.

use flyball_core::path::AbsolutePath;
use flyball_core::policy::{PolicyError, Situation, World};
use flyball_effects::Command;
use flyball_programs::{Kind, PROGRAMS, Program, program};

use super::definition::{self, Reach};
use super::pins::Pins;

const KEY: &str = "loop.tasks";

/// What a build or an install runs of the project without naming it.
const BUILD_CODE: [&str; 9] = [
    "build.rs",
    "setup.py",
    "setup.cfg",
    "hatch_build.py",
    "build.gradle",
    "build.gradle.kts",
    "Gemfile",
    "composer.json",
    "Package.swift",
];

/// What tasks are called that write no code, and verbs of package managers.
const QUIET: [&str; 34] = [
    "all",
    "assemble",
    "add",
    "b",
    "build",
    "bundle",
    "c",
    "check",
    "ci",
    "compile",
    "deps",
    "dist",
    "download",
    "fetch",
    "get",
    "i",
    "install",
    "lint",
    "lock",
    "mod",
    "package",
    "remove",
    "require",
    "restore",
    "sync",
    "test",
    "tests",
    "tidy",
    "typecheck",
    "uninstall",
    "update",
    "upgrade",
    "verify",
    "vet",
];
/// What a task of a package manager or a build tool is called that starts a server: `npm run dev`.
const SERVER_TASKS: [&str; 6] = ["dev", "start", "serve", "watch", "preview", "storybook"];
/// Words in the name of a task that does write.
const WRITES: [&str; 8] = ["fix", "write", "format", "fmt", "gen", "generate", "codegen", "snapshot"];
/// Words between a program and the name of its task.
const BEFORE_TASK: [&str; 5] = ["run", "run-script", "pip", "mod", "task"];

/// Longer lists of packages are not read.
const MOST_BYTES: u64 = 1024 * 1024;

/// Notes what defines them, unless that is known or the session begins `anew`.
pub(super) fn note(situation: &Situation<'_>, anew: bool) -> Result<(), PolicyError> {
    pins(situation).note(anew, || files(situation.world))
}

pub(super) fn is_noted(situation: &Situation<'_>) -> Result<bool, PolicyError> {
    situation.memory.has(KEY)
}

/// Whether a command only builds, installs or checks, by a definition that the session began with.
pub(super) fn is_own_task(situation: &Situation<'_>, command: &Command) -> bool {
    is_as_defined(situation, command, |known| is_quiet(situation, known, command))
}

/// Whether a command is a task that is called as a server (`make dev`), by a definition that the session began with.
pub(super) fn is_own_server(situation: &Situation<'_>, command: &Command) -> bool {
    let mut tasks = command.arguments.iter().filter_map(|word| word.text.as_deref()).peekable();
    tasks.peek().is_some() && tasks.all(is_server_task) && is_as_defined(situation, command, |_| true)
}

/// Whether a task is called as a server: `dev`, `serve:app`.
pub(super) fn is_server_task(name: &str) -> bool {
    name.split(':').next().is_some_and(|first| SERVER_TASKS.contains(&first))
}

fn is_as_defined(situation: &Situation<'_>, command: &Command, is_meant: impl Fn(&Program) -> bool) -> bool {
    let Some(known) = command.program_name().and_then(program) else { return false };
    let has_words = |command: &Command| command.arguments.iter().all(|word| word.text.is_some());
    if !is_runner(known) || !command.assignments.is_empty() || !has_words(command) || !is_at_root(situation) {
        return false;
    }
    is_meant(known) && is_unchanged(situation).unwrap_or_default()
}

fn pins<'a>(situation: &'a Situation<'a>) -> Pins<'a> {
    Pins { situation, key: KEY }
}

fn is_runner(known: &Program) -> bool {
    let is_defined = !known.facts.tasks.is_empty() || !known.facts.settings.is_empty();
    known.kind == Kind::PackageManager || (known.kind == Kind::BuildTool && is_defined)
}

fn files(world: &dyn World) -> Vec<AbsolutePath> {
    let runners: Vec<&str> =
        PROGRAMS.iter().filter(|known| is_runner(known)).map(|known| known.name).collect();
    let mut files = definition::files(world, &runners.join(" "), Reach::All);
    files.extend(BUILD_CODE.map(|name| world.project_root().join(name)));
    files.retain(|path| world.stat(path).is_some_and(|stat| !stat.is_folder));
    files.into_iter().collect()
}

fn is_unchanged(situation: &Situation<'_>) -> Result<bool, PolicyError> {
    Ok(is_noted(situation)? && pins(situation).changed(files(situation.world))?.is_empty())
}

/// Elsewhere another definition applies.
fn is_at_root(situation: &Situation<'_>) -> bool {
    let root = situation.world.project_root();
    let is_move = |command: &Command| matches!(command.program_name(), Some("cd" | "pushd" | "popd"));
    let real = |path: &AbsolutePath| situation.world.real_path(path, ".");
    real(&situation.event.cwd) == real(root)
        && situation.effective_line().is_some_and(|line| !line.script.commands.iter().any(is_move))
}

fn is_quiet(situation: &Situation<'_>, known: &Program, command: &Command) -> bool {
    let words: Vec<&str> = command.arguments.iter().filter_map(|word| word.text.as_deref()).collect();
    let never =
        known.facts.never.split(' ').map(|option| option.trim_start_matches('=')).filter(|it| !it.is_empty());
    let mut never = never.chain(["--fix", "--write", "--target", "-t", "-e", "--editable"]);
    if never.any(|option| words.iter().any(|word| word.split('=').next() == Some(option))) {
        return false;
    }
    let mut tasks = words.iter().filter(|word| !word.starts_with('-'));
    if known.facts.has_goals {
        // `make` alone makes what its file names first.
        return tasks.all(|name| is_quiet_name(name));
    }
    let Some(name) = tasks.find(|word| !BEFORE_TASK.contains(word)) else {
        return words.is_empty() && known.kind == Kind::PackageManager;
    };
    is_quiet_name(name) && tasks.all(|word| is_package(situation, word))
}

fn is_quiet_name(name: &str) -> bool {
    let mut parts = name.split([':', '-', '_', '.']);
    let begins = parts.next().is_some_and(|first| QUIET.contains(&first));
    begins && !name.contains(['/', '=']) && !parts.any(|part| WRITES.contains(&part))
}

/// Whether a word names a package from elsewhere, or a list of such. A folder of the project has scripts of its own.
fn is_package(situation: &Situation<'_>, word: &str) -> bool {
    let path = situation.world.real_path(&situation.event.cwd, word);
    if !word.ends_with(".txt") {
        let is_local = word.starts_with(['.', '/', '~']) || word.contains("file:") || word.contains("link:");
        return !is_local && situation.world.stat(&path).is_none();
    }
    let text = situation.world.read(&path, MOST_BYTES).ok().flatten();
    text.is_some_and(|text| {
        let text = String::from_utf8_lossy(&text).into_owned();
        let is_local = |line: &str| line.starts_with(['-', '.', '/']) || line.contains("file:");
        !text.lines().any(|line| is_local(line.trim()) && !line.trim().starts_with("--hash"))
    })
}
