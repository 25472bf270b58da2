//! The files that define what a command does: scripts that it names, the task files of programs (`Makefile`), what
//! configures them (`pytest.ini`), and the same for what these name in turn.

use std::collections::BTreeSet;

use fast_glob::glob_match;
use flyball_core::path::AbsolutePath;
use flyball_core::policy::World;
use flyball_programs::{TASKS, program};
use serde_json::Value;

/// Longer files are not scripts.
const MOST_BYTES: u64 = 1024 * 1024;
/// How far a script that names a script is followed.
const DEEPEST: usize = 3;
/// What the names of scripts end with.
const SCRIPTS: [&str; 7] = [".sh", ".bash", ".zsh", ".mk", ".mak", ".make", ".just"];
/// What names another file of the same kind in a task file.
const INCLUDES: [&str; 5] = ["include", "-include", "sinclude", "import", "mod"];

/// Which of the files that a script names count.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Reach {
    /// Scripts and task files.
    Scripts,
    /// Also programs in other languages.
    All,
}

/// These files, also those that do not exist.
pub(super) fn files(world: &dyn World, command: &str, reach: Reach) -> BTreeSet<AbsolutePath> {
    let root = world.project_root();
    let named: Vec<&str> = words(command).collect();
    let is_folder = |path: &AbsolutePath| world.stat(path).is_some_and(|stat| stat.is_folder);
    // `cd web && npm test`, `pytest tests`
    let below = named.iter().filter(|word| !word.starts_with('.')).map(|word| root.join(word));
    let mut folders: BTreeSet<AbsolutePath> = below.filter(is_folder).collect();
    folders.insert(root.clone());
    let mut found = BTreeSet::new();
    for folder in &folders {
        let mut next: BTreeSet<AbsolutePath> = named.iter().map(|word| folder.join(word)).collect();
        next.extend(named.iter().flat_map(|word| files_of_program(world, folder, word)));
        for _ in 0..DEEPEST {
            next.retain(|path| !found.contains(path));
            found.extend(next.iter().cloned());
            next = next.iter().flat_map(|path| named_in(world, folder, path, reach)).collect();
        }
        found.extend(next);
    }
    found
}

/// The text of such a file, if there is one.
pub(super) fn read(world: &dyn World, path: &AbsolutePath) -> Option<Vec<u8>> {
    world.stat(path).filter(|stat| !stat.is_folder)?;
    world.read(path, MOST_BYTES).ok().flatten()
}

/// What a script or a task file names.
fn named_in(
    world: &dyn World,
    folder: &AbsolutePath,
    path: &AbsolutePath,
    reach: Reach,
) -> Vec<AbsolutePath> {
    let name = path.rsplit('/').next().unwrap_or(path);
    if !is_script(name) && !TASKS.iter().any(|sign| sign.file == name) {
        return Vec::new();
    }
    let Some(bytes) = read(world, path) else { return Vec::new() };
    let mut text = String::from_utf8_lossy(&bytes).into_owned();
    if let (true, Ok(package)) = (name == "package.json", serde_json::from_str::<Value>(&text)) {
        // The names of its scripts and packages are no programs.
        let scripts = package.get("scripts").and_then(Value::as_object).into_iter().flatten();
        text = scripts.filter_map(|(_, line)| line.as_str()).collect::<Vec<_>>().join("\n");
    }
    let mut files = Vec::new();
    let mut before = "";
    for word in words(&text) {
        files.extend(files_of_program(world, folder, word));
        let path = folder.join(word);
        // What a build makes is no script: `bin/app`.
        let is_named = INCLUDES.contains(&before)
            || has_script_ending(word)
            || (reach == Reach::All && word.contains('.'));
        if is_named || (is_script(word) && word.contains('/') && begins_as_script(world, &path)) {
            files.push(path);
        }
        before = word;
    }
    files
}

/// Source files have other names: they are reviewed, and edited by honest work.
fn is_script(name: &str) -> bool {
    let last = name.rsplit('/').next().unwrap_or(name);
    has_script_ending(last) || (!last.is_empty() && !last.contains('.'))
}

fn has_script_ending(name: &str) -> bool {
    SCRIPTS.iter().any(|ending| name.ends_with(ending))
}

fn begins_as_script(world: &dyn World, path: &AbsolutePath) -> bool {
    read(world, path).is_some_and(|bytes| bytes.starts_with(b"#!"))
}

/// The files that say what a program does, if the word is one.
fn files_of_program(world: &dyn World, folder: &AbsolutePath, word: &str) -> Vec<AbsolutePath> {
    let name = word.rsplit('/').next().unwrap_or(word);
    let Some(known) = program(name) else { return Vec::new() };
    let mut files: Vec<AbsolutePath> = known.facts.tasks.iter().map(|file| folder.join(file)).collect();
    for setting in known.facts.settings {
        let file = setting.file;
        if file.starts_with("~/") {
            files.push(world.real_path(folder, file));
        } else if let Some((inner, pattern)) =
            file.contains('*').then(|| file.rsplit_once('/').unwrap_or(("", file)))
        {
            let place = if inner.is_empty() { folder.clone() } else { folder.join(inner) };
            let names = world.list(&place).into_iter().filter(|name| glob_match(pattern, name.as_str()));
            files.extend(names.map(|name| place.join(&name)));
        } else {
            files.push(folder.join(file));
        }
    }
    files
}

fn words(command: &str) -> impl Iterator<Item = &str> {
    // Only roughly as a shell splits: a word too many is one more file to look for.
    let is_end = |letter: char| letter.is_whitespace() || ";&|()<>'\"`=".contains(letter);
    let words = command.split(is_end).map(|word| word.strip_prefix("./").unwrap_or(word));
    words.filter(|word| !word.is_empty())
}
